/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-http-address-private.h"
#include "gmcp-http-redirect-private.h"
#include "http-fixture.h"
#include "unit-test.h"

static void
test_follow (void)
{
  static const struct
  {
    const char *from;
    const char *method;
    guint status;
    const char *location;
    const char *to; /* NULL where it is not followed */
  } cases[] = {
    { "http://a/b/c?k=secret", "POST", 307, "d", "http://a/b/d" },
    { "http://a/b/c", "POST", 308, "/d?e#f", "http://a/d?e" },
    { "http://a/", "POST", 307, "http://A:80/c", "http://A/c" },
    { "http://a/", "POST", 301, "/b", NULL },
    { "http://a/", "POST", 302, "/b", NULL },
    { "http://a/", "POST", 303, "/b", NULL },
    { "http://a/", "DELETE", 302, "/b", NULL },
    { "http://a/", "GET", 302, "/b", "http://a/b" },
    { "http://a/", "GET", 303, "/b", "http://a/b" },
    { "https://a/", "GET", 302, "http://a/", NULL },
    { "https://a/", "POST", 307, "http://a/", NULL },
    { "http://a/", "GET", 302, "file:///etc/passwd", NULL },
    { "http://a/", "GET", 302, "ftp://b/", NULL },
    { "http://a/", "GET", 302, "unix:///run/x#/y", NULL },
    { "http://a/", "GET", 302, "javascript:alert(1)", NULL },
    { "http://a/", "GET", 302, "http://", NULL },
    { "http://a/", "GET", 302, NULL, NULL },
    /* Other origins, by name, by port, by scheme, in the ways that fool a comparison of text. */
    { "http://a/", "POST", 307, "//b/c", NULL },
    { "http://a/", "POST", 307, "//a:8080/c", NULL },
    { "http://a/", "POST", 308, "https://a/", NULL },
    { "http://a/", "GET", 302, "http://u:p@b/", NULL },
    { "http://a/", "GET", 302, "http://a@b/", NULL },
    { "http://a/", "GET", 302, "http://a.b/", NULL },
    { "http://a/", "GET", 302, "\\\\b/c", "http://a/\\\\b/c" },
    { "http://a/", "DELETE", 307, "http://b/", NULL },
    /* One that is allowed. */
    { "http://a/", "POST", 307, "https://allowed.example/x", "https://allowed.example/x" },
    { "https://allowed.example/x", "POST", 307, "y", "https://allowed.example/y" },
    { "https://allowed.example/x", "POST", 307, "https://b/", NULL },
    { "http://a/", "POST", 307, "http://allowed.example/x", NULL },
    { "http://a/", "POST", 307, "http://sub.allowed.example/x", NULL },
    /* Addresses that are written as such. */
    { "http://a/", "POST", 307, "http://10.0.0.7:8080/x", "http://10.0.0.7:8080/x" },
    { "http://a/", "POST", 307, "http://10.0.0.7/x", NULL },
    { "http://a/", "POST", 307, "http://[::ffff:10.0.0.7]:8080/x", NULL },
  };
  static const char *const allowed[] = { "https://allowed.example", "http://10.0.0.7:8080/", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpHttpUrl) home = gmcp_http_url_parse (
        g_str_has_prefix (cases[i].from, "https://allowed") ? "http://a/" : cases[i].from, NULL);
      g_autoptr (GmcpHttpUrl) from = gmcp_http_url_parse (cases[i].from, NULL);
      g_autoptr (GmcpHttpRedirectRule) rule
        = gmcp_http_redirect_rule_new (home->uri, allowed, &error);
      g_autoptr (GUri) to = NULL;
      g_autofree char *text = NULL;

      g_assert_no_error (error);
      to = gmcp_http_redirect_rule_follow (rule, GMCP_HTTP_REDIRECT_MESSAGE, from->uri,
                                           cases[i].method, cases[i].status, cases[i].location,
                                           &error);
      text = to != NULL ? g_uri_to_string (to) : NULL;
      g_test_message ("%s %s", cases[i].from, cases[i].location);
      g_assert_cmpstr (text, ==, cases[i].to);
      if (to == NULL)
        {
          g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
          g_assert_null (strstr (error->message, "secret"));
        }
    }
}

