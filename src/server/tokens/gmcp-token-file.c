/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-token-file-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-file-watch-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-state-file-private.h"
#include "gmcp-token-line-private.h"
#include "gmcp-token-request-private.h"

/**
 * GmcpTokenFile:
 *
 * Who may use a server over HTTP, where no authorization server says so: a file with a line for each token.
 *
 * ```
 * # Comments and empty lines are skipped.
 * 0011223344556677$SALT$HASH ann
 * 8899aabbccddeeff$SALT$HASH ben expires=2030-01-31T12:00:00Z scope=tasks:read scope=tasks:write
 * ```
 *
 * The first word is a salted hash, by which a token is known again; nobody can make the token out of it.
 * [method@Gmcp.TokenFile.add_async] makes a token, adds its line and gives the token, once. To take a token back,
 * delete its line: the file is read anew when it changes, and who comes with that token is refused from then on.
 *
 * An endpoint asks it with one line:
 *
 * ```c
 * g_signal_connect_swapped (endpoint, "verify-token", G_CALLBACK (gmcp_token_file_verify), file);
 * ```
 *
 * A line that is wrong lets nobody in, and is told of by [signal@Gmcp.TokenFile::problem]; the others hold. So is
 * a file that cannot be read, or that somebody else than the user of this process, and root, may write to or
 * replace: then no token is good.
 *
 * Since: 0.1
 */
struct _GmcpTokenFile
{
  GObject parent_instance;

  GFile *file;
  GHashTable
    *lines; /* id -> GmcpTokenLine; NULL until the file has been read, or found not to be there */
  GmcpFileWatch *watch;
  GCancellable *cancellable; /* ends with the object */
  gboolean is_reading;
  gboolean reads_again;
  GPtrArray *waiting; /* of GmcpTokenRequest that came before the file was read */
  GPtrArray *loads;   /* of GTask */
};

G_DEFINE_FINAL_TYPE (GmcpTokenFile, gmcp_token_file, G_TYPE_OBJECT)

typedef enum
{
  PROP_FILE = 1,
} GmcpTokenFileProperty;

static GParamSpec *properties[PROP_FILE + 1];

typedef enum
{
  SIGNAL_PROBLEM,
} GmcpTokenFileSignal;

static guint signals[SIGNAL_PROBLEM + 1];

static void read_file (GmcpTokenFile *self);

