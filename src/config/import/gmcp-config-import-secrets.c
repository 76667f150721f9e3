/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-import-private.h"
#include "gmcp-config-secret-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-redactor-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

/* Secrets that stand in the clear, on their way into the keyring: first it is seen what is there already,
 * then the others are put there, all or none. */
typedef struct
{
  GPtrArray
    *secrets; /* of GmcpConfigImportSecret, borrowed from the items, which are kept as well */
  GPtrArray *items;
  guint position;
  gboolean stores;   /* after all of them were looked up */
  GPtrArray *stored; /* of char *: names of those that were not there before */
  GError *error;     /* NULL while all is well */
} Storing;

static void
storing_free (gpointer data)
{
  Storing *storing = data;

  g_ptr_array_unref (storing->secrets);
  g_ptr_array_unref (storing->items);
  g_clear_pointer (&storing->stored, g_ptr_array_unref);
  g_clear_error (&storing->error);
  g_free (storing);
}

static void
secret_free (gpointer data)
{
  GmcpConfigImportSecret *secret = data;

  g_free (secret->name);
  g_free (secret->value);
  g_free (secret);
}

/* The value as it is to be written; NULL where it stays as it is. A scheme such as “Bearer” is none of the
 * secret. */
static char *
move_secret (GmcpConfigImportItem *item, const char *name, const char *value, gboolean header)
{
  const char *space = header ? strchr (value, ' ') : NULL;
  gsize skipped = space != NULL ? (gsize) (space + 1 - value) : 0;
  GmcpConfigImportSecret *secret;

  if (strpbrk (name, "{}:$") != NULL || value[skipped] == '\0')
    return NULL;

  secret = g_new0 (GmcpConfigImportSecret, 1);
  secret->name = g_strconcat (item->id, "-", name, NULL);
  secret->value = g_strdup (value + skipped);
  g_ptr_array_add (item->moved, secret);
  return g_strdup_printf ("%.*s${secret:%s}", (int) skipped, value, secret->name);
}

static void
move_environment (GmcpConfigImportItem *item, const char *const *places, GPtrArray *notes)
{
  const char *const *environment = gmcp_server_config_get_environment (item->config);

  for (gsize i = 0; environment[i] != NULL; i++)
    {
      gsize length = strcspn (environment[i], "=");
      g_autofree char *name = g_strndup (environment[i], length);
      g_autofree char *place = g_strconcat ("env.", name, NULL);
      g_autofree char *value = NULL;

      if (g_strv_contains (places, place))
        value = move_secret (item, name, environment[i] + length + 1, FALSE);
      if (value == NULL)
        continue;
      gmcp_server_config_take_environment_entry (item->config, i,
                                                 g_strconcat (name, "=", value, NULL));
      g_ptr_array_add (notes, g_strdup_printf (_ ("%s: %s → %s"), place, GMCP_REDACTED, value));
    }
}

static void
move_headers (GmcpConfigImportItem *item, const char *const *places, GPtrArray *notes)
{
  const char *const *headers = gmcp_server_config_get_headers (item->config);

  for (gsize i = 0; headers[i] != NULL; i += 2)
    {
      g_autofree char *place = g_strconcat ("headers.", headers[i], NULL);
      char *value = NULL;

      if (g_strv_contains (places, place))
        value = move_secret (item, headers[i], headers[i + 1], TRUE);
      if (value == NULL)
        continue;
      gmcp_server_config_take_header_value (item->config, i + 1, value);
      g_ptr_array_add (notes, g_strdup_printf (_ ("%s: %s → %s"), place, GMCP_REDACTED, value));
    }
}

void
gmcp_config_import_move_secrets (GmcpConfigImportItem *item)
{
  g_auto (GStrv) places = gmcp_config_list_plain_secrets (item->config);
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_copy (item->config);
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();

  item->moved = g_ptr_array_new_with_free_func (secret_free);
  g_set_object (&item->config, config);
  move_environment (item, (const char *const *) places, notes);
  move_headers (item, (const char *const *) places, notes);
  for (gsize i = 0; item->notes != NULL && item->notes[i] != NULL; i++)
    g_ptr_array_add (notes, g_strdup (item->notes[i]));
  g_ptr_array_add (notes, NULL);
  g_strfreev (item->notes);
  item->notes = (GStrv) g_ptr_array_free (g_steal_pointer (&notes), FALSE);
}

static void forget_next (GTask *task);
static void go_on (GTask *task);

/* Nothing stays that was put there. Takes the error. */
static void
fail_storing (GTask *task, GError *error)
{
  Storing *storing = g_task_get_task_data (task);

  storing->error = error;
  forget_next (task);
}

static void
on_forgotten (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;

  gmcp_config_secret_clear_finish (result, NULL);
  forget_next (task);
}

