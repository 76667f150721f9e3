/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-keyring-access-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-keyring-secret-private.h"
#include "gmcp-visible-text-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpKeyringSecret:
 *
 * The name of a value that configurations take from the keyring, and of its place there: `${secret:NAME}` of
 * the user's own files and settings, that of one server of a project's file, which sees no others, or what was
 * answered to `${input:ID}` of one file. The tokens of the session daemon are there, too, out of the reach of any
 * configuration. The value itself is not in it.
 *
 * Since: 0.1
 */
struct _GmcpKeyringSecret
{
  GObject parent_instance;

  char *name;
  char *server_id;
  char *file;
  gboolean input;
  gboolean for_daemon;
};

G_DEFINE_FINAL_TYPE (GmcpKeyringSecret, gmcp_keyring_secret, G_TYPE_OBJECT)

static void
gmcp_keyring_secret_finalize (GObject *object)
{
  GmcpKeyringSecret *self = GMCP_KEYRING_SECRET (object);

  g_free (self->name);
  g_free (self->server_id);
  g_free (self->file);

  G_OBJECT_CLASS (gmcp_keyring_secret_parent_class)->finalize (object);
}

static void
gmcp_keyring_secret_class_init (GmcpKeyringSecretClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_keyring_secret_finalize;
}

static void
gmcp_keyring_secret_init (GmcpKeyringSecret *self)
{
}

GmcpKeyringSecret *
gmcp_keyring_secret_new_for_path (const char *name, const char *server_id, const char *path)
{
  GmcpKeyringSecret *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail ((server_id == NULL) == (path == NULL), NULL);

  self = g_object_new (GMCP_TYPE_KEYRING_SECRET, NULL);
  self->name = g_strdup (name);
  self->server_id = g_strdup (server_id);
  self->file = g_strdup (path);
  return self;
}

GmcpKeyringSecret *
gmcp_keyring_secret_new_for_input_of_path (const char *id, const char *path)
{
  GmcpKeyringSecret *self;

  g_return_val_if_fail (id != NULL, NULL);

  self = g_object_new (GMCP_TYPE_KEYRING_SECRET, NULL);
  self->name = g_strdup (id);
  self->file = g_strdup (path);
  self->input = TRUE;
  return self;
}

/**
 * gmcp_keyring_secret_new:
 * @name: the NAME of `${secret:NAME}`
 * @server_id: (nullable): the server that may have it, for the file of a project; %NULL otherwise
 * @file: (nullable): the local file of that project; %NULL for the user's own files and settings
 *
 * Names a secret. Nothing is looked up.
 *
 * Returns: (transfer full): a new name
 *
 * Since: 0.1
 */
GmcpKeyringSecret *
gmcp_keyring_secret_new (const char *name, const char *server_id, GFile *file)
{
  g_return_val_if_fail (gmcp_file_is_local_or_null (file), NULL);

  return gmcp_keyring_secret_new_for_path (name, server_id, gmcp_file_peek_path_or_null (file));
}

/**
 * gmcp_keyring_secret_new_for_input:
 * @id: the ID of `${input:ID}`
 * @file: (nullable): the local file that asks for it; %NULL for the settings
 *
 * Names what was answered to a file. Nothing is looked up.
 *
 * Returns: (transfer full): a new name
 *
 * Since: 0.1
 */
GmcpKeyringSecret *
gmcp_keyring_secret_new_for_input (const char *id, GFile *file)
{
  g_return_val_if_fail (gmcp_file_is_local_or_null (file), NULL);

  return gmcp_keyring_secret_new_for_input_of_path (id, gmcp_file_peek_path_or_null (file));
}

/**
 * gmcp_keyring_secret_new_for_daemon:
 * @name: `control-token` or `gateway-token`
 *
 * Names a token that the session daemon asks programs for. No configuration can refer to it, and
 * [func@Gmcp.KeyringSecret.list_async] does not list it. Nothing is looked up.
 *
 * Returns: (transfer full): a new name
 *
 * Since: 0.1
 */
GmcpKeyringSecret *
gmcp_keyring_secret_new_for_daemon (const char *name)
{
  GmcpKeyringSecret *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = g_object_new (GMCP_TYPE_KEYRING_SECRET, NULL);
  self->name = g_strdup (name);
  self->for_daemon = TRUE;
  return self;
}

/**
 * gmcp_keyring_secret_get_name:
 * @self: a secret
 *
 * Gives the name that stands in the configuration.
 *
 * Returns: the name
 *
 * Since: 0.1
 */
const char *
gmcp_keyring_secret_get_name (GmcpKeyringSecret *self)
{
  g_return_val_if_fail (GMCP_IS_KEYRING_SECRET (self), NULL);

  return self->name;
}

/**
 * gmcp_keyring_secret_get_server_id:
 * @self: a secret
 *
 * Gives the one server that may have it.
 *
 * Returns: (nullable): an id; %NULL where it is not for one server
 *
 * Since: 0.1
 */
const char *
gmcp_keyring_secret_get_server_id (GmcpKeyringSecret *self)
{
  g_return_val_if_fail (GMCP_IS_KEYRING_SECRET (self), NULL);

  return self->server_id;
}