static void
gmcp_token_file_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpTokenFile *self = GMCP_TOKEN_FILE (object);

  switch ((GmcpTokenFileProperty) prop_id)
    {
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_token_file_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  GmcpTokenFile *self = GMCP_TOKEN_FILE (object);

  switch ((GmcpTokenFileProperty) prop_id)
    {
    case PROP_FILE:
      self->file = g_value_dup_object (value);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_token_file_dispose (GObject *object)
{
  GmcpTokenFile *self = GMCP_TOKEN_FILE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_pointer (&self->watch, gmcp_file_watch_free);
  g_ptr_array_set_size (self->waiting, 0);

  G_OBJECT_CLASS (gmcp_token_file_parent_class)->dispose (object);
}

static void
gmcp_token_file_finalize (GObject *object)
{
  GmcpTokenFile *self = GMCP_TOKEN_FILE (object);

  g_clear_pointer (&self->lines, g_hash_table_unref);
  g_ptr_array_unref (self->waiting);
  g_ptr_array_unref (self->loads);
  g_object_unref (self->cancellable);
  g_clear_object (&self->file);

  G_OBJECT_CLASS (gmcp_token_file_parent_class)->finalize (object);
}

static void
gmcp_token_file_class_init (GmcpTokenFileClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_token_file_get_property;
  object_class->set_property = gmcp_token_file_set_property;
  object_class->dispose = gmcp_token_file_dispose;
  object_class->finalize = gmcp_token_file_finalize;

  /**
   * GmcpTokenFile:file: (getter get_file)
   *
   * The file.
   *
   * Since: 0.1
   */
  properties[PROP_FILE]
    = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * GmcpTokenFile::problem:
   * @self: a token file
   * @line: the line, from 1; 0 where it is about the whole file
   * @message: what is wrong, and what to do about it, for a person
   *
   * Something in the file lets nobody in, now that it has been read. No token is in the message.
   *
   * Since: 0.1
   */
  signals[SIGNAL_PROBLEM]
    = g_signal_new ("problem", GMCP_TYPE_TOKEN_FILE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
}

static void
gmcp_token_file_init (GmcpTokenFile *self)
{
  self->cancellable = g_cancellable_new ();
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  self->loads = g_ptr_array_new_with_free_func (g_object_unref);
}

/* Reading */

static void
tell_problem (GmcpTokenFile *self, guint line, const char *message)
{
  g_debug ("Line %u of a token file: %s", line, message);
  g_signal_emit (self, signals[SIGNAL_PROBLEM], 0, line, message);
}

static void
read_line (GmcpTokenFile *self, guint number, const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  GmcpTokenLine *line = gmcp_token_line_parse (text, length, &error);

  if (error != NULL)
    {
      tell_problem (self, number, error->message);
    }
  else if (line != NULL && g_hash_table_contains (self->lines, line->id))
    {
      tell_problem (self, number, _ ("Another line has the hash of this token already"));
      gmcp_token_line_free (line);
    }
  else if (line != NULL)
    {
      g_hash_table_insert (self->lines, line->id, line);
    }
}

static void
read_lines (GmcpTokenFile *self, GBytes *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  const char *end = text + length;
  guint number = 0;

  while (text < end)
    {
      const char *stop = memchr (text, '\n', (gsize) (end - text));
      gsize line_length = (gsize) ((stop != NULL ? stop : end) - text);

      if (++number > GMCP_LIMIT_TOKEN_FILE_LINES)
        {
          tell_problem (self, number, _ ("The file has more lines than are read"));
          return;
        }
      read_line (self, number, text, line_length);
      text += line_length + 1;
    }
}

static GHashTable *
make_lines (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                (GDestroyNotify) gmcp_token_line_free);
}

static void
answer_request (GmcpTokenFile *self, GmcpTokenRequest *request)
{
  const char *token = gmcp_token_request_get_token (request);
  g_autofree char *id = token != NULL ? gmcp_token_line_dup_id (token) : NULL;
  const GmcpTokenLine *line = id != NULL ? g_hash_table_lookup (self->lines, id) : NULL;

  if (line != NULL && gmcp_token_line_is_of (line, token))
    gmcp_token_request_accept_local (request, line->user, (const char *const *) line->scopes,
                                     line->expires_s);
  else
    gmcp_token_request_refuse_local (request);
}

/* error is NULL where the file was read. */
static void
finish_reading (GmcpTokenFile *self, const GError *error)
{
  g_autoptr (GPtrArray) loads = g_steal_pointer (&self->loads);
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);

  self->loads = g_ptr_array_new_with_free_func (g_object_unref);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  self->is_reading = FALSE;
  if (error != NULL)
    tell_problem (self, 0, error->message);
  for (guint i = 0; i < waiting->len; i++)
    answer_request (self, g_ptr_array_index (waiting, i));
  for (guint i = 0; i < loads->len; i++)
    {
      GTask *load = g_ptr_array_index (loads, i);

      if (error != NULL)
        g_task_return_error (load, g_error_copy (error));
      else
        g_task_return_boolean (load, TRUE);
    }
  if (self->reads_again)
    read_file (self);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpTokenFile) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = gmcp_state_file_read_finish (result, &error);

  g_clear_pointer (&self->lines, g_hash_table_unref);
  self->lines = make_lines ();
  if (bytes != NULL)
    read_lines (self, bytes);
  else if (error == NULL)
    error = gmcp_token_file_make_missing_error (self->file);
  finish_reading (self, error);
}

static void
refuse_file (GmcpTokenFile *self, const GError *error)
{
  g_clear_pointer (&self->lines, g_hash_table_unref);
  self->lines = make_lines ();
  finish_reading (self, error);
}

