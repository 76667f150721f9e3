/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-document-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

#define LAUGHS 12

/* What a text is as JSON; NULL with its error. */
static char *
convert (const char *text, GmcpConfigFormat format, guint *line, GError **error)
{
  g_autoptr (GmcpConfigDocument) document
    = gmcp_config_document_parse (text, strlen (text), format, line, error);

  return document != NULL ? gmcp_json_value_dup_raw (gmcp_json_doc_get_root (document->json))
                          : NULL;
}

typedef struct
{
  const char *text;
  const char *json;
} Pair;

static void
check_pairs (const Pair *pairs, gsize n_pairs, GmcpConfigFormat format)
{
  for (gsize i = 0; i < n_pairs; i++)
    {
      g_autoptr (GError) error = NULL;
      guint line = 0;
      g_autofree char *json = convert (pairs[i].text, format, &line, &error);

      g_test_message ("%s", pairs[i].text);
      g_assert_no_error (error);
      g_assert_cmpstr (json, ==, pairs[i].json);
    }
}

typedef struct
{
  const char *text;
  guint line;
} Wrong;

static void
check_wrong (const Wrong *wrong, gsize n_wrong, GmcpConfigFormat format)
{
  for (gsize i = 0; i < n_wrong; i++)
    {
      g_autoptr (GError) error = NULL;
      guint line = 0;
      g_autofree char *json = convert (wrong[i].text, format, &line, &error);

      g_test_message ("case %u: %s", (guint) i, error != NULL ? error->message : json);
      g_assert_null (json);
      g_assert_nonnull (error);
      g_assert_cmpuint (line, ==, wrong[i].line);
    }
}

static void
test_json (void)
{
  static const Pair pairs[] = {
    { "{\"a\":1}", "{\"a\":1}" },
    { "\xef\xbb\xbf[]", "[]" },
    { "{\"a\":[1,2,],}", "{\"a\":[1,2 ] }" },
    { "[1 // one\n,2/* two */]", "[1       \n,2         ]" },
    { "{\"a\":\"//no /* comment\",\"b\":\"\\\",]\"}",
      "{\"a\":\"//no /* comment\",\"b\":\"\\\",]\"}" },
    { "[1,/* ] */]", "[1        ]" },
    { "// first\n{}", "{}" },
  };
  static const Wrong wrong[] = {
    { "", 1 },          { "[,]", 1 },       { "[1,,]", 1 },        { "{,}", 1 },
    { "{\"a\":,}", 1 }, { "[1\n2]", 2 },    { "[\n/* no end", 2 }, { "[1] /", 1 },
    { "{'a':1}", 1 },   { "[\n\n\"a]", 3 }, { "[1]\n[2]", 2 },
  };

  check_pairs (pairs, G_N_ELEMENTS (pairs), GMCP_CONFIG_FORMAT_JSON);
  check_wrong (wrong, G_N_ELEMENTS (wrong), GMCP_CONFIG_FORMAT_JSON);
}

