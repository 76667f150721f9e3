/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-file-exchange-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-line-diff-private.h"
#include "gmcp-program-connection-private.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a file is read as, and what it is to be. */

static void
on_backups_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpProgramConnection *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) contents = gmcp_state_file_read_all_finish (result, &error);

  if (contents == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  /* One that cannot be read is none. */
  for (guint i = 0; i < contents->len && self->contents != NULL; i++)
    {
      GmcpStateFileContent *content = g_ptr_array_index (contents, i);

      if (content->bytes != NULL)
        g_ptr_array_add (self->contents->backups, g_bytes_ref (content->bytes));
    }
  g_task_return_boolean (task, TRUE);
}

/* Only what is connected can be disconnected. */
static void
read_backups (GTask *task)
{
  GmcpProgramConnection *self = g_task_get_source_object (task);
  g_auto (GStrv) paths = NULL;

  if (!gmcp_program_connection_is_there (self))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  paths = g_new0 (char *, GMCP_LIMIT_FILE_BACKUPS + 1);
  for (guint i = 0; i < GMCP_LIMIT_FILE_BACKUPS; i++)
    paths[i] = gmcp_file_exchange_name_backup (g_file_peek_path (self->file), i + 1);
  gmcp_state_file_read_all_async ((const char *const *) paths, g_task_get_cancellable (task),
                                  on_backups_read, g_object_ref (task));
}

static void
on_file_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpProgramConnection *self = g_task_get_source_object (task);
  GError *error = NULL;
  GBytes *text = gmcp_state_file_read_finish (result, &error);
  GmcpProgramFile *contents = NULL;

  if (error != NULL)
    g_prefix_error (&error, "%s: ", g_file_peek_path (self->file));
  else
    contents = gmcp_program_file_read (self->program, self->file, text, &error);
  if (contents == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  gmcp_program_connection_take_contents (self, contents);
  read_backups (task);
}

/**
 * gmcp_program_connection_load_async:
 * @self: a connection
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the program's file, or sees that there is none. Fails with [error@Gmcp.Error] `INVALID_CONFIG` where the file
 * cannot be read as what the program has, or is too large, with `NOT_SUPPORTED` where it is in YAML and the build has
 * none, with `INVALID_ARGUMENT` for a program that is not known, and with I/O errors.
 *
 * Since: 0.1
 */
void
gmcp_program_connection_load_async (GmcpProgramConnection *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_PROGRAM_CONNECTION (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_program_connection_load_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->program == NULL && self->program_name != NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                             _ ("the files of “%s” are not known"), self->program_name);
  else if (self->file == NULL || g_file_peek_path (self->file) == NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                             _ ("A connection with a program needs a file of this computer"));
  else if (self->program == NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                             _ ("Where %s is does not tell which program reads it: name the "
                                "program"),
                             g_file_peek_path (self->file));
  else
    gmcp_state_file_read_async (g_file_peek_path (self->file), cancellable, on_file_read,
                                g_steal_pointer (&task));
}

/**
 * gmcp_program_connection_load_finish:
 * @self: a connection
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ProgramConnection.load_async].
 *
 * Returns: whether the file was read, or is not there
 *
 * Since: 0.1
 */
gboolean
gmcp_program_connection_load_finish (GmcpProgramConnection *self,
                                     GAsyncResult *result,
                                     GError **error)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_program_connection_load_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Takes wanted; NULL with the error is passed on. */
static char *
preview_text (GmcpProgramConnection *self, char *wanted)
{
  g_autofree char *after = wanted;
  g_autofree char *before = NULL;
  g_autofree char *diff = NULL;
  gsize length = 0;
  const char *text;
  char *redacted;

  if (after == NULL)
    return NULL;
  text = self->contents->text != NULL ? g_bytes_get_data (self->contents->text, &length) : NULL;
  before = g_strndup (text != NULL ? text : "", length);
  diff = gmcp_line_diff (before, after);
  redacted = gmcp_redactor_redact (self->contents->redactor, diff);
  return redacted != NULL ? redacted : g_steal_pointer (&diff);
}

/**
 * gmcp_program_connection_preview_connect:
 * @self: a connection that was loaded
 * @error: return location for an error
 *
 * Says what [method@Gmcp.ProgramConnection.connect_async] would change, as a unified diff without lines around the
 * changes. What the program gives to other servers as a secret is not shown. Fails as that does.
 *
 * Returns: (transfer full): the diff; an empty text where nothing would change
 *
 * Since: 0.1
 */
