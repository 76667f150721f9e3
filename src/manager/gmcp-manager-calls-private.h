/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* The manager as a provider: requests, calls and the list of tools. */

/* FALSE where the request came in another thread, which it has failed with then. */
gboolean gmcp_manager_check_request_thread (GmcpManager *self,
                                            GmcpProviderRequest *request,
                                            const char *function);
/* FALSE, too, where the manager has been closed. */
gboolean
gmcp_manager_takes_request (GmcpManager *self, GmcpProviderRequest *request, const char *function);
/* Takes a call; replay_of is the id of the one that it repeats, or NULL. */
void gmcp_manager_take_call (GmcpManager *self, GmcpToolCall *call, const char *replay_of);
/* The rules and records hold for tools of the host's own as well. */
void gmcp_manager_open_gate (GmcpManager *self);
void gmcp_manager_load_tools (GmcpToolProvider *provider, GmcpToolLoad *load);

G_END_DECLS
