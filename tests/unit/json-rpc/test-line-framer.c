/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-line-framer-private.h"
#include "unit-test.h"

typedef struct
{
  GPtrArray *lines; /* (element-type utf8): the lines; "!code" for a dropped one */
  gsize n_owned;
} Outcome;

static void
take_lines (GmcpLineFramer *framer, Outcome *outcome)
{
  for (;;)
    {
      g_autoptr (GError) error = NULL;
      GmcpLine line;

      if (gmcp_line_framer_next (framer, &line, &error))
        {
          g_ptr_array_add (outcome->lines, g_strndup (line.text, line.length));
          outcome->n_owned += line.owner != NULL;
          g_clear_pointer (&line.owner, g_bytes_unref);
        }
      else if (error != NULL)
        {
          g_assert_true (error->domain == GMCP_ERROR);
          g_ptr_array_add (outcome->lines, g_strdup_printf ("!%d", error->code));
        }
      else
        break;
    }
}

/* Feeds text in reads of at most chunk bytes. */
static void
feed (GmcpLineFramer *framer, const char *text, gsize length, gsize chunk, Outcome *outcome)
{
  while (length > 0)
    {
      gsize room = 0;
      char *to = gmcp_line_framer_reserve (framer, &room);
      gsize n = MIN (MIN (length, chunk), room);

      g_assert_cmpuint (room, >, 0);
      memcpy (to, text, n);
      gmcp_line_framer_commit (framer, n);
      take_lines (framer, outcome);
      text += n;
      length -= n;
    }
}

static char *
frame (const char *text, gsize length, gsize chunk, gsize max_bytes)
{
  g_autoptr (GmcpLineFramer) framer = gmcp_line_framer_new (max_bytes);
  Outcome outcome = { g_ptr_array_new_with_free_func (g_free), 0 };
  char *joined;

  feed (framer, text, length, chunk, &outcome);
  gmcp_line_framer_commit_eof (framer);
  take_lines (framer, &outcome);
  g_ptr_array_add (outcome.lines, NULL);
  joined = g_strjoinv ("|", (char **) outcome.lines->pdata);
  g_ptr_array_unref (outcome.lines);
  return joined;
}

#define TOO_LONG "!7"
#define CUT      "!8"

static const struct
{
  const char *name;
  const char *text;
  gsize max_bytes;
  const char *lines;
} cases[] = {
  { "one", "{}\n", 10, "{}" },
  { "two", "{}\n[]\n", 10, "{}|[]" },
  { "crlf", "{}\r\n[]\r\n", 10, "{}|[]" },
  { "one-carriage-return-only", "a\r\r\n", 10, "a\r" },
  { "empty-lines", "\n\r\n{}\n\n\r\n[]\n", 10, "{}|[]" },
  { "nothing", "", 10, "" },
  { "cut", "{}\n[1,", 10, "{}|" CUT },
  { "cut-only", "[", 10, CUT },
  { "at-limit", "12345\n", 5, "12345" },
  { "at-limit-crlf", "12345\r\n", 5, "12345" },
  { "over-limit", "{}\n123456\n[]\n", 5, "{}|" TOO_LONG "|[]" },
  { "over-limit-crlf", "123456\r\n[]\n", 5, TOO_LONG "|[]" },
  { "over-limit-by-carriage-return", "12345\rx\n[]\n", 5, TOO_LONG "|[]" },
  { "over-limit-then-cut", "{}\n1234567", 5, "{}|" TOO_LONG },
  { "at-limit-then-cut", "[1234", 5, CUT },
  { "at-limit-crlf-cut", "{1234\r", 5, CUT },
  { "text-without-end", "{}\n Go on? ", 10, "{}| Go on? " },
  { "text-without-end-at-limit", "12345\r", 5, "12345" },
  { "text-without-end-over-limit", "123456", 5, TOO_LONG },
  { "twice-over-limit", "1234567\n12345678\n[]\n", 5, TOO_LONG "|" TOO_LONG "|[]" },
};

