/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-pending-calls-private.h"
#include "unit-test.h"

typedef struct
{
  GmcpPendingCall call;
  gboolean timed_out;
} Call;

typedef struct
{
  GmcpPendingCalls *calls;
  GArray *order;
  gboolean free_in_callback;
} Fixture;

static void
on_timed_out (GmcpPendingCall *call, gpointer user_data)
{
  Fixture *fixture = user_data;

  ((Call *) call)->timed_out = TRUE;
  g_array_append_val (fixture->order, call->id);
  if (fixture->free_in_callback)
    g_clear_pointer (&fixture->calls, gmcp_pending_calls_free);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->order = g_array_new (FALSE, FALSE, sizeof (gint64));
  fixture->calls = gmcp_pending_calls_new (NULL, on_timed_out, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->calls, gmcp_pending_calls_free);
  g_array_unref (fixture->order);
}

static void
test_take (Fixture *fixture, gconstpointer data)
{
  Call first = { 0 }, second = { 0 };

  gmcp_pending_calls_add (fixture->calls, &first.call, G_MAXINT64);
  gmcp_pending_calls_add (fixture->calls, &second.call, G_MAXINT64);
  g_assert_cmpint (first.call.id, ==, 1);
  g_assert_cmpint (second.call.id, ==, 2);

  g_assert_true (gmcp_pending_calls_find (fixture->calls, 2) == &second.call);
  g_assert_true (gmcp_pending_calls_take (fixture->calls, 2) == &second.call);
  g_assert_null (gmcp_pending_calls_take (fixture->calls, 2));
  g_assert_null (gmcp_pending_calls_take (fixture->calls, 0));
  g_assert_null (gmcp_pending_calls_take (fixture->calls, -1));
  g_assert_null (gmcp_pending_calls_take (fixture->calls, G_MAXINT64));
  g_assert_cmpuint (gmcp_pending_calls_get_length (fixture->calls), ==, 1);
  g_assert_true (gmcp_pending_calls_take (fixture->calls, 1) == &first.call);
}

static void
test_long_and_short (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N_LONG = 30,
    N = 5000,
  };
  Call lasting[N_LONG] = { 0 };
  g_autofree Call *calls = g_new0 (Call, N);

  g_test_summary ("some last while thousands come and go one by one, and then thousands at once");
  for (guint i = 0; i < N_LONG; i++)
    gmcp_pending_calls_add (fixture->calls, &lasting[i].call, G_MAXINT64);

  for (guint i = 0; i < N; i++)
    {
      gmcp_pending_calls_add (fixture->calls, &calls[i].call, G_MAXINT64);
      g_assert_true (gmcp_pending_calls_take (fixture->calls, calls[i].call.id) == &calls[i].call);
      g_assert_null (gmcp_pending_calls_find (fixture->calls, calls[i].call.id));
    }
  for (guint i = 0; i < N; i++)
    gmcp_pending_calls_add (fixture->calls, &calls[i].call, G_MAXINT64);
  g_assert_cmpuint (gmcp_pending_calls_get_length (fixture->calls), ==, N + N_LONG);

  for (guint i = 0; i < N_LONG; i++)
    g_assert_true (gmcp_pending_calls_take (fixture->calls, i + 1) == &lasting[i].call);
  for (guint i = N; i-- > 0;)
    g_assert_true (gmcp_pending_calls_take (fixture->calls, calls[i].call.id) == &calls[i].call);
  g_assert_cmpuint (gmcp_pending_calls_get_length (fixture->calls), ==, 0);
}

static void
test_deadlines (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N = 200
  };
  Call calls[N] = { 0 };
  gint64 now = g_get_monotonic_time ();
  gint64 previous = 0;

  g_test_summary ("deadlines fire in order, not in the order of the calls; what was taken out, or "
                  "has none, does not fire");
  for (guint i = 0; i < N; i++)
    gmcp_pending_calls_add (fixture->calls, &calls[i].call, now + ((i * 7919) % N) * 50);
  for (guint i = 0; i < N; i += 4)
    gmcp_pending_calls_take (fixture->calls, calls[i].call.id);
  for (guint i = 1; i < N; i += 4)
    gmcp_pending_calls_set_deadline (fixture->calls, &calls[i].call, G_MAXINT64);

  while (fixture->order->len < N / 2)
    g_main_context_iteration (NULL, TRUE);

  g_assert_cmpuint (gmcp_pending_calls_get_length (fixture->calls), ==, N / 4);
  for (guint i = 0; i < fixture->order->len; i++)
    {
      guint index = (guint) g_array_index (fixture->order, gint64, i) - 1;

      g_assert_cmpuint (index % 4, >=, 2);
      g_assert_cmpint (calls[index].call.deadline.at_us, >=, previous);
      previous = calls[index].call.deadline.at_us;
    }
  g_ptr_array_unref (gmcp_pending_calls_take_all (fixture->calls, NULL));
}

