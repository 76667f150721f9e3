/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-late-names-private.h"

void
gmcp_tool_provider_set_look_for (GmcpToolProviderInterface *iface, GmcpLookForFunc func)
{
  iface->look_for = (GCallback) func;
}

gboolean
gmcp_tool_provider_can_look_for (GmcpToolProvider *self)
{
  return GMCP_TOOL_PROVIDER_GET_IFACE (self)->look_for != NULL;
}

void
gmcp_tool_provider_look_for_async (GmcpToolProvider *self,
                                   GmcpLateKind kind,
                                   const char *name,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GmcpLookForFunc look_for = (GmcpLookForFunc) GMCP_TOOL_PROVIDER_GET_IFACE (self)->look_for;

  look_for (self, kind, name, cancellable, callback, user_data);
}

gboolean
gmcp_tool_provider_look_for_finish (GAsyncResult *result, GmcpTool **unlisted, GError **error)
{
  GError *reason = NULL;
  g_autoptr (GmcpTool) tool = g_task_propagate_pointer (G_TASK (result), &reason);

  if (reason != NULL)
    {
      g_propagate_error (error, reason);
      return FALSE;
    }

  if (unlisted != NULL)
    *unlisted = g_steal_pointer (&tool);
  return TRUE;
}
