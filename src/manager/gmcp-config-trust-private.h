/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Which files of projects the user trusts, each with a hash of what was in it: kept in
 * $XDG_STATE_HOME/gmcp/trusted-files.json. */

/* Of the file's contents. */
char *gmcp_config_trust_hash (const char *text, gsize length);

/* Whether the file is trusted with these contents. A store that cannot be read trusts nothing. */
void gmcp_config_trust_check_async (const char *path,
                                    const char *hash,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean gmcp_config_trust_check_finish (GAsyncResult *result, GError **error);

/* From now on the file is trusted with these contents; with NULL for hash it is not any more. */
void gmcp_config_trust_store_async (const char *path,
                                    const char *hash,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean gmcp_config_trust_store_finish (GAsyncResult *result, GError **error);

G_END_DECLS