static void
test_case (gconstpointer data)
{
  gsize index = GPOINTER_TO_SIZE (data);
  gsize length = strlen (cases[index].text);

  for (gsize chunk = 1; chunk <= length + 1; chunk++)
    {
      g_autofree char *lines = frame (cases[index].text, length, chunk, cases[index].max_bytes);

      g_assert_cmpstr (lines, ==, cases[index].lines);
    }
}

static void
test_nul (void)
{
  g_autoptr (GmcpLineFramer) framer = gmcp_line_framer_new (100);
  GmcpLine line;
  gsize room = 0;

  memcpy (gmcp_line_framer_reserve (framer, &room), "a\0b\nc", 5);
  gmcp_line_framer_commit (framer, 5);
  g_assert_true (gmcp_line_framer_next (framer, &line, NULL));
  g_assert_cmpmem (line.text, line.length, "a\0b", 3);
  g_assert_false (gmcp_line_framer_next (framer, &line, NULL));
}

static void
test_limit_named (void)
{
  g_autoptr (GmcpLineFramer) framer = gmcp_line_framer_new (1024);
  g_autoptr (GError) error = NULL;
  GmcpLine line;
  gsize room = 0;

  memset (gmcp_line_framer_reserve (framer, &room), 'x', 2000);
  gmcp_line_framer_commit (framer, 2000);
  g_assert_false (gmcp_line_framer_next (framer, &line, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_nonnull (strstr (error->message, "1.0\302\240KiB"));
  g_assert_nonnull (strstr (error->message, "max-message-bytes"));
}

static char *
make_line (gsize length, char fill)
{
  char *text = g_malloc (length + 1);

  memset (text, fill, length);
  text[length] = '\n';
  return text;
}

static void
test_large_is_handed_over (void)
{
  const gsize size = 10 * 1024 * 1024;
  g_autoptr (GmcpLineFramer) framer = gmcp_line_framer_new (64 * 1024 * 1024);
  g_autoptr (GBytes) kept = NULL;
  g_autofree char *large = make_line (size, 'x');
  Outcome outcome = { g_ptr_array_new_with_free_func (g_free), 0 };
  GmcpLine line;
  gsize room = 0;
  char *to;

  g_test_summary (
    "a large message keeps its buffer, and what follows it in the same read is whole");

  feed (framer, "{}\n", 3, 3, &outcome);
  feed (framer, large, size, 65536, &outcome);
  g_assert_true (gmcp_line_framer_is_in_large_message (framer));

  to = gmcp_line_framer_reserve (framer, &room);
  g_assert_cmpuint (room, >=, 8);
  memcpy (to, "\n[1]\n[2,", 8);
  gmcp_line_framer_commit (framer, 8);

  g_assert_true (gmcp_line_framer_next (framer, &line, NULL));
  g_assert_cmpuint (line.length, ==, size);
  g_assert_nonnull (line.owner);
  g_assert_true (g_bytes_get_data (line.owner, NULL) == line.text);
  kept = g_steal_pointer (&line.owner);

  take_lines (framer, &outcome);
  feed (framer, "3]\n", 3, 1, &outcome);
  g_assert_false (gmcp_line_framer_is_in_large_message (framer));
  g_assert_cmpuint (outcome.lines->len, ==, 3);
  g_assert_cmpstr (outcome.lines->pdata[1], ==, "[1]");
  g_assert_cmpstr (outcome.lines->pdata[2], ==, "[2,3]");
  g_assert_cmpmem (g_bytes_get_data (kept, NULL), g_bytes_get_size (kept), large, size);
  g_ptr_array_unref (outcome.lines);
}

static void
test_over_limit_is_not_kept (void)
{
  const gsize size = 100 * 1024 * 1024;
  g_autoptr (GmcpLineFramer) framer = gmcp_line_framer_new (1024 * 1024);
  Outcome outcome = { g_ptr_array_new_with_free_func (g_free), 0 };
  gsize fed = 0;

  g_test_summary ("100 MB without a line end: told once, and no buffer grows past the limit");

  while (fed < size)
    {
      gsize room = 0;
      char *to = gmcp_line_framer_reserve (framer, &room);

      g_assert_cmpuint (room, <=, 4 * 1024 * 1024);
      memset (to, 'x', room);
      gmcp_line_framer_commit (framer, room);
      take_lines (framer, &outcome);
      fed += room;
    }

  feed (framer, "\n{}\n", 4, 4, &outcome);
  g_assert_cmpuint (outcome.lines->len, ==, 2);
  g_assert_cmpstr (outcome.lines->pdata[0], ==, TOO_LONG);
  g_assert_cmpstr (outcome.lines->pdata[1], ==, "{}");
  g_ptr_array_unref (outcome.lines);
}

static void
test_random_chunks (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *whole = NULL;

  for (guint i = 0; i < 60; i++)
    {
      gsize length = g_test_rand_int_range (0, i % 5 == 0 ? 300000 : 200);

      for (gsize j = 0; j < length; j++)
        g_string_append_c (text, 'a' + (i + j) % 26);
      g_string_append (text, i % 2 != 0 ? "\n" : "\r\n");
    }

  whole = frame (text->str, text->len, text->len, 200000);
  for (guint i = 0; i < 20; i++)
    {
      gsize chunk = g_test_rand_int_range (100, 100000);
      g_autofree char *chunked = frame (text->str, text->len, chunk, 200000);

      g_assert_cmpstr (chunked, ==, whole);
    }
}

static void
test_budget (void)
{
  g_autoptr (GmcpByteBudget) budget = gmcp_byte_budget_new (300 * 1024, NULL);
  g_autoptr (GmcpLineFramer) one = gmcp_line_framer_new (G_MAXINT);
  g_autoptr (GmcpLineFramer) other = gmcp_line_framer_new (G_MAXINT);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = g_strnfill (200 * 1024, 'x');
  Outcome outcome = { lines, 0 };

  g_test_summary ("what is not complete is kept within a budget, for as long as it is not");
  gmcp_line_framer_set_budget (one, budget);
  gmcp_line_framer_set_budget (other, budget);
  feed (one, "small", 5, 5, &outcome);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 0);
  feed (one, text, 200 * 1024, 10000, &outcome);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 200 * 1024 + 5);
  g_assert_cmpuint (lines->len, ==, 0);

  feed (other, text, 200 * 1024, 10000, &outcome);
  g_assert_cmpuint (lines->len, ==, 1);
  g_assert_true (g_str_has_prefix (lines->pdata[0], "!"));
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 200 * 1024 + 5);
  g_test_message ("the rest of what was dropped is, too, and what comes behind it is not");
  feed (other, "rest\nnext\n", 10, 10, &outcome);
  g_assert_cmpuint (lines->len, ==, 2);
  g_assert_cmpstr (lines->pdata[1], ==, "next");

  feed (one, "\n", 1, 1, &outcome);
  g_assert_cmpuint (lines->len, ==, 3);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 0);
  feed (other, text, 200 * 1024, 10000, &outcome);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 200 * 1024);
  g_test_message ("what comes in one read with the end of a message is a message of its own");
  memcpy (text, "\n", 1);
  feed (other, text, 100 * 1024, 100 * 1024, &outcome);
  g_assert_cmpuint (lines->len, ==, 4);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 100 * 1024 - 1);
  g_clear_pointer (&other, gmcp_line_framer_free);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 0);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_assert_cmpint (GMCP_ERROR_LIMIT_EXCEEDED, ==, 7);
  g_assert_cmpint (GMCP_ERROR_PROTOCOL, ==, 8);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/json-rpc/line-framer/lines/%s", cases[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/json-rpc/line-framer/nul", test_nul);
  g_test_add_func ("/json-rpc/line-framer/limit/named", test_limit_named);
  g_test_add_func ("/json-rpc/line-framer/limit/not-kept", test_over_limit_is_not_kept);
  g_test_add_func ("/json-rpc/line-framer/large", test_large_is_handed_over);
  g_test_add_func ("/json-rpc/line-framer/budget", test_budget);
  g_test_add_func ("/json-rpc/line-framer/chunks/random", test_random_chunks);

  return g_test_run ();
}