static void
on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpTokenFile) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gmcp_token_file_check_finish (self, result, &error))
    gmcp_state_file_read_async (g_file_peek_path (self->file), self->cancellable, on_read,
                                g_object_ref (self));
  else
    refuse_file (self, error);
}

static void
read_file (GmcpTokenFile *self)
{
  self->reads_again = self->is_reading;
  if (self->is_reading)
    return;

  self->is_reading = TRUE;
  gmcp_token_file_check_async (self, self->file, self->cancellable, on_checked,
                               g_object_ref (self));
}

static void
on_changed (gpointer data)
{
  read_file (data);
}

/* FALSE: there is none to read. */
static gboolean
begin_reading (GmcpTokenFile *self)
{
  if (self->file == NULL || g_file_peek_path (self->file) == NULL)
    return FALSE;

  if (self->watch == NULL)
    self->watch
      = gmcp_file_watch_new (self->file, GMCP_DEFAULT_TOKEN_FILE_DELAY_MS, on_changed, self);
  read_file (self);
  return TRUE;
}

/* Public */

/**
 * gmcp_token_file_new:
 * @file: a file of this machine, which need not be there yet
 *
 * Makes an object that knows who has the tokens of @file. The file is read when it is loaded, or when the first
 * token is to be verified.
 *
 * Returns: (transfer full): a new token file
 *
 * Since: 0.1
 */
GmcpTokenFile *
gmcp_token_file_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  return g_object_new (GMCP_TYPE_TOKEN_FILE, "file", file, NULL);
}

/**
 * gmcp_token_file_get_file: (get-property file)
 * @self: a token file
 *
 * Gives the file.
 *
 * Returns: (transfer none) (nullable): the file
 *
 * Since: 0.1
 */
GFile *
gmcp_token_file_get_file (GmcpTokenFile *self)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_FILE (self), NULL);

  return self->file;
}

void
gmcp_token_file_return_no_file (GTask *task)
{
  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                           _ ("Tokens are kept in a file of this machine, and none was given"));
}

/**
 * gmcp_token_file_load_async:
 * @self: a token file
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the file, so that a program can say at its start that it cannot be read. From then on the file is read
 * whenever it changes. Fails with a [error@Gio.IOErrorEnum] or [error@GLib.FileError] where it cannot be read, and
 * with [error@Gmcp.Error] `INVALID_CONFIG` where others than its owner may write to it. A line that is wrong is no
 * failure: see [signal@Gmcp.TokenFile::problem].
 *
 * Since: 0.1
 */
void
gmcp_token_file_load_async (GmcpTokenFile *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_TOKEN_FILE (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_token_file_load_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (begin_reading (self))
    g_ptr_array_add (self->loads, g_steal_pointer (&task));
  else
    gmcp_token_file_return_no_file (task);
}

/**
 * gmcp_token_file_load_finish:
 * @self: a token file
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Ends what [method@Gmcp.TokenFile.load_async] began.
 *
 * Returns: whether the file was read
 *
 * Since: 0.1
 */
gboolean
gmcp_token_file_load_finish (GmcpTokenFile *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_FILE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_token_file_load_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_token_file_verify:
 * @self: a token file
 * @request: a request of [signal@Gmcp.HttpEndpoint::verify-token]
 *
 * Accepts the token for its user where the file has it, and refuses it where not. While the file is being read for
 * the first time the answer comes a little later.
 *
 * Since: 0.1
 */
void
gmcp_token_file_verify (GmcpTokenFile *self, GmcpTokenRequest *request)
{
  g_return_if_fail (GMCP_IS_TOKEN_FILE (self));
  g_return_if_fail (GMCP_IS_TOKEN_REQUEST (request));

  if (self->lines != NULL)
    answer_request (self, request);
  else if (self->waiting->len < GMCP_LIMIT_TOKEN_FILE_WAITING && begin_reading (self))
    g_ptr_array_add (self->waiting, g_object_ref (request));
  else
    gmcp_token_request_fail (request);
}

void
gmcp_token_file_read_again (GmcpTokenFile *self)
{
  if (self->lines != NULL)
    read_file (self);
}
