/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-expand-private.h"

G_BEGIN_DECLS

/* A secret of the keyring, for a server. Gives NULL without an error where none of that name is stored;
 * GMCP_ERROR_NOT_SUPPORTED in a build without libsecret. */
void gmcp_config_secret_lookup_async (const char *name,
                                      const char *server_id,
                                      GmcpConfigOrigin *origin,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
char *gmcp_config_secret_lookup_finish (GAsyncResult *result, GError **error);

/* The command that stores it. */
char *
gmcp_config_secret_describe (const char *name, const char *server_id, GmcpConfigOrigin *origin);

/* Stores a secret of the user's own files and settings, in place of one of that name; the errors
 * are those of a look-up. */
void gmcp_config_secret_store_async (const char *name,
                                     const char *value,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean gmcp_config_secret_store_finish (GAsyncResult *result, GError **error);
void gmcp_config_secret_clear_async (const char *name,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean gmcp_config_secret_clear_finish (GAsyncResult *result, GError **error);

/* The command that takes it out. */
char *gmcp_config_secret_describe_clear (const char *name);

G_END_DECLS
