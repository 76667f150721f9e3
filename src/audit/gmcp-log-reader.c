/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/audit/gmcp-log-reader.h>

#include "gmcp-log-files-private.h"

/**
 * GmcpLogReader:
 *
 * Reads the log of a server, the older files of it included, and on from there as it grows. See
 * [method@Gmcp.ManagedServer.dup_log_file].
 *
 * Since: 0.1
 */
struct _GmcpLogReader
{
  GObject parent_instance;

  char *server_id;
  GFile *file;
  GmcpLogPosition position;
  GFileMonitor *monitor;
};

G_DEFINE_FINAL_TYPE (GmcpLogReader, gmcp_log_reader, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVER_ID = 1,
  PROP_FILE,
} GmcpLogReaderProperty;

static GParamSpec *properties[PROP_FILE + 1];

typedef enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
} GmcpLogReaderSignal;

static guint signals[N_SIGNALS];

static void
gmcp_log_reader_dispose (GObject *object)
{
  GmcpLogReader *self = GMCP_LOG_READER (object);

  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);

  G_OBJECT_CLASS (gmcp_log_reader_parent_class)->dispose (object);
}

static void
gmcp_log_reader_finalize (GObject *object)
{
  GmcpLogReader *self = GMCP_LOG_READER (object);

  g_free (self->server_id);
  g_clear_object (&self->file);

  G_OBJECT_CLASS (gmcp_log_reader_parent_class)->finalize (object);
}

