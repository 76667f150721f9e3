/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-given-up-calls-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

static void
add (GmcpGivenUpCalls *calls, gint64 id, guint64 origin)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();

  gmcp_call_options_set_origin (options, origin);
  gmcp_given_up_calls_add (calls, id, options);
}

static void
assert_origins (GmcpGivenUpCalls *calls, gboolean any, guint64 only)
{
  GmcpCallOrigins origins = gmcp_given_up_calls_get_origins (calls);

  g_assert_cmpint (origins.any, ==, any);
  g_assert_cmpuint (origins.only, ==, only);
}

static void
test_answered (void)
{
  g_autoptr (GmcpGivenUpCalls) calls = gmcp_given_up_calls_new ();

  assert_origins (calls, FALSE, 0);
  add (calls, 1, 7);
  add (calls, 2, 7);
  assert_origins (calls, TRUE, 7);
  add (calls, 3, 8);
  assert_origins (calls, TRUE, 0);
  gmcp_given_up_calls_remove (calls, 3);
  gmcp_given_up_calls_remove (calls, 99);
  assert_origins (calls, TRUE, 7);

  /* A call of this program is nobody's. */
  gmcp_given_up_calls_add (calls, 4, NULL);
  assert_origins (calls, TRUE, 0);
  gmcp_given_up_calls_clear (calls);
  assert_origins (calls, FALSE, 0);
}

static void
test_twice (void)
{
  g_autoptr (GmcpGivenUpCalls) calls = gmcp_given_up_calls_new ();

  add (calls, 1, 7);
  add (calls, 1, 7);
  gmcp_given_up_calls_remove (calls, 1);
  assert_origins (calls, FALSE, 0);
}

static void
test_many (void)
{
  g_autoptr (GmcpGivenUpCalls) calls = gmcp_given_up_calls_new ();

  g_test_summary (
    "of more than are remembered one by one it is still known that there were others");
  add (calls, 1, 8);
  for (gint64 id = 2; id < 3 * GMCP_LIMIT_GIVEN_UP_CALLS; id++)
    add (calls, id, 7);
  assert_origins (calls, TRUE, 0);
  for (gint64 id = 1; id < 3 * GMCP_LIMIT_GIVEN_UP_CALLS; id++)
    gmcp_given_up_calls_remove (calls, id);
  assert_origins (calls, TRUE, 0);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/given-up-calls/answered", test_answered);
  g_test_add_func ("/client/given-up-calls/twice", test_twice);
  g_test_add_func ("/client/given-up-calls/many", test_many);
  return g_test_run ();
}