char *
gmcp_program_connection_preview_connect (GmcpProgramConnection *self, GError **error)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return preview_text (self, gmcp_program_connection_make_connected (self, error));
}

/**
 * gmcp_program_connection_preview_disconnect:
 * @self: a connection that was loaded
 * @error: return location for an error
 *
 * Says what [method@Gmcp.ProgramConnection.disconnect_async] would change, as
 * [method@Gmcp.ProgramConnection.preview_connect] does.
 *
 * Returns: (transfer full): the diff; an empty text where nothing would change
 *
 * Since: 0.1
 */
char *
gmcp_program_connection_preview_disconnect (GmcpProgramConnection *self, GError **error)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return preview_text (self, gmcp_program_connection_make_disconnected (self, error));
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpProgramConnection *self = g_task_get_source_object (task);
  g_autofree char *backup = NULL;
  GError *error = NULL;
  GmcpProgramFile *contents;

  if (!gmcp_file_exchange_finish (result, &backup, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_object (&self->backup);
  if (backup != NULL)
    self->backup = g_file_new_for_path (backup);
  g_object_notify (G_OBJECT (self), "backup-file");

  contents = gmcp_program_file_read (self->program, self->file,
                                     g_bytes_ref (g_task_get_task_data (task)), &error);
  if (contents == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  gmcp_program_connection_take_contents (self, contents);
  read_backups (task);
}

/* Takes wanted, NULL for the error. */
static void
write_text (GTask *task, char *wanted, GError *error)
{
  GmcpProgramConnection *self = g_task_get_source_object (task);
  g_autoptr (GBytes) after = NULL;

  if (wanted == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  after = g_bytes_new_take (wanted, strlen (wanted));
  if (self->contents->text != NULL ? g_bytes_equal (self->contents->text, after)
                                   : g_bytes_get_size (after) == 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_task_set_task_data (task, g_bytes_ref (after), (GDestroyNotify) g_bytes_unref);
  gmcp_file_exchange_async (g_file_peek_path (self->file), self->project, self->contents->text,
                            after, g_task_get_cancellable (task), on_written, g_object_ref (task));
}

/**
 * gmcp_program_connection_connect_async:
 * @self: a connection that was loaded
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Writes the gateway into the program's file, or changes how the program starts it; where it is there as it is to be,
 * nothing is written. What the file held is kept in [property@Gmcp.ProgramConnection:backup-file]. The program has to
 * read its file again, which most do when they are started.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where another server has the name, or nothing was loaded, with
 * `INVALID_CONFIG` where the file cannot be changed so that all else reads the same, with `FAILED` where it has been
 * changed since it was loaded, with `NOT_PERMITTED` where it is read-only, with `LIMIT_EXCEEDED` where too many backups
 * are beside it, and with I/O errors. The file is as it was then.
 *
 * Since: 0.1
 */
void
gmcp_program_connection_connect_async (GmcpProgramConnection *self,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;
  char *wanted;

  g_return_if_fail (GMCP_IS_PROGRAM_CONNECTION (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_program_connection_connect_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  wanted = gmcp_program_connection_make_connected (self, &error);
  write_text (task, wanted, error);
}

/**
 * gmcp_program_connection_connect_finish:
 * @self: a connection
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ProgramConnection.connect_async].
 *
 * Returns: whether the program has the gateway
 *
 * Since: 0.1
 */
gboolean
gmcp_program_connection_connect_finish (GmcpProgramConnection *self,
                                        GAsyncResult *result,
                                        GError **error)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_program_connection_connect_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_program_connection_disconnect_async:
 * @self: a connection that was loaded
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Takes the gateway out of the program's file, and leaves all else byte for byte: where nothing else has been changed
 * since it was connected, the file is as it was before. Where the gateway is not there, nothing is written. Fails as
 * [method@Gmcp.ProgramConnection.connect_async] does.
 *
 * Since: 0.1
 */
void
gmcp_program_connection_disconnect_async (GmcpProgramConnection *self,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;
  char *wanted;

  g_return_if_fail (GMCP_IS_PROGRAM_CONNECTION (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_program_connection_disconnect_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  wanted = gmcp_program_connection_make_disconnected (self, &error);
  write_text (task, wanted, error);
}

/**
 * gmcp_program_connection_disconnect_finish:
 * @self: a connection
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ProgramConnection.disconnect_async].
 *
 * Returns: whether the program does not have the gateway
 *
 * Since: 0.1
 */
gboolean
gmcp_program_connection_disconnect_finish (GmcpProgramConnection *self,
                                           GAsyncResult *result,
                                           GError **error)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_program_connection_disconnect_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
