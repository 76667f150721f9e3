/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "../../src/cli/screen/cli-arguments.h"
#include "../../src/cli/screen/cli-text.h"

#include <glib/gstdio.h>
#include <gmcp/core/gmcp-error.h>
#include <string.h>

typedef struct
{
  const char *words[4];
  const char *expected; /* NULL where it is an error */
} ArgumentsCase;

static const ArgumentsCase arguments_cases[] = {
  { { NULL }, "{}" },
  { { "{\"a\": 1}" }, "{\"a\": 1}" },
  { { " {}" }, " {}" },
  { { "a=1" }, "{\"a\":\"1\"}" },
  { { "a:=1", "b=x y", "c:=[1,{\"d\":null}]" }, "{\"a\":1,\"b\":\"x y\",\"c\":[1,{\"d\":null}]}" },
  { { "a==b" }, "{\"a\":\"=b\"}" },
  { { "a=" }, "{\"a\":\"\"}" },
  { { "q=\"\\\n" }, "{\"q\":\"\\\"\\\\\\n\"}" },
  { { "n:=123456789012345678901234567890.10" }, "{\"n\":123456789012345678901234567890.10}" },
  { { "a" }, NULL },
  { { "=1" }, NULL },
  { { ":=1" }, "{\":\":\"1\"}" },
  { { "a:=" }, NULL },
  { { "a:=x" }, NULL },
  { { "a:=1,\"b\":2" }, NULL },
  { { "a:=1} {" }, NULL },
  { { "a=1", "a=2" }, NULL },
  { { "{}", "a=1" }, NULL },
  { { "a=\xff" }, NULL },
  { { "@/does/not/exist" }, NULL },
};

static void
test_arguments (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (arguments_cases); i++)
    {
      const ArgumentsCase *this_case = &arguments_cases[i];
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      text = cli_arguments_parse ((char *const *) this_case->words,
                                  g_strv_length ((char **) this_case->words), &error);
      g_assert_cmpstr (text, ==, this_case->expected);
      if (this_case->expected == NULL)
        g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      else
        g_assert_no_error (error);
    }
}

static void
test_arguments_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree char *word = NULL;
  g_autofree char *text = NULL;
  g_autofree char *binary = NULL;
  int fd = g_file_open_tmp ("gmcp-XXXXXX", &path, NULL);
  char *words[] = { NULL, NULL };

  g_assert_true (g_file_set_contents (path, "{\"from\": \"file\"}\n", -1, NULL));
  word = words[0] = g_strconcat ("@", path, NULL);
  text = cli_arguments_parse (words, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "{\"from\": \"file\"}\n");

  g_assert_true (g_file_set_contents (path, "{}\0", 3, NULL));
  binary = cli_arguments_parse (words, 1, &error);
  g_assert_null (binary);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);

  g_unlink (path);
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/arguments/words", test_arguments);
  g_test_add_func ("/cli/arguments/file", test_arguments_file);
  g_test_add_func ("/cli/text/plain", test_text);
  g_test_add_func ("/cli/text/pad", test_pad);
  return g_test_run ();
}
