/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Which files of projects the user trusts, and which of their servers may stand in for those of other
 * places, each with a hash of what was in the file: kept in
 * $XDG_STATE_HOME/gmcp/trusted-files.json. A file goes by the name that its location gives it
 * (gmcp-config-location-private.h). */

/* The path of that file. */
char *gmcp_config_trust_dup_store (void);

/* The hash of the file's contents. */
char *gmcp_config_trust_hash (const char *text, gsize length);

/* Whether the file is trusted with these contents. A store that cannot be read trusts nothing, with
 * GMCP_ERROR_INVALID_CONFIG that says so. approved
 * is given the ids of the servers in it that may stand in for those of other places, too. */
void gmcp_config_trust_check_async (const char *path,
                                    const char *hash,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean
gmcp_config_trust_check_finish (GAsyncResult *result, GHashTable **approved, GError **error);

/* From now on the file is trusted with these contents, or with a server_id (nullable) that server of it
 * approved; with NULL for hash they are not any more, a file with all of its servers. */
void gmcp_config_trust_store_async (const char *path,
                                    const char *server_id,
                                    const char *hash,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean gmcp_config_trust_store_finish (GAsyncResult *result, GError **error);

G_END_DECLS
