/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-call-statistics-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* The places for the calls of a server, and the counts of calls, without a server. */

typedef struct
{
  GmcpCallLimiter *limiter;
  GString *order; /* who was told what: a letter, and + for a place or - for an error */
  GError *error;
} Fixture;

typedef struct
{
  Fixture *fixture;
  char name;
} Caller;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  fixture->limiter = gmcp_call_limiter_new ("one", context);
  fixture->order = g_string_new (NULL);
  gmcp_call_limiter_set_defaults (fixture->limiter, 1, 2);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gmcp_call_limiter_unref (fixture->limiter);
  g_string_free (fixture->order, TRUE);
  g_clear_error (&fixture->error);
}

static void
on_place (GError *error, gpointer data)
{
  Caller *caller = data;

  g_string_append_c (caller->fixture->order, caller->name);
  g_string_append_c (caller->fixture->order, error == NULL ? '+' : '-');
  g_clear_error (&caller->fixture->error);
  caller->fixture->error = error;
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  Caller a = { fixture, 'a' };
  Caller b = { fixture, 'b' };
  Caller c = { fixture, 'c' };
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "places are given in the order in which they were wanted, and too many are refused");
  g_assert_true (gmcp_call_limiter_take_place (fixture->limiter));
  g_assert_false (gmcp_call_limiter_take_place (fixture->limiter));
  g_assert_true (
    gmcp_call_limiter_await_place (fixture->limiter, 600000, NULL, on_place, &a, &error));
  g_assert_true (
    gmcp_call_limiter_await_place (fixture->limiter, 600000, NULL, on_place, &b, &error));
  g_assert_false (
    gmcp_call_limiter_await_place (fixture->limiter, 600000, NULL, on_place, &c, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_cmpuint (gmcp_call_limiter_get_n_running (fixture->limiter), ==, 1);
  g_assert_cmpuint (gmcp_call_limiter_get_n_waiting (fixture->limiter), ==, 2);
  g_assert_cmpstr (fixture->order->str, ==, "");
  gmcp_call_limiter_give_place (fixture->limiter);
  g_assert_cmpstr (fixture->order->str, ==, "a+");
  gmcp_call_limiter_give_place (fixture->limiter);
  gmcp_call_limiter_give_place (fixture->limiter);
  g_assert_cmpstr (fixture->order->str, ==, "a+b+");
  g_assert_cmpuint (gmcp_call_limiter_get_n_running (fixture->limiter), ==, 0);
}

static void
test_raised (Fixture *fixture, gconstpointer data)
{
  Caller a = { fixture, 'a' };
  g_autoptr (GmcpServerConfig) config = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("who waits has a place as soon as the limit is raised");
  g_assert_true (gmcp_call_limiter_take_place (fixture->limiter));
  g_assert_true (
    gmcp_call_limiter_await_place (fixture->limiter, 600000, NULL, on_place, &a, &error));
  config = gmcp_server_config_new_from_json ("one", "{\"command\":\"/bin/true\",\"max_calls\":2}",
                                             &error);
  g_assert_no_error (error);
  gmcp_call_limiter_use_config (fixture->limiter, config);
  g_assert_cmpstr (fixture->order->str, ==, "a+");
  g_assert_false (gmcp_call_limiter_take_place (fixture->limiter));
}

static void
test_ended (Fixture *fixture, gconstpointer data)
{
  Caller a = { fixture, 'a' };
  Caller b = { fixture, 'b' };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_test_summary ("waiting ends with the time, and with the cancellable");
  g_assert_true (gmcp_call_limiter_take_place (fixture->limiter));
  g_assert_true (gmcp_call_limiter_await_place (fixture->limiter, 1, NULL, on_place, &a, &error));
  while (fixture->error == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (fixture->error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_true (
    gmcp_call_limiter_await_place (fixture->limiter, 600000, cancellable, on_place, &b, &error));
  g_cancellable_cancel (cancellable);
  while (g_error_matches (fixture->error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT))
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (fixture->order->str, ==, "a-b-");
  g_assert_cmpuint (gmcp_call_limiter_get_n_waiting (fixture->limiter), ==, 0);
}

static void
on_call_failed (const GError *error, gpointer data)
{
  ++*(guint *) data;
}

static void
test_statistics (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallStatistics) statistics = gmcp_call_statistics_new ("one");
  GmcpToolStatistics *tool = gmcp_call_statistics_get_tool (statistics, "b");
  const GmcpCallOutcome outcome = { .duration_us = 5, .failed = TRUE };
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_FAILED, "no");
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  guint n_failed = 0;

  g_test_summary (
    "calls are counted by tool, and whoever wants to know is told of those that failed");
  g_assert_cmpstr (gmcp_call_statistics_get_id (statistics), ==, "one");
  g_assert_true (gmcp_call_statistics_get_tool (statistics, "b") == tool);
  g_assert_true (gmcp_call_statistics_get_tool (statistics, "a") != tool);
  g_assert_cmpuint (tool->names_length, ==, strlen (tool->names_json));
  gmcp_call_statistics_count (statistics, tool, &outcome);
  gmcp_call_statistics_call_failed (statistics, error);
  gmcp_call_statistics_set_failed_func (statistics, on_call_failed, &n_failed);
  gmcp_call_statistics_call_failed (statistics, error);
  g_assert_cmpuint (n_failed, ==, 1);

  g_assert_true (gmcp_call_limiter_take_place (fixture->limiter));
  gmcp_json_writer_begin_object (&writer);
  gmcp_call_statistics_write (statistics, fixture->limiter, &writer);
  gmcp_json_writer_end_object (&writer);
  g_assert_nonnull (strstr (out->str, "\"calls\":1,\"errors\":1"));
  g_assert_nonnull (strstr (
    out->str, "\"recent_us\":[5],\"running\":1,\"queued\":0,\"tools\":{\"a\":{\"calls\":0"));
}

static void
test_recent (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallStatistics) statistics = gmcp_call_statistics_new ("one");
  GmcpToolStatistics *tool = gmcp_call_statistics_get_tool (statistics, "a");
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  g_test_summary ("the times of the last calls are kept, the last of all at the end");
  for (gint64 i = 0; i < GMCP_RECENT_CALLS + 3; i++)
    gmcp_call_statistics_count (statistics, tool, &(GmcpCallOutcome){ .duration_us = i });
  gmcp_call_statistics_count (statistics, tool, &(GmcpCallOutcome){ .duration_us = G_MAXINT64 });
  gmcp_json_writer_begin_object (&writer);
  gmcp_call_statistics_write (statistics, fixture->limiter, &writer);
  gmcp_json_writer_end_object (&writer);
  g_assert_nonnull (strstr (out->str, "\"recent_us\":[4,5,6,"));
  g_assert_nonnull (strstr (out->str, ",33,34,4294967295],"));
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/audit/call-limiter/order", test_order);
  ADD ("/audit/call-limiter/raised", test_raised);
  ADD ("/audit/call-limiter/ended", test_ended);
  ADD ("/audit/call-statistics/count", test_statistics);
  ADD ("/audit/call-statistics/recent", test_recent);
  return g_test_run ();
}