static void
test_toml (void)
{
  static const Pair pairs[] = {
    { "", "{}" },
    { "# nothing\r\n\r\n", "{}" },
    { "a = 1", "{\"a\":1}" },
    { "a.b.c = true\na.d = false", "{\"a\":{\"b\":{\"c\":true},\"d\":false}}" },
    { "\"a b\".'c\"d' = ''", "{\"a b\":{\"c\\\"d\":\"\"}}" },
    { "1234 = 'digits'\n- = 1\n_ = 2", "{\"1234\":\"digits\",\"-\":1,\"_\":2}" },
    { "[a]\nb=1\n[a.c]\nd=2\n[e]", "{\"a\":{\"b\":1,\"c\":{\"d\":2}},\"e\":{}}" },
    { "[a.b]\n[a]\nc=1", "{\"a\":{\"b\":{},\"c\":1}}" },
    { "[[a]]\nb=1\n[[a]]\n[a.c]\nd=1", "{\"a\":[{\"b\":1},{\"c\":{\"d\":1}}]}" },
    { "[a]\nb.c = 1\n[a.b.d]\ne = 1", "{\"a\":{\"b\":{\"c\":1,\"d\":{\"e\":1}}}}" },
    { "a = [1, # one\n 2,\n]\nb=[]", "{\"a\":[1,2],\"b\":[]}" },
    { "a = { b = 1, c.d = [ { } ] }", "{\"a\":{\"b\":1,\"c\":{\"d\":[{}]}}}" },
    { "a = \"\\t\\u00e9\\U0001F600\\\"\"", "{\"a\":\"\\té😀\\\"\"}" },
    { "a = \"\\u0000\"", "{\"a\":\"\xef\xbf\xbd\"}" },
    { "a = '\\n'", "{\"a\":\"\\\\n\"}" },
    { "a = \"\"\"\r\none\\\n   \n two\"\"\"\"\"", "{\"a\":\"onetwo\\\"\\\"\"}" },
    { "a = '''\nit''s'''", "{\"a\":\"it''s\"}" },
    { "a = [0, -0, +17, 1_000, 0xDEAD_beef, 0o17, 0b101]",
      "{\"a\":[0,-0,17,1000,3735928559,15,5]}" },
    { "a = [1.0, -0.5, 1e3, 1_0.2_5E-0_2, inf, -nan]",
      "{\"a\":[1.0,-0.5,1e3,10.25e-02,\"inf\",\"-nan\"]}" },
    { "a = [9223372036854775807, -9223372036854775808]",
      "{\"a\":[9223372036854775807,-9223372036854775808]}" },
    { "a = 1979-05-27 07:32:00.999-07:00 # then\nb = 07:32:00\nc = 2000-02-29\nd=1979-05-27T07:32:00Z",
      "{\"a\":\"1979-05-27 07:32:00.999-07:00\",\"b\":\"07:32:00\",\"c\":\"2000-02-29\","
      "\"d\":\"1979-05-27T07:32:00Z\"}" },
  };
  static const Wrong wrong[] = {
    { "a", 1 },
    { "a =", 1 },
    { "= 1", 1 },
    { "a = 1 b = 2", 1 },
    { "a = 1\na = 2", 2 },
    { "a = 1\n\na.b = 2", 3 },
    { "a.b = 1\n[a]", 2 },
    { "[a]\n[a]", 2 },
    { "[a]\nb=1\n[a.b]", 3 },
    { "[a.b]\n[a]\nb.c=1", 3 },
    { "a = {b=1}\n[a.c]", 2 },
    { "a = {b=1}\na.c = 1", 2 },
    { "a = {b=1,}", 1 },
    { "a = {b=1\n}", 1 },
    { "a = []\n[[a]]", 2 },
    { "[[a]]\n[a]", 2 },
    { "[a]\n[[a]]", 2 },
    { "[a", 1 },
    { "[[a]", 1 },
    { "[]", 1 },
    { "[a]]", 1 },
    { "a..b = 1", 1 },
    { "a = \"x\ny\"", 1 },
    { "a = \"\\x\"", 1 },
    { "a = \"\\ud800\"", 1 },
    { "a = 'x", 1 },
    { "a = \"\"\"\nx", 2 },
    { "\"\"\"a\"\"\" = 1", 1 },
    { "a = 01", 1 },
    { "a = 1_", 1 },
    { "a = 1__0", 1 },
    { "a = 0x_1", 1 },
    { "a = +0x1", 1 },
    { "a = 1.", 1 },
    { "a = .5", 1 },
    { "a = 1e", 1 },
    { "a = 9223372036854775808", 1 },
    { "a = 2001-02-29", 1 },
    { "a = 24:00:00", 1 },
    { "a = True", 1 },
    { "a = word", 1 },
    { "a = [1 2]", 1 },
    { "a = [1,\n\n,2]", 3 },
    { "# a\x01", 1 },
    { "a = '\x7f'", 1 },
    { "a = 1\rb = 2", 1 },
    { "a = '\xff'", 1 },
  };

  check_pairs (pairs, G_N_ELEMENTS (pairs), GMCP_CONFIG_FORMAT_TOML);
  check_wrong (wrong, G_N_ELEMENTS (wrong), GMCP_CONFIG_FORMAT_TOML);
}

