/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/settings/gmcp-settings-config-source.h>
#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* Where servers are configured, for who changes that: the settings, and the user's files. */

/* The place of a server, whether or not it can be changed there; NULL for one that was added while the daemon runs. */
GmcpConfigSource *gmcpd_places_peek (GmcpManager *manager, const char *name);
/* The path of a file, “settings”, or “program” for what is in neither. */
char *gmcpd_places_describe (GmcpManager *manager, const char *name);
/* NULL with an error where it is none that is written to: a program, or the file of a project. */
GmcpConfigSource *gmcpd_places_find (GmcpManager *manager, const char *name, GError **error);
/* Where servers are stored that come anew: the settings, or the file that the daemon was started with. NULL with an error
 * where nothing can be. */
GmcpConfigSource *gmcpd_places_find_for_new (GmcpManager *manager, GError **error);

/* How often the daemon has written to any of them, for who read one before: what was written since is not in it. */
guint gmcpd_places_get_n_writings (void);
void gmcpd_places_count_writing (void);

G_END_DECLS
