/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The file of a Unix socket that this process listens on. */
typedef struct _GmcpSocketPath GmcpSocketPath;

/* Makes the file, and a socket that listens there. others: programs of other users may connect, and are to be
 * asked who they are. A file that a server has left behind is replaced; one that somebody listens on is not. */
GmcpSocketPath *
gmcp_socket_path_new (const char *path, gboolean others, GSocket **socket, GError **error);
/* Removes the file, unless another has taken its place. */
void gmcp_socket_path_free (GmcpSocketPath *self);

/* Removes a socket on which nobody listens any more. */
void gmcp_socket_path_remove_left_behind (const char *path);
/* Calls the function once, when somebody connects to a socket that listens. To be destroyed and dropped. */
GSource *gmcp_socket_watch_first (GSocket *socket, void (*func) (gpointer data), gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSocketPath, gmcp_socket_path_free)

G_END_DECLS