static void
test_later (Fixture *fixture, gconstpointer data)
{
  Call late = { 0 }, early = { 0 };
  gint64 now = g_get_monotonic_time ();

  g_test_summary ("a deadline that was put off fires at its new time only");
  gmcp_pending_calls_add (fixture->calls, &late.call, now + 1000);
  gmcp_pending_calls_add (fixture->calls, &early.call, now + 5000);
  gmcp_pending_calls_set_deadline (fixture->calls, &late.call, now + 20000);

  while (!late.timed_out)
    g_main_context_iteration (NULL, TRUE);

  g_assert_true (early.timed_out);
  g_assert_cmpint (g_array_index (fixture->order, gint64, 0), ==, early.call.id);
  g_assert_cmpint (g_get_monotonic_time (), >=, now + 20000);
}

static void
test_free_in_callback (Fixture *fixture, gconstpointer data)
{
  Call first = { 0 }, second = { 0 };

  gmcp_pending_calls_add (fixture->calls, &first.call, 1);
  gmcp_pending_calls_add (fixture->calls, &second.call, 1);
  fixture->free_in_callback = TRUE;

  while (fixture->calls != NULL)
    g_main_context_iteration (NULL, TRUE);

  g_assert_cmpuint (fixture->order->len, ==, 1);
}

static void
test_take_all (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N = 50
  };
  Call calls[N] = { 0 };
  g_autoptr (GPtrArray) all = NULL;

  for (guint i = 0; i < N; i++)
    gmcp_pending_calls_add (fixture->calls, &calls[i].call, G_MAXINT64 - 1);

  all = gmcp_pending_calls_take_all (fixture->calls, NULL);

  g_assert_cmpuint (gmcp_pending_calls_get_length (fixture->calls), ==, 0);
  g_assert_cmpuint (all->len, ==, N);
  for (guint i = 0; i < N; i++)
    g_assert_true (g_ptr_array_index (all, i) == &calls[i]);
}

static gboolean
is_second (const GmcpPendingCall *call)
{
  return call->id == 2;
}

static void
test_take_all_but_one (Fixture *fixture, gconstpointer data)
{
  Call calls[3] = { { .timed_out = FALSE } };
  g_autoptr (GPtrArray) all = NULL;
  gint64 now = g_get_monotonic_time ();

  g_test_summary ("the call that stays keeps its id and its deadline");
  for (guint i = 0; i < 3; i++)
    gmcp_pending_calls_add (fixture->calls, &calls[i].call, now + 1000 * (i + 1));

  all = gmcp_pending_calls_take_all (fixture->calls, is_second);
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_true (g_ptr_array_index (all, 0) == &calls[0]);
  g_assert_true (g_ptr_array_index (all, 1) == &calls[2]);
  g_assert_cmpuint (gmcp_pending_calls_get_length (fixture->calls), ==, 1);
  g_assert_true (gmcp_pending_calls_find (fixture->calls, calls[1].call.id) == &calls[1].call);

  while (!calls[1].timed_out)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (calls[0].timed_out);
  g_assert_false (calls[2].timed_out);
}

static void
test_taken (Fixture *fixture, gconstpointer data)
{
  Call taken = { { .deadline.position = 0 } }, kept = { { .deadline.position = 0 } };
  gint64 now = g_get_monotonic_time ();
  g_autoptr (GPtrArray) all = NULL;

  g_test_summary ("what was taken, alone or with all, gets no deadline any more");
  gmcp_pending_calls_add (fixture->calls, &taken.call, G_MAXINT64);
  gmcp_pending_calls_add (fixture->calls, &kept.call, G_MAXINT64);
  g_assert_true (gmcp_pending_calls_take_call (fixture->calls, &taken.call));
  g_assert_false (gmcp_pending_calls_take_call (fixture->calls, &taken.call));
  gmcp_pending_calls_set_deadline (fixture->calls, &taken.call, now - 1);
  gmcp_pending_calls_set_deadline (fixture->calls, &kept.call, now);
  while (!kept.timed_out)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (taken.timed_out);

  kept.timed_out = FALSE;
  gmcp_pending_calls_add (fixture->calls, &taken.call, G_MAXINT64);
  all = gmcp_pending_calls_take_all (fixture->calls, NULL);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_false (gmcp_pending_calls_take_call (fixture->calls, &taken.call));
  gmcp_pending_calls_set_deadline (fixture->calls, &taken.call, now - 1);
  gmcp_pending_calls_add (fixture->calls, &kept.call, now);
  while (!kept.timed_out)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (taken.timed_out);
  g_assert_cmpuint (gmcp_pending_calls_get_length (fixture->calls), ==, 0);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/json-rpc/pending-calls/take", test_take);
  ADD ("/json-rpc/pending-calls/long-and-short", test_long_and_short);
  ADD ("/json-rpc/pending-calls/deadlines", test_deadlines);
  ADD ("/json-rpc/pending-calls/later", test_later);
  ADD ("/json-rpc/pending-calls/free-in-callback", test_free_in_callback);
  ADD ("/json-rpc/pending-calls/taken", test_taken);
  ADD ("/json-rpc/pending-calls/take-all", test_take_all);
  ADD ("/json-rpc/pending-calls/take-all-but-one", test_take_all_but_one);
#undef ADD

  return g_test_run ();
}