static void
forget_next (GTask *task)
{
  Storing *storing = g_task_get_task_data (task);
  g_autofree char *name = NULL;

  if (storing->stored->len == 0)
    {
      g_task_return_error (task, g_steal_pointer (&storing->error));
      return;
    }

  name = g_ptr_array_steal_index (storing->stored, storing->stored->len - 1);
  gmcp_config_secret_clear_async (name, NULL, on_forgotten, g_object_ref (task));
}

static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Storing *storing = g_task_get_task_data (task);
  GmcpConfigImportSecret *secret = g_ptr_array_index (storing->secrets, storing->position);
  GError *error = NULL;

  if (!gmcp_config_secret_store_finish (result, &error))
    {
      g_prefix_error (&error,
                      _ ("the secret %s could not be put into the keyring, and nothing was "
                         "imported: "),
                      secret->name);
      fail_storing (task, error);
      return;
    }
  g_ptr_array_add (storing->stored, g_strdup (secret->name));
  storing->position++;
  go_on (task);
}

static void
on_looked_up (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Storing *storing = g_task_get_task_data (task);
  GmcpConfigImportSecret *secret = g_ptr_array_index (storing->secrets, storing->position);
  GError *error = NULL;
  g_autofree char *present = gmcp_config_secret_lookup_finish (result, &error);
  g_autofree char *hint = NULL;

  if (error != NULL)
    {
      g_prefix_error (&error,
                      _ ("the secret %s could not be put into the keyring, and nothing was "
                         "imported: "),
                      secret->name);
      fail_storing (task, error);
      return;
    }
  if (present != NULL && !g_str_equal (present, secret->value))
    {
      hint = gmcp_config_secret_describe_clear (secret->name);
      fail_storing (task,
                    g_error_new (GMCP_ERROR, GMCP_ERROR_FAILED,
                                 _ ("the keyring has another value of the secret %s already, and "
                                    "nothing was imported; take that out with: %s"),
                                 secret->name, hint));
      return;
    }

  if (present != NULL)
    g_ptr_array_remove_index (storing->secrets, storing->position);
  else
    storing->position++;
  go_on (task);
}

static void
go_on (GTask *task)
{
  Storing *storing = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GmcpConfigImportSecret *secret;
  GError *error = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, &error))
    {
      fail_storing (task, error);
      return;
    }
  if (storing->position == storing->secrets->len && !storing->stores)
    {
      storing->stores = TRUE;
      storing->position = 0;
    }
  if (storing->position == storing->secrets->len)
    {
      g_task_return_pointer (task, g_steal_pointer (&storing->stored),
                             (GDestroyNotify) g_ptr_array_unref);
      return;
    }

  secret = g_ptr_array_index (storing->secrets, storing->position);
  if (storing->stores)
    gmcp_config_secret_store_async (secret->name, secret->value, cancellable, on_stored,
                                    g_object_ref (task));
  else
    gmcp_config_secret_lookup_async (secret->name, "", NULL, cancellable, on_looked_up,
                                     g_object_ref (task));
}

static GTask *
new_task (GPtrArray *items,
          GPtrArray *stored,
          GCancellable *cancellable,
          GAsyncReadyCallback callback,
          gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Storing *storing = g_new0 (Storing, 1);

  storing->items = g_ptr_array_ref (items);
  storing->secrets = g_ptr_array_new ();
  storing->stored = stored;
  g_task_set_task_data (task, storing, storing_free);
  return task;
}

void
gmcp_config_import_store_async (GPtrArray *items,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task
    = new_task (items, g_ptr_array_new_with_free_func (g_free), cancellable, callback, user_data);
  Storing *storing = g_task_get_task_data (task);

  g_task_set_source_tag (task, gmcp_config_import_store_async);
  for (guint i = 0; i < items->len; i++)
    {
      GmcpConfigImportItem *item = g_ptr_array_index (items, i);

      for (guint k = 0; item->moved != NULL && k < item->moved->len; k++)
        g_ptr_array_add (storing->secrets, g_ptr_array_index (item->moved, k));
    }
  go_on (task);
}

GPtrArray *
gmcp_config_import_store_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_import_store_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
gmcp_config_import_forget_async (GPtrArray *items,
                                 GPtrArray *stored,
                                 GError *reason,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = new_task (items, stored, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcp_config_import_forget_async);
  fail_storing (task, reason);
}

void
gmcp_config_import_forget_finish (GAsyncResult *result, GError **error)
{
  g_return_if_fail (g_task_is_valid (result, NULL));
  g_return_if_fail (g_async_result_is_tagged (result, gmcp_config_import_forget_async));

  g_task_propagate_pointer (G_TASK (result), error);
}
