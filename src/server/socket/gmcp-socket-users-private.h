/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Users whose programs may connect to a Unix socket: the one that this process runs as, and those that were
 * named. Names are looked up when the table is made, and never while clients are served. */
typedef struct _GmcpSocketUsers GmcpSocketUsers;

/* named (nullable): login names, or numbers. */
GmcpSocketUsers *gmcp_socket_users_new (const char *const *named, GError **error);
void gmcp_socket_users_free (GmcpSocketUsers *self);

/* Whether there is anybody but the user of this process. */
gboolean gmcp_socket_users_has_others (GmcpSocketUsers *self);
/* The user at the other end of a connection, a login name, or a number where it has none; NULL where that
 * user is not let in, or the system does not say who it is. */
const char *gmcp_socket_users_identify (GmcpSocketUsers *self, GSocket *connection);

/* The program at the other end, “FILE (PID)”; NULL where the system does not say. */
char *gmcp_socket_dup_program (GSocket *connection);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSocketUsers, gmcp_socket_users_free)

G_END_DECLS
