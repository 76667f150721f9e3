/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/settings/gmcp-settings-config-source.h>
#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* Servers that are added and removed while the daemon runs, whatever the door; stored in the settings where that is
 * asked for. One that is added runs when this ends. configuration: an entry of “mcpServers”. */
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

/* How often the daemon has written to the settings, for who read them before. */
guint gmcpd_adding_get_n_writings (void);
void gmcpd_adding_count_writing (void);

/* Where servers are stored; NULL with an error where nothing can be. */
GmcpSettingsConfigSource *gmcpd_adding_find_settings (GmcpManager *manager, GError **error);

G_END_DECLS
