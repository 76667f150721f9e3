/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <string.h>

#include <glib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

G_BEGIN_DECLS

/* The inner loop of reader and writer: how far a string's text goes on as plain ASCII, that is
 * without a quote, a backslash, a control character and a byte above 0x7f. */

static inline gboolean
gmcp_json_byte_is_plain (guint8 byte)
{
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

static inline const guint8 *
gmcp_json_skip_plain_bytes (const guint8 *p, const guint8 *end)
{
  while (p < end && gmcp_json_byte_is_plain (*p))
    p++;
  return p;
}

/* Eight bytes at a time. A borrow may mark a byte that is plain, never miss one that is not. */
static inline const guint8 *
gmcp_json_skip_plain_words (const guint8 *p, const guint8 *end)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  const guint64 tops = ones << 7;

  while (end - p >= 8)
    {
      const guint8 *stop;
      guint64 word;
      guint64 quote;
      guint64 backslash;

      memcpy (&word, p, sizeof word);
      quote = word ^ (ones * '"');
      backslash = word ^ (ones * '\\');
      if (((word | (word - ones * 0x20) | (quote - ones) | (backslash - ones)) & tops) == 0)
        {
          p += 8;
          continue;
        }
      stop = gmcp_json_skip_plain_bytes (p, p + 8);
      if (stop != p + 8)
        return stop;
      p = stop;
    }
  return gmcp_json_skip_plain_bytes (p, end);
}

#ifdef __SSE2__
static inline const guint8 *
gmcp_json_skip_plain_sse2 (const guint8 *p, const guint8 *end)
{
  const __m128i quote = _mm_set1_epi8 ('"');
  const __m128i backslash = _mm_set1_epi8 ('\\');
  const __m128i space = _mm_set1_epi8 (' ');
  const guint8 *at = p;

  if (G_UNLIKELY (end - p < 16))
    return gmcp_json_skip_plain_words (p, end);

  for (;;)
    {
      __m128i block = _mm_loadu_si128 ((const __m128i *) (const void *) at);
      /* The comparison is signed, so bytes above 0x7f are below the space too. */
      __m128i special = _mm_or_si128 (
        _mm_cmplt_epi8 (block, space),
        _mm_or_si128 (_mm_cmpeq_epi8 (block, quote), _mm_cmpeq_epi8 (block, backslash)));
      guint mask = (guint) _mm_movemask_epi8 (special);

      if (mask != 0)
        return at + __builtin_ctz (mask);
      at += 16;
      if (end - at >= 16)
        continue;
      if (at == end)
        return end;
      /* The last block overlaps the one before, of which all is plain. */
      at = end - 16;
    }
}
#endif

static inline const guint8 *
gmcp_json_skip_plain (const guint8 *p, const guint8 *end)
{
#ifdef __SSE2__
  return gmcp_json_skip_plain_sse2 (p, end);
#else
  return gmcp_json_skip_plain_words (p, end);
#endif
}

/* The length of the well-formed UTF-8 sequence at p, which is below end; 0 where there is none, and
 * then *bad is the length of what one U+FFFD should stand for (Unicode, section 3.9, "Substitution
 * of Maximal Subparts"). */
static inline guint
gmcp_json_utf8_sequence (const guint8 *p, const guint8 *end, guint *bad)
{
  const guint8 lead = *p;
  guint8 low = 0x80;
  guint8 high = 0xbf;
  guint length;

  *bad = 1;
  if (lead < 0x80)
    return 1;
  if (lead < 0xc2 || lead > 0xf4)
    return 0;

  if (lead < 0xe0)
    {
      length = 2;
    }
  else if (lead < 0xf0)
    {
      length = 3;
      if (lead == 0xe0)
        low = 0xa0;
      else if (lead == 0xed)
        high = 0x9f;
    }
  else
    {
      length = 4;
      if (lead == 0xf0)
        low = 0x90;
      else if (lead == 0xf4)
        high = 0x8f;
    }

  if (end - p < 2 || p[1] < low || p[1] > high)
    return 0;
  for (guint i = 2; i < length; i++)
    {
      *bad = i;
      if (p + i == end || (p[i] & 0xc0) != 0x80)
        return 0;
    }
  return length;
}

