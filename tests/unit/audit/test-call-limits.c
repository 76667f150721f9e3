/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <signal.h>
#include <string.h>

#include "gmcp-call-counters-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

static void
write_config (ManagerFixture *fixture, guint max_calls, guint max_queued)
{
  g_autofree char *entry
    = manager_fixture_entry (fixture, "one", "--tools echo,wait,pid,a,b,c,d,e");

  entry[strlen (entry) - 1] = '\0';
  manager_fixture_write (
    fixture,
    g_strdup_printf ("%s,\"maxCalls\":%u,\"maxQueuedCalls\":%u}", entry, max_calls, max_queued),
    NULL);
}

static gint64
get_statistic (ManagerFixture *fixture, const char *pointer)
{
  g_autofree char *json
    = gmcp_managed_server_dup_statistics_json (gmcp_manager_get_server (fixture->manager, "one"));
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, &error);
  gint64 number = -1;

  g_assert_no_error (error);
  gmcp_json_value_get_int64 (gmcp_json_value_get_pointer (gmcp_json_doc_get_root (doc), pointer),
                             &number);
  return number;
}

static void
begin (ManagerCall *call, ManagerFixture *fixture, const char *tool, GCancellable *cancellable)
{
  manager_call_begin (call, fixture, tool, "{}", NULL, cancellable);
}

static void
load (ManagerFixture *fixture)
{
  g_autofree char *text = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);

  g_assert_nonnull (text);
}

static void
test_limits (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) running = g_cancellable_new ();
  g_autoptr (GCancellable) queued = g_cancellable_new ();
  ManagerCall calls[5];

  g_test_summary ("so many calls at once, so many that wait, and an error for the next");
  write_config (fixture, 2, 2);
  load (fixture);
  begin (&calls[0], fixture, "one__wait", running);
  begin (&calls[1], fixture, "one__wait", running);
  begin (&calls[2], fixture, "one__pid", queued);
  begin (&calls[3], fixture, "one__pid", NULL);
  begin (&calls[4], fixture, "one__pid", NULL);
  manager_call_wait (&calls[4]);
  g_assert_error (calls[4].error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_nonnull (strstr (calls[4].error->message, "max-queued-calls"));
  g_assert_cmpint (get_statistic (fixture, "/running"), ==, 2);
  g_assert_cmpint (get_statistic (fixture, "/queued"), ==, 2);

  g_cancellable_cancel (queued);
  manager_call_wait (&calls[2]);
  g_assert_error (calls[2].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (get_statistic (fixture, "/queued"), ==, 1);
  g_assert_false (calls[3].done);

  g_cancellable_cancel (running);
  manager_call_wait (&calls[3]);
  g_assert_no_error (calls[3].error);
  manager_call_wait (&calls[0]);
  manager_call_wait (&calls[1]);
  g_assert_cmpint (get_statistic (fixture, "/running"), ==, 0);
  g_assert_cmpint (get_statistic (fixture, "/queued"), ==, 0);
  g_assert_cmpint (get_statistic (fixture, "/calls"), ==, 6);
  g_assert_cmpint (get_statistic (fixture, "/errors"), ==, 4);
  g_assert_cmpint (get_statistic (fixture, "/tools/wait/errors"), ==, 2);
  g_assert_cmpint (get_statistic (fixture, "/tools/pid/calls"), ==, 4);
  g_assert_cmpint (get_statistic (fixture, "/tools/pid/bytes_received"), >, 10);
  g_assert_cmpint (get_statistic (fixture, "/latency_us/max"), >=,
                   get_statistic (fixture, "/latency_us/p50"));
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    manager_call_clear (&calls[i]);
}

static void
test_order (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const tools[] = { "one__c", "one__a", "one__e", "one__b", "one__d" };
  g_autoptr (GCancellable) running = g_cancellable_new ();
  g_autofree char *log = NULL;
  ManagerCall calls[1 + G_N_ELEMENTS (tools)];

  g_test_summary ("those that wait get their turn in the order in which they came");
  write_config (fixture, 1, 10);
  load (fixture);
  begin (&calls[0], fixture, "one__wait", running);
  for (gsize i = 0; i < G_N_ELEMENTS (tools); i++)
    begin (&calls[i + 1], fixture, tools[i], NULL);
  g_cancellable_cancel (running);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      manager_call_wait (&calls[i]);
      manager_call_clear (&calls[i]);
    }
  g_assert_true (g_file_get_contents (fixture->log, &log, NULL, NULL));
  g_assert_nonnull (strstr (log, "call wait\ncall c\ncall a\ncall e\ncall b\ncall d\n"));
}

