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

G_END_DECLS
