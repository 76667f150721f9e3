/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/settings/gmcp-settings-config-source.h>

G_BEGIN_DECLS

/* What the administrator of the computer has locked in GSettings. It stands above all places, also where a
 * file of the host's is the only one. settings is NULL where GSettings are no place: nothing is locked. */

/* A key of org.gmcp.Manager. */
gboolean gmcp_lockdown_has_key (GmcpSettingsConfigSource *settings, const char *key);
/* The configuration with what is locked for its id in place of what it says. */
GmcpServerConfig *
gmcp_lockdown_apply (GmcpSettingsConfigSource *settings, GmcpServerConfig *config);
/* FALSE where the list of servers is locked, and that one not in it. */
gboolean gmcp_lockdown_permits_id (GmcpSettingsConfigSource *settings, const char *id);

G_END_DECLS
