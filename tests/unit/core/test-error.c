/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-error-private.h"
#include "unit-test.h"

static void
test_rpc_data (void)
{
  g_autoptr (GError) error = gmcp_rpc_error_new_take (-32000, "Busy", g_strdup ("{\"after\":3}"));
  g_autoptr (GError) copy = g_error_copy (error);
  g_autoptr (GError) other = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_FAILED, "No data");
  g_autofree char *data = gmcp_rpc_error_dup_data_json (copy);

  g_test_summary ("the data that a peer sent with an error is kept, also in a copy");
  g_assert_error (copy, GMCP_RPC_ERROR, -32000);
  g_assert_cmpstr (data, ==, "{\"after\":3}");
  g_assert_null (gmcp_rpc_error_dup_data_json (other));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/error/rpc-data", test_rpc_data);
  return g_test_run ();
}
