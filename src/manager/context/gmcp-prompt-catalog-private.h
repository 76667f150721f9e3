/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/gmcp-managed-server.h>

#include "gmcp-tool-names-private.h"

G_BEGIN_DECLS

/* The prompts of servers, under names that are unique among all of them. */
typedef struct _GmcpPromptCatalog GmcpPromptCatalog;

GmcpPromptCatalog *gmcp_prompt_catalog_new (void);
void gmcp_prompt_catalog_free (GmcpPromptCatalog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpPromptCatalog, gmcp_prompt_catalog_free)

/* A server could not list its prompts; owner is the source object of the task. */
typedef void (*GmcpPromptNoticeFunc) (gpointer owner,
                                      const char *server_id,
                                      GmcpNoticeLevel level,
                                      const char *message);

/* Starts the servers (of GmcpManagedServer) where they do not run, lists the prompts of all of them side by
 * side, and ends the task with an array of GmcpPromptCommand, server by server. A server that fails is left
 * out. The task's source object keeps the catalog. */
void gmcp_prompt_catalog_list (GmcpPromptCatalog *self,
                               GTask *task,
                               GPtrArray *servers,
                               GmcpPromptNoticeFunc notice);

/* Gives the prompts (of GmcpPrompt) that a server lists now their names. */
GStrv gmcp_prompt_catalog_name_prompts (GmcpPromptCatalog *self,
                                        GmcpManagedServer *server,
                                        GPtrArray *prompts);

/* The prompt that the name means, of those that were listed. */
gboolean gmcp_prompt_catalog_find (GmcpPromptCatalog *self,
                                   const char *name,
                                   GmcpToolName *found,
                                   GError **error);
/* What a caller is told of such a name; error is what the search failed with (nullable). */
GError *gmcp_prompt_catalog_unknown_error (const char *name, const GError *error);

G_END_DECLS
