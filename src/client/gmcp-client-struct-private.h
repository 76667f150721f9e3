/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-private.h"

G_BEGIN_DECLS

/* Known to gmcp-client.c and gmcp-client-session.c. */
struct _GmcpClient
{
  GObject parent_instance;

  GmcpSession *session;
};

G_END_DECLS
