/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-late-names-private.h"
#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* Looks for what is called so at the servers that may have it, for a role, or NULL for the manager's own; ended with
 * gmcp_tool_provider_look_for_finish(). */
void gmcp_manager_look_for_async (GmcpManager *self,
                                  GmcpLateKind kind,
                                  const char *name,
                                  const char *role,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
/* The server that a name SERVER__NAME or SERVER.NAME speaks of, though nothing may be known of what it lists. */
GmcpManagedServer *gmcp_manager_find_named_server (GmcpManager *self, const char *name);

/* As gmcp_manager_find_tool_async(), and ended in the same way: gmcp-manager-find.c */
void gmcp_manager_find_tool_for_async (GmcpManager *self,
                                       const char *name,
                                       const char *role,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);

G_END_DECLS
