/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-secret-private.h"
#include "gmcp-keyring-secret-private.h"

static GmcpKeyringSecret *
name_secret (const char *name, const char *server_id, GmcpConfigOrigin *origin)
{
  gboolean confined = origin != NULL && origin->confined;

  return gmcp_keyring_secret_new_for_path (name, confined ? server_id : NULL,
                                           confined ? origin->file : NULL);
}

char *
gmcp_config_secret_describe (const char *name, const char *server_id, GmcpConfigOrigin *origin)
{
  g_autoptr (GmcpKeyringSecret) secret = name_secret (name, server_id, origin);

  return gmcp_keyring_secret_dup_command (secret, "set");
}

char *
gmcp_config_secret_describe_clear (const char *name)
{
  g_autoptr (GmcpKeyringSecret) secret = gmcp_keyring_secret_new_for_path (name, NULL, NULL);

  return gmcp_keyring_secret_dup_command (secret, "remove");
}

void
gmcp_config_secret_lookup_async (const char *name,
                                 const char *server_id,
                                 GmcpConfigOrigin *origin,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GmcpKeyringSecret) secret = name_secret (name, server_id, origin);

  gmcp_keyring_secret_lookup_async (secret, cancellable, callback, user_data);
}

char *
gmcp_config_secret_lookup_finish (GAsyncResult *result, GError **error)
{
  g_autoptr (GObject) secret = g_async_result_get_source_object (result);

  return gmcp_keyring_secret_lookup_finish (GMCP_KEYRING_SECRET (secret), result, error);
}

void
gmcp_config_secret_store_async (const char *name,
                                const char *value,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GmcpKeyringSecret) secret = gmcp_keyring_secret_new_for_path (name, NULL, NULL);

  gmcp_keyring_secret_store_async (secret, value, cancellable, callback, user_data);
}

gboolean
gmcp_config_secret_store_finish (GAsyncResult *result, GError **error)
{
  g_autoptr (GObject) secret = g_async_result_get_source_object (result);

  return gmcp_keyring_secret_store_finish (GMCP_KEYRING_SECRET (secret), result, error);
}

void
gmcp_config_secret_clear_async (const char *name,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GmcpKeyringSecret) secret = gmcp_keyring_secret_new_for_path (name, NULL, NULL);

  gmcp_keyring_secret_remove_async (secret, cancellable, callback, user_data);
}

gboolean
gmcp_config_secret_clear_finish (GAsyncResult *result, GError **error)
{
  g_autoptr (GObject) secret = g_async_result_get_source_object (result);

  return gmcp_keyring_secret_remove_finish (GMCP_KEYRING_SECRET (secret), result, error);
}
