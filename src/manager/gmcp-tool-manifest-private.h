/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-server-config.h>
#include <gmcp/protocol/gmcp-tool.h>

#include "gmcp-redactor-private.h"

G_BEGIN_DECLS

/* What a server listed when it last ran with this configuration, kept in $XDG_CACHE_HOME/gmcp/tools, so
 * that listing starts nothing. */
typedef struct
{
  GPtrArray *tools; /* of GmcpTool */
  char *instructions;
} GmcpToolManifest;

void gmcp_tool_manifest_free (GmcpToolManifest *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolManifest, gmcp_tool_manifest_free)

void gmcp_tool_manifest_load_async (GmcpServerConfig *config,
                                    GAsyncReadyCallback callback,
                                    gpointer data);
/* NULL where there is none that can be read. */
GmcpToolManifest *gmcp_tool_manifest_load_finish (GAsyncResult *result);

/* What cannot be kept is not kept, nor is what holds a secret; the callback need not know. */
void gmcp_tool_manifest_save_async (GmcpServerConfig *config,
                                    GPtrArray *tools,
                                    const char *instructions,
                                    GmcpRedactor *redactor,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer data);

G_END_DECLS
