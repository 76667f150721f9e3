/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-token-file-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-state-file-private.h"
#include "gmcp-token-line-private.h"
#include "gmcp-token-request-private.h"

/* In a thread. */
static GBytes *
append_line (GBytes *present, gpointer data, GError **error)
{
  gsize length = 0;
  const char *text = present != NULL ? g_bytes_get_data (present, &length) : "";
  GString *all = g_string_new_len (text, (gssize) length);

  if (all->len > 0 && all->str[all->len - 1] != '\n')
    g_string_append_c (all, '\n');
  g_string_append (all, data);
  g_string_append_c (all, '\n');
  return g_string_free_to_bytes (all);
}

static void
on_added (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpTokenFile *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!gmcp_state_file_change_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  gmcp_token_file_read_again (self);
  g_task_return_pointer (task, g_strdup (g_task_get_task_data (task)), g_free);
}

static void
free_secret (gpointer data)
{
  explicit_bzero (data, strlen (data));
  g_free (data);
}

/* A user of a file is one word. */
static gboolean
is_user_of_file (const char *user)
{
  return gmcp_token_is_user (user) && strpbrk (user, " \t") == NULL;
}

/* The first that is none; NULL where all are. */
static const char *
find_wrong_scope (const char *const *scopes)
{
  while (scopes != NULL && *scopes != NULL && gmcp_token_is_scope (*scopes))
    scopes++;
  return scopes != NULL ? *scopes : NULL;
}

static gboolean
check_line (const char *user, const char *const *scopes, gint64 expires_s, GError **error)
{
  const char *wrong = find_wrong_scope (scopes);

  if (wrong != NULL)
    {
      g_autofree char *shown = g_utf8_make_valid (wrong, -1);

      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is no scope: that is one word of ASCII, without quotation marks and "
                      "backslashes"),
                   shown);
      return FALSE;
    }
  if (is_user_of_file (user) && (expires_s == 0 || expires_s > g_get_real_time () / G_USEC_PER_SEC))
    return TRUE;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("A token is of a user whose name is one word, and expires in "
                          "the future or never"));
  return FALSE;
}

/**
 * gmcp_token_file_add_async:
 * @self: a token file
 * @user: whose token it is: one word, of at most 256 bytes
 * @scopes: (nullable) (array zero-terminated=1): what the token allows
 * @expires_s: when the token expires, in seconds since 1970, or 0 for never
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Makes a token for a user, and adds its line to the file, which is made where it is not there yet and can then be
 * read by its owner alone. Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where @user is no such word, one of
 * @scopes is no scope of OAuth or @expires_s is past, and with a [error@Gio.IOErrorEnum] or [error@GLib.FileError] where the file cannot be written.
 *
 * Since: 0.1
 */
void
gmcp_token_file_add_async (GmcpTokenFile *self,
                           const char *user,
                           const char *const *scopes,
                           gint64 expires_s,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GmcpTokenLine) line = NULL;
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;
  const char *path;
  char *token;

  g_return_if_fail (GMCP_IS_TOKEN_FILE (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  path = gmcp_file_peek_path_or_null (gmcp_token_file_get_file (self));
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_token_file_add_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (path == NULL)
    {
      gmcp_token_file_return_no_file (task);
      return;
    }
  if (!check_line (user, scopes, expires_s, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  line = gmcp_token_line_new (user, scopes, expires_s, &token);
  g_task_set_task_data (task, token, free_secret);
  gmcp_state_file_change_async (path, append_line, gmcp_token_line_to_text (line), g_free,
                                cancellable, on_added, g_steal_pointer (&task));
}

/**
 * gmcp_token_file_add_finish:
 * @self: a token file
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Ends what [method@Gmcp.TokenFile.add_async] began. The token is nowhere else: show it to its user, who sends it
 * as `Authorization: Bearer TOKEN`.
 *
 * Returns: (transfer full): the token, or %NULL with an error
 *
 * Since: 0.1
 */
char *
gmcp_token_file_add_finish (GmcpTokenFile *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_FILE (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_token_file_add_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
