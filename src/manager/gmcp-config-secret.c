/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-secret-private.h"
#include "gmcp-i18n-private.h"

#include <gmcp/core/gmcp-error.h>

#define SCHEMA "org.gmcp.Credential"
/* Secrets of the user's own files and settings, and those of a project's file. */
#define KIND_OWN      "variable"
#define KIND_CONFINED "project-variable"

static gboolean
is_confined (GmcpConfigOrigin *origin)
{
  return origin != NULL && origin->confined;
}

char *
gmcp_config_secret_describe (const char *name, const char *server_id, GmcpConfigOrigin *origin)
{
  g_autofree char *quoted = g_shell_quote (name);
  g_autofree char *file = NULL;

  if (!is_confined (origin))
    return g_strdup_printf ("secret-tool store --label=%s xdg:schema " SCHEMA " kind " KIND_OWN
                            " name %s",
                            quoted, quoted);

  file = g_shell_quote (origin->file);
  return g_strdup_printf ("secret-tool store --label=%s xdg:schema " SCHEMA " kind " KIND_CONFINED
                          " name %s server-id %s resource %s",
                          quoted, quoted, server_id, file);
}

char *
gmcp_config_secret_describe_clear (const char *name)
{
  g_autofree char *quoted = g_shell_quote (name);

  return g_strdup_printf ("secret-tool clear xdg:schema " SCHEMA " kind " KIND_OWN " name %s",
                          quoted);
}

#ifdef HAVE_LIBSECRET

#include <libsecret/secret.h>

static const SecretSchema schema = { SCHEMA,
                                     SECRET_SCHEMA_NONE,
                                     {
                                       { "server-id", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "kind", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "name", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "issuer", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "resource", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "client-id", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { NULL, 0 },
                                     },
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0 };

/* libsecret keeps the table itself until it is done. */
static GHashTable *
new_attributes (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
}

static void
add (GHashTable *attributes, const char *name, const char *value)
{
  g_hash_table_insert (attributes, (gpointer) name, g_strdup (value));
}

static void
on_looked_up (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  char *secret = secret_password_lookup_finish (result, &error);
  char *copy;

  if (error != NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  /* Ours, so that it is freed like any other text. */
  copy = g_strdup (secret);
  secret_password_free (secret);
  g_task_return_pointer (task, copy, g_free);
}

void
gmcp_config_secret_lookup_async (const char *name,
                                 const char *server_id,
                                 GmcpConfigOrigin *origin,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GHashTable) attributes = new_attributes ();

  g_task_set_source_tag (task, gmcp_config_secret_lookup_async);
  add (attributes, "name", name);
  add (attributes, "kind", is_confined (origin) ? KIND_CONFINED : KIND_OWN);
  if (is_confined (origin))
    {
      add (attributes, "server-id", server_id);
      add (attributes, "resource", origin->file);
    }
  secret_password_lookupv (&schema, attributes, cancellable, on_looked_up, g_steal_pointer (&task));
}

static GHashTable *
own_attributes (const char *name)
{
  GHashTable *attributes = new_attributes ();

  add (attributes, "name", name);
  add (attributes, "kind", KIND_OWN);
  return attributes;
}

static void
on_changed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  gboolean stored = g_task_get_source_tag (task) == gmcp_config_secret_store_async;
  GError *error = NULL;

  if (stored)
    secret_password_store_finish (result, &error);
  else
    secret_password_clear_finish (result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
gmcp_config_secret_store_async (const char *name,
                                const char *value,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GHashTable) attributes = own_attributes (name);

  g_task_set_source_tag (task, gmcp_config_secret_store_async);
  secret_password_storev (&schema, attributes, SECRET_COLLECTION_DEFAULT, name, value, cancellable,
                          on_changed, g_steal_pointer (&task));
}

void
gmcp_config_secret_clear_async (const char *name,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GHashTable) attributes = own_attributes (name);

  g_task_set_source_tag (task, gmcp_config_secret_clear_async);
  secret_password_clearv (&schema, attributes, cancellable, on_changed, g_steal_pointer (&task));
}

#else

static void
refuse (GTask *task)
{
  g_task_return_new_error (
    task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
    _ ("this build of gmcp does not look into the keyring: use a variable of "
       "the environment, or build it with libsecret"));
}

void
gmcp_config_secret_store_async (const char *name,
                                const char *value,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_config_secret_store_async);
  refuse (task);
}

void
gmcp_config_secret_clear_async (const char *name,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_config_secret_clear_async);
  refuse (task);
}

void
gmcp_config_secret_lookup_async (const char *name,
                                 const char *server_id,
                                 GmcpConfigOrigin *origin,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_config_secret_lookup_async);
  refuse (task);
}

#endif

char *
gmcp_config_secret_lookup_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_secret_lookup_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
gmcp_config_secret_store_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_secret_store_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
gmcp_config_secret_clear_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_secret_clear_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
