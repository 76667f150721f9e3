/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-uri-template-private.h"

#include <string.h>

#include "gmcp-limits.h"
#include "memory-peak.h"
#include "unit-test.h"

typedef struct
{
  const char *uri_template;
  const char *expected;
} Example;

/* The values that the examples of RFC 6570, section 3.2, are given for. */
static const char variables[]
  = "{\"count\":[\"one\",\"two\",\"three\"],\"dom\":[\"example\",\"com\"],\"dub\":\"me/too\","
    "\"hello\":\"Hello World!\",\"half\":\"50%\",\"var\":\"value\",\"who\":\"fred\","
    "\"base\":\"http://example.com/home/\",\"path\":\"/foo/bar\","
    "\"list\":[\"red\",\"green\",\"blue\"],"
    "\"keys\":{\"semi\":\";\",\"dot\":\".\",\"comma\":\",\"},\"v\":\"6\",\"x\":\"1024\","
    "\"y\":\"768\",\"empty\":\"\",\"empty_keys\":{},\"undef\":null}";

static const Example rfc_examples[] = {
  /* 3.2.1 */
  { "{count}", "one,two,three" },
  { "{count*}", "one,two,three" },
  { "{/count}", "/one,two,three" },
  { "{/count*}", "/one/two/three" },
  { "{;count}", ";count=one,two,three" },
  { "{;count*}", ";count=one;count=two;count=three" },
  { "{?count}", "?count=one,two,three" },
  { "{?count*}", "?count=one&count=two&count=three" },
  { "{&count*}", "&count=one&count=two&count=three" },
  /* 3.2.2 */
  { "{var}", "value" },
  { "{hello}", "Hello%20World%21" },
  { "{half}", "50%25" },
  { "O{empty}X", "OX" },
  { "O{undef}X", "OX" },
  { "{x,y}", "1024,768" },
  { "{x,hello,y}", "1024,Hello%20World%21,768" },
  { "?{x,empty}", "?1024," },
  { "?{x,undef}", "?1024" },
  { "?{undef,y}", "?768" },
  { "{var:3}", "val" },
  { "{var:30}", "value" },
  { "{list}", "red,green,blue" },
  { "{list*}", "red,green,blue" },
  { "{keys}", "semi,%3B,dot,.,comma,%2C" },
  { "{keys*}", "semi=%3B,dot=.,comma=%2C" },
  /* 3.2.3 */
  { "{+var}", "value" },
  { "{+hello}", "Hello%20World!" },
  { "{+half}", "50%25" },
  { "{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex" },
  { "{+base}index", "http://example.com/home/index" },
  { "O{+empty}X", "OX" },
  { "O{+undef}X", "OX" },
  { "{+path}/here", "/foo/bar/here" },
  { "here?ref={+path}", "here?ref=/foo/bar" },
  { "up{+path}{var}/here", "up/foo/barvalue/here" },
  { "{+x,hello,y}", "1024,Hello%20World!,768" },
  { "{+path,x}/here", "/foo/bar,1024/here" },
  { "{+path:6}/here", "/foo/b/here" },
  { "{+list}", "red,green,blue" },
  { "{+list*}", "red,green,blue" },
  { "{+keys}", "semi,;,dot,.,comma,," },
  { "{+keys*}", "semi=;,dot=.,comma=," },
  /* 3.2.4 */
  { "{#var}", "#value" },
  { "{#hello}", "#Hello%20World!" },
  { "{#half}", "#50%25" },
  { "foo{#empty}", "foo#" },
  { "foo{#undef}", "foo" },
  { "{#x,hello,y}", "#1024,Hello%20World!,768" },
  { "{#path,x}/here", "#/foo/bar,1024/here" },
  { "{#path:6}/here", "#/foo/b/here" },
  { "{#list}", "#red,green,blue" },
  { "{#list*}", "#red,green,blue" },
  { "{#keys}", "#semi,;,dot,.,comma,," },
  { "{#keys*}", "#semi=;,dot=.,comma=," },
  /* 3.2.5 */
  { "{.who}", ".fred" },
  { "{.who,who}", ".fred.fred" },
  { "{.half,who}", ".50%25.fred" },
  { "www{.dom*}", "www.example.com" },
  { "X{.var}", "X.value" },
  { "X{.empty}", "X." },
  { "X{.undef}", "X" },
  { "X{.var:3}", "X.val" },
  { "X{.list}", "X.red,green,blue" },
  { "X{.list*}", "X.red.green.blue" },
  { "X{.keys}", "X.semi,%3B,dot,.,comma,%2C" },
  { "X{.keys*}", "X.semi=%3B.dot=..comma=%2C" },
  { "X{.empty_keys}", "X" },
  { "X{.empty_keys*}", "X" },
  /* 3.2.6 */
  { "{/who}", "/fred" },
  { "{/who,who}", "/fred/fred" },
  { "{/half,who}", "/50%25/fred" },
  { "{/who,dub}", "/fred/me%2Ftoo" },
  { "{/var}", "/value" },
  { "{/var,empty}", "/value/" },
  { "{/var,undef}", "/value" },
  { "{/var,x}/here", "/value/1024/here" },
  { "{/var:1,var}", "/v/value" },
  { "{/list}", "/red,green,blue" },
  { "{/list*}", "/red/green/blue" },
  { "{/list*,path:4}", "/red/green/blue/%2Ffoo" },
  { "{/keys}", "/semi,%3B,dot,.,comma,%2C" },
  { "{/keys*}", "/semi=%3B/dot=./comma=%2C" },
  /* 3.2.7 */
  { "{;who}", ";who=fred" },
  { "{;half}", ";half=50%25" },
  { "{;empty}", ";empty" },
  { "{;v,empty,who}", ";v=6;empty;who=fred" },
  { "{;v,bar,who}", ";v=6;who=fred" },
  { "{;x,y}", ";x=1024;y=768" },
  { "{;x,y,empty}", ";x=1024;y=768;empty" },
  { "{;x,y,undef}", ";x=1024;y=768" },
  { "{;hello:5}", ";hello=Hello" },
  { "{;list}", ";list=red,green,blue" },
  { "{;list*}", ";list=red;list=green;list=blue" },
  { "{;keys}", ";keys=semi,%3B,dot,.,comma,%2C" },
  { "{;keys*}", ";semi=%3B;dot=.;comma=%2C" },
  /* 3.2.8 */
  { "{?who}", "?who=fred" },
  { "{?half}", "?half=50%25" },
  { "{?x,y}", "?x=1024&y=768" },
  { "{?x,y,empty}", "?x=1024&y=768&empty=" },
  { "{?x,y,undef}", "?x=1024&y=768" },
  { "{?var:3}", "?var=val" },
  { "{?list}", "?list=red,green,blue" },
  { "{?list*}", "?list=red&list=green&list=blue" },
  { "{?keys}", "?keys=semi,%3B,dot,.,comma,%2C" },
  { "{?keys*}", "?semi=%3B&dot=.&comma=%2C" },
  /* 3.2.9 */
  { "{&who}", "&who=fred" },
  { "{&half}", "&half=50%25" },
  { "?fixed=yes{&x}", "?fixed=yes&x=1024" },
  { "{&x,y,empty}", "&x=1024&y=768&empty=" },
  { "{&x,y,undef}", "&x=1024&y=768" },
  { "{&var:3}", "&var=val" },
  { "{&list}", "&list=red,green,blue" },
  { "{&list*}", "&list=red&list=green&list=blue" },
  { "{&keys}", "&keys=semi,%3B,dot,.,comma,%2C" },
  { "{&keys*}", "&semi=%3B&dot=.&comma=%2C" },
};

