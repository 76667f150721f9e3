/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-pending-calls-private.h"

/* At first; both are powers of two. */
#define N_SLOTS 64u
#define N_HEAP  64u

struct _GmcpPendingCalls
{
  /* Ids follow one another, so that each call has its place; one that is still there when its place
   * is needed again, as that of a stream, moves to the strays. */
  GmcpPendingCall **slots;
  guint n_slots;
  GHashTable *strays; /* id as a pointer → GmcpPendingCall */
  guint length;

  GmcpPendingCall **heap; /* the calls with a deadline, the earliest first */
  guint heap_length;
  guint heap_size;
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
  return self->heap[position - 1];
}

static inline void
heap_set (GmcpPendingCalls *self, guint position, GmcpPendingCall *call)
{
  self->heap[position - 1] = call;
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
  guint length = self->heap_length;

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
  GmcpPendingCall *last = heap_get (self, self->heap_length);

  call->position = 0;
  self->heap_length--;
  if (last == call)
    return;

  heap_rise (self, last, position);
  heap_sink (self, last, last->position);
}

static void
heap_add (GmcpPendingCalls *self, GmcpPendingCall *call)
{
  if (self->heap_length == self->heap_size)
    {
      self->heap_size *= 2;
      self->heap = g_renew (GmcpPendingCall *, self->heap, self->heap_size);
    }
  heap_rise (self, call, ++self->heap_length);
}

static inline GmcpPendingCall **
slot_of (GmcpPendingCalls *self, gint64 id)
{
  return &self->slots[(guint64) id & (self->n_slots - 1)];
}

static void
put (GmcpPendingCalls *self, GmcpPendingCall *call)
{
  GmcpPendingCall **slot = slot_of (self, call->id);

  if (*slot != NULL)
    g_hash_table_insert (self->strays, GSIZE_TO_POINTER ((gsize) (*slot)->id), *slot);
  *slot = call;
}

static void
add_slots (GmcpPendingCalls *self)
{
  g_autofree GmcpPendingCall **before = self->slots;
  guint n_before = self->n_slots;

  self->n_slots *= 2;
  self->slots = g_new0 (GmcpPendingCall *, self->n_slots);
  for (guint i = 0; i < n_before; i++)
    if (before[i] != NULL)
      put (self, before[i]);
}

/* Moving the source's ready time wakes its context up, which costs a system call. So it is only
 * ever moved to an earlier time; where it fires too early, it is set to the next deadline then. */
static void
arm (GmcpPendingCalls *self)
{
  if (self->heap_length > 0 && heap_get (self, 1)->deadline_us < self->armed_us)
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

  while (self->heap_length > 0 && heap_get (self, 1)->deadline_us <= now)
    {
      GmcpPendingCall *call = heap_get (self, 1);

      gmcp_pending_calls_take_call (self, call);
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

  self->n_slots = N_SLOTS;
  self->slots = g_new0 (GmcpPendingCall *, N_SLOTS);
  self->strays = g_hash_table_new (NULL, NULL);
  self->heap_size = N_HEAP;
  self->heap = g_new (GmcpPendingCall *, N_HEAP);
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
  g_hash_table_unref (self->strays);
  g_free (self->slots);
  g_free (self->heap);
  g_free (self);
}

gint64
gmcp_pending_calls_get_last_id (GmcpPendingCalls *self)
{
  return self->last_id;
}

guint
gmcp_pending_calls_get_length (GmcpPendingCalls *self)
{
  return self->length;
}

void
gmcp_pending_calls_add (GmcpPendingCalls *self, GmcpPendingCall *call, gint64 deadline_us)
{
  call->id = ++self->last_id;
  call->position = 0;
  call->in_table = TRUE;
  call->deadline_us = G_MAXINT64;
  if (++self->length > self->n_slots / 2)
    add_slots (self);
  put (self, call);
  gmcp_pending_calls_set_deadline (self, call, deadline_us);
}

GmcpPendingCall *
gmcp_pending_calls_find (GmcpPendingCalls *self, gint64 id)
{
  GmcpPendingCall *call;

  if (id <= 0 || id > self->last_id)
    return NULL;

  call = *slot_of (self, id);
  if (call != NULL && call->id == id)
    return call;
  return g_hash_table_lookup (self->strays, GSIZE_TO_POINTER ((gsize) id));
}

GmcpPendingCall *
gmcp_pending_calls_take (GmcpPendingCalls *self, gint64 id)
{
  GmcpPendingCall *call = gmcp_pending_calls_find (self, id);

  if (call != NULL)
    gmcp_pending_calls_take_call (self, call);
  return call;
}

gboolean
gmcp_pending_calls_take_call (GmcpPendingCalls *self, GmcpPendingCall *call)
{
  GmcpPendingCall **slot = slot_of (self, call->id);

  if (!call->in_table)
    return FALSE;

  if (*slot == call)
    *slot = NULL;
  else
    g_hash_table_remove (self->strays, GSIZE_TO_POINTER ((gsize) call->id));
  call->in_table = FALSE;
  self->length--;
  if (call->position != 0)
    heap_remove (self, call);

  return TRUE;
}

void
gmcp_pending_calls_set_deadline (GmcpPendingCalls *self, GmcpPendingCall *call, gint64 deadline_us)
{
  if (!call->in_table)
    return;

  if (call->position != 0)
    heap_remove (self, call);

  call->deadline_us = deadline_us;
  if (deadline_us == G_MAXINT64)
    return;

  heap_add (self, call);
  arm (self);
}

void
gmcp_pending_calls_foreach (GmcpPendingCalls *self, GmcpPendingCallFunc func, gpointer data)
{
  GHashTableIter iter;
  gpointer call;

  for (guint i = 0; i < self->n_slots; i++)
    if (self->slots[i] != NULL)
      func (self->slots[i], data);
  g_hash_table_iter_init (&iter, self->strays);
  while (g_hash_table_iter_next (&iter, NULL, &call))
    func (call, data);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const GmcpPendingCall *first = *(GmcpPendingCall *const *) a;
  const GmcpPendingCall *second = *(GmcpPendingCall *const *) b;

  return first->id < second->id ? -1 : first->id > second->id;
}

/* FALSE where it stays; it is out of the heap. */
static gboolean
collect (GmcpPendingCalls *self,
         GmcpPendingCall *call,
         gboolean (*stays) (const GmcpPendingCall *call),
         GPtrArray *calls)
{
  call->position = 0;
  if (stays != NULL && stays (call))
    {
      gmcp_pending_calls_set_deadline (self, call, call->deadline_us);
      return FALSE;
    }

  g_ptr_array_add (calls, call);
  call->in_table = FALSE;
  self->length--;
  return TRUE;
}

GPtrArray *
gmcp_pending_calls_take_all (GmcpPendingCalls *self,
                             gboolean (*stays) (const GmcpPendingCall *call))
{
  GPtrArray *calls = g_ptr_array_sized_new (self->length);
  GHashTableIter iter;
  gpointer stray;

  self->heap_length = 0;
  for (guint i = 0; i < self->n_slots; i++)
    if (self->slots[i] != NULL && collect (self, self->slots[i], stays, calls))
      self->slots[i] = NULL;
  g_hash_table_iter_init (&iter, self->strays);
  while (g_hash_table_iter_next (&iter, NULL, &stray))
    if (collect (self, stray, stays, calls))
      g_hash_table_iter_remove (&iter);
  g_ptr_array_sort (calls, compare_ids);

  return calls;
}
