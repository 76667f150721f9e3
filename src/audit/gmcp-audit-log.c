/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-audit-log-private.h"
#include "gmcp-local-file-private.h"

#include <string.h>

#include "gmcp-limits.h"

/**
 * GmcpAuditLog:
 *
 * What was called, when, by whom, with which arguments and with what outcome: one line of JSON a
 * call, in a file that only the user can read.
 *
 * A [class@Gmcp.Manager] writes it, see [property@Gmcp.Manager:audit-log]. A line has the members
 * `time` (RFC 3339, UTC), `id`, `host`, `client` (the program at the other end, or over HTTP the address and whose token came), `role`, `project`, `server`, `tool`, `arguments`, `outcome`
 * (`ok`, `tool-error`, `refused`, `timed-out`, `cancelled` or `error`), `rule`, `error`,
 * `duration_us` (microseconds), `trace` and `replay_of`; what there is nothing to say of is left out.
 *
 * Secrets do not get into it: what the configuration gives to servers as environment, headers or
 * tokens is replaced wherever it turns up, as is whatever stands under a name such as `password` or
 * `api_key`; `redacted` says where that was done. In place of arguments of more than 64 KiB there are
 * `arguments_sha256`, the SHA-256 of all of their JSON text as the caller gave it, `arguments_bytes`, and
 * `arguments_beginning`: their first members, with the first words of long strings. Names of more than 256
 * bytes are cut; `cut` says where that was done, or a secret was in one.
 *
 * Nothing waits for the disk, and nothing for the hash of large arguments: lines are in the order in which
 * calls ended, but one with such arguments comes when they are hashed. Only where the program ends before
 * that, or calls with more than 256 MiB of arguments end at once, is a line without its hash. Lines are written within a second and at the end of the program; where
 * they cannot be written, 2 MiB of them are kept, and then dropped and counted. The file is rotated at
 * 10 MiB, and four older ones are kept, unless [property@Gmcp.Manager:max-log-bytes] and
 * [property@Gmcp.Manager:max-log-files] say otherwise. Several programs may write to the same file.
 *
 * A log belongs to the main context that was the thread's default when it was made.
 *
 * Since: 0.1
 */

G_DEFINE_FINAL_TYPE (GmcpAuditLog, gmcp_audit_log, G_TYPE_OBJECT)

typedef enum
{
  PROP_FILE = 1,
  PROP_HASH_ARGUMENTS,
  PROP_LAST_ERROR,
} GmcpAuditLogProperty;

static GParamSpec *properties[PROP_LAST_ERROR + 1];

static void
write_gap (GString *lines, guint64 n_dropped)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *time = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");

  g_string_append_printf (lines, "{\"time\":\"%s\",\"dropped\":%" G_GUINT64_FORMAT "}\n", time,
                          n_dropped);
}

static void
on_state (const GError *error, gpointer data)
{
  GmcpAuditLog *self = data;

  g_clear_error (&self->last_error);
  if (error != NULL)
    self->last_error = g_error_copy (error);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LAST_ERROR]);
}

static void
gmcp_audit_log_constructed (GObject *object)
{
  const GmcpLogFileLimits limits
    = { GMCP_LIMIT_AUDIT_QUEUE_BYTES, GMCP_DEFAULT_LOG_BYTES, GMCP_DEFAULT_LOG_FILES };
  GmcpAuditLog *self = GMCP_AUDIT_LOG (object);

  G_OBJECT_CLASS (gmcp_audit_log_parent_class)->constructed (object);

  if (self->path == NULL)
    self->path = g_build_filename (g_get_user_state_dir (), "gmcp", "audit.jsonl", NULL);
  self->n_files = limits.n_files;
  self->file = gmcp_log_file_new (self->path, &limits, write_gap);
  self->pending = gmcp_audit_pending_new (self->file);
  gmcp_log_file_set_state_func (self->file, on_state, self);
}

void
gmcp_audit_log_set_limits (GmcpAuditLog *self, guint max_bytes, guint n_files)
{
  self->n_files = n_files;
  gmcp_log_file_set_limits (self->file, max_bytes, n_files);
}