static void
test_time (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) running = g_cancellable_new ();
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  ManagerCall calls[2];

  g_test_summary ("a turn that does not come in time");
  write_config (fixture, 1, 10);
  load (fixture);
  begin (&calls[0], fixture, "one__wait", running);
  gmcp_call_options_set_timeout_ms (options, 30);
  manager_call_begin (&calls[1], fixture, "one__echo", "{}", options, NULL);
  manager_call_wait (&calls[1]);
  g_assert_error (calls[1].error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (calls[1].error->message, "busy"));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call echo"), ==, 0);
  g_cancellable_cancel (running);
  manager_call_wait (&calls[0]);
  manager_call_clear (&calls[0]);
  manager_call_clear (&calls[1]);
}

static void
test_killed (ManagerFixture *fixture, gconstpointer data)
{
  ManagerCall calls[3];
  int pid;

  g_test_summary ("where the server dies, those that wait go to the next process");
  write_config (fixture, 1, 10);
  load (fixture);
  begin (&calls[0], fixture, "one__wait", NULL);
  begin (&calls[1], fixture, "one__pid", NULL);
  begin (&calls[2], fixture, "one__pid", NULL);
  pid = gmcp_managed_server_get_pid (gmcp_manager_get_server (fixture->manager, "one"));
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    manager_call_wait (&calls[i]);
  g_assert_error (calls[0].error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  g_assert_no_error (calls[1].error);
  g_assert_no_error (calls[2].error);
  g_assert_cmpstr (calls[1].text, ==, calls[2].text);
  g_assert_cmpint (atoi (calls[1].text), !=, pid);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    manager_call_clear (&calls[i]);
}

static void
test_closed (ManagerFixture *fixture, gconstpointer data)
{
  ManagerCall calls[2];

  g_test_summary ("a manager that closes lets nobody wait");
  write_config (fixture, 1, 10);
  load (fixture);
  begin (&calls[0], fixture, "one__wait", NULL);
  begin (&calls[1], fixture, "one__echo", NULL);
  manager_fixture_close (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      manager_call_wait (&calls[i]);
      g_assert_nonnull (calls[i].error);
      manager_call_clear (&calls[i]);
    }
}

static void
test_quantiles (void)
{
  GmcpCallCounters counters = { 0 };

  g_test_summary ("quantiles are off by an eighth at most, whatever the order of magnitude");
  g_assert_cmpuint (gmcp_call_counters_get_quantile (&counters, 0.5), ==, 0);
  for (gint64 us = 1; us < G_GINT64_CONSTANT (100000000000); us = us * 5 / 4 + 1)
    {
      GmcpCallOutcome outcome = { .duration_us = us };
      GmcpCallCounters one = { 0 };
      guint64 found;

      gmcp_call_counters_add (&one, &outcome);
      one.max_us = G_MAXUINT64;
      found = gmcp_call_counters_get_quantile (&one, 0.5);
      if (us < G_GINT64_CONSTANT (60000000000))
        g_assert_cmpuint ((guint64) ABS ((gint64) found - us) * 8, <=, (guint64) us);
      gmcp_call_counters_add (&counters, &outcome);
    }
  g_assert_cmpuint (gmcp_call_counters_get_quantile (&counters, 0), <=, 2);
  g_assert_cmpuint (gmcp_call_counters_get_quantile (&counters, 1), <=, counters.max_us);

  counters = (GmcpCallCounters){ 0 };
  for (guint i = 1; i <= 1000; i++)
    gmcp_call_counters_add (&counters, &(GmcpCallOutcome){ .duration_us = i });
  g_assert_cmpuint (gmcp_call_counters_get_quantile (&counters, 0.5), >=, 500 * 7 / 8);
  g_assert_cmpuint (gmcp_call_counters_get_quantile (&counters, 0.5), <=, 500 * 9 / 8);
  g_assert_cmpuint (gmcp_call_counters_get_quantile (&counters, 0.99), >=, 990 * 7 / 8);
}

#define ADD(path, test)                                                                            \
  g_test_add (path, ManagerFixture, NULL, manager_fixture_set_up, test, manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/call-limits/limits", test_limits);
  ADD ("/call-limits/order", test_order);
  ADD ("/call-limits/time", test_time);
  ADD ("/call-limits/killed", test_killed);
  ADD ("/call-limits/closed", test_closed);
  g_test_add_func ("/call-limits/quantiles", test_quantiles);

  return g_test_run ();
}
