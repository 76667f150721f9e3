/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/json-rpc/gmcp-rpc-error.h>

#include "unit-test.h"

static void
expect_data (const char *given, const char *kept)
{
  g_autoptr (GError) error = gmcp_rpc_error_new (-32050, "Busy", given);
  g_autofree char *data = gmcp_rpc_error_dup_data_json (error);

  g_assert_error (error, GMCP_RPC_ERROR, -32050);
  g_assert_cmpstr (error->message, ==, "Busy");
  g_assert_cmpstr (data, ==, kept);
}

static void
test_data (void)
{
  g_test_summary ("data are one line, whatever the text they came in looks like");
  expect_data (NULL, NULL);
  expect_data ("null", "null");
  expect_data ("\"a\\nb\"", "\"a\\nb\"");
  expect_data ("{\n  \"after\": 3\r\n}", "{  \"after\": 3}");
}

static void
test_no_json (void)
{
  static const char *const texts[] = { "", "{", "{} {}", "{'a':1}", "nothing", "\xff" };

  g_test_summary ("text that is no JSON is left out, and never reaches the wire");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE, "*are no JSON*");
      expect_data (texts[i], NULL);
      g_test_assert_expected_messages ();
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-rpc/error/data", test_data);
  g_test_add_func ("/json-rpc/error/no-json", test_no_json);
  return g_test_run ();
}
