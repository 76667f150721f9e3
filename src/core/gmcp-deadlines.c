/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-deadlines-private.h"

#define N_HEAP 64u /* at first */

struct _GmcpDeadlines
{
  GSource source;

  GmcpDeadline **heap; /* the earliest first */
  guint length;
  guint size;
  gint64 armed_us; /* when the source will fire; G_MAXINT64 while it will not */
  GmcpDeadlineFunc passed;
  gpointer user_data;
  GDestroyNotify destroy;
};

static inline GmcpDeadline *
heap_get (GmcpDeadlines *self, guint position)
{
  return self->heap[position - 1];
}

static inline void
heap_set (GmcpDeadlines *self, guint position, GmcpDeadline *deadline)
{
  self->heap[position - 1] = deadline;
  deadline->position = position;
}

static void
heap_rise (GmcpDeadlines *self, GmcpDeadline *deadline, guint position)
{
  while (position > 1)
    {
      GmcpDeadline *parent = heap_get (self, position / 2);

      if (parent->at_us <= deadline->at_us)
        break;
      heap_set (self, position, parent);
      position /= 2;
    }
  heap_set (self, position, deadline);
}

static void
heap_sink (GmcpDeadlines *self, GmcpDeadline *deadline, guint position)
{
  guint length = self->length;

  while (position * 2 <= length)
    {
      guint child = position * 2;

      if (child < length && heap_get (self, child + 1)->at_us < heap_get (self, child)->at_us)
        child++;
      if (heap_get (self, child)->at_us >= deadline->at_us)
        break;
      heap_set (self, position, heap_get (self, child));
      position = child;
    }
  heap_set (self, position, deadline);
}

static void
heap_remove (GmcpDeadlines *self, GmcpDeadline *deadline)
{
  guint position = deadline->position;
  GmcpDeadline *last = heap_get (self, self->length);

  deadline->position = 0;
  self->length--;
  if (last == deadline)
    return;

  heap_rise (self, last, position);
  heap_sink (self, last, last->position);
}

static void
heap_add (GmcpDeadlines *self, GmcpDeadline *deadline)
{
  if (self->length == self->size)
    {
      self->size *= 2;
      self->heap = g_renew (GmcpDeadline *, self->heap, self->size);
    }
  heap_rise (self, deadline, ++self->length);
}

/* Moving the source's ready time wakes its context up, which costs a system call. So the ready time is
 * only ever moved to an earlier one; where the source fires too early, it is set to the next deadline
 * then. */
static void
arm_source (GmcpDeadlines *self)
{
  if (self->length > 0 && heap_get (self, 1)->at_us < self->armed_us)
    {
      self->armed_us = heap_get (self, 1)->at_us;
      g_source_set_ready_time (&self->source, self->armed_us);
    }
}

static gboolean
deadlines_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  GmcpDeadlines *self = (GmcpDeadlines *) source;
  gint64 now = g_source_get_time (source);

  self->armed_us = G_MAXINT64;
  g_source_set_ready_time (source, -1);

  while (self->length > 0 && heap_get (self, 1)->at_us <= now)
    {
      GmcpDeadline *deadline = heap_get (self, 1);

      heap_remove (self, deadline);
      self->passed (deadline, self->user_data);
      /* The owner may have freed the deadlines in the callback. */
      if (g_source_is_destroyed (source))
        return G_SOURCE_REMOVE;
    }

  arm_source (self);
  return G_SOURCE_CONTINUE;
}

static void
deadlines_finalize (GSource *source)
{
  GmcpDeadlines *self = (GmcpDeadlines *) source;

  if (self->destroy != NULL)
    self->destroy (self->user_data);
  g_free (self->heap);
}

static GSourceFuncs deadlines_funcs = {
  .dispatch = deadlines_dispatch,
  .finalize = deadlines_finalize,
};

GmcpDeadlines *
gmcp_deadlines_new (GMainContext *context,
                    const char *name,
                    GmcpDeadlineFunc passed,
                    gpointer user_data)
{
  GSource *source = g_source_new (&deadlines_funcs, sizeof (GmcpDeadlines));
  GmcpDeadlines *self = (GmcpDeadlines *) source;

  self->size = N_HEAP;
  self->heap = g_new (GmcpDeadline *, N_HEAP);
  self->armed_us = G_MAXINT64;
  self->passed = passed;
  self->user_data = user_data;
  g_source_set_static_name (source, name);
  /* What a passed deadline leads to may run the main loop. */
  g_source_set_can_recurse (source, TRUE);
  g_source_attach (source, context);
  return self;
}

void
gmcp_deadlines_leave_to_context (GmcpDeadlines *self, GDestroyNotify destroy)
{
  self->destroy = destroy;
  g_source_unref (&self->source);
}

void
gmcp_deadlines_free (GmcpDeadlines *self)
{
  g_source_destroy (&self->source);
  g_source_unref (&self->source);
}

void
gmcp_deadlines_set (GmcpDeadlines *self, GmcpDeadline *deadline, gint64 at_us)
{
  gmcp_deadlines_remove (self, deadline);
  deadline->at_us = at_us;
  if (at_us == G_MAXINT64)
    return;

  heap_add (self, deadline);
  arm_source (self);
}

void
gmcp_deadlines_remove (GmcpDeadlines *self, GmcpDeadline *deadline)
{
  if (deadline->position != 0)
    heap_remove (self, deadline);
}
