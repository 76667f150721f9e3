/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-watch-private.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#define EVENTS_AT_ONCE 64

typedef struct
{
  GmcpHttpWatchFunc func;
  GmcpHttpWatchFunc readable; /* nullable */
  gpointer data;
} Entry;

/* All timers of one delay: which was set first is due first. */
typedef struct
{
  guint delay_ms;
  GQueue *timers;
} Delay;

struct _GmcpHttpWatch
{
  int epoll;
  GSource *hang_ups;
  GHashTable *entries; /* descriptor -> Entry (owned) */
  GSource *clock;
  GArray *delays; /* of Delay */
  GmcpByteBudget *unread;
};

static void
report_event (GmcpHttpWatch *self, const struct epoll_event *event)
{
  Entry *entry = g_hash_table_lookup (self->entries, GINT_TO_POINTER (event->data.fd));

  if (entry == NULL)
    return;
  if ((event->events & ~(guint32) EPOLLIN) != 0)
    entry->func (entry->data);
  else
    entry->readable (entry->data);
}

static gboolean
on_hang_ups (int fd, GIOCondition condition, gpointer data)
{
  g_autoptr (GmcpHttpWatch) self = gmcp_http_watch_ref (data);
  struct epoll_event events[EVENTS_AT_ONCE];
  int n = epoll_wait (self->epoll, events, EVENTS_AT_ONCE, 0);

  /* What an earlier one of these has closed is not found any more. */
  for (int i = 0; i < n; i++)
    report_event (self, &events[i]);
  return G_SOURCE_CONTINUE;
}

static GmcpHttpTimer *
find_first (GmcpHttpWatch *self)
{
  GmcpHttpTimer *first = NULL;

  for (guint i = 0; i < self->delays->len; i++)
    {
      GmcpHttpTimer *timer = g_queue_peek_head (g_array_index (self->delays, Delay, i).timers);

      if (timer != NULL && (first == NULL || timer->time_us < first->time_us))
        first = timer;
    }
  return first;
}

/* A clock that is set costs a system call and a turn of the main loop. So one that goes off before there is a need is
 * left as it is, and looks then what is next. */
static void
set_clock (GmcpHttpWatch *self, const GmcpHttpTimer *timer)
{
  gint64 set_us = g_source_get_ready_time (self->clock);

  if (set_us < 0 || timer->time_us < set_us)
    g_source_set_ready_time (self->clock, timer->time_us);
}

static gboolean
on_time (gpointer data)
{
  g_autoptr (GmcpHttpWatch) self = gmcp_http_watch_ref (data);
  gint64 now_us = g_get_monotonic_time ();
  GmcpHttpTimer *first;

  while ((first = find_first (self)) != NULL && first->time_us <= now_us)
    {
      gmcp_http_watch_clear_timer (self, first);
      first->func (first->data);
    }
  g_source_set_ready_time (self->clock, -1);
  if (first != NULL)
    set_clock (self, first);
  return G_SOURCE_CONTINUE;
}

static gboolean
dispatch_clock (GSource *source, GSourceFunc callback, gpointer data)
{
  return callback (data);
}

static GSourceFuncs clock_funcs = { .dispatch = dispatch_clock };

static GSource *
attach_source (GSource *source, const char *name, GSourceFunc func, gpointer data)
{
  g_source_set_static_name (source, name);
  g_source_set_priority (source, G_PRIORITY_HIGH);
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

GmcpHttpWatch *
gmcp_http_watch_new (GError **error)
{
  GmcpHttpWatch *self;
  int epoll = epoll_create1 (EPOLL_CLOEXEC);

  if (epoll < 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                   _ ("Connections cannot be watched: %s"), g_strerror (code));
      return NULL;
    }

  self = g_rc_box_new0 (GmcpHttpWatch);
  self->epoll = epoll;
  self->entries = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->unread = gmcp_byte_budget_new (GMCP_LIMIT_HTTP_UNREAD_BYTES, NULL);
  self->delays = g_array_new (FALSE, FALSE, sizeof (Delay));
  self->hang_ups = attach_source (g_unix_fd_source_new (epoll, G_IO_IN), "[gmcp] clients gone",
                                  G_SOURCE_FUNC (on_hang_ups), self);
  self->clock = attach_source (g_source_new (&clock_funcs, sizeof (GSource)), "[gmcp] HTTP clock",
                               on_time, self);
  return self;
}

