/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

/* A call that was not admitted has been completed. */
typedef void (*GmcpToolGateFunc) (gboolean admitted, gpointer data);

/* What a provider that has rules and records says of tools that are not its own. */
typedef struct
{
  /* Whether the tool may be listed and found. */
  gboolean (*permits) (GmcpToolProvider *self, GmcpTool *tool, GError **error);
  /* Decides whether the call may be made, if need be after a person was asked. Calls func once,
   * perhaps at once. */
  void (*admit) (GmcpToolProvider *self,
                 GmcpToolCall *call,
                 GmcpTool *tool,
                 GmcpToolGateFunc func,
                 gpointer data);
} GmcpToolGate;

/* The gate is static. */
void gmcp_tool_provider_set_gate (GmcpToolProvider *self, const GmcpToolGate *gate);
/* NULL for a provider without rules. */
const GmcpToolGate *gmcp_tool_provider_get_gate (GmcpToolProvider *self);

/* The gate may permit other tools now. */
void gmcp_tool_provider_emit_rules_changed (GmcpToolProvider *self);

G_END_DECLS
