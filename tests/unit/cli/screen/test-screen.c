/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "../../src/cli/screen/cli-arguments.h"
#include "../../src/cli/screen/cli-text.h"
#include "../../src/cli/screen/cli-wrap.h"

#include <glib/gstdio.h>
#include <gmcp/core/gmcp-error.h>
#include <string.h>

#include "unit-test.h"

static void
test_arguments_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree char *word = NULL;
  g_autofree char *text = NULL;
  g_autofree char *binary = NULL;
  int fd = g_file_open_tmp ("gmcp-XXXXXX", &path, NULL);

  g_assert_true (g_file_set_contents (path, "{\"from\": \"file\"}\n", -1, NULL));
  word = g_strconcat ("@", path, NULL);
  text = cli_arguments_read_whole (word, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "{\"from\": \"file\"}\n");

  g_assert_true (g_file_set_contents (path, "{}\0", 3, NULL));
  binary = cli_arguments_read_whole (word, &error);
  g_assert_null (binary);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);

  g_unlink (path);
  g_clear_error (&error);
  g_assert_null (cli_arguments_read_whole (word, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_close (fd, NULL);
}

static void
test_text (void)
{
  static const struct
  {
    const char *text;
    guint columns;
    const char *expected;
  } cases[] = {
    { "plain", 80, "plain" },
    { "  two\n\t lines  ", 80, "two lines" },
    { "a\033[31mred\007", 80, "a<U+001B>[31mred<U+0007>" },
    { "twenty columns and 7 more.", 20, "twenty columns … +11" },
    { "abcdef", 6, "abcdef" },
    { "abcdefg", 6, "abcde…" },
    { "日本語日本語", 7, "日本語…" },
    { "", 5, "" },
    { "\xff", 5, "\xef\xbf\xbd" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *plain = cli_text_plain (cases[i].text, cases[i].columns);

      g_assert_cmpstr (plain, ==, cases[i].expected);
      g_assert_cmpuint (cli_text_columns (plain), <=, cases[i].columns);
    }
}

static void
test_pad (void)
{
  static const struct
  {
    const char *text;
    guint columns;
    const char *expected;
  } cases[] = {
    { "new", 6, "new   " },        { "geändert", 10, "geändert  " }, { "新增", 6, "新增  " },
    { "无法导入", 8, "无法导入" }, { "longer", 3, "longer" },        { "", 2, "  " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *padded = cli_text_pad (cases[i].text, cases[i].columns);

      g_assert_cmpstr (padded, ==, cases[i].expected);
    }
}

static void
test_wrap (void)
{
  static const struct
  {
    const char *text;
    guint columns;
    const char *expected;
  } cases[] = {
    { "", 20, "" },
    { "short\n", 20, "short\n" },
    { "one two three four five six\n", 14, "one two three\nfour five six\n" },
    { "exactly so wide", 15, "exactly so wide" },
    /* A paragraph is filled anew only where it has to be. */
    { "one two\nthree\n\nfour", 20, "one two\nthree\n\nfour" },
    { "one two three four\nfive six\n\nseven\neight", 14,
      "one two three\nfour five six\n\nseven\neight" },
    { "unbreakable-word and more", 8, "unbreakable-word\nand more" },
    { "  --all   What it does for everybody who has time", 40,
      "  --all   What it does for everybody who\n          has time" },
    { "  a longer line without a name before it", 20,
      "  a longer line\n  without a name\n  before it" },
    { "  gmcp call something.with arguments=1", 20, "  gmcp call something.with arguments=1" },
    /* What may be copied stays together. */
    { "See what “gmcp show x” says of it", 16, "See what\n“gmcp show x”\nsays of it" },
    { "“gmcp tools SERVER.TOOL” and more", 16, "“gmcp tools\nSERVER.TOOL” and\nmore" },
    { "»gmcp show x« zeigt es", 14, "»gmcp show x«\nzeigt es" },
    { "日本語日本語。日本", 12, "日本語日本\n語。日本" },
    { "说明，它\n很长很长很长", 10, "说明，它很\n长很长很长" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *wrapped = cli_wrap (cases[i].text, cases[i].columns);

      g_assert_cmpstr (wrapped, ==, cases[i].expected);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/arguments/file", test_arguments_file);
  g_test_add_func ("/cli/text/plain", test_text);
  g_test_add_func ("/cli/text/pad", test_pad);
  g_test_add_func ("/cli/text/wrap", test_wrap);
  return g_test_run ();
}
