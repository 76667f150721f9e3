/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/settings/gmcp-settings-config-source.h>

G_BEGIN_DECLS

/* NULL for the one of the session. */
GSettingsBackend *gmcp_settings_config_source_ref_backend (GmcpSettingsConfigSource *self);

/* What the administrator of the computer has locked, as far as it is known since the first load. */

/* NULL for changed to be told no more. */
void gmcp_settings_config_source_watch_locks (GmcpSettingsConfigSource *self,
                                              void (*changed) (gpointer),
                                              gpointer data);
/* A server of any place, with the values of the keys that are locked for its id. */
GmcpServerConfig *
gmcp_settings_config_source_lock (GmcpSettingsConfigSource *self, GmcpServerConfig *config);
/* Whether a key of org.gmcp.Manager is locked. */
gboolean gmcp_settings_config_source_is_locked (GmcpSettingsConfigSource *self, const char *key);

G_END_DECLS
