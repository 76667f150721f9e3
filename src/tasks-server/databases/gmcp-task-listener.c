/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-task-listener.h"
#include "gmcp-task-postgres-link.h"
#include "gmcp-task-sql.h"

#define PAUSE_MIN_MS 500
#define PAUSE_MAX_MS 30000

/* Past this many notices that nobody has taken yet, all that is known is that much has changed. */
#define MAX_WAITING 1000

/* Stands for a change of anything. */
#define ANYTHING ""

struct _GmcpTaskListener
{
  GmcpTaskLink *link; /* the thread's */
  char *origin;
  GmcpTaskChangedFunc func;
  gpointer user_data;
  GThread *thread; /* NULL: it could not be started */
  GSource *source;
  int stopping; /* atomic */

  GMutex lock;
  GQueue waiting; /* of notices */
};

static gboolean
is_stopping (gpointer user_data)
{
  return g_atomic_int_get (&((GmcpTaskListener *) user_data)->stopping);
}

static void
hand_over (GmcpTaskListener *self, const char *notice)
{
  g_mutex_lock (&self->lock);
  if (g_queue_get_length (&self->waiting) >= MAX_WAITING)
    {
      g_queue_clear_full (&self->waiting, g_free);
      notice = ANYTHING;
    }
  g_queue_push_tail (&self->waiting, g_strdup (notice));
  g_source_set_ready_time (self->source, 0);
  g_mutex_unlock (&self->lock);
}

static gboolean
start_listening (GmcpTaskListener *self)
{
  PGresult *result;

  if (!gmcp_task_link_open (self->link, NULL))
    return FALSE;

  result = gmcp_task_link_execute (self->link, "LISTEN " GMCP_TASK_CHANNEL, NULL);
  if (result != NULL)
    gmcp_task_link_get_pq (self->link)->clear (result);
  else
    gmcp_task_link_close (self->link);
  return result != NULL;
}

/* Returns when the connection is lost, or the listener ends. */
static void
hear_notices (GmcpTaskListener *self)
{
  char *notice;

  while ((notice = gmcp_task_link_wait_for_notice (self->link, NULL)) != NULL)
    {
      /* Its own program has told of it already. */
      if (!g_str_has_prefix (notice, self->origin))
        hand_over (self, notice);
      g_free (notice);
    }
}

static gpointer
listener_main (gpointer user_data)
{
  GmcpTaskListener *self = user_data;
  guint pause_ms = PAUSE_MIN_MS;

  while (!is_stopping (self))
    {
      if (start_listening (self))
        {
          pause_ms = PAUSE_MIN_MS;
          /* What came before, nobody heard. */
          hand_over (self, ANYTHING);
          hear_notices (self);
        }

      gmcp_task_link_close (self->link);
      gmcp_task_link_pause (self->link, pause_ms);
      pause_ms = MIN (pause_ms * 2, PAUSE_MAX_MS);
    }

  return NULL;
}

/* A notice is ORIGIN ID USER; another program may have said anything. */
static void
tell_change (GmcpTaskListener *self, const char *notice)
{
  g_auto (GStrv) parts = g_strsplit (notice, " ", 3);

  if (*notice == '\0')
    self->func (NULL, NULL, self->user_data);
  else if (g_strv_length (parts) == 3 && g_uuid_string_is_valid (parts[1])
           && g_utf8_validate (parts[2], -1, NULL))
    self->func (parts[2], parts[1], self->user_data);
  else
    g_debug ("A notice that is none of gmcp-tasks was dropped");
}

static gboolean
on_waiting (gpointer user_data)
{
  GmcpTaskListener *self = user_data;
  GQueue waiting;
  char *notice;

  g_source_set_ready_time (self->source, -1);
  g_mutex_lock (&self->lock);
  waiting = self->waiting;
  g_queue_init (&self->waiting);
  g_mutex_unlock (&self->lock);

  while ((notice = g_queue_pop_head (&waiting)) != NULL)
    {
      tell_change (self, notice);
      g_free (notice);
    }

  return G_SOURCE_CONTINUE;
}

static gboolean
dispatch_waiting (GSource *source, GSourceFunc callback, gpointer user_data)
{
  return callback (user_data);
}

static GSourceFuncs source_funcs = { .dispatch = dispatch_waiting };

/* What begins with @origin is not told. @func must not end the listener. */
GmcpTaskListener *
gmcp_task_listener_new (const char *url,
                        const char *origin,
                        GMainContext *context,
                        GmcpTaskChangedFunc func,
                        gpointer user_data)
{
  GmcpTaskListener *self = g_new0 (GmcpTaskListener, 1);

  self->link = gmcp_task_link_new (url, is_stopping, self);
  self->origin = g_strdup (origin);
  self->func = func;
  self->user_data = user_data;
  g_mutex_init (&self->lock);
  g_queue_init (&self->waiting);

  self->source = g_source_new (&source_funcs, sizeof (GSource));
  g_source_set_static_name (self->source, "[gmcp-tasks] changes of others");
  g_source_set_callback (self->source, on_waiting, self, NULL);
  g_source_attach (self->source, context);
  self->thread = g_thread_try_new ("gmcp-tasks-ear", listener_main, self, NULL);
  return self;
}

void
gmcp_task_listener_free (GmcpTaskListener *self)
{
  g_atomic_int_set (&self->stopping, TRUE);
  gmcp_task_link_wake (self->link);
  g_clear_pointer (&self->thread, g_thread_join);
  g_source_destroy (self->source);
  g_source_unref (self->source);
  g_queue_clear_full (&self->waiting, g_free);
  gmcp_task_link_free (self->link);
  g_mutex_clear (&self->lock);
  g_free (self->origin);
  g_free (self);
}
