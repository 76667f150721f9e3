/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-http-challenge-private.h"
#include "gmcp-http-request-private.h"
#include "gmcp-http-url-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

static char *
describe_challenges (const char *field)
{
  g_autoptr (GPtrArray) challenges = gmcp_http_challenges_parse (field);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < challenges->len; i++)
    {
      const GmcpHttpChallenge *challenge = g_ptr_array_index (challenges, i);
      GList *names
        = g_list_sort (g_hash_table_get_keys (challenge->params), (GCompareFunc) g_strcmp0);

      g_string_append_printf (out, "%s%s", i > 0 ? ";" : "", challenge->scheme);
      if (challenge->token != NULL)
        g_string_append_printf (out, " %s", challenge->token);
      for (GList *name = names; name != NULL; name = name->next)
        g_string_append_printf (out, " %s=[%s]", (const char *) name->data,
                                (const char *) g_hash_table_lookup (challenge->params, name->data));
      g_list_free (names);
    }
  return g_string_free (out, FALSE);
}

static void
test_challenges (void)
{
  static const struct
  {
    const char *field;
    const char *expected;
  } cases[] = {
    { "", "" },
    { " , ,", "" },
    { "Bearer", "Bearer" },
    { "Bearer realm=\"x\"", "Bearer realm=[x]" },
    { "bearer Realm = \"a \\\"b\\\" \\\\c\", scope=\"r w\"",
      "bearer realm=[a \"b\" \\c] scope=[r w]" },
    { "Bearer error=insufficient_scope,resource_metadata=https://a/b?c=d",
      "Bearer error=[insufficient_scope] resource_metadata=[https://a/b?c=d]" },
    { "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
      "Newauth realm=[apps] title=[Login to \"apps\"] type=[1];Basic realm=[simple]" },
    { "Negotiate, Bearer scope=\"a, b\"", "Negotiate;Bearer scope=[a, b]" },
    { "Negotiate YWJj==, Bearer a=b", "Negotiate YWJj==;Bearer a=[b]" },
    { "NTLM abc, Basic realm=\"x\"", "NTLM abc;Basic realm=[x]" },
    { "Bearer a=1, a=2", "Bearer a=[1]" },
    { "Bearer realm=\"not ended", "Bearer realm=[not ended]" },
    { "Bearer realm=\"x\\", "Bearer realm=[x\\]" },
    { "Bearer a=\"1\" junk, b=2", "Bearer a=[1] b=[2]" },
    { "\"quoted, Basic x\", Bearer a=b", "Bearer a=[b]" },
    { "=, Bearer a=b", "Bearer a=[b]" },
    { "Bearer a=\xff", "Bearer a=[\xEF\xBF\xBD]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *out = describe_challenges (cases[i].field);

      g_assert_cmpstr (out, ==, cases[i].expected);
    }
}

static void
test_challenges_find (void)
{
  g_autoptr (GPtrArray) challenges = gmcp_http_challenges_parse ("Basic, BEARER a=1, Bearer a=2");
  const GmcpHttpChallenge *challenge = gmcp_http_challenges_find (challenges, "Bearer");

  g_assert_cmpstr (g_hash_table_lookup (challenge->params, "a"), ==, "1");
  g_assert_null (gmcp_http_challenges_find (challenges, "Digest"));
}

static void
test_challenges_limits (void)
{
  g_autoptr (GString) field = g_string_new (NULL);
  g_autoptr (GPtrArray) challenges = NULL;
  g_autoptr (GPtrArray) params = NULL;
  const GmcpHttpChallenge *challenge;

  for (guint i = 0; i < 100000; i++)
    g_string_append (field, "A,");
  challenges = gmcp_http_challenges_parse (field->str);
  g_assert_cmpuint (challenges->len, ==, GMCP_LIMIT_CHALLENGES);

  g_string_assign (field, "Bearer ");
  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (field, "p%u=1,", i);
  params = gmcp_http_challenges_parse (field->str);
  challenge = g_ptr_array_index (params, 0);
  g_assert_cmpuint (g_hash_table_size (challenge->params), ==, GMCP_LIMIT_CHALLENGE_PARAMS);
}

static void
test_url (void)
{
  static const struct
  {
    const char *text;
    const char *uri;
    const char *socket;
    const char *user;
    const char *display;
  } cases[] = {
    { "http://a", "http://a/", NULL, NULL, "http://a/" },
    { "HTTPS://a:1/b?c=d#e", "https://a:1/b?c=d", NULL, NULL, "https://a:1/b" },
    { "http://[::1]:81/", "http://[::1]:81/", NULL, NULL, "http://[::1]:81/" },
    { "http://u:p%40w@a/b", "http://a/b", NULL, "u:p@w", "http://a/b" },
    { "http://u@a/", "http://a/", NULL, "u:", "http://a/" },
    { "http://a/b%2Fc%C3%A9", "http://a/b%2Fc%C3%A9", NULL, NULL, "http://a/b%2Fc%C3%A9" },
    { "unix:///run/s%20t.sock#/m?k=v", "http://localhost/m?k=v", "/run/s t.sock", NULL,
      "unix:///run/s t.sock#/m" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpHttpUrl) url = gmcp_http_url_parse (cases[i].text, &error);
      g_autofree char *uri = NULL;

      g_assert_no_error (error);
      uri = g_uri_to_string (url->uri);
      g_assert_cmpstr (uri, ==, cases[i].uri);
      g_assert_cmpstr (url->socket, ==, cases[i].socket);
      g_assert_cmpstr (url->user, ==, cases[i].user);
      g_assert_cmpstr (url->display, ==, cases[i].display);
    }
}

static void
test_bad_url (void)
{
  static const char *const cases[] = {
    "",
    "a",
    "ftp://a/",
    "http:",
    "http:a",
    "http:///a",
    "http://a;b",
    "http://a:80b",
    "http://[::1]b",
    "http://[::1",
    "unix:///run/x",
    "unix:///run/x#y",
    "unix://#/y",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i]);
      g_assert_null (gmcp_http_url_parse (cases[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
    }
}

static void
test_origin (void)
{
  static const struct
  {
    const char *a;
    const char *b;
    gboolean same;
  } cases[] = {
    { "http://a/x", "http://A:80/y?z", TRUE },   { "https://a/", "https://a:443/", TRUE },
    { "http://a/", "https://a/", FALSE },        { "http://a/", "http://a:81/", FALSE },
    { "http://a/", "http://a.example/", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpHttpUrl) a = gmcp_http_url_parse (cases[i].a, NULL);
      g_autoptr (GmcpHttpUrl) b = gmcp_http_url_parse (cases[i].b, NULL);

      g_assert_cmpint (gmcp_http_uri_is_same_origin (a->uri, b->uri), ==, cases[i].same);
    }
}

static void
test_headers (void)
{
  g_assert_true (gmcp_http_header_is_valid ("X-A", "b c\td \xC3\xA9"));
  g_assert_true (gmcp_http_header_is_valid ("X-A", ""));
  g_assert_false (gmcp_http_header_is_valid ("", "b"));
  g_assert_false (gmcp_http_header_is_valid ("X A", "b"));
  g_assert_false (gmcp_http_header_is_valid ("X:A", "b"));
  g_assert_false (gmcp_http_header_is_valid ("X\xC3\xA9", "b"));
  g_assert_false (gmcp_http_header_is_valid ("X", "b\r\nc: d"));
  g_assert_false (gmcp_http_header_is_valid ("X", "b\x7f"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/http/challenges/parse", test_challenges);
  g_test_add_func ("/http/challenges/find", test_challenges_find);
  g_test_add_func ("/http/challenges/limits", test_challenges_limits);
  g_test_add_func ("/http/url/parse", test_url);
  g_test_add_func ("/http/url/bad", test_bad_url);
  g_test_add_func ("/http/url/origin", test_origin);
  g_test_add_func ("/http/headers", test_headers);

  return g_test_run ();
}
