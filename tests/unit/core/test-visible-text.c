/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-visible-text-private.h"

#include <string.h>

#include "unit-test.h"

typedef struct
{
  const char *text;
  const char *shown;
} Case;

static void
check_text (const Case *cases, gsize n_cases)
{
  for (gsize i = 0; i < n_cases; i++)
    {
      g_autofree char *shown = gmcp_dup_visible_text (cases[i].text);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

static void
test_hidden (void)
{
  static const Case cases[] = {
    { "plain, größer – “quoted” 日本語 עברית", "plain, größer – “quoted” 日本語 עברית" },
    { "two\n\tlines", "two\n\tlines" },
    { "\033[2K\r\a", "<U+001B>[2K<U+000D><U+0007>" },
    { "\302\233"
      "2K",
      "<U+009B>2K" },
    /* direction */
    { "a\342\200\256b\342\201\246c\342\200\217\330\234", "a<U+202E>b<U+2066>c<U+200F><U+061C>" },
    /* without width */
    { "a\342\200\213b\342\201\240c\357\273\277d\302\255e",
      "a<U+200B>b<U+2060>c<U+FEFF>d<U+00AD>e" },
    /* tags, variation selectors */
    { "x\363\240\201\201\363\240\201\277", "x<U+E0041><U+E007F>" },
    { "x\357\270\201\363\240\204\200", "x<U+FE01><U+E0100>" },
    /* blanks that are letters */
    { "\343\205\244\341\205\237\357\276\240\342\240\200", "<U+3164><U+115F><U+FFA0><U+2800>" },
    { "a\342\200\250b\342\200\251", "a<U+2028>b<U+2029>" },
    /* private use, no meaning */
    { "\356\200\200\357\277\276", "<U+E000><U+FFFE>" },
    { "a\xff", "a\357\277\275" },
    { "", "" },
  };

  g_test_summary ("what is hidden is shown, and the rest stays as it is");
  check_text (cases, G_N_ELEMENTS (cases));
}

static void
test_joiners (void)
{
  static const Case cases[] = {
    { "👩\342\200\215💻 ❤\357\270\217 1\357\270\217\342\203\243",
      "👩\342\200\215💻 ❤\357\270\217 1\357\270\217\342\203\243" },
    { "می\342\200\214خواهم", "می\342\200\214خواهم" },
    { "a\342\200\214b\342\200\215c", "a<U+200C>b<U+200D>c" },
    { "می\342\200\214\342\200\214\342\200\215خ", "می<U+200C><U+200C><U+200D>خ" },
    { "❤\357\270\217\357\270\217\357\270\216", "❤\357\270\217<U+FE0F><U+FE0E>" },
    { "a\357\270\217", "a<U+FE0F>" },
  };

  g_test_summary ("joiners stay where a script or a picture needs one, and never two in a row");
  check_text (cases, G_N_ELEMENTS (cases));
}

static void
test_marks (void)
{
  static const Case cases[] = {
    { "a\314\201\314\243", "a\314\201\314\243" },
    { "\314\270", "<U+0338>" },
    { "\n\314\270", "\n<U+0338>" },
    { "a\314\201\314\201\314\201\314\201\314\201b\314\201",
      "a\314\201\314\201\314\201\314\201<U+0301>b\314\201" },
  };

  g_test_summary ("marks stay on letters of the text, and are not piled up");
  check_text (cases, G_N_ELEMENTS (cases));
}

static void
test_line (void)
{
  g_autofree char *whole = gmcp_dup_visible_line ("  one\n\n two\t\302\240three  ", 0);
  g_autofree char *fits = gmcp_dup_visible_line ("größer", 6);
  g_autofree char *cut = gmcp_dup_visible_line ("größer", 5);
  g_autofree char *shorter = gmcp_dup_visible_line ("größer", 4);
  g_autofree char *word = gmcp_dup_visible_word ("a  b\n\tc\302\240");

  g_test_summary ("a line says how much was cut");
  g_assert_cmpstr (whole, ==, "one two three");
  g_assert_cmpstr (fits, ==, "größer");
  g_assert_cmpstr (cut, ==, "größe… 1 more character");
  g_assert_cmpstr (shorter, ==, "größ… 2 more characters");
  g_assert_cmpstr (word, ==, "a  b<U+000A><U+0009>c<U+00A0>");
}

/* Nothing that Unicode calls ignorable or a format character is left anywhere. */
static void
test_all (void)
{
  for (gunichar c = 1; c <= 0x10ffff; c++)
    {
      char text[8] = "a";
      g_autofree char *shown = NULL;

      if (!g_unichar_validate (c) || c == '\n' || c == '\t')
        continue;
      text[1 + g_unichar_to_utf8 (c, text + 1)] = '\0';
      shown = gmcp_dup_visible_text (text);
      if (g_unichar_iscntrl (c) || !g_unichar_isdefined (c)
          || (g_unichar_iszerowidth (c) && !g_unichar_ismark (c)
              && g_unichar_type (c) == G_UNICODE_FORMAT && !(c >= 0x600 && c <= 0x8e2)
              && c != 0x110bd && c != 0x110cd))
        g_assert_true (g_str_has_prefix (shown, "a<U+"));
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/visible-text/hidden", test_hidden);
  g_test_add_func ("/visible-text/joiners", test_joiners);
  g_test_add_func ("/visible-text/marks", test_marks);
  g_test_add_func ("/visible-text/line", test_line);
  g_test_add_func ("/visible-text/all", test_all);
  return g_test_run ();
}
