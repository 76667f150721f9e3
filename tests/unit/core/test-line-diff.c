/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-line-diff-private.h"
#include "unit-test.h"

static void
test_cases (void)
{
  static const char *const cases[][3] = {
    { "", "", "" },
    { "a\nb\n", "a\nb\n", "" },
    { "a\nb\n", "a\nx\nb\n", "@@ -1,0 +2 @@\n+x\n" },
    { "a\nx\nb\n", "a\nb\n", "@@ -2 +1,0 @@\n-x\n" },
    { "a\nb\nc\n", "a\nB\nc\n", "@@ -2 +2 @@\n-b\n+B\n" },
    { "a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\nf\n", "@@ -1 +1 @@\n-a\n+A\n@@ -5 +5,2 @@\n-e\n+E\n+f\n" },
    { "", "a\n", "@@ -0,0 +1 @@\n+a\n" },
    { "a", "a\n", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *diff = gmcp_line_diff (cases[i][0], cases[i][1]);

      g_assert_cmpstr (diff, ==, cases[i][2]);
    }
}

/* More than is compared line by line is one change. */
static void
test_much (void)
{
  g_autoptr (GString) before = g_string_new ("same\n");
  g_autoptr (GString) after = g_string_new ("same\n");
  g_autofree char *diff = NULL;

  for (guint i = 0; i < 20000; i++)
    {
      g_string_append_printf (before, "old %u\n", i);
      g_string_append_printf (after, "new %u\n", i);
    }
  diff = gmcp_line_diff (before->str, after->str);
  g_assert_true (g_str_has_prefix (diff, "@@ -2,20000 +2,20000 @@\n-old 0\n"));
  g_assert_nonnull (strstr (diff, "\n+new 19999\n"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/line-diff/cases", test_cases);
  g_test_add_func ("/core/line-diff/much", test_much);
  return g_test_run ();
}
