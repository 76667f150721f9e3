/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-socket-path-private.h"

G_BEGIN_DECLS

/* A socket that listens, and the file that it listens at where it was made here. Where the process has no
 * descriptor left for one more connection, connecting waits. */
typedef struct _GmcpSocketListener GmcpSocketListener;

typedef void (*GmcpSocketAcceptedFunc) (GSocket *connection, gpointer data);

/* Whether a socket waits for connections, and of programs on this machine only. */
gboolean gmcp_socket_listener_check (GSocket *socket, GError **error);

/* Takes the path, which may be NULL. */
GmcpSocketListener *gmcp_socket_listener_new (GSocket *socket,
                                              GmcpSocketPath *path,
                                              GmcpSocketAcceptedFunc accepted,
                                              gpointer data);
void gmcp_socket_listener_free (GmcpSocketListener *self);

GSocket *gmcp_socket_listener_get_socket (GmcpSocketListener *self);

G_END_DECLS
