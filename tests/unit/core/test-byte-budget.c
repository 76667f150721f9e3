/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-byte-budget-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

static void
test_charge (void)
{
  g_autoptr (GmcpByteBudget) budget = gmcp_byte_budget_new (100, NULL);

  g_assert_true (gmcp_byte_budget_charge (budget, 0));
  g_assert_true (gmcp_byte_budget_charge (budget, 60));
  g_assert_false (gmcp_byte_budget_charge (budget, 41));
  g_assert_false (gmcp_byte_budget_charge (budget, G_MAXSIZE));
  g_assert_true (gmcp_byte_budget_charge (budget, 40));
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 100);
  gmcp_byte_budget_release (budget, 60);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 40);
  gmcp_byte_budget_release (budget, 40);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 0);
}

static void
test_parent (void)
{
  g_autoptr (GmcpByteBudget) host = gmcp_byte_budget_new (100, NULL);
  g_autoptr (GmcpByteBudget) one = gmcp_byte_budget_new (80, host);
  g_autoptr (GmcpByteBudget) other = gmcp_byte_budget_new (80, host);

  g_test_summary ("what one has taken of the common budget another cannot have");
  g_assert_true (gmcp_byte_budget_charge (one, 70));
  g_assert_false (gmcp_byte_budget_charge (other, 40));
  g_assert_cmpuint (gmcp_byte_budget_get_used (other), ==, 0);
  g_assert_true (gmcp_byte_budget_charge (other, 30));
  g_assert_false (gmcp_byte_budget_charge (one, 1));
  g_assert_cmpuint (gmcp_byte_budget_get_used (host), ==, 100);
  gmcp_byte_budget_release (one, 70);
  g_assert_true (gmcp_byte_budget_charge (other, 40));
}

static void
test_host (void)
{
  GmcpByteBudget *host = gmcp_byte_budget_get_host ();

  g_assert_true (host == gmcp_byte_budget_get_host ());
  g_assert_cmpuint (gmcp_byte_budget_get_max (host), ==, GMCP_LIMIT_HOST_KEPT_BYTES);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/byte-budget/charge", test_charge);
  g_test_add_func ("/core/byte-budget/parent", test_parent);
  g_test_add_func ("/core/byte-budget/host", test_host);
  return g_test_run ();
}
