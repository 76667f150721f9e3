/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

/* Names that a provider does not list, but may before long: those of servers that have not answered yet. */

typedef enum
{
  GMCP_LATE_TOOL,
  GMCP_LATE_PROMPT,
  GMCP_LATE_RESOURCE, /* or a template; its name is the URI */
} GmcpLateKind;

/* The callback gets a task that returns NULL when the name is listed now, or is nothing's; a tool that is not listed, and
 * may be called all the same, since somebody is asked then; an error where whatever is called so cannot be reached. Its
 * source object is the provider that knows. */
typedef void (*GmcpLookForFunc) (GmcpToolProvider *self,
                                 GmcpLateKind kind,
                                 const char *name,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* In the init function of a provider's interface. */
void gmcp_tool_provider_set_look_for (GmcpToolProviderInterface *iface, GmcpLookForFunc func);
/* FALSE where the provider lists all that it has. */
gboolean gmcp_tool_provider_can_look_for (GmcpToolProvider *self);
void gmcp_tool_provider_look_for_async (GmcpToolProvider *self,
                                        GmcpLateKind kind,
                                        const char *name,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
/* FALSE for an error; unlisted may be NULL. */
gboolean
gmcp_tool_provider_look_for_finish (GAsyncResult *result, GmcpTool **unlisted, GError **error);

G_END_DECLS
