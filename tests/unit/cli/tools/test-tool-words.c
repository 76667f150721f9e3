/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "../../src/cli/tools/cli-tool-example.h"
#include "../../src/cli/tools/cli-tool-words.h"

#include <glib/gstdio.h>
#include <gmcp/core/gmcp-error.h>
#include <string.h>

#define SCHEMA                                                                                     \
  "{\"type\":\"object\",\"required\":[\"n\"],\"properties\":{\"n\":{\"type\":\"number\"},"         \
  "\"s\":{\"type\":\"string\"},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"        \
  "\"o\":{\"type\":\"object\"}}}"

typedef struct
{
  const char *words[4];
  const char *expected; /* NULL where it is an error */
} WordsCase;

static char *
read_words (GmcpTool *tool, const char *const *words, GError **error)
{
  g_autoptr (GPtrArray) typed
    = cli_tool_words_read ((char *const *) words, g_strv_length ((char **) words), error);
  g_autoptr (GPtrArray) given = typed != NULL ? cli_tool_words_make (typed, tool, error) : NULL;

  return given != NULL ? cli_tool_words_join (given) : NULL;
}

static void
check_cases (GmcpTool *tool, const WordsCase *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = read_words (tool, cases[i].words, &error);

      g_assert_cmpstr (text, ==, cases[i].expected);
      if (cases[i].expected == NULL)
        g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      else
        g_assert_no_error (error);
    }
}

static void
test_without_schema (void)
{
  static const WordsCase cases[] = {
    { { NULL }, "{}" },
    { { "a=1" }, "{\"a\":\"1\"}" },
    { { "a:=1", "b=x y", "c:=[1,{\"d\":null}]" },
      "{\"a\":1,\"b\":\"x y\",\"c\":[1,{\"d\":null}]}" },
    { { "a==b" }, "{\"a\":\"=b\"}" },
    { { "a=" }, "{\"a\":\"\"}" },
    { { "a=@@b" }, "{\"a\":\"@b\"}" },
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
    { { "a=1", "a:=2" }, NULL },
    { { "{}", "a=1" }, NULL },
    { { "a=\xff" }, NULL },
    { { "a=@/does/not/exist" }, NULL },
  };

  check_cases (NULL, cases, G_N_ELEMENTS (cases));
}

static void
test_with_schema (void)
{
  static const WordsCase cases[] = {
    { { "n=1" }, "{\"n\":1}" },
    { { "n=x" }, NULL },
    { { "n:=\"x\"" }, "{\"n\":\"x\"}" },
    { { "s=1" }, "{\"s\":\"1\"}" },
    { { "l=a", "n=2", "l=b" }, "{\"l\":[\"a\",\"b\"],\"n\":2}" },
    { { "l=[\"a\"]" }, "{\"l\":[\"a\"]}" },
    { { "o={\"x\":1}" }, "{\"o\":{\"x\":1}}" },
    { { "s=1", "s=2" }, NULL },
    { { "other=1" }, NULL },
    { { "other:=1" }, "{\"other\":1}" },
  };
  g_autoptr (GmcpTool) tool = gmcp_tool_new ("tool", NULL, SCHEMA, NULL);

  check_cases (tool, cases, G_N_ELEMENTS (cases));
}

static gboolean
are_whole (const char *const *words, guint n)
{
  return cli_tool_words_are_whole ((char *const *) words, n);
}

static void
test_whole (void)
{
  static const char *const whole[] = { "{\"a\":1}", "  {}", "-", "@file" };
  static const char *const two[] = { "{}", "{}" };
  static const char *const word[] = { "a=@file" };

  for (gsize i = 0; i < G_N_ELEMENTS (whole); i++)
    g_assert_true (are_whole (&whole[i], 1));
  g_assert_false (are_whole (two, 2));
  g_assert_false (are_whole (word, 1));
  g_assert_false (are_whole (word, 0));
}

/* What is printed is read as what it was made of, word by word. */
static void
test_commands (void)
{
  static const struct
  {
    const char *name;
    const char *json;
    const char *command;
  } cases[] = {
    { "n", "1.5", "gmcp call tool n=1.5" },
    { "s", "\"two words\"", "gmcp call tool 's=two words'" },
    { "s", "\"it's\"", "gmcp call tool 's=it'\\''s'" },
    { "s", "\"@home\"", "gmcp call tool s=@@home" },
    { "s", "5", "gmcp call tool s:=5" },
    { "l", "[\"one\"]", "gmcp call tool l=one" },
    { "l", "[\"one\",\"two\"]", "gmcp call tool 'l=[\"one\",\"two\"]'" },
    { "o", "{\"x\":1}", "gmcp call tool 'o={\"x\":1}'" },
    { "other", "true", "gmcp call tool other:=true" },
    { "a=b", "1", "gmcp call tool '{\"a=b\":1}'" },
    { "-x", "1", "gmcp call tool '{\"-x\":1}'" },
  };
  g_autoptr (GmcpTool) tool = gmcp_tool_new ("tool", NULL, SCHEMA, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) given
        = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_given_free);
      g_autofree char *command = NULL;

      g_ptr_array_add (given, cli_given_new (cases[i].name, cases[i].json));
      command = cli_tool_dup_command (tool, given);
      g_assert_cmpstr (command, ==, cases[i].command);
    }
}

static void
test_corrected (void)
{
  g_autoptr (GmcpTool) tool = gmcp_tool_new ("tool", NULL, SCHEMA, NULL);
  g_autoptr (GPtrArray) given = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_given_free);
  g_autofree char *example = cli_tool_dup_example (tool);
  g_autofree char *corrected = NULL;

  g_ptr_array_add (given, cli_given_new ("s", "\"mine\""));
  g_ptr_array_add (given, cli_given_new ("l", "7"));
  g_ptr_array_add (given, cli_given_new ("other", "7"));
  corrected = cli_tool_dup_corrected (tool, given);
  g_assert_cmpstr (example, ==, "gmcp call tool n=1");
  g_assert_cmpstr (corrected, ==, "gmcp call tool n=1 s=mine l=text");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/tool-words/without-schema", test_without_schema);
  g_test_add_func ("/cli/tool-words/with-schema", test_with_schema);
  g_test_add_func ("/cli/tool-words/whole", test_whole);
  g_test_add_func ("/cli/tool-words/commands", test_commands);
  g_test_add_func ("/cli/tool-words/corrected", test_corrected);

  return g_test_run ();
}