static void
gmcp_log_reader_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpLogReader *self = GMCP_LOG_READER (object);

  switch ((GmcpLogReaderProperty) prop_id)
    {
    case PROP_SERVER_ID:
      g_value_set_string (value, self->server_id);
      break;
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_log_reader_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  GmcpLogReader *self = GMCP_LOG_READER (object);

  switch ((GmcpLogReaderProperty) prop_id)
    {
    case PROP_SERVER_ID:
      self->server_id = g_value_dup_string (value);
      break;
    case PROP_FILE:
      self->file = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
on_file_changed (GmcpLogReader *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
gmcp_log_reader_constructed (GObject *object)
{
  GmcpLogReader *self = GMCP_LOG_READER (object);

  G_OBJECT_CLASS (gmcp_log_reader_parent_class)->constructed (object);

  if (self->file != NULL)
    self->monitor = g_file_monitor_file (self->file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (on_file_changed), self,
                             G_CONNECT_SWAPPED);
}

static void
gmcp_log_reader_class_init (GmcpLogReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = gmcp_log_reader_constructed;
  object_class->dispose = gmcp_log_reader_dispose;
  object_class->finalize = gmcp_log_reader_finalize;
  object_class->get_property = gmcp_log_reader_get_property;
  object_class->set_property = gmcp_log_reader_set_property;

  /**
   * GmcpLogReader:server-id: (getter get_server_id)
   *
   * The id of the server, which the entries have.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_ID] = g_param_spec_string ("server-id", NULL, NULL, NULL, flags);

  /**
   * GmcpLogReader:file: (getter get_file)
   *
   * The newest file of the log, which may not be there yet.
   *
   * Since: 0.1
   */
  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * GmcpLogReader::changed:
   * @self: a reader
   *
   * There may be more to read by [method@Gmcp.LogReader.read_new_async].
   *
   * Since: 0.1
   */
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", GMCP_TYPE_LOG_READER, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gmcp_log_reader_init (GmcpLogReader *self)
{
}

static GTask *
begin_reading (GmcpLogReader *self,
               gpointer tag,
               GCancellable *cancellable,
               GAsyncReadyCallback callback,
               gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  /* A reader that was made without a file has nothing to read. */
  const char *path = self->file != NULL ? g_file_peek_path (self->file) : NULL;

  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, gmcp_log_reading_new (self->server_id, path, &self->position),
                        gmcp_log_reading_free);
  return task;
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  if (gmcp_log_reading_read_all (data, cancellable))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error_if_cancelled (task);
}

static void
read_new_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  if (gmcp_log_reading_read_new (data, cancellable))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error_if_cancelled (task);
}

static GPtrArray *
end_reading (GmcpLogReader *self, GTask *task, GError **error)
{
  GmcpLogReading *reading = g_task_get_task_data (task);

  if (!g_task_propagate_boolean (task, error))
    return NULL;
  self->position = reading->position;
  return g_ptr_array_ref (reading->entries);
}

/**
 * gmcp_log_reader_new:
 * @server_id: the id of a server
 * @file: the file of its log, in a local folder
 *
 * Makes a reader.
 *
 * Returns: (transfer full): a new reader
 *
 * Since: 0.1
 */
GmcpLogReader *
gmcp_log_reader_new (const char *server_id, GFile *file)
{
  g_return_val_if_fail (server_id != NULL, NULL);
  g_return_val_if_fail (G_IS_FILE (file) && g_file_peek_path (file) != NULL, NULL);

  return g_object_new (GMCP_TYPE_LOG_READER, "server-id", server_id, "file", file, NULL);
}

/**
 * gmcp_log_reader_get_server_id: (get-property server-id)
 * @self: a reader
 *
 * Gives the id of the server.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_log_reader_get_server_id (GmcpLogReader *self)
{
  g_return_val_if_fail (GMCP_IS_LOG_READER (self), NULL);

  return self->server_id;
}

/**
 * gmcp_log_reader_get_file: (get-property file)
 * @self: a reader
 *
 * Gives the newest file of the log.
 *
 * Returns: (transfer none): the file
 *
 * Since: 0.1
 */
GFile *
gmcp_log_reader_get_file (GmcpLogReader *self)
{
  g_return_val_if_fail (GMCP_IS_LOG_READER (self), NULL);

  return self->file;
}

/**
 * gmcp_log_reader_read_async:
 * @self: a reader
 * @since: (nullable): the time from which on, or %NULL for all that is kept
 * @limit: how many lines at most, the newest of all; 0 for all there are
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads what the log has. A log that is not there yet has no lines. A line that has no time of its own has that of
 * the line before.
 *
 * Since: 0.1
 */
void
gmcp_log_reader_read_async (GmcpLogReader *self,
                            GDateTime *since,
                            guint limit,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpLogReading *reading;

  g_return_if_fail (GMCP_IS_LOG_READER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = begin_reading (self, gmcp_log_reader_read_async, cancellable, callback, user_data);
  reading = g_task_get_task_data (task);
  reading->limit = limit;
  if (since != NULL)
    reading->since_unix = g_date_time_to_unix (since);
  g_task_run_in_thread (task, read_in_thread);
}

/**
 * gmcp_log_reader_read_finish:
 * @self: a reader
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.LogReader.read_async].
 *
 * Returns: (transfer container) (element-type GmcpLogEntry): the lines, the oldest first
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_log_reader_read_finish (GmcpLogReader *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_LOG_READER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_log_reader_read_async), NULL);

  return end_reading (self, G_TASK (result), error);
}

/**
 * gmcp_log_reader_read_new_async:
 * @self: a reader
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads on from where the last reading ended, whatever file that is in now. One reading has to
 * end before the next begins.
 *
 * Since: 0.1
 */
void
gmcp_log_reader_read_new_async (GmcpLogReader *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_LOG_READER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = begin_reading (self, gmcp_log_reader_read_new_async, cancellable, callback, user_data);
  g_task_run_in_thread (task, read_new_in_thread);
}

/**
 * gmcp_log_reader_read_new_finish:
 * @self: a reader
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.LogReader.read_new_async].
 *
 * Returns: (transfer container) (element-type GmcpLogEntry): the lines, the oldest first
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_log_reader_read_new_finish (GmcpLogReader *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_LOG_READER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_log_reader_read_new_async), NULL);

  return end_reading (self, G_TASK (result), error);
}
