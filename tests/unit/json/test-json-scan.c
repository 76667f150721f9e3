/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-json-scan-private.h"
#include "unit-test.h"

#define LONGEST 48u

typedef struct
{
  const char *name;
  GmcpJsonSkipFunc skip;
} Skip;

/* Each way to scan; a machine uses one of them, and here all of them are run. */
static const Skip skips[] = {
  { "bytes", gmcp_json_skip_plain_bytes },
  { "words", gmcp_json_skip_plain_words },
#ifdef __SSE2__
  { "sse2", gmcp_json_skip_plain_sse2 },
#endif
};

static void
test_each_byte (gconstpointer data)
{
  const Skip *skip = data;

  g_test_summary (
    "at each offset and with each length, exactly the bytes that count stop the scan");
  for (guint byte = 0; byte < 256; byte++)
    for (guint length = 1; length <= LONGEST; length++)
      {
        g_autofree guint8 *text = g_malloc (length);
        gboolean plain = byte >= 0x20 && byte <= 0x7f && byte != '"' && byte != '\\';

        memset (text, 'x', length);
        for (guint offset = 0; offset < length; offset++)
          {
            const guint8 *stop;

            text[offset] = (guint8) byte;
            stop = skip->skip (text, text + length);
            g_assert_cmpint (stop - text, ==, plain ? length : offset);
            text[offset] = 'x';
          }
      }
}

/* A borrow in the word scan runs upwards from a special byte; what lies before it must still be
 * found. */
static void
test_pairs (gconstpointer data)
{
  static const guint8 specials[]
    = { 0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xff };
  const Skip *skip = data;
  guint8 text[24];

  for (guint i = 0; i < G_N_ELEMENTS (specials); i++)
    for (guint j = 0; j < G_N_ELEMENTS (specials); j++)
      for (guint offset = 0; offset + 1 < sizeof text; offset++)
        {
          const guint8 *expected;

          memset (text, 'x', sizeof text);
          text[offset] = specials[i];
          text[offset + 1] = specials[j];
          expected = gmcp_json_skip_plain_bytes (text, text + sizeof text);
          g_assert_true (skip->skip (text, text + sizeof text) == expected);
        }
}

static void
test_strings (gconstpointer data)
{
  static const struct
  {
    const char *text;
    gboolean good;
    gboolean escaped;
    guint stop; /* behind the text's start */
  } cases[] = {
    { "\"", TRUE, FALSE, 0 },
    { "\\\"\"", TRUE, TRUE, 2 },
    { "\\\\\"", TRUE, TRUE, 2 },
    { "\\u00e9\"", TRUE, TRUE, 6 },
    { "\xc3\xa9\"", TRUE, FALSE, 2 },
    { "\xe2\x82\xac\xf0\x9f\x98\x80z\"", TRUE, FALSE, 8 },
    { "\xe2\x82\xac\\n\"", TRUE, TRUE, 5 },
    { "\x1f\"", FALSE, FALSE, 0 },
    { "\xc3\xa9\x1f\"", FALSE, FALSE, 2 },
    { "\xc3\xa9\xc3\"", FALSE, FALSE, 2 },
    { "\\a\"", FALSE, TRUE, 0 },
    { "\\u00\"", FALSE, TRUE, 0 },
  };
  const Skip *skip = data;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint before = 0; before <= 40; before++)
      {
        gsize length = before + strlen (cases[i].text);
        g_autofree guint8 *text = g_malloc (length);
        const guint8 *stop;
        gboolean escaped;

        memset (text, 'x', before);
        memcpy (text + before, cases[i].text, length - before);
        gmcp_json_scan_string (text, text + length, skip->skip, &escaped, &stop);
        g_assert_cmpint (stop - text, ==, before + cases[i].stop);
        g_assert_cmpint (stop < text + length && *stop == '"', ==, cases[i].good);
        g_assert_cmpint (escaped, ==, cases[i].escaped);
      }
}

typedef void (*CopyFunc) (const char **text, const char *end, char **to);

static void
test_copy (gconstpointer data)
{
  const CopyFunc copy = *(const CopyFunc *) data;

  for (guint length = 1; length <= LONGEST; length++)
    for (guint backslash = 0; backslash <= length; backslash++)
      {
        g_autofree char *text = g_malloc (length + 1);
        g_autofree char *out = g_malloc (length);
        const char *from = text;
        char *to = out;

        memset (text, 'x', length + 1);
        text[backslash] = '\\';
        copy (&from, text + length, &to);
        g_assert_cmpint (from - text, ==, backslash);
        g_assert_cmpmem (out, (gsize) (to - out), text, backslash);
      }
}

/* Unicode, section 3.9, tables 3-8 to 3-11: how many replacement characters stand for what. */
static void
test_maximal_subparts (void)
{
  static const struct
  {
    const char *text;
    guint parts[8]; /* lengths; 0 ends them */
  } cases[] = {
    { "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82", { 1, 1, 1, 1, 1, 1, 1, 1 } },
    { "\xed\xa0\x80\xed\xbf\xbf\xed\xaf", { 1, 1, 1, 1, 1, 1, 1, 1 } },
    { "\xf4\x91\x92\x93\xff\x41", { 1, 1, 1, 1, 1 } },
    { "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf", { 2, 1, 3, 2 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint8 *p = (const guint8 *) cases[i].text;
      const guint8 *end = p + strlen (cases[i].text);

      for (guint j = 0; j < G_N_ELEMENTS (cases[i].parts) && cases[i].parts[j] != 0; j++)
        {
          guint bad;

          g_assert_cmpuint (gmcp_json_utf8_sequence (p, end, &bad), ==, 0);
          g_assert_cmpuint (bad, ==, cases[i].parts[j]);
          p += bad;
        }
    }
}

static void
test_every_code_point (void)
{
  for (gunichar code = 0x80; code <= 0x10ffff; code++)
    {
      char text[6];
      int length = g_unichar_to_utf8 (code, text);
      const guint8 *p = (const guint8 *) text;
      gboolean surrogate = code >= 0xd800 && code <= 0xdfff;
      guint bad;

      if (gmcp_json_utf8_sequence (p, p + length, &bad) != (surrogate ? 0 : (guint) length))
        g_error ("U+%04X is taken for what it is not", code);
      if (gmcp_json_utf8_sequence (p, p + length - 1, &bad) != 0)
        g_error ("U+%04X without its last byte is accepted", code);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  static const CopyFunc copy_bytes = gmcp_json_copy_plain_bytes;
#ifdef __SSE2__
  static const CopyFunc copy_sse2 = gmcp_json_copy_plain_sse2;
#endif

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (skips); i++)
    {
      g_autofree char *each_byte = g_strdup_printf ("/json/scan/%s/each-byte", skips[i].name);
      g_autofree char *pairs = g_strdup_printf ("/json/scan/%s/pairs", skips[i].name);
      g_autofree char *strings = g_strdup_printf ("/json/scan/%s/strings", skips[i].name);

      g_test_add_data_func (each_byte, &skips[i], test_each_byte);
      g_test_add_data_func (pairs, &skips[i], test_pairs);
      g_test_add_data_func (strings, &skips[i], test_strings);
    }
  g_test_add_data_func ("/json/scan/bytes/copy", &copy_bytes, test_copy);
#ifdef __SSE2__
  g_test_add_data_func ("/json/scan/sse2/copy", &copy_sse2, test_copy);
#endif
  g_test_add_func ("/json/scan/utf8/maximal-subparts", test_maximal_subparts);
  g_test_add_func ("/json/scan/utf8/every-code-point", test_every_code_point);
  return g_test_run ();
}
