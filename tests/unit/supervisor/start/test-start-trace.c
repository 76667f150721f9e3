/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-start-trace-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* What a start wrote down, and what can be told of it. */

static void
assert_outcomes (GmcpStartTrace *trace, const char *expected)
{
  g_autoptr (GString) outcomes = g_string_new (NULL);

  for (int kind = GMCP_SERVER_STEP_CONFIGURATION; kind <= GMCP_SERVER_STEP_SIGN_IN; kind++)
    g_string_append_c (outcomes, "+x-"[gmcp_start_trace_get_outcome (trace, kind)]);
  g_assert_cmpstr (outcomes->str, ==, expected);
}

static GmcpStartTrace *
begin_trace (void)
{
  GmcpStartTrace *trace = gmcp_start_trace_new ();

  gmcp_start_trace_enter (trace, GMCP_SERVER_STEP_CONFIGURATION);
  gmcp_start_trace_enter (trace, GMCP_SERVER_STEP_PROGRAM);
  gmcp_start_trace_enter (trace, GMCP_SERVER_STEP_CONNECTION);
  return trace;
}

static void
test_passed (void)
{
  g_autoptr (GmcpStartTrace) trace = begin_trace ();
  gint64 now_us = g_get_monotonic_time ();
  const GmcpOpeningTimes times = { now_us, now_us + 10, now_us + 30, now_us + 60 };

  g_test_summary ("steps follow each other, and the last two go on side by side");
  assert_outcomes (trace, "++------");
  gmcp_start_trace_note_opening (trace, &times);
  assert_outcomes (trace, "+++++---");
  g_assert_cmpint (gmcp_start_trace_get_duration_us (trace, GMCP_SERVER_STEP_ERA), ==, 20);
  g_assert_cmpint (gmcp_start_trace_get_duration_us (trace, GMCP_SERVER_STEP_HANDSHAKE), ==, 30);
  g_assert_cmpint (gmcp_start_trace_get_duration_us (trace, GMCP_SERVER_STEP_LIST), ==, 0);
  gmcp_start_trace_begin (trace, GMCP_SERVER_STEP_LIST);
  gmcp_start_trace_begin (trace, GMCP_SERVER_STEP_HEALTH);
  gmcp_start_trace_end (trace, GMCP_SERVER_STEP_HEALTH);
  assert_outcomes (trace, "+++++-+-");
  gmcp_start_trace_end (trace, GMCP_SERVER_STEP_LIST);
  assert_outcomes (trace, "+++++++-");
  g_assert_false (gmcp_start_trace_has_failed (trace));
}

static void
test_modern (void)
{
  g_autoptr (GmcpStartTrace) trace = begin_trace ();
  gint64 now_us = g_get_monotonic_time ();
  const GmcpOpeningTimes times = { now_us, now_us + 10, 0, now_us + 60 };

  g_test_summary ("the answer that tells the modern era is the handshake, too");
  gmcp_start_trace_note_opening (trace, &times);
  assert_outcomes (trace, "+++++---");
  g_assert_cmpint (gmcp_start_trace_get_duration_us (trace, GMCP_SERVER_STEP_ERA), ==, 50);
  g_assert_cmpint (gmcp_start_trace_get_duration_us (trace, GMCP_SERVER_STEP_HANDSHAKE), ==, 0);
}

static void
test_failed (void)
{
  g_autoptr (GmcpStartTrace) trace = begin_trace ();
  gint64 now_us = g_get_monotonic_time ();
  const GmcpOpeningTimes times = { now_us, now_us + 10, now_us + 30, 0 };
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_TIMED_OUT, "late");

  g_test_summary ("where nobody says which step failed it is the one that goes on");
  gmcp_start_trace_note_opening (trace, &times);
  gmcp_start_trace_fail (trace, error, g_strdup ("words"));
  assert_outcomes (trace, "++++x---");
  g_assert_cmpint (gmcp_start_trace_get_failed (trace), ==, GMCP_SERVER_STEP_HANDSHAKE);
  g_assert_cmpstr (gmcp_start_trace_get_output (trace), ==, "words");
}

static void
test_first_failure (void)
{
  g_autoptr (GmcpStartTrace) trace = begin_trace ();
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_SERVER_EXITED, "gone");

  g_test_summary ("the first step that failed is the one that counts, until it is taken again");
  gmcp_start_trace_fail_at (trace, GMCP_SERVER_STEP_PROGRAM);
  gmcp_start_trace_fail_at (trace, GMCP_SERVER_STEP_HEALTH);
  gmcp_start_trace_fail (trace, error, NULL);
  assert_outcomes (trace, "+x------");
  gmcp_start_trace_begin (trace, GMCP_SERVER_STEP_PROGRAM);
  g_assert_false (gmcp_start_trace_has_failed (trace));
  gmcp_start_trace_end (trace, GMCP_SERVER_STEP_PROGRAM);
  assert_outcomes (trace, "++------");
}

static void
test_sign_in (void)
{
  g_autoptr (GmcpStartTrace) trace = begin_trace ();
  g_autoptr (GError) error
    = g_error_new_literal (GMCP_AUTH_ERROR, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED, "who are you");

  g_test_summary ("a server that wants a sign-in failed at that, wherever it said so");
  gmcp_start_trace_fail (trace, error, NULL);
  assert_outcomes (trace, "++-----x");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/supervisor/start-trace/passed", test_passed);
  g_test_add_func ("/supervisor/start-trace/modern", test_modern);
  g_test_add_func ("/supervisor/start-trace/failed", test_failed);
  g_test_add_func ("/supervisor/start-trace/first-failure", test_first_failure);
  g_test_add_func ("/supervisor/start-trace/sign-in", test_sign_in);
  return g_test_run ();
}