/* Built without it, the library says so. */
static gboolean
has_yaml (void)
{
#ifdef HAVE_YAML
  return TRUE;
#else
  guint line = 0;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = convert ("a: 1", GMCP_CONFIG_FORMAT_YAML, &line, &error);

  g_assert_null (json);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  return FALSE;
#endif
}

static void
test_yaml (void)
{
  static const Pair pairs[] = {
    { "", "null" },
    { "# nothing\n", "null" },
    { "---\na: 1\n...\n", "{\"a\":1}" },
    { "a:\n- b\n- 'c'\n- \"d\\n\"\n- ~\n-\n", "{\"a\":[\"b\",\"c\",\"d\\n\",null,null]}" },
    { "[true, False, TRUE, yes, on, 'true', null]",
      "[true,false,true,\"yes\",\"on\",\"true\",null]" },
    { "[0, -1, +2, 007, 0o17, 0x1F, 1_000]", "[0,-1,2,7,15,31,\"1_000\"]" },
    { "[1.5, .5, 5., -0.25e-3, 1e3, .inf, 1.2.3, '1']",
      "[1.5,0.5,5.0,-0.25e-3,1e3,\".inf\",\"1.2.3\",\"1\"]" },
    { "[+, ., e5, 0x, 1:30, 12e, -.]", "[\"+\",\".\",\"e5\",\"0x\",\"1:30\",\"12e\",\"-.\"]" },
    { "[!!str 1, !!int '2', !other x]", "[\"1\",2,\"x\"]" },
    { "1: a\ntrue: b", "{\"1\":\"a\",\"true\":\"b\"}" },
    { "a: &x {b: 1}\nc: *x", "{\"a\":{\"b\":1},\"c\":{\"b\":1}}" },
    { "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  b: 3",
      "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"b\":3,\"c\":2}}" },
    { "a: |\n  one\n  two\nb: >-\n  three\n  four",
      "{\"a\":\"one\\ntwo\\n\",\"b\":\"three four\"}" },
    { "a: \"\\0\"", "{\"a\":\"\xef\xbf\xbd\"}" },
  };
  static const Wrong wrong[] = {
    { "a: [1", 2 },          { "a: 1\na: 2", 2 },      { "a: *b", 1 },     { "a: &x [*x]", 1 },
    { "? [a]\n: 1", 1 },     { "a: 1\n---\nb: 2", 2 }, { "\ta: 1", 1 },    { "a: 1\n b: 2", 2 },
    { "a:\n  <<: text", 2 }, { "a: \"\\q\"", 1 },      { "a: '\xff'", 1 },
  };

  if (!has_yaml ())
    return;
  check_pairs (pairs, G_N_ELEMENTS (pairs), GMCP_CONFIG_FORMAT_YAML);
  check_wrong (wrong, G_N_ELEMENTS (wrong), GMCP_CONFIG_FORMAT_YAML);
}