GmcpHttpWatch *
gmcp_http_watch_ref (GmcpHttpWatch *self)
{
  return g_rc_box_acquire (self);
}

static void
watch_clear (gpointer data)
{
  GmcpHttpWatch *self = data;

  g_source_destroy (self->hang_ups);
  g_source_unref (self->hang_ups);
  g_source_destroy (self->clock);
  g_source_unref (self->clock);
  for (guint i = 0; i < self->delays->len; i++)
    g_queue_free (g_array_index (self->delays, Delay, i).timers);
  g_array_unref (self->delays);
  gmcp_byte_budget_unref (self->unread);
  g_hash_table_unref (self->entries);
  close (self->epoll);
}

void
gmcp_http_watch_unref (GmcpHttpWatch *self)
{
  g_rc_box_release_full (self, watch_clear);
}

gboolean
gmcp_http_watch_add (GmcpHttpWatch *self, int fd, GmcpHttpWatchFunc func, gpointer data)
{
  return gmcp_http_watch_add_reader (self, fd, func, NULL, data);
}

gboolean
gmcp_http_watch_add_reader (GmcpHttpWatch *self,
                            int fd,
                            GmcpHttpWatchFunc func,
                            GmcpHttpWatchFunc readable,
                            gpointer data)
{
  struct epoll_event event
    = { .events = EPOLLRDHUP | EPOLLET | (readable != NULL ? EPOLLIN : 0), .data.fd = fd };
  Entry *entry;

  if (epoll_ctl (self->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
    return FALSE;

  entry = g_new (Entry, 1);
  entry->func = func;
  entry->readable = readable;
  entry->data = data;
  g_hash_table_replace (self->entries, GINT_TO_POINTER (fd), entry);
  return TRUE;
}

void
gmcp_http_watch_remove (GmcpHttpWatch *self, int fd)
{
  if (g_hash_table_remove (self->entries, GINT_TO_POINTER (fd)))
    epoll_ctl (self->epoll, EPOLL_CTL_DEL, fd, NULL);
}

static GQueue *
find_queue (GmcpHttpWatch *self, guint delay_ms)
{
  Delay *unused = NULL;
  Delay added = { .delay_ms = delay_ms };

  for (guint i = 0; i < self->delays->len; i++)
    {
      Delay *delay = &g_array_index (self->delays, Delay, i);

      if (delay->delay_ms == delay_ms)
        return delay->timers;
      if (g_queue_is_empty (delay->timers))
        unused = delay;
    }
  if (unused != NULL)
    {
      unused->delay_ms = delay_ms;
      return unused->timers;
    }
  added.timers = g_queue_new ();
  g_array_append_val (self->delays, added);
  return added.timers;
}

void
gmcp_http_watch_set_timer (GmcpHttpWatch *self,
                           GmcpHttpTimer *timer,
                           guint delay_ms,
                           GmcpHttpWatchFunc func,
                           gpointer data)
{
  if (timer->queue != NULL)
    g_queue_unlink (timer->queue, &timer->link);
  timer->link = (GList){ .data = timer };
  timer->queue = find_queue (self, delay_ms);
  timer->time_us = g_get_monotonic_time () + delay_ms * (gint64) 1000;
  timer->func = func;
  timer->data = data;
  g_queue_push_tail_link (timer->queue, &timer->link);
  set_clock (self, timer);
}

void
gmcp_http_watch_clear_timer (GmcpHttpWatch *self, GmcpHttpTimer *timer)
{
  if (timer->queue == NULL)
    return;

  g_queue_unlink (timer->queue, &timer->link);
  timer->queue = NULL;
}

GmcpByteBudget *
gmcp_http_watch_get_unread (GmcpHttpWatch *self)
{
  return self->unread;
}
