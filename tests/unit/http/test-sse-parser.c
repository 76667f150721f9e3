/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-limits.h"
#include "gmcp-sse-parser-private.h"
#include "unit-test.h"

/* What a stream gives when it comes in pieces of so many bytes: "TYPE|DATA|LAST-ID;" an event, "!" for
 * one that was too large, and then the last id and the time to wait. */
static char *
read_stream (const char *bytes, gsize length, gsize piece, gsize limit)
{
  g_autoptr (GmcpSseParser) parser = gmcp_sse_parser_new (limit);
  GString *out = g_string_new (NULL);

  for (gsize at = 0; at < length; at += piece)
    {
      gsize n = MIN (piece, length - at);
      /* A piece of its own, so that valgrind sees what is read beyond it or too late. */
      g_autofree char *copy = g_memdup2 (bytes + at, n);

      gmcp_sse_parser_push (parser, copy, n);
      while (TRUE)
        {
          g_autoptr (GError) error = NULL;
          GmcpSseEvent event;

          if (gmcp_sse_parser_next (parser, &event, &error))
            {
              const char *id = gmcp_sse_parser_get_last_id (parser);

              g_string_append_printf (out, "%s|", event.type);
              g_string_append_len (out, event.data, event.length);
              g_string_append_printf (out, "|%s;", id != NULL ? id : "-");
            }
          else if (error != NULL)
            {
              g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
              g_string_append_c (out, '!');
            }
          else
            break;
        }
    }

  g_string_append_printf (
    out, "%s %" G_GINT64_FORMAT,
    gmcp_sse_parser_get_last_id (parser) != NULL ? gmcp_sse_parser_get_last_id (parser) : "-",
    gmcp_sse_parser_get_retry_ms (parser));
  return g_string_free (out, FALSE);
}

typedef struct
{
  const char *name;
  const char *stream;
  const char *expected;
} Case;

static const Case cases[] = {
  { "empty", "", "- -1" },
  { "plain", "data: {\"a\":1}\n\n", "message|{\"a\":1}|-;- -1" },
  { "no-space", "data:x\n\ndata:  y\n\n", "message|x|-;message| y|-;- -1" },
  { "carriage-return", "data: a\r\rdata: b\r\r", "message|a|-;message|b|-;- -1" },
  { "both", "data: a\r\n\r\ndata: b\r\n\r\n", "message|a|-;message|b|-;- -1" },
  { "mixed", "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r",
    "message|a|-;message|b|-;message|c|-;- -1" },
  { "lines", "data: a\ndata:\ndata: b\n\n", "message|a\n\nb|-;- -1" },
  { "mark",
    "\xEF\xBB\xBF"
    "data: a\n\n\xEF\xBB\xBF"
    "data: b\n\n",
    "message|a|-;- -1" },
  { "half-mark",
    "\xEF\xBB"
    "data: a\n\ndata: b\n\n",
    "message|b|-;- -1" },
  { "fields", "event: endpoint\nid: 7\nretry: 30\ndata: /x\n\n", "endpoint|/x|7;7 30" },
  { "type-lasts-one", "event: a\ndata: x\n\ndata: y\n\n", "a|x|-;message|y|-;- -1" },
  { "type-without-data", "event: a\n\ndata: y\n\n", "message|y|-;- -1" },
  { "priming", "id: p\nretry: 0\ndata:\n\n", "message||p;p 0" },
  { "id-without-data", "id: p\n\n", "p -1" },
  { "id-lasts", "id: p\ndata: a\n\ndata: b\n\n", "message|a|p;message|b|p;p -1" },
  { "id-taken-back", "id: p\ndata: a\n\nid\ndata: b\n\n", "message|a|p;message|b|; -1" },
  { "id-not-ended", "id: p\ndata: a\n", "- -1" },
  { "retry-wrong", "retry: 5\nretry: x\nretry: -1\nretry:\nretry: 1.5\n\n", "- 5" },
  { "retry-huge", "retry: 99999999999999999999999999\n\n", "- 2147483647" },
  { "comment", ": x\n:\n:data: y\ndata: z\n\n", "message|z|-;- -1" },
  { "unknown", "foo: x\ndata2: y\ndat: z\ndata\n\nDATA: z\n\n", "message||-;- -1" },
  { "long-name", "datadatadata: x\n data: y\ndata: z\n\n", "message|z|-;- -1" },
  { "utf8", "data: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\n\n",
    "message|\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80|-;- -1" },
  { "not-ended", "data: a\n\ndata: b\n", "message|a|-;- -1" },
  { "too-large", "data: 0123456789abcdef0123456789abcdefX\n\ndata: b\n\n", "!message|b|-;- -1" },
  { "too-many-lines", "data: 0123456789abcdef\ndata: 0123456789abcdef\ndata: x\n\ndata: b\n\n",
    "!message|b|-;- -1" },
  { "just-large-enough", "data: 0123456789abcdef0123456789abcdef\n\n",
    "message|0123456789abcdef0123456789abcdef|-;- -1" },
};

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  gsize length = strlen (expected->stream);

  for (gsize piece = 1; piece <= length + 1; piece++)
    {
      g_autofree char *out = read_stream (expected->stream, length, piece, 32);

      g_assert_cmpstr (out, ==, expected->expected);
    }
}

