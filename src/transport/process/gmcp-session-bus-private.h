/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Connections to the bus of the session that are not the program's own: what the program does with
 * that is its affair, and what belongs to one server goes with it. */

/* The bus is not started for it; NULL where there is none. */
char *gmcp_session_bus_dup_address (void);

void gmcp_session_bus_connect_async (const char *address,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
GDBusConnection *gmcp_session_bus_connect_finish (GAsyncResult *result, GError **error);

G_END_DECLS
