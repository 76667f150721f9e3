/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The same bytes give the same messages, however they were cut into reads. The first byte of an
 * input sets the limit, the second seeds the cuts, the rest is the stream. */

#include "config.h"

#include <string.h>

#include "gmcp-line-framer-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* What comes out, with the length of each message, so that no two streams look alike. */
static void
take_lines (GmcpLineFramer *framer, GString *out)
{
  for (;;)
    {
      g_autoptr (GError) error = NULL;
      GmcpLine line;

      if (gmcp_line_framer_next (framer, &line, &error))
        {
          if (line.length == 0)
            g_error ("An empty message came out");
          g_string_append_printf (out, "%" G_GSIZE_FORMAT ":", line.length);
          g_string_append_len (out, line.text, line.length);
          g_clear_pointer (&line.owner, g_bytes_unref);
        }
      else if (error != NULL)
        g_string_append_printf (out, "!%d:", error->code);
      else
        return;
    }
}

static GString *
frame (const guint8 *data, gsize size, gsize max_bytes, guint32 seed)
{
  g_autoptr (GmcpLineFramer) framer = gmcp_line_framer_new (max_bytes);
  GString *out = g_string_new (NULL);

  while (size > 0)
    {
      gsize room = 0;
      char *to = gmcp_line_framer_reserve (framer, &room);
      gsize n = MIN (size, room);

      /* Seed 0: as much as there is room for. */
      if (seed != 0)
        {
          seed = seed * 1664525u + 1013904223u;
          n = MIN (n, 1 + (seed >> 16) % 17);
        }

      memcpy (to, data, n);
      gmcp_line_framer_commit (framer, n);
      take_lines (framer, out);
      data += n;
      size -= n;
    }

  gmcp_line_framer_commit_eof (framer);
  take_lines (framer, out);
  return out;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  GString *whole;
  GString *cut;
  gsize max_bytes;
  guint32 seed;

  /* Longer ones show nothing new, and take their time. */
  if (size < 2 || size > 512)
    return 0;

  max_bytes = 1 + data[0];
  seed = 1 + data[1];
  whole = frame (data + 2, size - 2, max_bytes, 0);
  cut = frame (data + 2, size - 2, max_bytes, seed);
  if (!g_string_equal (whole, cut))
    g_error ("The cuts changed what came out");

  g_string_free (whole, TRUE);
  g_string_free (cut, TRUE);
  return 0;
}
