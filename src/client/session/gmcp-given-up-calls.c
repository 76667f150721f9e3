/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-given-up-calls-private.h"

#include "gmcp-limits.h"

typedef struct
{
  gint64 id;
  guint64 origin;
  gint64 until_us;
} Call;

struct _GmcpGivenUpCalls
{
  GArray *calls; /* of Call, the last given up is the last */
};

GmcpGivenUpCalls *
gmcp_given_up_calls_new (void)
{
  GmcpGivenUpCalls *self = g_new0 (GmcpGivenUpCalls, 1);

  self->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  return self;
}

void
gmcp_given_up_calls_free (GmcpGivenUpCalls *self)
{
  g_array_unref (self->calls);
  g_free (self);
}

void
gmcp_given_up_calls_clear (GmcpGivenUpCalls *self)
{
  g_array_set_size (self->calls, 0);
}

static void
forget_old (GmcpGivenUpCalls *self)
{
  gint64 now_us = g_get_monotonic_time ();
  guint n_old = 0;

  while (n_old < self->calls->len && g_array_index (self->calls, Call, n_old).until_us <= now_us)
    n_old++;
  g_array_remove_range (self->calls, 0, n_old);
}

/* Where there are too many, the first two become one that has no id, and is of both. */
static void
make_room (GmcpGivenUpCalls *self)
{
  Call *first = &g_array_index (self->calls, Call, 0);
  Call *second = &g_array_index (self->calls, Call, 1);

  if (first->origin != second->origin)
    second->origin = 0;
  second->id = 0;
  g_array_remove_index (self->calls, 0);
}

void
gmcp_given_up_calls_add (GmcpGivenUpCalls *self, gint64 id, GmcpCallOptions *options)
{
  const Call call
    = { id, gmcp_call_options_get_origin (options),
        g_get_monotonic_time () + GMCP_DEFAULT_INPUT_TIMEOUT_MS * G_TIME_SPAN_MILLISECOND };

  gmcp_given_up_calls_remove (self, id);
  forget_old (self);
  if (self->calls->len >= GMCP_LIMIT_GIVEN_UP_CALLS)
    make_room (self);
  g_array_append_val (self->calls, call);
}

void
gmcp_given_up_calls_remove (GmcpGivenUpCalls *self, gint64 id)
{
  for (guint i = 0; i < self->calls->len; i++)
    if (g_array_index (self->calls, Call, i).id == id)
      {
        g_array_remove_index (self->calls, i);
        return;
      }
}

GmcpCallOrigins
gmcp_given_up_calls_get_origins (GmcpGivenUpCalls *self)
{
  GmcpCallOrigins origins = { 0 };

  forget_old (self);
  for (guint i = 0; i < self->calls->len; i++)
    gmcp_call_origins_add (&origins, g_array_index (self->calls, Call, i).origin);
  return origins;
}
