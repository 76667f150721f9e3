/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-doc-private.h"
#include "gmcp-memory-private.h"

/* Out of the range of three decoded bytes, so that one test finds it in four characters or'ed. */
#define INVALID 0xff000000u

/* For each place in a group of four, what a character adds to the group's 24 bits. */
typedef struct
{
  guint32 places[4][256];
} Table;

static const Table *
get_table (void)
{
  static const char standard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  static Table table;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint place = 0; place < 4; place++)
        {
          guint32 *row = table.places[place];
          guint shift = 6 * (3 - place);

          for (guint i = 0; i < 256; i++)
            row[i] = INVALID;
          for (guint i = 0; i < 64; i++)
            row[(guint8) standard[i]] = i << shift;
          row['-'] = 62u << shift;
          row['_'] = 63u << shift;
        }
      g_once_init_leave (&ready, 1);
    }
  return &table;
}

static inline guint8 *
write_group (guint8 *out, guint32 bits)
{
  out[0] = (guint8) (bits >> 16);
  out[1] = (guint8) (bits >> 8);
  out[2] = (guint8) bits;
  return out + 3;
}

static inline guint32
read_group (const Table *table, const guint8 *p)
{
  return table->places[0][p[0]] | table->places[1][p[1]] | table->places[2][p[2]]
         | table->places[3][p[3]];
}

/* Four characters to three bytes while it goes on without white space and padding. */
static const guint8 *
decode_groups (const Table *table, const guint8 *p, const guint8 *end, guint8 **out)
{
  guint8 *to = *out;

  while (end - p >= 4)
    {
      guint32 bits = read_group (table, p);

      if (G_UNLIKELY (bits >= INVALID))
        break;
      to = write_group (to, bits);
      p += 4;
    }
  *out = to;
  return p;
}

static gboolean
is_space (guint8 byte)
{
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/* The next group, with white space in it or incomplete at the end: sets the number of characters
 * and of padding signs that it has. FALSE at a character that cannot be. */
static gboolean
collect_group (const guint8 **text,
               const guint8 *end,
               guint8 group[4],
               guint *length,
               guint *padding)
{
  const guint8 *p = *text;

  *length = 0;
  *padding = 0;
  for (; p < end && *length + *padding < 4; p++)
    {
      if (*p == '=')
        group[*length + (*padding)++] = 'A';
      else if (!is_space (*p) && *padding > 0)
        return FALSE;
      else if (!is_space (*p))
        group[(*length)++] = *p;
    }
  while (p < end && is_space (*p))
    p++;
  *text = p;
  return TRUE;
}

/* Gives the number of bytes, or -1. */
static gssize
decode (const guint8 *text, gsize length, guint8 *out)
{
  const Table *table = get_table ();
  const guint8 *end = text + length;
  guint8 *to = out;

  while (text < end)
    {
      guint8 group[4] = { 'A', 'A', 'A', 'A' };
      guint8 bytes[3];
      guint n;
      guint padding;
      guint32 bits;

      text = decode_groups (table, text, end, &to);
      if (!collect_group (&text, end, group, &n, &padding))
        return -1;
      bits = read_group (table, group);
      if (bits >= INVALID || n == 1 || (n == 0 && padding > 0) || (padding > 0 && n + padding != 4)
          || (n < 4 && text != end))
        return -1;
      write_group (bytes, bits);
      /* Two characters make a byte, three make two. */
      memcpy (to, bytes, n > 0 ? n - 1 : 0);
      to += n > 0 ? n - 1 : 0;
    }
  return to - out;
}

GBytes *
gmcp_json_value_decode_base64 (GmcpJsonValue value, GError **error)
{
  g_autofree char *to_free = NULL;
  const char *text;
  guint8 *bytes;
  gsize length;
  gssize n_bytes;

  text = gmcp_json_value_view_string (value, &length, &to_free);
  if (text == NULL)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON,
                           _ ("Base64 text was expected, and it is no string"));
      return NULL;
    }

  bytes = g_malloc (length / 4 * 3 + 3);
  gmcp_advise_large_block (bytes, length / 4 * 3 + 3);
  n_bytes = decode ((const guint8 *) text, length, bytes);
  if (n_bytes < 0)
    {
      g_free (bytes);
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON,
                           _ ("A string that should be Base64 text is not"));
      return NULL;
    }
  return g_bytes_new_take (bytes, (gsize) n_bytes);
}
