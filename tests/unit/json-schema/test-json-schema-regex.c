/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-regex-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

#define MANY_STEPS 2000000u

static GmcpSchemaRegex *
compile (const char *pattern, GError **error)
{
  guint instructions = GMCP_LIMIT_SCHEMA_INSTRUCTIONS;

  return gmcp_schema_regex_new (pattern, strlen (pattern), &instructions, error);
}

typedef struct
{
  const char *pattern;
  const char *text;
  gboolean matches;
} Case;

static void
run_cases (const Case *cases, gsize n_cases)
{
  for (gsize i = 0; i < n_cases; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpSchemaRegex) regex = compile (cases[i].pattern, &error);
      guint64 steps = MANY_STEPS;
      GmcpSchemaRegexResult result;

      g_test_message ("%s with %s", cases[i].pattern, cases[i].text);
      g_assert_no_error (error);
      result = gmcp_schema_regex_match (regex, cases[i].text, strlen (cases[i].text), &steps);
      g_assert_cmpint (result, ==,
                       cases[i].matches ? GMCP_SCHEMA_REGEX_MATCH : GMCP_SCHEMA_REGEX_NO_MATCH);
    }
}

static void
test_operators (void)
{
  static const Case cases[] = {
    { "", "", TRUE },
    { "", "a", TRUE },
    { "b", "abc", TRUE },
    { "^b", "abc", FALSE },
    { "c$", "abc", TRUE },
    /* Unlike in Perl, $ is the end alone, and neither looks at lines. */
    { "c$", "abc\n", FALSE },
    { "^b", "a\nb", FALSE },
    { "^a|b$", "xb", TRUE },
    { "^(a|bc)+$", "abcbca", TRUE },
    { "^(?:a|b)*$", "", TRUE },
    { "^a{2,3}$", "a", FALSE },
    { "^a{2,3}$", "aaa", TRUE },
    { "^a{2,3}$", "aaaa", FALSE },
    { "^a{2,}$", "aaaaa", TRUE },
    { "^a{2}$", "aaa", FALSE },
    { "^a{0}b$", "b", TRUE },
    { "^(ab){2}$", "abab", TRUE },
    { "^(ab){2,}?c", "ababababc", TRUE },
    { "^a+?b", "aaab", TRUE },
    { "^.*c.*$", "aébcd", TRUE },
    { "^.$", "\n", FALSE },
    { "^.$", "😀", TRUE },
    { "^[^]$", "\n", TRUE },
    { "[]", "a", FALSE },
    { "\\bcat\\b", "a cat.", TRUE },
    { "\\bcat\\b", "concat", FALSE },
    { "\\Bcat\\b", "concat", TRUE },
    { "^(?=.*\\d)(?=.*[a-z]).{8,}$", "abcdefg1", TRUE },
    { "^(?=.*\\d)(?=.*[a-z]).{8,}$", "abcdefgh", FALSE },
    { "^(?!.*\\.\\.)[a-z.]+$", "a.b.c", TRUE },
    { "^(?!.*\\.\\.)[a-z.]+$", "a..c", FALSE },
    { "(?<=\\$)\\d+", "costs $5", TRUE },
    { "(?<!\\$)\\b\\d+", "costs $5", FALSE },
    { "(?<=(a)b\\1)c", "xabac", FALSE },
    { "(?<=\\1b(a))c", "xabac", TRUE },
    { "^(a*)*$", "aaaa", TRUE },
    { "^(?:(a)|b)*\\1$", "ab", TRUE },
    { "^(a)?b\\1$", "b", TRUE },
    { "^(?<q>['\"]).*\\k<q>$", "'it\"'", TRUE },
    { "^(?<q>['\"]).*\\k<q>$", "'it\"", FALSE },
    { "\\k<later>(?<later>a)", "a", TRUE },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_characters (void)
{
  static const Case cases[] = {
    { "^\\d$", "5", TRUE },
    { "^\\d$", "٥", FALSE },
    { "^\\w$", "_", TRUE },
    { "^\\w$", "é", FALSE },
    { "^\\W$", "é", TRUE },
    { "^\\s$", "\u00a0", TRUE },
    { "^\\s$", "\ufeff", TRUE },
    { "^\\s$", "\u200b", FALSE },
    { "^\\S$", "\u2028", FALSE },
    { "^[\\w-]+$", "a-b_c", TRUE },
    { "^[a-\\d]+$", "a-5", TRUE },
    { "^[+--]$", ",", TRUE },
    { "^[\\]\\-\\\\]+$", "]-\\", TRUE },
    { "^[^\\D]$", "5", TRUE },
    { "^[\\b]$", "\b", TRUE },
    { "^\\x41\\u0042\\u{43}\\u{1F600}\\ud83d\\ude00$", "ABC😀😀", TRUE },
    { "^\\t\\n\\v\\f\\r\\cJ$", "\t\n\v\f\r\n", TRUE },
    { "^\\.\\/\\-\\@\\_\\é$", "./-@_é", TRUE },
    { "^{a}]$", "{a}]", TRUE },
    { "^a{,2}$", "a{,2}", TRUE },
    { "^\\p{L}+$", "Ünïcode", TRUE },
    { "^\\p{Lu}$", "ü", FALSE },
    { "^\\P{Lu}$", "ü", TRUE },
    { "^\\p{Letter}\\p{gc=Nd}\\p{General_Category=Punctuation}$", "é5!", TRUE },
    { "^\\p{Script=Greek}\\p{sc=Cyrl}\\p{scx=Old_Italic}$", "αд𐌀", TRUE },
    { "^[\\p{L}\\p{N}]+$", "é５", TRUE },
    { "^\\p{ASCII}\\p{Any}\\p{White_Space}\\p{Alphabetic}$", "a😀 b", TRUE },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_invalid (void)
{
  static const char *const patterns[] = {
    "(",
    ")",
    "a)",
    "[",
    "[a",
    "[b-a]",
    "*",
    "a**",
    "a++",
    "+a",
    "?",
    "{1}",
    "a{2,1}",
    "\\",
    "\\a",
    "\\Z",
    "\\q",
    "\\x4",
    "\\u12",
    "\\u{110000}",
    "\\u{}",
    "\\c1",
    "\\01",
    "\\p",
    "\\p{",
    "\\p{No_Such}",
    "\\p{Script=None}",
    "\\1",
    "(a)\\2",
    "\\k",
    "\\k<x>",
    "(?<>a)",
    "(?<a",
    "(?<a>x)(?<a>y)",
    "(?i)a",
    "(?P<n>a)",
    "(?>a)",
    "(*UTF)a",
    "(?#x)",
    "[\\q]",
    "(?=a",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", patterns[i]);
      g_assert_null (compile (patterns[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "(at byte "));
    }
}

/* Each takes exponential or square time without a bound. */
static void
test_hostile_matches (void)
{
  static const char *const patterns[] = {
    "^(a+)+$",       "^(a|a)*$",    "^(a|aa)+$",         "^(?:a?){500}a{500}$",
    "(?:.(?=a*))*x", "a*[bc]d",     "^(?:(?:a*)*)*b",    "(a*)*\\1b",
    "^(.*?,){20}P",  "(?<=(a+)+)b", "^(?:(a)|(b)|c)*?#", "[ab]*?[abc]*?[ab]*d",
  };
  g_autofree char *filler = g_strnfill (200000, 'a');

  filler[199999] = '!';
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpSchemaRegex) regex = compile (patterns[i], &error);
      guint64 steps = MANY_STEPS;

      g_test_message ("%s", patterns[i]);
      g_assert_no_error (error);
      g_assert_cmpint (gmcp_schema_regex_match (regex, filler, 200000, &steps), !=,
                       GMCP_SCHEMA_REGEX_MATCH);
      g_assert_cmpuint (steps, <=, MANY_STEPS);
    }
}

static void
test_hostile_patterns (void)
{
  static const char *const patterns[] = {
    "(?:(?:(?:x{0}){1000}){1000}){1000}",
    "((((a{100}){100}){100}){100})",
    "(?:ab){1000000}",
    "(?:(?:(?:){999999}){999999}){999999}",
  };
  g_autofree char *groups = g_strnfill (100000, '(');
  g_autofree char *longest = g_strnfill (GMCP_LIMIT_PATTERN_BYTES + 1, 'a');
  guint instructions = 10;

  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (compile (patterns[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
    }

  groups[1000] = '\0';
  g_assert_null (compile (groups, NULL));
  g_assert_null (compile (longest, NULL));
  g_assert_null (gmcp_schema_regex_new ("aaaaaaaaaa", 10, &instructions, NULL));
  g_assert_cmpuint (instructions, ==, 10);
}

/* What is long but harmless passes within the bound. */
static void
test_long_texts (void)
{
  static const char *const patterns[]
    = { "^[A-Za-z0-9+/]*={0,2}$", "!$", "^.*$", "\\W", "^(?:a|b)*!$" };
  g_autofree char *filler = g_strnfill (100000, 'a');

  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GmcpSchemaRegex) regex = compile (patterns[i], NULL);
      guint64 steps = MANY_STEPS;

      filler[99999] = i == 0 ? '=' : '!';
      g_assert_cmpint (gmcp_schema_regex_match (regex, filler, 100000, &steps), ==,
                       GMCP_SCHEMA_REGEX_MATCH);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json-schema/regex/operators", test_operators);
  g_test_add_func ("/json-schema/regex/characters", test_characters);
  g_test_add_func ("/json-schema/regex/invalid", test_invalid);
  g_test_add_func ("/json-schema/regex/hostile-matches", test_hostile_matches);
  g_test_add_func ("/json-schema/regex/hostile-patterns", test_hostile_patterns);
  g_test_add_func ("/json-schema/regex/long-texts", test_long_texts);

  return g_test_run ();
}