static void
gmcp_audit_log_finalize (GObject *object)
{
  GmcpAuditLog *self = GMCP_AUDIT_LOG (object);

  g_clear_pointer (&self->pending, gmcp_audit_pending_free);
  g_clear_pointer (&self->file, gmcp_log_file_free);
  g_clear_error (&self->last_error);
  g_free (self->path);

  G_OBJECT_CLASS (gmcp_audit_log_parent_class)->finalize (object);
}

static void
gmcp_audit_log_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpAuditLog *self = GMCP_AUDIT_LOG (object);

  switch ((GmcpAuditLogProperty) prop_id)
    {
    case PROP_FILE:
      g_value_take_object (value, gmcp_audit_log_dup_file (self));
      break;
    case PROP_HASH_ARGUMENTS:
      g_value_set_boolean (value, self->hash_arguments);
      break;
    case PROP_LAST_ERROR:
      g_value_set_boxed (value, self->last_error);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_audit_log_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpAuditLog *self = GMCP_AUDIT_LOG (object);

  switch ((GmcpAuditLogProperty) prop_id)
    {
    case PROP_FILE:
      if (g_value_get_object (value) != NULL)
        self->path = g_file_get_path (g_value_get_object (value));
      break;
    case PROP_HASH_ARGUMENTS:
      gmcp_audit_log_set_hash_arguments (self, g_value_get_boolean (value));
      break;
    case PROP_LAST_ERROR:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_audit_log_class_init (GmcpAuditLogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = gmcp_audit_log_constructed;
  object_class->finalize = gmcp_audit_log_finalize;
  object_class->get_property = gmcp_audit_log_get_property;
  object_class->set_property = gmcp_audit_log_set_property;

  /**
   * GmcpAuditLog:file: (getter dup_file)
   *
   * The file that is written. Those that were full before it have the same name with `.1` to `.4`.
   *
   * Since: 0.1
   */
  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE,
                                               G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | flags);

  /**
   * GmcpAuditLog:hash-arguments: (getter get_hash_arguments) (setter set_hash_arguments)
   *
   * Whether the arguments of calls are left out, with `arguments_sha256` in their place: the SHA-256
   * of their JSON text as the caller gave it. Such calls cannot be replayed.
   *
   * Since: 0.1
   */
  properties[PROP_HASH_ARGUMENTS]
    = g_param_spec_boolean ("hash-arguments", NULL, NULL, FALSE, G_PARAM_READWRITE | flags);

  /**
   * GmcpAuditLog:last-error: (getter get_last_error)
   *
   * Why lines cannot be written at present; %NULL where they can.
   *
   * Since: 0.1
   */
  properties[PROP_LAST_ERROR]
    = g_param_spec_boxed ("last-error", NULL, NULL, G_TYPE_ERROR, G_PARAM_READABLE | flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_audit_log_init (GmcpAuditLog *self)
{
  gmcp_audit_log_init_start (self);
}

static gboolean
is_large (GmcpJsonValue arguments)
{
  gsize length = 0;

  if (gmcp_json_value_is_present (arguments))
    gmcp_json_value_peek_raw (arguments, &length);
  return length > GMCP_LIMIT_AUDIT_ARGUMENTS_BYTES;
}

static void
write_large (GmcpAuditLog *self, const GmcpAuditEntry *entry, GmcpRedactor *redactor)
{
  GmcpAuditLine line = { .text = g_string_new (NULL) };

  gmcp_audit_log_write_entry (self, line.text, entry, redactor);
  line.hash_at = self->hash_at;
  line.member_at = self->member_at;
  gmcp_audit_pending_take (self->pending, &line, entry->arguments);
}

void
gmcp_audit_log_write (GmcpAuditLog *self, const GmcpAuditEntry *entry, GmcpRedactor *redactor)
{
  GString *out;

  if (G_UNLIKELY (is_large (entry->arguments)))
    {
      write_large (self, entry, redactor);
      return;
    }

  out = gmcp_log_file_begin (self->file);
  if (out == NULL)
    return;

  gmcp_audit_log_write_entry (self, out, entry, redactor);
  gmcp_log_file_end (self->file);
}

/**
 * gmcp_audit_log_new:
 * @file: (nullable): a local file; %NULL for `$XDG_STATE_HOME/gmcp/audit.jsonl`
 *
 * Makes a log. The file is made when there is something to write.
 *
 * Returns: (transfer full): a log
 *
 * Since: 0.1
 */
GmcpAuditLog *
gmcp_audit_log_new (GFile *file)
{
  g_return_val_if_fail (gmcp_file_is_local_or_null (file), NULL);

  return g_object_new (GMCP_TYPE_AUDIT_LOG, "file", file, NULL);
}

/**
 * gmcp_audit_log_dup_file: (get-property file)
 * @self: a log
 *
 * Gives the file that is written.
 *
 * Returns: (transfer full): the file
 *
 * Since: 0.1
 */
GFile *
gmcp_audit_log_dup_file (GmcpAuditLog *self)
{
  g_return_val_if_fail (GMCP_IS_AUDIT_LOG (self), NULL);

  return g_file_new_for_path (self->path);
}

/**
 * gmcp_audit_log_get_hash_arguments:
 * @self: a log
 *
 * Says whether the arguments of calls are left out, with their SHA-256 in their place.
 *
 * Returns: whether only the hash is written
 *
 * Since: 0.1
 */
gboolean
gmcp_audit_log_get_hash_arguments (GmcpAuditLog *self)
{
  g_return_val_if_fail (GMCP_IS_AUDIT_LOG (self), FALSE);

  return self->hash_arguments;
}

/**
 * gmcp_audit_log_set_hash_arguments:
 * @self: a log
 * @hash_arguments: whether only the hash is written
 *
 * Sets whether the arguments of calls are left out, with their SHA-256 in their place. Holds for the
 * lines from now on.
 *
 * Since: 0.1
 */
void
gmcp_audit_log_set_hash_arguments (GmcpAuditLog *self, gboolean hash_arguments)
{
  g_return_if_fail (GMCP_IS_AUDIT_LOG (self));

  hash_arguments = hash_arguments != FALSE;
  if (self->hash_arguments == hash_arguments)
    return;

  self->hash_arguments = hash_arguments;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HASH_ARGUMENTS]);
}

/**
 * gmcp_audit_log_get_last_error:
 * @self: a log
 *
 * Says why lines cannot be written at present.
 *
 * Returns: (nullable): the error; %NULL where they can
 *
 * Since: 0.1
 */
const GError *
gmcp_audit_log_get_last_error (GmcpAuditLog *self)
{
  g_return_val_if_fail (GMCP_IS_AUDIT_LOG (self), NULL);

  return self->last_error;
}

/**
 * gmcp_audit_log_get_n_dropped:
 * @self: a log
 *
 * Says how many lines were dropped since the log was made, since they could not be written for too
 * long.
 *
 * Returns: the number of lines
 *
 * Since: 0.1
 */
guint64
gmcp_audit_log_get_n_dropped (GmcpAuditLog *self)
{
  g_return_val_if_fail (GMCP_IS_AUDIT_LOG (self), 0);

  return gmcp_log_file_get_n_dropped (self->file);
}

static void
on_flushed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpAuditLog *self = g_task_get_source_object (task);
  const GError *hash_error = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_log_file_flush_finish (self->file, result, &error))
    g_task_return_error (task, error);
  else if (hash_error != NULL)
    g_task_return_error (task, g_error_copy (hash_error));
  else
    g_task_return_boolean (task, TRUE);
}

/* What can be written is, also where some lines still wait. */
static void
on_hashed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpAuditLog *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!gmcp_audit_pending_wait_finish (result, &error))
    g_task_set_task_data (task, error, (GDestroyNotify) g_error_free);
  gmcp_log_file_flush_async (self->file, g_task_get_cancellable (task), on_flushed,
                             g_object_ref (task));
}

/**
 * gmcp_audit_log_flush_async:
 * @self: a log
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Writes what is there now, and waits for it at most one second, and as long for hashes of large
 * arguments. Fails where it cannot be written; it
 * is tried again later.
 *
 * Since: 0.1
 */
void
gmcp_audit_log_flush_async (GmcpAuditLog *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_AUDIT_LOG (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_audit_log_flush_async);
  gmcp_audit_pending_wait_async (self->pending, cancellable, on_hashed, g_steal_pointer (&task));
}

/**
 * gmcp_audit_log_flush_finish:
 * @self: a log
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.AuditLog.flush_async].
 *
 * Returns: whether everything is written
 *
 * Since: 0.1
 */
gboolean
gmcp_audit_log_flush_finish (GmcpAuditLog *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_AUDIT_LOG (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_audit_log_flush_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
