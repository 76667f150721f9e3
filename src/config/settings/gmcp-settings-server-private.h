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
/* Sets them, all at once; gmcp_settings_check_server() has to have said that it can be done. */
void gmcp_settings_write_server (GSettings *settings,
                                 GmcpServerConfig *config,
                                 const char *const *fields);

/* Sets every key, all at once: those that are as by default are reset. Fails as gmcp_settings_check_server() does, and
 * changes nothing then. */
gboolean
gmcp_settings_replace_server (GSettings *settings, GmcpServerConfig *config, GError **error);
/* But for what is locked. */
void gmcp_settings_reset_server (GSettings *settings);

G_END_DECLS
