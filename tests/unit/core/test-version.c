/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

/* What a program defines that was written for the first version. */
#define GMCP_VERSION_MIN_REQUIRED GMCP_VERSION_0_1
#define GMCP_VERSION_MAX_ALLOWED  GMCP_VERSION_0_1

#include <gmcp/gmcp.h>

#include "unit-test.h"

#define HAS(major, minor, micro) (GMCP_CHECK_VERSION (major, minor, micro) ? TRUE : FALSE)

static void
test_header_version (void)
{
  g_assert_true (HAS (0, 0, 99));
  g_assert_true (HAS (GMCP_MAJOR_VERSION, GMCP_MINOR_VERSION, GMCP_MICRO_VERSION));
  g_assert_false (HAS (GMCP_MAJOR_VERSION, GMCP_MINOR_VERSION, GMCP_MICRO_VERSION + 1));
  g_assert_false (HAS (GMCP_MAJOR_VERSION, GMCP_MINOR_VERSION + 1, 0));
  g_assert_false (HAS (GMCP_MAJOR_VERSION + 1, 0, 0));
  g_assert_cmpint (GMCP_VERSION_0_1, <=, GMCP_VERSION_CURRENT);
}

static void
test_library_version (void)
{
  g_autofree char *version = g_strdup_printf ("%u.%u.%u", gmcp_get_major_version (),
                                              gmcp_get_minor_version (), gmcp_get_micro_version ());

  g_assert_cmpstr (version, ==, GMCP_VERSION_S);
  g_assert_cmpstr (version, ==, GMCP_VERSION);
  g_assert_true (gmcp_check_version (0, 0, 99));
  g_assert_true (gmcp_check_version (GMCP_MAJOR_VERSION, GMCP_MINOR_VERSION, GMCP_MICRO_VERSION));
  g_assert_false (
    gmcp_check_version (GMCP_MAJOR_VERSION, GMCP_MINOR_VERSION, GMCP_MICRO_VERSION + 1));
  g_assert_false (gmcp_check_version (GMCP_MAJOR_VERSION, GMCP_MINOR_VERSION + 1, 0));
  g_assert_false (gmcp_check_version (GMCP_MAJOR_VERSION + 1, 0, 0));
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/version/headers", test_header_version);
  g_test_add_func ("/core/version/library", test_library_version);
  return g_test_run ();
}
