/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-prompt-provider.h>
#include <gmcp/provider/gmcp-resource-provider.h>

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

typedef struct _GmcpGatheredLists GmcpGatheredLists;
typedef struct _GmcpResourceWatches GmcpResourceWatches;

/* The lists of resources, templates and prompts of all servers: gmcp-manager-lists.c */
GmcpGatheredLists *gmcp_manager_make_gathered_lists (GmcpManager *self);
GmcpResourceWatches *gmcp_manager_make_resource_watches (GmcpManager *self);
/* Whether those of the server are listed: it is switched on, in the project, and not beyond the role. */
gboolean gmcp_manager_shows_server (GmcpManager *self, GmcpManagedServer *server);
/* Whether a role, which may be NULL, is not kept from the server that lists it. */
gboolean gmcp_manager_permits_resource (GmcpManager *self, const char *uri, const char *role);
gboolean
gmcp_manager_permits_template (GmcpManager *self, const char *uri_template, const char *role);
gboolean gmcp_manager_permits_prompt (GmcpManager *self, const char *name, const char *role);
/* Other servers may belong to them now. */
void gmcp_manager_refresh_gathered_lists (GmcpManager *self);

/* gmcp-manager-resources.c, gmcp-manager-prompts.c */
void gmcp_manager_resource_provider_init (GmcpResourceProviderInterface *iface);
void gmcp_manager_prompt_provider_init (GmcpPromptProviderInterface *iface);
/* Whose resource it is, listed or not. Borrowed; NULL for nobody's that is known. */
GmcpManagedServer *gmcp_manager_find_resource_server (GmcpManager *self, const char *uri);
GError *gmcp_manager_new_unlisted_error (const char *uri);

/* Asks a server how a value may go on; a server that is unknown completes nothing: gmcp-manager-completion.c */
void gmcp_manager_complete (GmcpManager *self,
                            GmcpCompletionRequest *request,
                            GmcpManagedServer *server,
                            GmcpCompletionKind kind,
                            const char *reference);

/* Made when first asked for: gmcp-manager-accessors.c */
GmcpGatheredLists *gmcp_manager_get_gathered_lists (GmcpManager *self);
GmcpResourceWatches *gmcp_manager_get_resource_watches (GmcpManager *self);
/* NULL where nobody has wanted them. */
GmcpGatheredLists *gmcp_manager_peek_gathered_lists (GmcpManager *self);

G_END_DECLS
