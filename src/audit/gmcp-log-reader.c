/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/audit/gmcp-log-reader.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-log-entry-private.h"

/* More than are ever kept. */
#define FILES_MAX 1000u
#define READ_MAX  ((gsize) 256 << 20)

/* How far a log was read: a file by what it is, since a full one gets another name. */
typedef struct
{
  dev_t device;
  ino_t inode;
  off_t offset; /* behind the end of a line */
} Position;

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
  Position position;
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

/* What a thread is to read. */
typedef struct
{
  char *server_id;
  char *path;
  gint64 since_unix;
  guint limit; /* 0 for none */
  Position position;
  GPtrArray *entries; /* of GmcpLogEntry, the oldest first at the end */
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->server_id);
  g_free (reading->path);
  g_ptr_array_unref (reading->entries);
  g_free (reading);
}

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

/* What is no regular file cannot be read back, and may never end. NULL where it is not there. */
static char *
read_file (const char *path, off_t from, gsize *length, struct stat *info)
{
  int fd = path != NULL ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
  g_autoptr (GString) content = NULL;
  char buffer[65536];
  gssize n;

  if (fd < 0)
    return NULL;
  if (fstat (fd, info) != 0 || !S_ISREG (info->st_mode))
    {
      close (fd);
      return NULL;
    }

  content = g_string_new (NULL);
  while (content->len < READ_MAX
         && ((n = pread (fd, buffer, sizeof buffer, from + (off_t) content->len)) > 0
             || (n < 0 && errno == EINTR)))
    {
      if (n > 0)
        g_string_append_len (content, buffer, n);
    }
  close (fd);
  *length = content->len;
  return g_string_free (g_steal_pointer (&content), FALSE);
}

/* A line is written as a whole, and may be half there while it is. */
static gsize
measure_whole_lines (const char *content, gsize length)
{
  const char *newline = memrchr (content, '\n', length);

  return newline != NULL ? (gsize) (newline - content) + 1 : 0;
}

static void
add_lines (Reading *reading, const char *content, gsize length)
{
  GDateTime *before = NULL;

  while (length > 0)
    {
      const char *newline = memchr (content, '\n', length);
      gsize n = newline != NULL ? (gsize) (newline - content) : length;
      GmcpLogEntry *entry = gmcp_log_entry_parse (reading->server_id, content, n, before);

      before = gmcp_log_entry_get_time (entry);
      if (before == NULL || g_date_time_to_unix (before) >= reading->since_unix)
        g_ptr_array_add (reading->entries, entry);
      else
        g_object_unref (entry);
      n += newline != NULL;
      content += n;
      length -= n;
    }
}

static char *
make_path (const char *path, guint i)
{
  return i == 0 || path == NULL ? g_strdup (path) : g_strdup_printf ("%s.%u", path, i);
}

/* The part of a text that has so many lines at its end. */
static const char *
find_last_lines (const char *content, gsize length, guint n_lines)
{
  const char *end = content + length;

  if (end > content && end[-1] == '\n')
    end--;
  for (guint i = 0; i < n_lines; i++)
    {
      const char *newline = memrchr (content, '\n', (gsize) (end - content));

      if (newline == NULL)
        return content;
      end = newline;
    }
  return end + 1;
}

/* One more of the older files. FALSE where what follows is older than what is looked for. */
static gboolean
prepend_file (Reading *reading, const char *content, gsize length)
{
  g_autoptr (GPtrArray) newer = reading->entries;
  guint n_newer = newer->len;
  guint n_wanted = reading->limit > n_newer ? reading->limit - n_newer : 0;
  const char *from = reading->limit > 0 ? find_last_lines (content, length, n_wanted) : content;
  gboolean more;

  reading->entries = g_ptr_array_new_with_free_func (g_object_unref);
  add_lines (reading, from, length - (gsize) (from - content));
  /* With nothing left out, the file before may have lines that are new enough. */
  more = reading->entries->len > 0 || length == 0;
  for (guint i = 0; i < n_newer; i++)
    g_ptr_array_add (reading->entries, g_object_ref (g_ptr_array_index (newer, i)));
  return more && (reading->limit == 0 || reading->entries->len < reading->limit);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  gboolean more = TRUE;

  for (guint i = 0; i < FILES_MAX && more; i++)
    {
      g_autofree char *path = make_path (reading->path, i);
      struct stat info;
      gsize length = 0;
      g_autofree char *content = read_file (path, 0, &length, &info);

      if (g_task_return_error_if_cancelled (task))
        return;
      if (content == NULL && i == 0)
        continue;
      if (content == NULL)
        break;
      length = measure_whole_lines (content, length);
      if (i == 0)
        reading->position = (Position){ info.st_dev, info.st_ino, (off_t) length };
      more = prepend_file (reading, content, length);
    }
  g_task_return_boolean (task, TRUE);
}

static gboolean
is_at (const Position *position, const struct stat *info)
{
  return position->device == info->st_dev && position->inode == info->st_ino;
}

/* How many files became full since; G_MAXUINT where the file that was read is gone. */
static guint
count_full_files (const Reading *reading)
{
  for (guint i = 0; i < FILES_MAX; i++)
    {
      g_autofree char *path = make_path (reading->path, i);
      struct stat info;

      if (path != NULL && stat (path, &info) == 0)
        {
          if (is_at (&reading->position, &info))
            return i;
        }
      else if (i > 0)
        break;
    }
  return G_MAXUINT;
}

/* Takes what one file has behind an offset. FALSE where another file has the name by now. */
static gboolean
read_on (Reading *reading, const char *path, off_t from)
{
  struct stat info;
  gsize length = 0;
  g_autofree char *content = read_file (path, from, &length, &info);

  if (content == NULL)
    return TRUE;
  if (from > 0 && !is_at (&reading->position, &info))
    return FALSE;
  /* Somebody has emptied it. */
  if (info.st_size < from)
    return read_on (reading, path, 0);

  length = measure_whole_lines (content, length);
  add_lines (reading, content, length);
  reading->position = (Position){ info.st_dev, info.st_ino, from + (off_t) length };
  return TRUE;
}

static void
read_new_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  guint n_full = count_full_files (reading);
  gboolean is_gone = n_full == G_MAXUINT;

  for (guint i = is_gone ? 0 : n_full;; i--)
    {
      g_autofree char *path = make_path (reading->path, i);

      if (g_task_return_error_if_cancelled (task))
        return;
      /* What becomes full meanwhile is read the next time. */
      if (!read_on (reading, path, !is_gone && i == n_full ? reading->position.offset : 0)
          || i == 0)
        break;
    }
  g_task_return_boolean (task, TRUE);
}

static GTask *
begin_reading (GmcpLogReader *self,
               gpointer tag,
               GCancellable *cancellable,
               GAsyncReadyCallback callback,
               gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Reading *reading = g_new0 (Reading, 1);

  reading->server_id = g_strdup (self->server_id);
  /* A reader that was made without a file has nothing to read. */
  reading->path = self->file != NULL ? g_file_get_path (self->file) : NULL;
  reading->since_unix = G_MININT64;
  reading->position = self->position;
  reading->entries = g_ptr_array_new_with_free_func (g_object_unref);
  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, reading, reading_free);
  return task;
}

static GPtrArray *
end_reading (GmcpLogReader *self, GTask *task, GError **error)
{
  Reading *reading = g_task_get_task_data (task);

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
  Reading *reading;

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
