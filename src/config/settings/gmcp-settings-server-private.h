/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* One server in settings of the schema org.gmcp.Server. */

GmcpServerConfig *gmcp_settings_read_server (GSettings *settings, const char *id);

/* Whether fields (properties) can be set to what config has: GMCP_ERROR_INVALID_CONFIG where the
 * settings do not take the value, GMCP_ERROR_NOT_PERMITTED where it is locked. */
gboolean gmcp_settings_check_server (GSettings *settings,
                                     GmcpServerConfig *config,
                                     const char *const *fields,
                                     GError **error);
/* Sets all keys at once, after gmcp_settings_check_server() has said that this can be done. */
void gmcp_settings_write_server (GSettings *settings,
                                 GmcpServerConfig *config,
                                 const char *const *fields);

/* The keys, as files call them, of what a configuration says and only files can keep; NULL where there are
 * none. */
char *gmcp_settings_list_unkept (GmcpServerConfig *config);
/* The configuration without those. */
GmcpServerConfig *gmcp_settings_dup_kept (GmcpServerConfig *config);

/* Sets every key, all at once: those that are as by default are reset. Fails as gmcp_settings_check_server() does, and
 * with GMCP_ERROR_INVALID_CONFIG where there is more than the settings keep; changes nothing then. */
gboolean
gmcp_settings_replace_server (GSettings *settings, GmcpServerConfig *config, GError **error);
/* Resets every key but those that are locked. */
void gmcp_settings_reset_server (GSettings *settings);

G_END_DECLS