static void
test_nul (void)
{
  static const char stream[] = "id: a\0b\ndata: x\n\ndata: c\0d\n\n";
  g_autoptr (GmcpSseParser) parser = gmcp_sse_parser_new (100);
  GmcpSseEvent event;
  g_autoptr (GError) error = NULL;

  gmcp_sse_parser_push (parser, stream, sizeof stream - 1);
  g_assert_true (gmcp_sse_parser_next (parser, &event, &error));
  g_assert_null (gmcp_sse_parser_get_last_id (parser));
  g_assert_true (gmcp_sse_parser_next (parser, &event, &error));
  g_assert_cmpmem (event.data, event.length, "c\0d", 3);
  g_assert_false (gmcp_sse_parser_next (parser, &event, &error));
  g_assert_no_error (error);
}

static void
test_not_copied (void)
{
  static const char stream[] = "id: 1\ndata: 0123456789\n\n";
  g_autoptr (GmcpSseParser) parser = gmcp_sse_parser_new (100);
  GmcpSseEvent event;

  g_test_summary ("An event of one line that came whole is given out where it lies");
  gmcp_sse_parser_push (parser, stream, sizeof stream - 1);
  g_assert_true (gmcp_sse_parser_next (parser, &event, NULL));
  g_assert_true (event.data == strchr (stream, '0'));
}

/* Endless lines of every kind: what is kept of them is bounded. */
static void
test_endless (gconstpointer start)
{
  g_autoptr (GmcpSseParser) parser = gmcp_sse_parser_new (1000);
  g_autofree char *piece = g_strnfill (8192, 'x');
  guint n_errors = 0;
  GmcpSseEvent event;

  gmcp_sse_parser_push (parser, start, strlen (start));
  g_assert_false (gmcp_sse_parser_next (parser, &event, NULL));
  for (guint i = 0; i < 1000; i++)
    {
      g_autoptr (GError) error = NULL;

      gmcp_sse_parser_push (parser, piece, 8192);
      while (!gmcp_sse_parser_next (parser, &event, &error) && error != NULL)
        {
          n_errors++;
          g_clear_error (&error);
        }
    }
  g_assert_cmpuint (n_errors, ==, *(const char *) start == ':' ? 0 : 1);

  /* And after it, all is well. */
  gmcp_sse_parser_push (parser, "\n\ndata: y\n\n", 11);
  g_assert_true (gmcp_sse_parser_next (parser, &event, NULL));
  g_assert_cmpmem (event.data, event.length, "y", 1);
}

static void
test_long_id (void)
{
  g_autofree char *id = g_strnfill (GMCP_LIMIT_SSE_FIELD_BYTES + 1, 'i');
  g_autofree char *stream = g_strdup_printf ("id: a\n\nid: %s\n\n", id);
  g_autofree char *out = read_stream (stream, strlen (stream), 100, 1000);

  g_assert_cmpstr (out, ==, "a -1");
}

/* A search for one kind of line end must not look through all the others each time. */
static void
test_many_line_ends (gconstpointer line_end)
{
  gsize length = 2 * 1024 * 1024;
  g_autofree char *stream = g_strnfill (length, *(const char *) line_end);
  g_autofree char *out = read_stream (stream, length, length, 1000);

  g_assert_cmpstr (out, ==, "- -1");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/http/sse/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/http/sse/nul", test_nul);
  g_test_add_func ("/http/sse/not-copied", test_not_copied);
  g_test_add_data_func ("/http/sse/endless/data", "data: ", test_endless);
  g_test_add_data_func ("/http/sse/endless/comment", ": ", test_endless);
  g_test_add_data_func ("/http/sse/endless/unknown", "x", test_endless);
  g_test_add_func ("/http/sse/long-id", test_long_id);
  g_test_add_data_func ("/http/sse/many-line-ends/feed", "\n", test_many_line_ends);
  g_test_add_data_func ("/http/sse/many-line-ends/return", "\r", test_many_line_ends);

  return g_test_run ();
}
