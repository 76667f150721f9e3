/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>
#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/transport/gmcp-transport.h>

#include "gmcp-daemon-activation-private.h"

G_BEGIN_DECLS

/* The process of a server that the session's daemon offers to all programs of the user: a socket in
 * $XDG_RUNTIME_DIR/gmcp/shared, which is called as the key in gmcp-share-key-private.h. */

/* The folder of the sockets. */
char *gmcp_shared_process_dup_folder (void);
/* Whether nobody but the user could have put something there. Costs one system call where there is none. */
gboolean gmcp_shared_process_check_folder (const char *folder);

/* Tells other programs that this one, of its version, offers processes in the folder, until the descriptor is closed. -1
 * where that is not possible, or another one does. */
int gmcp_shared_process_hold_folder (const char *folder);

/* Finds the way to the process of that key, where what the setting says of the server's era is so. activation is
 * nullable: it has the daemon started where there is no such process yet. */
void gmcp_shared_process_find_async (GmcpServerConfig *config,
                                     GmcpShare share,
                                     const char *key,
                                     GmcpDaemonActivation *activation,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
/* Not open yet. NULL where the server gets a process of its own: with GMCP_ERROR_NOT_SUPPORTED where the daemon is of a
 * version that starts servers in another way, and with another error where that is not found out any more. offered: whether there is such a process; is_modern: whether its server is known to speak 2026-07-28. */
GmcpTransport *gmcp_shared_process_find_finish (GAsyncResult *result,
                                                gboolean *offered,
                                                gboolean *is_modern,
                                                GError **error);

G_END_DECLS
