/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "gmcp-i18n-private.h"
#include "gmcp-json-doc-private.h"
#include "gmcp-memory-private.h"

/* Out of the range of three decoded bytes, so that one test finds it in four characters or'ed. */
#define INVALID 0xff000000u

/* What a block's last store may write beyond the bytes it decodes. */
#define STORE_SLACK 2u

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

#ifdef __x86_64__
/* The bytes from first to last, as a mask. Only for ASCII: what is above is negative here. */
static inline __m128i
in_range (__m128i text, char first, char last)
{
  return _mm_and_si128 (_mm_cmpgt_epi8 (text, _mm_set1_epi8 (first - 1)),
                        _mm_cmpgt_epi8 (_mm_set1_epi8 (last + 1), text));
}

static inline __m128i
either (__m128i text, char a, char b)
{
  return _mm_or_si128 (_mm_cmpeq_epi8 (text, _mm_set1_epi8 (a)),
                       _mm_cmpeq_epi8 (text, _mm_set1_epi8 (b)));
}

static inline __m128i
pick (__m128i mask, __m128i value)
{
  return _mm_and_si128 (mask, value);
}

/* The six bits of each of sixteen characters; FALSE where one is none of the alphabets'. */
static inline gboolean
look_up_block (__m128i text, __m128i *sextets)
{
  __m128i upper = in_range (text, 'A', 'Z');
  __m128i lower = in_range (text, 'a', 'z');
  __m128i digit = in_range (text, '0', '9');
  __m128i last_but_one = either (text, '+', '-');
  __m128i last = either (text, '/', '_');
  __m128i letters = _mm_or_si128 (upper, lower);
  __m128i signs = _mm_or_si128 (last_but_one, last);
  __m128i known = _mm_or_si128 (_mm_or_si128 (letters, signs), digit);
  __m128i shift = _mm_or_si128 (
    _mm_or_si128 (pick (upper, _mm_set1_epi8 (-'A')), pick (lower, _mm_set1_epi8 (26 - 'a'))),
    pick (digit, _mm_set1_epi8 (52 - '0')));
  __m128i fixed
    = _mm_or_si128 (pick (last_but_one, _mm_set1_epi8 (62)), pick (last, _mm_set1_epi8 (63)));

  *sextets = _mm_or_si128 (_mm_andnot_si128 (signs, _mm_add_epi8 (text, shift)), fixed);
  return _mm_movemask_epi8 (known) == 0xffff;
}

/* Two groups of 24 bits, the first in the low half, to six bytes. */
static inline guint8 *
store_groups (guint8 *out, guint64 groups)
{
  guint64 bits = GUINT64_TO_BE ((groups & 0xffffff) << 40 | groups >> 32 << 16);

  memcpy (out, &bits, sizeof bits);
  return out + 6;
}

/* Sixteen characters to twelve bytes. */
static const guint8 *
decode_blocks (const guint8 *p, const guint8 *end, guint8 **out)
{
  const __m128i low_bytes = _mm_set1_epi16 (0x00ff);
  const __m128i weights = _mm_set1_epi32 (0x00011000);
  guint8 *to = *out;

  for (; end - p >= 16; p += 16)
    {
      __m128i sextets, pairs, groups;

      if (G_UNLIKELY (!look_up_block (_mm_loadu_si128 ((const __m128i *) p), &sextets)))
        break;

      /* Twelve bits from each two, then 24 from each two of those. */
      pairs = _mm_or_si128 (_mm_slli_epi16 (_mm_and_si128 (sextets, low_bytes), 6),
                            _mm_srli_epi16 (sextets, 8));
      groups = _mm_madd_epi16 (pairs, weights);

      to = store_groups (to, (guint64) _mm_cvtsi128_si64 (groups));
      to = store_groups (to, (guint64) _mm_cvtsi128_si64 (_mm_unpackhi_epi64 (groups, groups)));
    }

  *out = to;
  return p;
}
#else
static const guint8 *
decode_blocks (const guint8 *p, const guint8 *end, guint8 **out)
{
  return p;
}
#endif

/* Four characters to three bytes while it goes on without white space and padding. */
static const guint8 *
decode_groups (const Table *table, const guint8 *p, const guint8 *end, guint8 **out)
{
  guint8 *to;

  p = decode_blocks (p, end, out);
  to = *out;
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
  gsize size;
  gssize n_bytes;

  text = gmcp_json_value_view_string (value, &length, &to_free);
  if (text == NULL)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON,
                           _ ("Base64 text was expected, and it is no string"));
      return NULL;
    }

  size = length / 4 * 3 + 3 + STORE_SLACK;
  bytes = g_malloc (size);
  gmcp_advise_large_block (bytes, size);
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