static void
test_yaml_bombs (void)
{
  g_autoptr (GString) laughs = g_string_new ("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n");
  g_autoptr (GString) merges = g_string_new ("a: &a\n");
  g_autoptr (GString) nested = g_string_new (NULL);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  guint line = 0;

  if (!has_yaml ())
    return;

  for (guint i = 1; i < LAUGHS; i++)
    {
      g_string_append_printf (laughs, "a%u: &a%u [", i, i);
      for (guint k = 0; k < 10; k++)
        g_string_append_printf (laughs, "%s*a%u", k > 0 ? ", " : "", i - 1);
      g_string_append (laughs, "]\n");
    }
  json = convert (laughs->str, GMCP_CONFIG_FORMAT_YAML, &line, &error);
  g_assert_null (json);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_clear_error (&error);

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (merges, "  k%u: 1\n", i);
  g_string_append (merges, "b: {<<: [");
  for (guint i = 0; i < 100000; i++)
    g_string_append (merges, i > 0 ? ",*a" : "*a");
  g_string_append (merges, "]}\n");
  json = convert (merges->str, GMCP_CONFIG_FORMAT_YAML, &line, &error);
  g_assert_null (json);
  g_assert_nonnull (error);
  g_clear_error (&error);

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (nested, '[');
  for (GmcpConfigFormat format = GMCP_CONFIG_FORMAT_JSON; format <= GMCP_CONFIG_FORMAT_TOML;
       format++)
    {
      json = convert (nested->str, format, &line, &error);
      g_assert_null (json);
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
}

/* The line of the value at a JSON pointer. */
static void
check_line (const char *text, GmcpConfigFormat format, const char *pointer, guint expected)
{
  guint line = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpConfigDocument) document
    = gmcp_config_document_parse (text, strlen (text), format, &line, &error);
  GmcpJsonValue value;

  g_assert_no_error (error);
  value = gmcp_json_value_get_pointer (gmcp_json_doc_get_root (document->json), pointer);
  g_assert_true (gmcp_json_value_is_present (value));
  g_assert_cmpuint (gmcp_config_document_get_line (document, value), ==, expected);
}

static void
test_lines (void)
{
  const char *json = "{\n \"a\": [1,\n 2],\n /*\n */ \"b\": {\"c\": 3} }";
  const char *toml = "[a]\nb = 1\n\n[c]\nd = [\n1,\n2]\n[a.e]\nf = 'x'\n[[g]]\n[[g]]\nh = '''\n'''";
  const char *yaml = "a:\n  b: 1\n\nc:\n  d:\n  - 1\n  - 2\ne: {f: x,\n  g: y}\n";

  check_line (json, GMCP_CONFIG_FORMAT_JSON, "", 1);
  check_line (json, GMCP_CONFIG_FORMAT_JSON, "/a/1", 3);
  check_line (json, GMCP_CONFIG_FORMAT_JSON, "/b/c", 5);
  check_line (toml, GMCP_CONFIG_FORMAT_TOML, "/a/b", 2);
  check_line (toml, GMCP_CONFIG_FORMAT_TOML, "/c", 4);
  check_line (toml, GMCP_CONFIG_FORMAT_TOML, "/c/d/1", 7);
  check_line (toml, GMCP_CONFIG_FORMAT_TOML, "/a/e", 8);
  check_line (toml, GMCP_CONFIG_FORMAT_TOML, "/a/e/f", 9);
  check_line (toml, GMCP_CONFIG_FORMAT_TOML, "/g/1", 11);
  check_line (toml, GMCP_CONFIG_FORMAT_TOML, "/g/1/h", 12);
  if (!has_yaml ())
    return;
  check_line (yaml, GMCP_CONFIG_FORMAT_YAML, "/a", 1);
  check_line (yaml, GMCP_CONFIG_FORMAT_YAML, "/a/b", 2);
  check_line (yaml, GMCP_CONFIG_FORMAT_YAML, "/c/d", 5);
  check_line (yaml, GMCP_CONFIG_FORMAT_YAML, "/c/d/1", 7);
  check_line (yaml, GMCP_CONFIG_FORMAT_YAML, "/e/g", 9);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manager/config-formats/json", test_json);
  g_test_add_func ("/manager/config-formats/toml", test_toml);
  g_test_add_func ("/manager/config-formats/yaml", test_yaml);
  g_test_add_func ("/manager/config-formats/yaml-bombs", test_yaml_bombs);
  g_test_add_func ("/manager/config-formats/lines", test_lines);
  return g_test_run ();
}
