/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-folder-gate-private.h"

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* In which folder a server's program runs. The host's own is a folder that anybody may have filled, and
 * `npx` and `python3 -m` run what they find there, so it is never that one by itself: it is the folder
 * `cwd` of the configuration, else that of a project whose file is trusted, or of the file that was named,
 * else one of the server's own (gmcp-work-folder-private.h). A configuration that is not the
 * workspace's, and yet leads into it, has the user asked whether the workspace is trusted. */

typedef struct
{
  const char *state_dir; /* of folders of servers' own, and of the file of trusted ones */
  const char *workspace; /* of the host; NULL for the folder that this program runs in */
  GmcpFolderGate *gate;  /* NULL where nobody can be asked */
} GmcpServerFolderContext;

/* Whether the program runs in a folder of its own where cwd says nothing else. */
gboolean gmcp_server_folder_is_own (GmcpServerConfig *config);

/* Gives the configuration that is to be run, with its folder as cwd. written is as it was configured, and
 * filled has its variables filled in; they may be one. Fails with GMCP_ERROR_INVALID_CONFIG where the
 * workspace is not trusted, and with GMCP_ERROR_START_FAILED where the folder cannot be had. */
void gmcp_server_folder_find_async (GmcpServerConfig *written,
                                    GmcpServerConfig *filled,
                                    const GmcpServerFolderContext *context,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
GmcpServerConfig *gmcp_server_folder_find_finish (GAsyncResult *result, GError **error);

G_END_DECLS