static char *
expand (const char *uri_template, const char *values, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (values, strlen (values), NULL, 0, NULL);

  g_assert_nonnull (doc);
  return gmcp_uri_template_expand (uri_template, gmcp_json_doc_get_root (doc), error);
}

static void
assert_expands (const char *uri_template, const char *values, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = expand (uri_template, values, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (uri, ==, expected);
}

static void
test_rfc (void)
{
  g_test_summary ("the examples of RFC 6570, section 3.2, all four levels");

  for (guint i = 0; i < G_N_ELEMENTS (rfc_examples); i++)
    assert_expands (rfc_examples[i].uri_template, variables, rfc_examples[i].expected);
}

static void
test_values (void)
{
  assert_expands ("", "{}", "");
  assert_expands ("plain", "{}", "plain");
  /* What a URI cannot hold as it is. */
  assert_expands ("a b%20c%zzü\"<>", "{}", "a%20b%20c%25zz%C3%BC%22%3C%3E");
  assert_expands ("{a}", "{\"a\":\"äö€𝄞\"}", "%C3%A4%C3%B6%E2%82%AC%F0%9D%84%9E");
  /* A prefix counts characters, not bytes, and cuts no triplet. */
  assert_expands ("{a:2}", "{\"a\":\"äö€𝄞\"}", "%C3%A4%C3%B6");
  assert_expands ("{+a:2}", "{\"a\":\"%41%42%43\"}", "%41%42");
  assert_expands ("{a:2}", "{\"a\":\"%41%42%43\"}", "%254");
  assert_expands ("{a:9999}", "{\"a\":\"x\"}", "x");
  /* Numbers as they are written. */
  assert_expands ("{n}/{b}{?l*}", "{\"n\":1.50,\"b\":true,\"l\":[0,false,\"\",null]}",
                  "1.50/true?l=0&l=false&l=");
  assert_expands ("{?l*}{;m*}", "{\"l\":{\"a\":\"\",\"b\":null},\"m\":{\"c\":\"\"}}", "?a=;c");
  assert_expands ("{a*}", "{\"a\":{\"b\":\"\"}}", "b=");
  assert_expands ("{?l}", "{\"l\":[\"\"]}", "?l=");
  assert_expands ("{?l,m}", "{\"l\":[null],\"m\":[]}", "");
  /* A value cannot become more than a value, nor a name more than a name. */
  assert_expands ("/x{?a,b*}", "{\"a\":\"1&c=2#\",\"b\":{\"k&d\":\"=\"}}",
                  "/x?a=1%26c%3D2%23&k%26d=%3D");
  assert_expands ("{a.b_c%20d}", "{\"a.b_c%20d\":\"1\"}", "1");
}

static void
test_invalid (void)
{
  static const char *const invalid[] = {
    "{",
    "}",
    "{}",
    "a{b",
    "a}b",
    "{a}}",
    "{{a}}",
    "{/id*",
    "/id*}",
    "{/?id}",
    "{var:prefix}",
    "{hello:2*}",
    "{??hello}",
    "{!hello}",
    "{=path}",
    "{$var}",
    "{|var*}",
    "{*keys?}",
    "{a b}",
    "{ a}",
    "{a }",
    "{a,}",
    "{,a}",
    "{a,,b}",
    "{a.}",
    "{.a.}",
    "{a..b}",
    "{a:}",
    "{a:0}",
    "{a:01}",
    "{a:10000}",
    "{a:-1}",
    "{a%2}",
    "{a-b}",
    "{?a=1}",
    "{~thing}",
    "{a:1:2}",
    "{a**}",
    "{?empty|foo=none}",
    "?q={a}&amp;c={example:color?}",
    "{-join|&|var,list}",
    "{a\n}",
    "{ä}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (expand (invalid[i], variables, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "at byte"));
      g_clear_error (&error);
      g_assert_null (gmcp_uri_template_list_variables (invalid[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_invalid_values (void)
{
  static const Example invalid[] = {
    { "{keys:1}", NULL },
    { "{+keys:1}", NULL },
    { "{list:2}", NULL },
    { "{a}", "{\"a\":[[1]]}" },
    { "{a*}", "{\"a\":[{\"b\":1}]}" },
    { "{?a*}", "{\"a\":{\"b\":[1]}}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (expand (invalid[i].uri_template,
                             invalid[i].expected != NULL ? invalid[i].expected : variables,
                             &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_limits (void)
{
  g_autofree char *longest = g_strnfill (GMCP_LIMIT_URI_TEMPLATE_BYTES, 'a');
  g_autofree char *longer = g_strnfill (GMCP_LIMIT_URI_TEMPLATE_BYTES + 1, 'a');
  g_autofree char *value = g_strnfill (GMCP_LIMIT_URI_BYTES / 3, ' ');
  g_autofree char *values = g_strdup_printf ("{\"a\":\"%s\"}", value);
  g_autofree char *uri = NULL;
  g_autoptr (GError) error = NULL;

  uri = expand (longest, "{}", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (uri, ==, longest);
  g_assert_null (expand (longer, "{}", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_clear_error (&error);
  g_assert_null (expand ("{a}{a}", values, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
assert_too_large (const char *uri_template, const char *values)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (expand (uri_template, values, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
test_growth (void)
{
  g_autofree char *name = g_strnfill (60000, 'n');
  g_autofree char *key = g_strnfill (100000, 'k');
  g_autofree char *exploded = g_strdup_printf ("{?%s*}", name);
  g_autofree char *one_long_key = g_strdup_printf ("{\"a\":{\"%s\":\"\"}}", key);
  g_autofree char *large = g_strnfill (8 * 1024 * 1024, 'v');
  g_autofree char *large_value = g_strdup_printf ("{\"a\":\"%s\"}", large);
  g_autoptr (GString) list = g_string_new (NULL);
  g_autoptr (GString) many = g_string_new (NULL);
  g_autoptr (GString) nulls = g_string_new ("{\"a\":[null");
  guint64 before;

  g_test_summary ("what a template would make of its values is limited while it grows");
  g_string_append_printf (list, "{\"%s\":[\"\"", name);
  for (guint i = 0; i < 40000; i++)
    g_string_append (list, ",0");
  g_string_append (list, "]}");
  for (guint i = 0; i < 10000; i++)
    g_string_append (many, "{a*}");
  for (guint i = 0; i < 40000; i++)
    g_string_append (nulls, ",null");
  g_string_append (nulls, "]}");

  before = memory_reset_peak ();
  /* 60,000 bytes of a name for each of 40,000 members. */
  assert_too_large (exploded, list->str);
  /* The same name of a pair, and the same empty list, 10,000 times. */
  assert_too_large (many->str, one_long_key);
  assert_too_large (many->str, nulls->str);
  /* Only the beginning of a value counts, and it is read each time. */
  assert_too_large ("{a:1}{a:1}{a:1}", large_value);
  memory_assert_peak (before, 100);
}

static void
test_variables (void)
{
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) none = NULL;
  g_autoptr (GError) error = NULL;
  const char *const expected[] = { "owner", "repo", "path", "ref", NULL };

  names = gmcp_uri_template_list_variables ("repo://{owner}/{repo}{/path*}{?ref:9,owner}", &error);
  g_assert_no_error (error);
  g_assert_true (g_strv_equal ((const char *const *) names, expected));
  none = gmcp_uri_template_list_variables ("file:///x", &error);
  g_assert_no_error (error);
  g_assert_null (none[0]);
}

typedef struct
{
  const char *uri_template;
  const char *uri;
  const char *expected; /* NULL where it is not of the template */
} Match;

static const Match matches[] = {
  { "note://{id}", "note://7", "id=7" },
  { "note://{id}", "note://", "id=" },
  { "note://{id}", "note://a%20b%2Fc", "id=a b/c" },
  { "note://{id}", "note://\303\244", "id=\303\244" },
  { "note://{id}", "note://a/b", NULL },
  { "note://{id}", "note:/7", NULL },
  { "note://{id}", "note://7\n", NULL },
  { "note://{id}", "note://%FF", NULL },
  { "note://{id}", "note://%00", NULL },
  { "note://{id}", "note://%2", NULL },
  { "a.b", "a.b", "" },
  { "a.b", "axb", NULL },
  { "\303\244/{x}", "%C3%A4/1", "x=1" },
  { "file:///{+path}", "file:///home/me/a.txt", "path=home/me/a.txt" },
  { "file:///{+path}.md", "file:///a/b.md", "path=a/b" },
  { "{user}/{repo}/issues/{number}", "a/b/issues/3", "number=3 repo=b user=a" },
  { "{x,y}", "1024,768", "x=1024 y=768" },
  { "{x,y}", "1024", "x=1024" },
  { "X{.x,y}", "X.1024.768", "x=1024 y=768" },
  { "{/x,y}/here", "/1/2/here", "x=1 y=2" },
  { "{;x,empty}", ";x=1;empty", "empty= x=1" },
  { "{;ab}", ";abc=1", NULL },
  { "s{?x,y}", "s?x=1&y=2", "x=1 y=2" },
  { "s{?x,y}", "s?y=2", "y=2" },
  { "s{?x,y}", "s", "" },
  { "s{?x}", "s?z=1", NULL },
  { "s?f=1{&x}", "s?f=1&x=2", "x=2" },
  { "p{#part}", "p#one/two", "part=one/two" },
  { "{x}-{x}", "1-1", "x=1" },
  { "{x}-{x}", "1-2", NULL },
  { "{x:3}", "abc", NULL },
  { "{/x*}", "/a/b", NULL },
  { "{x", "{x", NULL },
};

/* "name=value", by the names, with spaces between. */
static char *
describe_values (GHashTable *values)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (values), (GCompareFunc) strcmp);
  GString *text = g_string_new (NULL);

  for (GList *item = names; item != NULL; item = item->next)
    g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " " : "", (char *) item->data,
                            (char *) g_hash_table_lookup (values, item->data));
  return g_string_free (text, FALSE);
}

static void
test_match (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (matches); i++)
    {
      const Match *match = &matches[i];
      g_autoptr (GHashTable) values = gmcp_uri_template_match (match->uri_template, match->uri);
      g_autofree char *text = values != NULL ? describe_values (values) : NULL;

      g_test_message ("%s and %s", match->uri_template, match->uri);
      g_assert_cmpstr (text, ==, match->expected);
    }
}

/* Any address may be asked for: one with very many ways is given up. */
static void
test_match_many_ways (void)
{
  g_autofree char *uri = g_strnfill (100000, 'a');
  g_autoptr (GHashTable) values = gmcp_uri_template_match ("{+a}{+b}{+c}{+d}/", uri);

  g_assert_null (values);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/protocol/uri-template/rfc", test_rfc);
  g_test_add_func ("/protocol/uri-template/values", test_values);
  g_test_add_func ("/protocol/uri-template/invalid", test_invalid);
  g_test_add_func ("/protocol/uri-template/invalid-values", test_invalid_values);
  g_test_add_func ("/protocol/uri-template/limits", test_limits);
  g_test_add_func ("/protocol/uri-template/growth", test_growth);
  g_test_add_func ("/protocol/uri-template/variables", test_variables);

  g_test_add_func ("/protocol/uri-template/match", test_match);
  g_test_add_func ("/protocol/uri-template/match-many-ways", test_match_many_ways);
  return g_test_run ();
}
