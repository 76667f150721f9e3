/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>

#include "gmcp-file-links-private.h"
#include "gmcp-file-watch-private.h"
#include "gmcp-limits.h"

/* How a file was, which tells whether it has changed. */
typedef struct
{
  gboolean is_there;
  guint64 device;
  guint64 inode;
  gint64 size;
  struct timespec changed;
} Stamp;

struct _GmcpFileWatch
{
  GMainContext *context;
  GFile *file;
  Stamp stamp;         /* until the monitors are there */
  GSource *due;        /* then they are made; NULL once they are */
  GStrv paths;         /* what is watched; NULL where the file has no path */
  GPtrArray *monitors; /* of GFileMonitor; none where files cannot be watched */
  guint delay_ms;
  gint64 first_us; /* of the changes that were not told yet; 0 for none */
  GSource *delay;
  void (*changed) (gpointer);
  gpointer data;
};

static void watch_links (GmcpFileWatch *self);

static gboolean
on_delay_over (gpointer data)
{
  GmcpFileWatch *self = data;

  g_clear_pointer (&self->delay, g_source_unref);
  self->first_us = 0;
  watch_links (self);
  self->changed (self->data);
  return G_SOURCE_REMOVE;
}

/* A link is there at once, where a file is made empty first. */
static gboolean
is_link (GFile *file)
{
  GStatBuf status;

  return g_lstat (g_file_peek_path (file), &status) == 0
         && (S_ISLNK (status.st_mode) || status.st_nlink > 1);
}

/* Whether more is to come: there is one more event when the file is closed, or, where that cannot be seen,
 * has been left alone for a while. */
static gboolean
is_being_written (GFileMonitorEvent event, GFile *file)
{
  return event == G_FILE_MONITOR_EVENT_CHANGED
         || (event == G_FILE_MONITOR_EVENT_CREATED && g_file_peek_path (file) != NULL
             && !is_link (file));
}

static void
tell_at (GmcpFileWatch *self, gint64 due_us)
{
  if (self->delay == NULL)
    {
      self->delay = g_timeout_source_new (self->delay_ms);
      g_source_set_static_name (self->delay, "[gmcp] configuration file changed");
      g_source_set_callback (self->delay, on_delay_over, self, NULL);
      g_source_attach (self->delay, self->context);
    }
  g_source_set_ready_time (self->delay, due_us);
}

/* An editor writes in several steps, and a file that is half written is no configuration. */
static void
on_changed (GFileMonitor *monitor,
            GFile *file,
            GFile *other,
            GFileMonitorEvent event,
            gpointer data)
{
  GmcpFileWatch *self = data;
  gint64 now_us = g_get_monotonic_time ();
  gint64 due_us = now_us + self->delay_ms * (gint64) 1000;
  guint limit_ms = GMCP_LIMIT_CONFIG_DELAY_MS;

  if (event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    return;
  if (is_being_written (event, file))
    {
      due_us = G_MAXINT64;
      limit_ms = GMCP_LIMIT_CONFIG_WRITING_MS;
    }
  if (self->first_us == 0)
    self->first_us = now_us;
  tell_at (self, MIN (due_us, self->first_us + limit_ms * (gint64) 1000));
}

static void
monitor_free (gpointer data)
{
  GFileMonitor *monitor = data;

  g_signal_handlers_disconnect_matched (monitor, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, on_changed, NULL);
  g_file_monitor_cancel (monitor);
  g_object_unref (monitor);
}

static void
watch_one (GmcpFileWatch *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  GFileMonitor *monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, &error);

  if (monitor == NULL)
    {
      g_debug ("A configuration file is not watched: %s", error->message);
      return;
    }

  g_signal_connect (monitor, "changed", G_CALLBACK (on_changed), self);
  g_ptr_array_add (self->monitors, monitor);
}

static gboolean
take_paths (GmcpFileWatch *self)
{
  GStrv paths = gmcp_file_links_list (g_file_peek_path (self->file));

  if (self->paths != NULL
      && g_strv_equal ((const char *const *) paths, (const char *const *) self->paths))
    {
      g_strfreev (paths);
      return FALSE;
    }

  g_strfreev (self->paths);
  self->paths = paths;
  return TRUE;
}

