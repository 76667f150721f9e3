/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>
#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

/* What is judged: the pair that a name was resolved to, never the name. */
typedef struct
{
  const char *server; /* NULL for a tool of the host's own */
  const char *tool;
  const char *title;    /* of the server; NULL where it is not known */
  GmcpTool *definition; /* as it is listed; NULL where it is not known */
  GmcpPinStatus pin_status;
  gboolean trusted; /* whether what the server says of its tools counts in their favour */
} GmcpPolicySubject;

G_END_DECLS
