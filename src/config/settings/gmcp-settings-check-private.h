/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-settings-list-private.h"

G_BEGIN_DECLS

/* Servers: the ids in the key `servers`, and what is at /org/gmcp/servers/ID/. What counted last goes on to
 * count while there is an error in settings that enable the server, if it was enabled then too. Where nothing
 * else counts, a server with a key that cannot be read is off. */
extern const GmcpSettingsListKind gmcp_settings_servers;

/* What is to be said of the manager's own keys. */
void gmcp_settings_find_problems (GSettings *manager, GPtrArray *findings);

G_END_DECLS
