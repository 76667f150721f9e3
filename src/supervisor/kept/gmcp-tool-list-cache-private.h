/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/protocol/gmcp-tool.h>

#include "gmcp-client-abilities-private.h"
#include "gmcp-redactor-private.h"

G_BEGIN_DECLS

/* What a server listed when it last ran with this configuration, for a host that can do the same, kept in
 * $XDG_CACHE_HOME/gmcp/tools, so that listing starts nothing. */
typedef struct
{
  GPtrArray *tools; /* of GmcpTool */
  char *instructions;
} GmcpToolListCache;

void gmcp_tool_list_cache_free (GmcpToolListCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolListCache, gmcp_tool_list_cache_free)

void gmcp_tool_list_cache_load_async (GmcpServerConfig *config,
                                      GmcpClientAbilities abilities,
                                      GAsyncReadyCallback callback,
                                      gpointer data);
/* NULL without an error where there is none, or one of another version of the program. */
GmcpToolListCache *gmcp_tool_list_cache_load_finish (GAsyncResult *result, GError **error);

/* Loads all lists of the server, whatever their hosts could do. */
void gmcp_tool_list_cache_load_all_async (GmcpServerConfig *config,
                                          GAsyncReadyCallback callback,
                                          gpointer data);
/* Of GmcpTool, a tool as often as it was listed; NULL where there is no manifest that can be read. */
GPtrArray *gmcp_tool_list_cache_load_all_finish (GAsyncResult *result);

/* What cannot be kept is not kept, nor is what holds a secret; the callback need not know. */
void gmcp_tool_list_cache_save_async (GmcpServerConfig *config,
                                      GmcpClientAbilities abilities,
                                      GPtrArray *tools,
                                      const char *instructions,
                                      GmcpRedactor *redactor,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer data);

G_END_DECLS
