/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Which program a server is, and where it is looked for before it is started. */

/* As it is configured; "" for a server that is no program. */
const char *gmcp_server_program_get (GmcpServerConfig *config);
/* The PATH that the configuration gives to it; NULL for none. */
const char *gmcp_server_program_get_own_path (GmcpServerConfig *config);
/* That PATH, or the one of this process. */
const char *gmcp_server_program_get_path (GmcpServerConfig *config);
/* The program's name or its absolute path; NULL where the folder that a path goes by is known only when
 * it is started, and for a server that is no program. */
char *gmcp_server_program_dup_name (GmcpServerConfig *config);
/* The file in path; NULL where there is none, or where it cannot be looked for. */
char *gmcp_server_program_find (GmcpServerConfig *config, const char *path);

/* Whether a program that is looked for in this PATH needs to be looked for nowhere else. */
typedef gboolean (*GmcpServerProgramFunc) (GmcpServerConfig *config, const char *path);

/* Gives the PATH in which a server's program is to be looked for: the one that the configuration gives to it;
 * else that of this process, where is_enough says so; else the two of this process and of a login shell. Fails
 * where the cancellable says so. */
void gmcp_server_program_choose_path_async (GmcpServerConfig *config,
                                            GMainContext *context,
                                            GmcpServerProgramFunc is_enough,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data);
/* FALSE where it failed. path may be set to NULL: there is no PATH. */
gboolean gmcp_server_program_choose_path_finish (GAsyncResult *result, char **path, GError **error);

G_END_DECLS
