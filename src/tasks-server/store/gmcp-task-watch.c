/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-location.h"
#include "gmcp-task-watch.h"

/* PostgreSQL tells by itself. A file is asked whether another connection has changed it: that costs a
 * few microseconds, works on every file system, and is done only while somebody wants to know. */
#define POLL_MS 1000

struct _GmcpTaskWatch
{
  GmcpTaskStore *store;
  GmcpTaskChangedFunc func;
  gpointer user_data;
  gulong changed_id;
#ifdef HAVE_POSTGRESQL
  GmcpTaskListener *listener; /* NULL: the database is a file */
#endif
  GSource *timer; /* NULL: the database is a server's */
  GCancellable *polling;
  gint64 version; /* -1: not known yet */
};

static void
on_changed (GmcpTaskStore *store, const char *user, const char *id, GmcpTaskWatch *self)
{
  self->func (user, id, self->user_data);
}

/* The watch may be gone; then its cancellable was cancelled. */
static void
on_version (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GCancellable) polling = user_data;
  GmcpTaskWatch *self;
  gint64 version = gmcp_task_store_get_version_finish (GMCP_TASK_STORE (object), result, NULL);

  if (g_cancellable_is_cancelled (polling))
    return;

  self = g_object_get_data (G_OBJECT (polling), "watch");
  if (version >= 0 && self->version >= 0 && version != self->version)
    self->func (NULL, NULL, self->user_data);
  if (version >= 0)
    self->version = version;
  g_source_set_ready_time (self->timer,
                           g_get_monotonic_time () + POLL_MS * G_TIME_SPAN_MILLISECOND);
}

static gboolean
on_poll (gpointer user_data)
{
  GmcpTaskWatch *self = user_data;

  g_source_set_ready_time (self->timer, -1);
  gmcp_task_store_get_version_async (self->store, self->polling, on_version,
                                     g_object_ref (self->polling));
  return G_SOURCE_CONTINUE;
}

static gboolean
dispatch_poll (GSource *source, GSourceFunc callback, gpointer user_data)
{
  return callback (user_data);
}

static GSourceFuncs poll_funcs = { .dispatch = dispatch_poll };

static void
start_polling (GmcpTaskWatch *self, GMainContext *context)
{
  self->timer = g_source_new (&poll_funcs, sizeof (GSource));
  g_source_set_static_name (self->timer, "[gmcp-tasks] changes of others");
  g_source_set_callback (self->timer, on_poll, self, NULL);
  g_source_set_ready_time (self->timer, 0);
  g_source_attach (self->timer, context);
}

GmcpTaskWatch *
gmcp_task_watch_new (GmcpTaskStore *store, GmcpTaskChangedFunc func, gpointer user_data)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  GmcpTaskWatch *self = g_new0 (GmcpTaskWatch, 1);

  self->store = g_object_ref (store);
  self->func = func;
  self->user_data = user_data;
  self->version = -1;
  self->polling = g_cancellable_new ();
  g_object_set_data (G_OBJECT (self->polling), "watch", self);
  self->changed_id = g_signal_connect (store, "changed", G_CALLBACK (on_changed), self);

#ifdef HAVE_POSTGRESQL
  if (gmcp_task_location_is_url (gmcp_task_store_get_location (store)))
    {
      self->listener
        = gmcp_task_listener_new (gmcp_task_store_get_location (store),
                                  gmcp_task_store_get_origin (store), context, func, user_data);
      return self;
    }
#endif

  start_polling (self, context);
  return self;
}

void
gmcp_task_watch_free (GmcpTaskWatch *self)
{
  g_cancellable_cancel (self->polling);
  g_object_unref (self->polling);
  if (self->timer != NULL)
    {
      g_source_destroy (self->timer);
      g_source_unref (self->timer);
    }
#ifdef HAVE_POSTGRESQL
  g_clear_pointer (&self->listener, gmcp_task_listener_free);
#endif
  g_signal_handler_disconnect (self->store, self->changed_id);
  g_object_unref (self->store);
  g_free (self);
}