static void
test_documents (void)
{
  static const struct
  {
    const char *location;
    gboolean followed;
  } cases[] = {
    { "https://b/", TRUE },          { "https://127.0.0.1/", FALSE },
    { "https://[fe80::1]/", FALSE }, { "https://169.254.169.254/latest/meta-data", FALSE },
    { "http://b/", FALSE },
  };
  g_autoptr (GmcpHttpUrl) home = gmcp_http_url_parse ("https://a/", NULL);
  g_autoptr (GmcpHttpRedirectRule) rule = gmcp_http_redirect_rule_new (home->uri, NULL, NULL);

  g_test_summary ("what holds nothing of the user's may be read anywhere on the internet");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GUri) to = gmcp_http_redirect_rule_follow (
        rule, GMCP_HTTP_REDIRECT_DOCUMENT, home->uri, "GET", 302, cases[i].location, &error);

      g_test_message ("%s", cases[i].location);
      g_assert_cmpint (to != NULL, ==, cases[i].followed);
    }
}

static void
test_origins (void)
{
  static const char *const good[]
    = { "https://a.example", "http://a.example:8080", "HTTPS://a.example/", "http://[::1]:80" };
  static const char *const bad[] = { "",
                                     "a.example",
                                     "https://",
                                     "https://*.example",
                                     "https://a.example/x",
                                     "https://a?b",
                                     "https://u@a",
                                     "ftp://a",
                                     "unix:///run/x",
                                     "https://a#b",
                                     "https:a",
                                     "*" };
  g_autoptr (GmcpHttpUrl) home = gmcp_http_url_parse ("https://a/", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (gmcp_http_origin_is_valid (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      const char *const origins[] = { bad[i], NULL };
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", bad[i]);
      g_assert_false (gmcp_http_origin_is_valid (bad[i]));
      g_assert_null (gmcp_http_redirect_rule_new (home->uri, origins, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (error->message, "allowed-redirect-origins"));
    }
}

static void
test_addresses (void)
{
  static const char *const internal[] = {
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.0.8",
    "198.18.0.1",
    "198.19.255.255",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2001::1",
    "2001:db8::1",
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fdff::1",
    "ff02::1",
    "100::1",
  };
  static const char *const external[] = {
    "1.1.1.1",         "9.255.255.255",     "11.0.0.0",         "100.63.255.255",
    "100.128.0.0",     "126.255.255.255",   "128.0.0.1",        "172.15.255.255",
    "172.32.0.0",      "192.167.255.255",   "198.17.255.255",   "198.20.0.0",
    "223.255.255.255", "::ffff:8.8.8.8",    "64:ff9b::808:808", "2002:808:808::",
    "2606:4700::1111", "2a00:1450:4001::1", "2001:4860::8888",
  };

  for (guint i = 0; i < G_N_ELEMENTS (internal); i++)
    {
      g_autoptr (GInetAddress) address = gmcp_http_address_from_host (internal[i]);

      g_test_message ("%s", internal[i]);
      g_assert_true (gmcp_http_address_is_internal (address));
    }
  for (guint i = 0; i < G_N_ELEMENTS (external); i++)
    {
      g_autoptr (GInetAddress) address = gmcp_http_address_from_host (external[i]);

      g_test_message ("%s", external[i]);
      g_assert_false (gmcp_http_address_is_internal (address));
    }
}

/* A resolver by which each name under “.test” is this machine, as the server of an attacker's names
 * may say at any time. */

typedef GResolver TestResolver;
typedef GResolverClass TestResolverClass;

static GType test_resolver_get_type (void);
G_DEFINE_TYPE (TestResolver, test_resolver, G_TYPE_RESOLVER)

static guint n_lookups;

static void
test_resolver_lookup_async (GResolver *resolver,
                            const char *name,
                            GResolverNameLookupFlags flags,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (resolver, cancellable, callback, user_data);
  GList *addresses;

  n_lookups++;
  addresses = g_list_append (NULL, g_inet_address_new_from_string ("127.0.0.1"));
  g_task_return_pointer (task, addresses, (GDestroyNotify) g_resolver_free_addresses);
}

static GList *
test_resolver_lookup_finish (GResolver *resolver, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
test_resolver_class_init (TestResolverClass *klass)
{
  klass->lookup_by_name_with_flags_async = test_resolver_lookup_async;
  klass->lookup_by_name_with_flags_finish = test_resolver_lookup_finish;
}

static void
test_resolver_init (TestResolver *self)
{
}

/* A peer whose server redirects to a place with that host and port. */
static HttpPeer *
open_redirected (HttpServer *server, const char *host, const char *const *allowed)
{
  g_autofree char *path = g_strdup_printf ("/to?307=http://%s/json", host);
  g_autofree char *url = http_server_dup_url (server, path);
  g_autofree char *with_user = g_strconcat ("http://me:secret@", url + strlen ("http://"), NULL);
  HttpPeer *peer = http_peer_new (with_user);

  gmcp_http_transport_set_header (GMCP_HTTP_TRANSPORT (peer->transport), "X-Key", "k", NULL);
  gmcp_http_transport_set_allowed_redirect_origins (GMCP_HTTP_TRANSPORT (peer->transport), allowed);
  http_peer_open (peer);
  http_peer_request (peer, "a");
  return peer;
}

static void
assert_refused (HttpServer *server, HttpPeer *peer, const char *words)
{
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (peer->failure.error->message, words));
  g_assert_nonnull (strstr (peer->failure.error->message, "allowed-redirect-origins"));
  g_assert_null (strstr (peer->failure.error->message, "secret"));
  g_assert_cmpuint (http_server_count (server, "POST /json"), ==, 0);
}

static void
test_other_origin (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autofree char *host = g_strdup_printf ("127.0.0.1:%u", server->ports[1]);
  g_autoptr (HttpPeer) peer = open_redirected (server, host, NULL);

  g_test_summary ("a message goes to no other origin");
  assert_refused (server, peer, host);
}

static void
test_allowed_origin (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autofree char *host = g_strdup_printf ("127.0.0.1:%u", server->ports[1]);
  g_autofree char *origin = g_strconcat ("http://", host, NULL);
  g_autofree char *path = g_strdup_printf ("/to?307=%s/json", origin);
  const char *const allowed[] = { "https://other.example", origin, NULL };
  g_autoptr (HttpPeer) peer = open_redirected (server, host, allowed);
  g_autofree char *sent = NULL;
  g_autofree char *key = NULL;
  g_autofree char *gone = NULL;
  g_autofree char *key_gone = NULL;

  g_test_summary ("one that is allowed gets the message, and nothing that was meant for the first");
  http_peer_wait_messages (peer, 1);
  sent = http_server_dup_header (server, path, "authorization");
  g_assert_cmpstr (sent, ==, "Basic bWU6c2VjcmV0");
  key = http_server_dup_header (server, path, "x-key");
  g_assert_cmpstr (key, ==, "k");
  gone = http_server_dup_header (server, "/json", "authorization");
  g_assert_null (gone);
  key_gone = http_server_dup_header (server, "/json", "x-key");
  g_assert_null (key_gone);
}

static void
test_rebinding (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autofree char *host = g_strdup_printf ("rebound.test:%u", server->ports[1]);
  g_autofree char *origin = g_strconcat ("http://", host, NULL);
  g_autofree char *local = g_strdup_printf ("http://127.0.0.1:%u", server->ports[1]);
  const char *const by_name[] = { origin, NULL };
  const char *const by_both[] = { origin, local, NULL };
  g_autoptr (GResolver) usual = g_resolver_get_default ();
  g_autoptr (GResolver) resolver = g_object_new (test_resolver_get_type (), NULL);

  g_test_summary ("a name that is allowed does not lead to an address that is not");
  g_resolver_set_default (resolver);
  {
    g_autoptr (HttpPeer) peer = open_redirected (server, host, by_name);

    assert_refused (server, peer, "127.0.0.1");
    g_assert_cmpuint (n_lookups, >, 0);
  }
  {
    g_autoptr (HttpPeer) peer = open_redirected (server, host, by_both);

    http_peer_wait_messages (peer, 1);
    g_assert_cmpuint (http_server_count (server, "POST /json"), ==, 1);
  }
  g_resolver_set_default (usual);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_setenv ("no_proxy", "127.0.0.1,.test,localhost", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/http/redirect/follow", test_follow);
  g_test_add_func ("/http/redirect/documents", test_documents);
  g_test_add_func ("/http/redirect/origins", test_origins);
  g_test_add_func ("/http/redirect/addresses", test_addresses);
  g_test_add_func ("/transport/http/redirect/other-origin", test_other_origin);
  g_test_add_func ("/transport/http/redirect/allowed-origin", test_allowed_origin);
  g_test_add_func ("/transport/http/redirect/rebinding", test_rebinding);
  return g_test_run ();
}
