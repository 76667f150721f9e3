/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Keys that the administrator of the computer has locked: what they say stands above every other place
 * that a server is configured in. */
typedef struct _GmcpSettingsLocks GmcpSettingsLocks;

/* changed is called when a lock, or what is behind one, has changed. Has to be made, and lives, in the
 * thread-default context. */
GmcpSettingsLocks *gmcp_settings_locks_new (GSettingsBackend *backend,
                                            GSettingsSchema *server_schema,
                                            void (*changed) (gpointer),
                                            gpointer data);
void gmcp_settings_locks_free (GmcpSettingsLocks *self);

/* The configuration with the values of all keys that are locked for a server of that id; the same object
 * where there are none. */
GmcpServerConfig *gmcp_settings_locks_apply (GmcpSettingsLocks *self, GmcpServerConfig *config);

G_END_DECLS
