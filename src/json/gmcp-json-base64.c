/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#define HAVE_AVX2_CODE
#include <immintrin.h>
#include <sys/platform/x86.h>
#endif

#include "gmcp-i18n-private.h"
#include "gmcp-json-doc-private.h"
#include "gmcp-memory-private.h"

/* Out of the range of three decoded bytes, so that one test finds it in four characters or'ed. */
#define INVALID 0xff000000u

/* What a block's last store may write beyond the bytes it decodes. */
#define STORE_SLACK 4u

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

#ifdef HAVE_AVX2_CODE
#define AVX2 __attribute__ ((target ("avx2")))

/* In both alphabets the upper four bits of a character tell its kind, and the kind which lower four
 * can be. */
typedef enum
{
  KIND_SIGN = 1 << 0,   /* 2x: + - / */
  KIND_DIGIT = 1 << 1,  /* 3x */
  KIND_LETTER = 1 << 2, /* 4x and 6x: from A or a on */
  KIND_UPPER = 1 << 3,  /* 5x: up to Z, and _ */
  KIND_LOWER = 1 << 4,  /* 7x: up to z */
  KIND_NONE = 1 << 5,
} Kind;

/* By the upper four bits, and by the lower four the kinds that cannot have them. */
#define KINDS                                                                                      \
  KIND_NONE, KIND_NONE, KIND_SIGN, KIND_DIGIT, KIND_LETTER, KIND_UPPER, KIND_LETTER, KIND_LOWER,   \
    KIND_NONE, KIND_NONE, KIND_NONE, KIND_NONE, KIND_NONE, KIND_NONE, KIND_NONE, KIND_NONE
#define NOT_0   (KIND_NONE | KIND_SIGN | KIND_LETTER)
#define NOT_1_9 (KIND_NONE | KIND_SIGN)
#define NOT_A   (KIND_NONE | KIND_SIGN | KIND_DIGIT)
#define NOT_B_D (KIND_NONE | KIND_DIGIT | KIND_UPPER | KIND_LOWER)
#define NOT_C_E (KIND_NONE | KIND_SIGN | KIND_DIGIT | KIND_UPPER | KIND_LOWER)
#define NOT_F   (KIND_NONE | KIND_DIGIT | KIND_LOWER)
#define EXCLUDED                                                                                   \
  NOT_0, NOT_1_9, NOT_1_9, NOT_1_9, NOT_1_9, NOT_1_9, NOT_1_9, NOT_1_9, NOT_1_9, NOT_1_9, NOT_A,   \
    NOT_B_D, NOT_C_E, NOT_B_D, NOT_C_E, NOT_F

/* What makes a character its six bits: by the upper four, and for signs by the lower four. */
#define OFFSETS      0, 0, 0, 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0
#define SIGN_OFFSETS 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 62 - '+', 0, 62 - '-', 0, 63 - '/'

/* The bytes of each group of 24 bits, the first of them first; four bytes are left over. */
#define GROUP_BYTES 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1

/* The six bits of each of 32 characters; FALSE where one is none of the alphabets'. */
AVX2 static inline gboolean
look_up_block (__m256i text, __m256i *sextets)
{
  const __m256i low_bits = _mm256_set1_epi8 (0x0f);
  __m256i upper = _mm256_and_si256 (_mm256_srli_epi16 (text, 4), low_bits);
  __m256i lower = _mm256_and_si256 (text, low_bits);
  __m256i kinds = _mm256_shuffle_epi8 (_mm256_setr_epi8 (KINDS, KINDS), upper);
  __m256i excluded = _mm256_shuffle_epi8 (_mm256_setr_epi8 (EXCLUDED, EXCLUDED), lower);
  __m256i offsets = _mm256_shuffle_epi8 (_mm256_setr_epi8 (OFFSETS, OFFSETS), upper);
  __m256i sign_offsets = _mm256_shuffle_epi8 (_mm256_setr_epi8 (SIGN_OFFSETS, SIGN_OFFSETS), lower);
  __m256i is_sign = _mm256_cmpeq_epi8 (upper, _mm256_set1_epi8 (2));
  __m256i is_underscore = _mm256_cmpeq_epi8 (text, _mm256_set1_epi8 ('_'));

  offsets = _mm256_add_epi8 (offsets, _mm256_and_si256 (is_sign, sign_offsets));
  /* “_” stands among the upper case. */
  offsets = _mm256_add_epi8 (offsets,
                             _mm256_and_si256 (is_underscore, _mm256_set1_epi8 (63 - '_' + 'A')));
  *sextets = _mm256_add_epi8 (text, offsets);
  return _mm256_testz_si256 (kinds, excluded);
}

/* 32 characters to 24 bytes. */
AVX2 static const guint8 *
decode_blocks_avx2 (const guint8 *p, const guint8 *end, guint8 **out)
{
  guint8 *to = *out;

  for (; end - p >= 32; p += 32)
    {
      __m256i sextets, groups;

      if (G_UNLIKELY (!look_up_block (_mm256_loadu_si256 ((gconstpointer) p), &sextets)))
        break;

      /* Twelve bits from each two, then 24 from each two of those. */
      groups = _mm256_maddubs_epi16 (sextets, _mm256_set1_epi16 (0x0140));
      groups = _mm256_madd_epi16 (groups, _mm256_set1_epi32 (0x00011000));
      groups = _mm256_shuffle_epi8 (groups, _mm256_setr_epi8 (GROUP_BYTES, GROUP_BYTES));

      _mm_storeu_si128 ((gpointer) to, _mm256_castsi256_si128 (groups));
      _mm_storeu_si128 ((gpointer) (to + 12), _mm256_extracti128_si256 (groups, 1));
      to += 24;
    }

  *out = to;
  return p;
}

/* What the loader found out of the processor: __builtin_cpu_supports() would ask again, in each program at its
 * start, and a virtual machine takes 50 µs to answer. */
static const guint8 *
decode_blocks (const guint8 *p, const guint8 *end, guint8 **out)
{
  return CPU_FEATURE_ACTIVE (AVX2) ? decode_blocks_avx2 (p, end, out) : p;
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
decode_base64 (const guint8 *text, gsize length, guint8 *out)
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
  n_bytes = decode_base64 ((const guint8 *) text, length, bytes);
  if (n_bytes < 0)
    {
      g_free (bytes);
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON,
                           _ ("A string that should be Base64 text is not"));
      return NULL;
    }
  return g_bytes_new_take (bytes, (gsize) n_bytes);
}