/* A file may stand elsewhere, as those of a user who keeps them under version control do. */
static void
watch_links (GmcpFileWatch *self)
{
  g_autoptr (GPtrArray) former = NULL;

  if (g_file_peek_path (self->file) == NULL)
    return;

  /* A link may be changed while it is not watched yet; one that is changed on and on is told of. */
  for (guint i = 0; i < 3 && take_paths (self); i++)
    {
      g_clear_pointer (&former, g_ptr_array_unref);
      former = g_steal_pointer (&self->monitors);
      self->monitors = g_ptr_array_new_with_free_func (monitor_free);
      for (guint j = 0; self->paths[j] != NULL; j++)
        {
          g_autoptr (GFile) file = g_file_new_for_path (self->paths[j]);

          watch_one (self, file);
        }
    }
}

static Stamp
read_stamp (GmcpFileWatch *self)
{
  Stamp stamp = { 0 };
  GStatBuf status;

  if (g_stat (g_file_peek_path (self->file), &status) != 0)
    return stamp;

  stamp.is_there = TRUE;
  stamp.device = status.st_dev;
  stamp.inode = status.st_ino;
  stamp.size = status.st_size;
  stamp.changed = status.st_ctim;
  return stamp;
}

static gboolean
is_same_stamp (const Stamp *a, const Stamp *b)
{
  return a->is_there == b->is_there && a->device == b->device && a->inode == b->inode
         && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec
         && a->changed.tv_nsec == b->changed.tv_nsec;
}

static gboolean
on_due (gpointer data)
{
  GmcpFileWatch *self = data;
  gboolean whole;
  Stamp now;

  g_clear_pointer (&self->due, g_source_unref);
  watch_links (self);
  now = read_stamp (self);
  if (is_same_stamp (&now, &self->stamp))
    return G_SOURCE_REMOVE;

  /* One that is gone, or that took its place, is whole. Whether another is still being written was not seen:
   * it is not where nobody writes for a while. */
  self->first_us = g_get_monotonic_time ();
  whole = !now.is_there
          || (self->stamp.is_there
              && (now.device != self->stamp.device || now.inode != self->stamp.inode));
  tell_at (self,
           self->first_us + (whole ? self->delay_ms : GMCP_LIMIT_CONFIG_DELAY_MS) * (gint64) 1000);
  return G_SOURCE_REMOVE;
}

/* A program that makes one call and ends is quicker without: a monitor starts a thread. */
static void
watch_soon (GmcpFileWatch *self)
{
  self->stamp = read_stamp (self);
  self->due = g_timeout_source_new (GMCP_DEFAULT_WATCH_DELAY_MS);
  g_source_set_static_name (self->due, "[gmcp] watch of a file");
  g_source_set_callback (self->due, on_due, self, NULL);
  g_source_attach (self->due, self->context);
}

GmcpFileWatch *
gmcp_file_watch_new (GFile *file, guint delay_ms, void (*changed) (gpointer), gpointer data)
{
  GmcpFileWatch *self = g_new0 (GmcpFileWatch, 1);

  self->context = g_main_context_ref_thread_default ();
  self->file = g_object_ref (file);
  self->delay_ms = delay_ms;
  self->changed = changed;
  self->data = data;
  self->monitors = g_ptr_array_new_with_free_func (monitor_free);
  if (g_file_peek_path (file) != NULL)
    watch_soon (self);
  else
    watch_one (self, file);
  return self;
}

void
gmcp_file_watch_begin (GmcpFileWatch *self)
{
  if (self->due == NULL)
    return;

  g_source_destroy (self->due);
  on_due (self);
}

void
gmcp_file_watch_free (GmcpFileWatch *self)
{
  g_ptr_array_unref (self->monitors);
  if (self->due != NULL)
    g_source_destroy (self->due);
  g_clear_pointer (&self->due, g_source_unref);
  if (self->delay != NULL)
    g_source_destroy (self->delay);
  g_clear_pointer (&self->delay, g_source_unref);
  g_main_context_unref (self->context);
  g_strfreev (self->paths);
  g_object_unref (self->file);
  g_free (self);
}
