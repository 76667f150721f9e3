/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* Servers that are added and removed while the daemon runs, whatever the door; where that is asked for, stored in the
 * settings, and taken out of the place where they are configured. One that is added runs when this ends; G_IO_ERROR_EXISTS where
 * its name is taken. configuration: an entry of “mcpServers”. */
void gmcpd_adding_add_async (GmcpManager *manager,
                             const char *name,
                             const char *configuration,
                             gboolean store,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
GmcpManagedServer *
gmcpd_adding_add_finish (GmcpManager *manager, GAsyncResult *result, GError **error);

void gmcpd_adding_remove_async (GmcpManager *manager,
                                const char *name,
                                gboolean store,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean gmcpd_adding_remove_finish (GmcpManager *manager, GAsyncResult *result, GError **error);

/* From what may stand behind its name in “mcpServers”, up to a size. */
GmcpServerConfig *
gmcpd_adding_read_configuration (const char *name, const char *configuration, GError **error);

G_END_DECLS
