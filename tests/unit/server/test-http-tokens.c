/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-http-bearer-private.h"
#include "gmcp-http-rates-private.h"
#include "gmcp-http-resource-private.h"
#include "gmcp-token-line-private.h"
#include "gmcp-token-request-private.h"
#include "unit-test.h"

#define RESOURCE "https://mcp.example/mcp"

static void
test_audience (void)
{
  static const char *const same[]
    = { RESOURCE, "HTTPS://MCP.example/mcp", "https://mcp.example:443/mcp" };
  static const char *const others[] = {
    "",
    "mcp.example/mcp",
    "http://mcp.example/mcp",
    "https://mcp.example",
    "https://mcp.example/mcp/",
    "https://mcp.example/MCP",
    "https://mcp.example/mcp?x",
    "https://mcp.example/mcp#x",
    "https://mcp.example:8443/mcp",
    "https://a@mcp.example/mcp",
    "https://mcp.example.evil/mcp",
    "https://mcp.example/mcp%00",
    "urn:mcp",
  };

  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    g_assert_true (
      gmcp_http_resource_is_among (RESOURCE, (const char *const[]){ "urn:x", same[i], NULL }));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (
      gmcp_http_resource_is_among (RESOURCE, (const char *const[]){ others[i], NULL }));

  g_assert_false (gmcp_http_resource_is_among (RESOURCE, NULL));
  g_assert_false (gmcp_http_resource_is_among (NULL, same));
  g_assert_true (gmcp_http_resource_is_among (
    "https://mcp.example", (const char *const[]){ "https://mcp.example/", NULL }));
  g_assert_true (gmcp_http_resource_is_among ("urn:mcp", (const char *const[]){ "urn:mcp", NULL }));
}

