/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* Called once, perhaps at once; error is NULL where the call may be made. */
typedef void (*GmcpManagerAskedFunc) (const GError *error, gpointer data);

typedef struct
{
  GmcpTool *tool;
  const char *server_name; /* NULL for a tool of the host's own */
  const char *rule;
} GmcpManagerQuestion;

/* Somebody has to allow the call: emits call-requested. */
void gmcp_manager_ask (GmcpManager *self,
                       GmcpToolCall *call,
                       const GmcpManagerQuestion *question,
                       GmcpManagerAskedFunc func,
                       gpointer data);

/* Nobody is asked any more. */
void gmcp_manager_drop_asking (GmcpManager *self, const GError *reason);

G_END_DECLS