/**
 * gmcp_keyring_secret_dup_file:
 * @self: a secret
 *
 * Gives the one file that it is for.
 *
 * Returns: (transfer full) (nullable): the file; %NULL where it is for all of the user's own
 *
 * Since: 0.1
 */
GFile *
gmcp_keyring_secret_dup_file (GmcpKeyringSecret *self)
{
  g_return_val_if_fail (GMCP_IS_KEYRING_SECRET (self), NULL);

  return gmcp_file_new_for_path_or_null (self->file);
}

/**
 * gmcp_keyring_secret_is_input:
 * @self: a secret
 *
 * Says whether it is what was answered to `${input:ID}`.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_keyring_secret_is_input (GmcpKeyringSecret *self)
{
  g_return_val_if_fail (GMCP_IS_KEYRING_SECRET (self), FALSE);

  return self->input;
}

const char *
gmcp_keyring_secret_get_path (GmcpKeyringSecret *self)
{
  return self->file;
}

gboolean
gmcp_keyring_secret_is_for_daemon (GmcpKeyringSecret *self)
{
  return self->for_daemon;
}

char *
gmcp_keyring_secret_dup_command (GmcpKeyringSecret *self, const char *verb)
{
  g_autoptr (GString) text = g_string_new ("gmcp secret ");
  g_autofree char *name = gmcp_dup_shell_word (self->name);

  g_string_append_printf (text, "%s%s %s", verb, self->input ? " --input" : "", name);
  if (self->server_id != NULL)
    g_string_append_printf (text, " --server %s", self->server_id);
  if (self->file != NULL)
    {
      g_autofree char *file = gmcp_dup_shell_word (self->file);

      g_string_append_printf (text, " --file %s", file);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* FALSE with an error for a secret that was made without a name, which would stand for all of them. */
static gboolean
has_name (GmcpKeyringSecret *self, GTask *task)
{
  if (self->name != NULL)
    return TRUE;

  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                           _ ("The secret has no name"));
  return FALSE;
}

/**
 * gmcp_keyring_secret_lookup_async:
 * @self: a secret
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Looks the value up. The user may be asked to unlock the keyring. Fails with what the keyring says, and with
 * [error@Gmcp.Error] `NOT_SUPPORTED` in a build without libsecret.
 *
 * Since: 0.1
 */
void
gmcp_keyring_secret_lookup_async (GmcpKeyringSecret *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_KEYRING_SECRET (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_keyring_secret_lookup_async);
  if (!g_task_return_error_if_cancelled (task) && has_name (self, task))
    gmcp_keyring_begin_lookup (self, task);
}

/**
 * gmcp_keyring_secret_lookup_finish:
 * @self: a secret
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.KeyringSecret.lookup_async].
 *
 * Returns: (transfer full) (nullable): the value; %NULL without an error where there is none
 *
 * Since: 0.1
 */
char *
gmcp_keyring_secret_lookup_finish (GmcpKeyringSecret *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_KEYRING_SECRET (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_keyring_secret_lookup_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_keyring_secret_store_async:
 * @self: a secret
 * @value: the value
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Puts the value into the keyring, in place of one that is there. The user may be asked to unlock it. Fails
 * with what the keyring says, and with [error@Gmcp.Error] `NOT_SUPPORTED` in a build without libsecret.
 *
 * Since: 0.1
 */
void
gmcp_keyring_secret_store_async (GmcpKeyringSecret *self,
                                 const char *value,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_KEYRING_SECRET (self));
  g_return_if_fail (value != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_keyring_secret_store_async);
  if (!g_task_return_error_if_cancelled (task) && has_name (self, task))
    gmcp_keyring_begin_store (self, value, task);
}

/**
 * gmcp_keyring_secret_store_finish:
 * @self: a secret
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.KeyringSecret.store_async].
 *
 * Returns: whether it is stored
 *
 * Since: 0.1
 */
gboolean
gmcp_keyring_secret_store_finish (GmcpKeyringSecret *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_KEYRING_SECRET (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_keyring_secret_store_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_keyring_secret_remove_async:
 * @self: a secret
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Takes the value out of the keyring.
 *
 * Since: 0.1
 */
void
gmcp_keyring_secret_remove_async (GmcpKeyringSecret *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_KEYRING_SECRET (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_keyring_secret_remove_async);
  if (!g_task_return_error_if_cancelled (task) && has_name (self, task))
    gmcp_keyring_begin_remove (self, task);
}

/**
 * gmcp_keyring_secret_remove_finish:
 * @self: a secret
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.KeyringSecret.remove_async].
 *
 * Returns: whether there was one; %FALSE without an error where there was none
 *
 * Since: 0.1
 */
gboolean
gmcp_keyring_secret_remove_finish (GmcpKeyringSecret *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_KEYRING_SECRET (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_keyring_secret_remove_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_keyring_secret_list_async:
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Lists the secrets that the keyring has for configurations: their names, and no values.
 *
 * Since: 0.1
 */
void
gmcp_keyring_secret_list_async (GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_keyring_secret_list_async);
  if (!g_task_return_error_if_cancelled (task))
    gmcp_keyring_begin_list (task);
}

/**
 * gmcp_keyring_secret_list_finish:
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [func@Gmcp.KeyringSecret.list_async].
 *
 * Returns: (transfer container) (element-type GmcpKeyringSecret): what is there
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_keyring_secret_list_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_keyring_secret_list_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