static void
test_metadata_uri (void)
{
  static const struct
  {
    const char *resource;
    const char *uri;
  } cases[] = {
    { RESOURCE, "https://mcp.example/.well-known/oauth-protected-resource/mcp" },
    { "http://127.0.0.1:80/a/b", "http://127.0.0.1:80/.well-known/oauth-protected-resource/a/b" },
    { "https://mcp.example", "https://mcp.example/.well-known/oauth-protected-resource" },
    { "https://mcp.example/", "https://mcp.example/.well-known/oauth-protected-resource" },
    { "urn:mcp", NULL },
    { "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *uri = gmcp_http_resource_dup_metadata_uri (cases[i].resource);

      g_assert_cmpstr (uri, ==, cases[i].uri);
    }
}

static void
test_credentials (void)
{
  static const struct
  {
    const char *header;
    GmcpHttpCredentials credentials;
    const char *token;
  } cases[] = {
    { NULL, GMCP_HTTP_CREDENTIALS_NONE, NULL },
    { "", GMCP_HTTP_CREDENTIALS_NONE, NULL },
    { "Basic YTpi", GMCP_HTTP_CREDENTIALS_NONE, NULL },
    { "Bearertoken", GMCP_HTTP_CREDENTIALS_NONE, NULL },
    { "Bearer aZ09-._~+/==", GMCP_HTTP_CREDENTIALS_TOKEN, "aZ09-._~+/==" },
    { "bEARER   a", GMCP_HTTP_CREDENTIALS_TOKEN, "a" },
    { "Bearer", GMCP_HTTP_CREDENTIALS_MALFORMED, NULL },
    { "Bearer =", GMCP_HTTP_CREDENTIALS_MALFORMED, NULL },
    { "Bearer a=b", GMCP_HTTP_CREDENTIALS_MALFORMED, NULL },
    { "Bearer a b", GMCP_HTTP_CREDENTIALS_MALFORMED, NULL },
    { "Bearer a\"", GMCP_HTTP_CREDENTIALS_MALFORMED, NULL },
    { "Bearer a, Bearer a", GMCP_HTTP_CREDENTIALS_MALFORMED, NULL },
    { "Basic YTpi, Bearer a", GMCP_HTTP_CREDENTIALS_MALFORMED, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *token = NULL;

      g_assert_cmpint (gmcp_http_bearer_read (cases[i].header, &token), ==, cases[i].credentials);
      g_assert_cmpstr (token, ==, cases[i].token);
    }
}

static void
test_rates (void)
{
  g_autoptr (GmcpHttpRates) rates = gmcp_http_rates_new ();

  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (gmcp_http_rates_take (rates, "ann", 3, 600000), ==, 0);
  g_assert_cmpuint (gmcp_http_rates_take (rates, "ann", 3, 600000), >, 190000);
  g_assert_cmpuint (gmcp_http_rates_peek (rates, "ann", 3, 600000), <=, 200000);
  g_assert_cmpuint (gmcp_http_rates_peek (rates, "ben", 3, 600000), ==, 0);
  g_assert_cmpuint (gmcp_http_rates_take (rates, "ann", 0, 600000), ==, 0);

  /* However many there are, no more are kept than may be. */
  for (guint i = 0; i < 30000; i++)
    {
      g_autofree char *name = g_strdup_printf ("peer %u", i);

      g_assert_cmpuint (gmcp_http_rates_take (rates, name, 1, 600000), ==, 0);
    }
}

static void
test_lines (void)
{
  static const char *const scopes[] = { "tasks:read", "not a scope", "tasks:write", NULL };
  g_autofree char *token = NULL;
  g_autofree char *other_token = NULL;
  g_autofree char *text = NULL;
  g_autofree char *id = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTokenLine) line = gmcp_token_line_new ("ann", scopes, 1000000000, &token);
  g_autoptr (GmcpTokenLine) other = gmcp_token_line_new ("ann", NULL, 0, &other_token);
  g_autoptr (GmcpTokenLine) read = NULL;

  text = gmcp_token_line_to_text (line);
  g_assert_null (strstr (text, strrchr (token, '_') + 1));
  read = gmcp_token_line_parse (text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (read->user, ==, "ann");
  g_assert_cmpint (read->expires_s, ==, 1000000000);
  g_assert_cmpuint (g_strv_length (read->scopes), ==, 2);
  g_assert_true (gmcp_token_line_is_of (read, token));
  g_assert_false (gmcp_token_line_is_of (read, other_token));
  g_assert_cmpstr (line->id, !=, other->id);

  id = gmcp_token_line_dup_id (token);
  g_assert_cmpstr (id, ==, line->id);
  g_assert_null (gmcp_token_line_dup_id ("gmcp_"));
  g_assert_null (gmcp_token_line_dup_id (text));
}

static guint n_answers;
static GmcpTokenVerdict last_verdict;

static void
on_answered (GmcpTokenVerdict verdict, GmcpTokenGrant *grant, gpointer user)
{
  last_verdict = verdict;
  g_assert_cmpstr (grant != NULL ? grant->user : NULL, ==, user);
  n_answers++;
}

/* Answered once, whatever its handler does, and not at all where nobody waits. */
static void
test_requests (void)
{
  g_autoptr (GCancellable) cancellable = NULL;
  GmcpTokenRequest *request
    = gmcp_token_request_new ("secret", RESOURCE, on_answered, (gpointer) "ann");

  n_answers = 0;
  g_assert_cmpstr (gmcp_token_request_get_token (request), ==, "secret");
  gmcp_token_request_accept (request, "ann", NULL, NULL, 0);
  gmcp_token_request_accept (request, "ben", NULL, NULL, 0);
  gmcp_token_request_refuse (request);
  g_assert_null (gmcp_token_request_get_token (request));
  g_assert_false (gmcp_token_request_is_open (request));
  g_assert_finalize_object (request);
  g_assert_cmpuint (n_answers, ==, 1);
  g_assert_cmpint (last_verdict, ==, GMCP_TOKEN_ACCEPTED);

  request = gmcp_token_request_new ("secret", RESOURCE, on_answered, NULL);
  g_assert_finalize_object (request);
  g_assert_cmpuint (n_answers, ==, 2);
  g_assert_cmpint (last_verdict, ==, GMCP_TOKEN_REFUSED);

  request = gmcp_token_request_new ("secret", RESOURCE, on_answered, NULL);
  gmcp_token_request_accept (request, "two\nlines", NULL, NULL, 0);
  g_assert_finalize_object (request);
  g_assert_cmpuint (n_answers, ==, 3);
  g_assert_cmpint (last_verdict, ==, GMCP_TOKEN_REFUSED);

  request = gmcp_token_request_new ("secret", RESOURCE, on_answered, NULL);
  gmcp_token_request_fail (request);
  gmcp_token_request_refuse (request);
  g_assert_finalize_object (request);
  g_assert_cmpuint (n_answers, ==, 4);
  g_assert_cmpint (last_verdict, ==, GMCP_TOKEN_NOT_VERIFIED);

  request = gmcp_token_request_new ("secret", RESOURCE, on_answered, NULL);
  cancellable = g_object_ref (gmcp_token_request_get_cancellable (request));
  g_assert_false (g_cancellable_is_cancelled (cancellable));
  gmcp_token_request_abandon (request);
  g_assert_true (g_cancellable_is_cancelled (cancellable));
  gmcp_token_request_accept (request, "ann", NULL, NULL, 0);
  g_assert_finalize_object (request);
  g_assert_cmpuint (n_answers, ==, 4);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/server/http/audience", test_audience);
  g_test_add_func ("/server/http/metadata-uri", test_metadata_uri);
  g_test_add_func ("/server/http/credentials", test_credentials);
  g_test_add_func ("/server/http/rates", test_rates);
  g_test_add_func ("/server/http/token-lines", test_lines);
  g_test_add_func ("/server/http/token-requests", test_requests);

  return g_test_run ();
}
