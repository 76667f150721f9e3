/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-pending-calls-private.h"

struct _GmcpPendingCalls
{
  GHashTable *by_id; /* id as a pointer → GmcpPendingCall, not owned */
  GPtrArray *heap;   /* the calls with a deadline, the earliest first */
  GSource *source;
  gint64 armed_us; /* when the source will fire; G_MAXINT64 while it will not */
  gint64 last_id;
  GmcpPendingCallFunc timed_out;
  gpointer user_data;
};

typedef struct
{
  GSource parent;
  GmcpPendingCalls *calls;
} DeadlineSource;

static inline GmcpPendingCall *
heap_get (GmcpPendingCalls *self, guint position)
{
  return g_ptr_array_index (self->heap, position - 1);
}

static inline void
heap_set (GmcpPendingCalls *self, guint position, GmcpPendingCall *call)
{
  g_ptr_array_index (self->heap, position - 1) = call;
  call->position = position;
}

static void
heap_rise (GmcpPendingCalls *self, GmcpPendingCall *call, guint position)
{
  while (position > 1)
    {
      GmcpPendingCall *parent = heap_get (self, position / 2);

      if (parent->deadline_us <= call->deadline_us)
        break;
      heap_set (self, position, parent);
      position /= 2;
    }
  heap_set (self, position, call);
}

static void
heap_sink (GmcpPendingCalls *self, GmcpPendingCall *call, guint position)
{
  guint length = self->heap->len;

  while (position * 2 <= length)
    {
      guint child = position * 2;

      if (child < length
          && heap_get (self, child + 1)->deadline_us < heap_get (self, child)->deadline_us)
        child++;
      if (heap_get (self, child)->deadline_us >= call->deadline_us)
        break;
      heap_set (self, position, heap_get (self, child));
      position = child;
    }
  heap_set (self, position, call);
}

static void
heap_remove (GmcpPendingCalls *self, GmcpPendingCall *call)
{
  guint position = call->position;
  GmcpPendingCall *last = heap_get (self, self->heap->len);

  call->position = 0;
  g_ptr_array_set_size (self->heap, (int) self->heap->len - 1);
  if (last == call)
    return;

  heap_rise (self, last, position);
  heap_sink (self, last, last->position);
}

/* Moving the source's ready time wakes its context up, which costs a system call. So it is only
 * ever moved to an earlier time; where it fires too early, it is set to the next deadline then. */
static void
arm (GmcpPendingCalls *self)
{
  if (self->heap->len > 0 && heap_get (self, 1)->deadline_us < self->armed_us)
    {
      self->armed_us = heap_get (self, 1)->deadline_us;
      g_source_set_ready_time (self->source, self->armed_us);
    }
}

static gboolean
deadline_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  GmcpPendingCalls *self = ((DeadlineSource *) source)->calls;
  gint64 now = g_source_get_time (source);

  self->armed_us = G_MAXINT64;
  g_source_set_ready_time (source, -1);

  while (self->heap->len > 0 && heap_get (self, 1)->deadline_us <= now)
    {
      GmcpPendingCall *call = heap_get (self, 1);

      gmcp_pending_calls_take (self, call->id);
      self->timed_out (call, self->user_data);
      /* The owner may have freed the table in the callback. */
      if (g_source_is_destroyed (source))
        return G_SOURCE_REMOVE;
    }

  arm (self);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs deadline_source_funcs = { .dispatch = deadline_source_dispatch };

GmcpPendingCalls *
gmcp_pending_calls_new (GMainContext *context, GmcpPendingCallFunc timed_out, gpointer user_data)
{
  GmcpPendingCalls *self = g_new0 (GmcpPendingCalls, 1);

  self->by_id = g_hash_table_new (NULL, NULL);
  self->heap = g_ptr_array_new ();
  self->armed_us = G_MAXINT64;
  self->timed_out = timed_out;
  self->user_data = user_data;
  self->source = g_source_new (&deadline_source_funcs, sizeof (DeadlineSource));
  ((DeadlineSource *) self->source)->calls = self;
  g_source_set_static_name (self->source, "[gmcp] deadlines of calls");
  /* The callback of a call may run the main loop, and make calls in it. */
  g_source_set_can_recurse (self->source, TRUE);
  g_source_attach (self->source, context);

  return self;
}

void
gmcp_pending_calls_free (GmcpPendingCalls *self)
{
  g_source_destroy (self->source);
  g_source_unref (self->source);
  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->heap);
  g_free (self);
}

guint
gmcp_pending_calls_get_length (GmcpPendingCalls *self)
{
  return g_hash_table_size (self->by_id);
}

void
gmcp_pending_calls_add (GmcpPendingCalls *self, GmcpPendingCall *call, gint64 deadline_us)
{
  call->id = ++self->last_id;
  call->position = 0;
  call->deadline_us = G_MAXINT64;
  g_hash_table_insert (self->by_id, GSIZE_TO_POINTER ((gsize) call->id), call);
  gmcp_pending_calls_set_deadline (self, call, deadline_us);
}

GmcpPendingCall *
gmcp_pending_calls_find (GmcpPendingCalls *self, gint64 id)
{
  if (id <= 0 || id > self->last_id)
    return NULL;
  return g_hash_table_lookup (self->by_id, GSIZE_TO_POINTER ((gsize) id));
}

GmcpPendingCall *
gmcp_pending_calls_take (GmcpPendingCalls *self, gint64 id)
{
  gpointer call = NULL;

  if (id <= 0 || id > self->last_id)
    return NULL;
  if (!g_hash_table_steal_extended (self->by_id, GSIZE_TO_POINTER ((gsize) id), NULL, &call))
    return NULL;
  if (((GmcpPendingCall *) call)->position != 0)
    heap_remove (self, call);

  return call;
}

void
gmcp_pending_calls_set_deadline (GmcpPendingCalls *self, GmcpPendingCall *call, gint64 deadline_us)
{
  if (call->position != 0)
    heap_remove (self, call);

  call->deadline_us = deadline_us;
  if (deadline_us == G_MAXINT64)
    return;

  g_ptr_array_add (self->heap, call);
  heap_rise (self, call, self->heap->len);
  arm (self);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const GmcpPendingCall *first = *(GmcpPendingCall *const *) a;
  const GmcpPendingCall *second = *(GmcpPendingCall *const *) b;

  return first->id < second->id ? -1 : first->id > second->id;
}

GPtrArray *
gmcp_pending_calls_take_all (GmcpPendingCalls *self,
                             gboolean (*stays) (const GmcpPendingCall *call))
{
  GPtrArray *calls = g_ptr_array_sized_new (g_hash_table_size (self->by_id));
  GHashTableIter iter;
  gpointer value;

  g_ptr_array_set_size (self->heap, 0);
  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GmcpPendingCall *call = value;

      call->position = 0;
      if (stays != NULL && stays (call))
        {
          gmcp_pending_calls_set_deadline (self, call, call->deadline_us);
          continue;
        }
      g_ptr_array_add (calls, call);
      g_hash_table_iter_steal (&iter);
    }
  g_ptr_array_sort (calls, compare_ids);

  return calls;
}
