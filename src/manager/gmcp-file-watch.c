/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-file-watch-private.h"
#include "gmcp-limits.h"

struct _GmcpFileWatch
{
  GMainContext *context;
  GFileMonitor *monitor; /* NULL where files cannot be watched */
  guint delay_ms;
  gint64 first_us; /* of the changes that were not told yet; 0 for none */
  GSource *delay;
  void (*changed) (gpointer);
  gpointer data;
};

static gboolean
on_delay_over (gpointer data)
{
  GmcpFileWatch *self = data;

  g_clear_pointer (&self->delay, g_source_unref);
  self->first_us = 0;
  self->changed (self->data);
  return G_SOURCE_REMOVE;
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

  if (event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    return;
  if (self->first_us == 0)
    self->first_us = now_us;
  if (self->delay == NULL)
    {
      self->delay = g_timeout_source_new (self->delay_ms);
      g_source_set_static_name (self->delay, "[gmcp] configuration file changed");
      g_source_set_callback (self->delay, on_delay_over, self, NULL);
      g_source_attach (self->delay, self->context);
    }

  g_source_set_ready_time (
    self->delay, MIN (due_us, self->first_us + GMCP_LIMIT_CONFIG_DELAY_MS * (gint64) 1000));
}

GmcpFileWatch *
gmcp_file_watch_new (GFile *file, guint delay_ms, void (*changed) (gpointer), gpointer data)
{
  GmcpFileWatch *self = g_new0 (GmcpFileWatch, 1);
  g_autoptr (GError) error = NULL;

  self->context = g_main_context_ref_thread_default ();
  self->delay_ms = delay_ms;
  self->changed = changed;
  self->data = data;
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, &error);
  if (self->monitor == NULL)
    g_debug ("A configuration file is not watched: %s", error->message);
  else
    g_signal_connect (self->monitor, "changed", G_CALLBACK (on_changed), self);
  return self;
}

void
gmcp_file_watch_free (GmcpFileWatch *self)
{
  if (self->monitor != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->monitor, self);
      g_file_monitor_cancel (self->monitor);
      g_object_unref (self->monitor);
    }
  if (self->delay != NULL)
    g_source_destroy (self->delay);
  g_clear_pointer (&self->delay, g_source_unref);
  g_main_context_unref (self->context);
  g_free (self);
}
