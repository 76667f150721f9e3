/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-pending-calls-private.h"

/* At first; a power of two. */
#define N_SLOTS 64u

struct _GmcpPendingCalls
{
  /* Ids follow one another, so that each call has its place; one that is still there when its place
   * is needed again, as that of a stream, moves to the strays. */
  GmcpPendingCall **slots;
  guint n_slots;
  GHashTable *strays; /* id as a pointer → GmcpPendingCall */
  guint length;

  GmcpDeadlines *deadlines;
  gint64 last_id;
  GmcpPendingCallFunc timed_out;
  gpointer user_data;
};

static inline GmcpPendingCall **
slot_of (GmcpPendingCalls *self, gint64 id)
{
  return &self->slots[(guint64) id & (self->n_slots - 1)];
}

static void
put_call (GmcpPendingCalls *self, GmcpPendingCall *call)
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
      put_call (self, before[i]);
}

static void
on_deadline (GmcpDeadline *deadline, gpointer user_data)
{
  GmcpPendingCalls *self = user_data;
  GmcpPendingCall *call
    = (gpointer) ((char *) deadline - G_STRUCT_OFFSET (GmcpPendingCall, deadline));

  gmcp_pending_calls_take_call (self, call);
  self->timed_out (call, self->user_data);
}

GmcpPendingCalls *
gmcp_pending_calls_new (GMainContext *context, GmcpPendingCallFunc timed_out, gpointer user_data)
{
  GmcpPendingCalls *self = g_new0 (GmcpPendingCalls, 1);

  self->n_slots = N_SLOTS;
  self->slots = g_new0 (GmcpPendingCall *, N_SLOTS);
  self->strays = g_hash_table_new (NULL, NULL);
  self->timed_out = timed_out;
  self->user_data = user_data;
  self->deadlines = gmcp_deadlines_new (context, "[gmcp] deadlines of calls", on_deadline, self);

  return self;
}

void
gmcp_pending_calls_free (GmcpPendingCalls *self)
{
  gmcp_deadlines_free (self->deadlines);
  g_hash_table_unref (self->strays);
  g_free (self->slots);
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
  call->deadline.position = 0;
  call->in_table = TRUE;
  if (++self->length > self->n_slots / 2)
    add_slots (self);
  put_call (self, call);
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
  gmcp_deadlines_remove (self->deadlines, &call->deadline);
  return TRUE;
}

void
gmcp_pending_calls_set_deadline (GmcpPendingCalls *self, GmcpPendingCall *call, gint64 deadline_us)
{
  if (call->in_table)
    gmcp_deadlines_set (self->deadlines, &call->deadline, deadline_us);
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

/* FALSE where it stays. */
static gboolean
collect_call (GmcpPendingCalls *self,
              GmcpPendingCall *call,
              gboolean (*stays) (const GmcpPendingCall *call),
              GPtrArray *calls)
{
  if (stays != NULL && stays (call))
    return FALSE;

  gmcp_deadlines_remove (self->deadlines, &call->deadline);
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

  for (guint i = 0; i < self->n_slots; i++)
    if (self->slots[i] != NULL && collect_call (self, self->slots[i], stays, calls))
      self->slots[i] = NULL;
  g_hash_table_iter_init (&iter, self->strays);
  while (g_hash_table_iter_next (&iter, NULL, &stray))
    if (collect_call (self, stray, stays, calls))
      g_hash_table_iter_remove (&iter);
  g_ptr_array_sort (calls, compare_ids);

  return calls;
}