/* What the letter after a backslash stands for; 0 for 'u' and for what JSON does not have. */
static inline char
gmcp_json_escape_meaning (char letter)
{
  static const char meanings[128] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
  };

  return (guint8) letter < sizeof meanings ? meanings[(guint8) letter] : 0;
}

/* The length of the escape at p, a backslash below end; 0 where it is none that JSON knows. */
static inline guint
gmcp_json_escape_length (const guint8 *p, const guint8 *end)
{
  if (end - p < 2)
    return 0;
  if (G_LIKELY (gmcp_json_escape_meaning ((char) p[1]) != 0))
    return 2;
  if (p[1] != 'u' || end - p < 6)
    return 0;

  for (guint i = 2; i < 6; i++)
    if (!g_ascii_isxdigit (p[i]))
      return 0;
  return 6;
}

typedef const guint8 *(*GmcpJsonSkipFunc) (const guint8 *p, const guint8 *end);

/* Goes on over well-formed UTF-8 from p, a byte above 0x7f, to the next ASCII byte or the end. FALSE
 * where a sequence is ill-formed; then **text is its first byte and *bad as above. */
static inline gboolean
gmcp_json_skip_utf8 (const guint8 **text, const guint8 *end, guint *bad)
{
  const guint8 *p = *text;
  guint length;

  do
    {
      length = gmcp_json_utf8_sequence (p, end, bad);
      p += length;
    }
  while (length != 0 && p < end && *p >= 0x80);

  *text = p;
  return length != 0;
}

/* p is behind the opening quote. Stops at the closing quote, where **stop is '"', or at what is
 * wrong, which may be the end. */
static inline void
gmcp_json_scan_string (const guint8 *p,
                       const guint8 *end,
                       GmcpJsonSkipFunc skip,
                       gboolean *escaped,
                       const guint8 **stop)
{
  *escaped = FALSE;
  for (;;)
    {
      guint length;
      guint bad;

      p = skip (p, end);
      if (p == end || *p < 0x20 || *p == '"')
        break;

      if (*p >= 0x80)
        {
          if (!gmcp_json_skip_utf8 (&p, end, &bad))
            break;
          continue;
        }
      *escaped = TRUE;
      length = gmcp_json_escape_length (p, end);
      if (length == 0)
        break;
      p += length;
    }
  *stop = p;
}

/* Copies up to the next backslash or the end, and moves both pointers on. There is room for as
 * many bytes behind *to as there are left to read. */
static inline void
gmcp_json_copy_plain_bytes (const char **text, const char *end, char **to)
{
  const char *backslash = memchr (*text, '\\', (gsize) (end - *text));
  gsize length = (gsize) ((backslash != NULL ? backslash : end) - *text);

  memcpy (*to, *text, length);
  *text += length;
  *to += length;
}

#ifdef __SSE2__
static inline void
gmcp_json_copy_plain_sse2 (const char **text, const char *end, char **to)
{
  const __m128i backslash = _mm_set1_epi8 ('\\');

  while (end - *text >= 16)
    {
      __m128i block = _mm_loadu_si128 ((const __m128i *) (const void *) *text);
      guint mask = (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (block, backslash));
      guint length = mask != 0 ? (guint) __builtin_ctz (mask) : 16;

      /* What is written too much here is written over later. */
      _mm_storeu_si128 ((__m128i *) (void *) *to, block);
      *text += length;
      *to += length;
      if (mask != 0)
        return;
    }
  gmcp_json_copy_plain_bytes (text, end, to);
}
#endif

static inline void
gmcp_json_copy_plain (const char **text, const char *end, char **to)
{
#ifdef __SSE2__
  gmcp_json_copy_plain_sse2 (text, end, to);
#else
  gmcp_json_copy_plain_bytes (text, end, to);
#endif
}

G_END_DECLS
