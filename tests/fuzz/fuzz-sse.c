/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The same bytes give the same events, however they were cut into reads. The first byte of an input
 * sets the limit, the second seeds the cuts, the rest is the stream. */

#include "config.h"

#include <string.h>

#include "gmcp-sse-parser-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
take_events (GmcpSseParser *parser, gsize max_bytes, GString *out)
{
  for (;;)
    {
      g_autoptr (GError) error = NULL;
      GmcpSseEvent event;

      if (gmcp_sse_parser_next (parser, &event, &error))
        {
          if (event.length > max_bytes)
            g_error ("An event of %" G_GSIZE_FORMAT " bytes came out", event.length);
          g_string_append_printf (out, "%s:%" G_GSIZE_FORMAT ":", event.type, event.length);
          g_string_append_len (out, event.data, event.length);
        }
      else if (error != NULL)
        g_string_append_printf (out, "!%d:", error->code);
      else
        return;
    }
}

static GString *
parse (const guint8 *data, gsize size, gsize max_bytes, guint32 seed)
{
  g_autoptr (GmcpSseParser) parser = gmcp_sse_parser_new (max_bytes);
  GString *out = g_string_new (NULL);
  const char *last_id;

  while (size > 0)
    {
      gsize n = size;
      char *piece;

      /* Seed 0: all at once. */
      if (seed != 0)
        {
          seed = seed * 1664525u + 1013904223u;
          n = MIN (n, 1 + (seed >> 16) % 17);
        }

      /* In a block of its own, so that who reads beyond it, or later, is seen. */
      piece = g_memdup2 (data, n);
      gmcp_sse_parser_push (parser, piece, n);
      take_events (parser, max_bytes, out);
      memset (piece, '?', n);
      g_free (piece);
      data += n;
      size -= n;
    }

  last_id = gmcp_sse_parser_get_last_id (parser);
  g_string_append_printf (out, "|%s|%" G_GINT64_FORMAT, last_id != NULL ? last_id : "-",
                          gmcp_sse_parser_get_retry_ms (parser));
  return out;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  GString *whole;
  GString *cut;
  gsize max_bytes;

  /* Longer ones show nothing new, and take their time. */
  if (size < 2 || size > 512)
    return 0;

  max_bytes = 1 + data[0];
  whole = parse (data + 2, size - 2, max_bytes, 0);
  cut = parse (data + 2, size - 2, max_bytes, 1 + data[1]);
  if (!g_string_equal (whole, cut))
    g_error ("The cuts changed what came out");

  g_string_free (whole, TRUE);
  g_string_free (cut, TRUE);
  return 0;
}
