/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Being told of changes by servers of other makers, in both eras. */

#include "npm-fixture.h"

typedef struct
{
  WebServer *server; /* over HTTP */
  GmcpTransport *transport;
  GmcpClient *client;
  GPtrArray *told; /* of char *, what the subscriptions said */
} Fixture;

static gboolean
set_up (Fixture *fixture, const char *script, const char *argument, gboolean over_http)
{
  if (skip_without_npm ())
    return FALSE;

  if (over_http)
    {
      const char *const arguments[] = { argument, NULL };

      fixture->server = web_server_start (script, arguments);
      fixture->transport
        = GMCP_TRANSPORT (gmcp_http_transport_new (web_server_get_uri (fixture->server)));
    }
  else
    {
      fixture->transport = new_script_transport (script, argument);
    }
  fixture->client = gmcp_client_new (fixture->transport);
  fixture->told = g_ptr_array_new_with_free_func (g_free);
  open_client (fixture->client);
  return TRUE;
}

static void
tear_down (Fixture *fixture)
{
  drop_client (fixture->client, fixture->transport);
  g_clear_pointer (&fixture->server, web_server_stop);
  g_ptr_array_unref (fixture->told);
}

static void
on_list_changed (GmcpSubscription *subscription, gpointer user_data)
{
  GSignalInvocationHint *hint = g_signal_get_invocation_hint (subscription);

  g_ptr_array_add (user_data, g_strdup (g_signal_name (hint->signal_id)));
}

static void
on_updated (GmcpSubscription *subscription, const char *uri, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strdup (uri));
}

static GmcpSubscription *
subscribe (Fixture *fixture, GmcpSubscriptionFlags lists, const char *uri)
{
  const char *const uris[] = { uri, NULL };
  GmcpSubscription *subscription = gmcp_subscription_new (fixture->client, lists, uris, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_signal_connect (subscription, "tools-list-changed", G_CALLBACK (on_list_changed),
                    fixture->told);
  g_signal_connect (subscription, "resources-list-changed", G_CALLBACK (on_list_changed),
                    fixture->told);
  g_signal_connect (subscription, "resource-updated", G_CALLBACK (on_updated), fixture->told);
  gmcp_subscription_open_async (subscription, NULL, store_result, &result);
  gmcp_subscription_open_finish (subscription, wait_for (&result), &error);
  g_assert_no_error (error);
  return subscription;
}

/* Runs the loop until that was told; what else was is forgotten. */
static void
wait_told (Fixture *fixture, const char *what)
{
  guint at;

  while (!g_ptr_array_find_with_equal_func (fixture->told, what, g_str_equal, &at))
    g_main_context_iteration (NULL, TRUE);
  g_ptr_array_set_size (fixture->told, 0);
}

static void
test_everything (gconstpointer argument)
{
  Fixture fixture = { NULL };
  g_autoptr (GmcpSubscription) first = NULL;
  g_autoptr (GmcpSubscription) second = NULL;
  const char *uri = "demo://resource/dynamic/text/1";

  if (!set_up (&fixture, EVERYTHING, argument, !g_str_equal (argument, "stdio")))
    return;

  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_LEGACY);
  first = subscribe (&fixture, GMCP_SUBSCRIPTION_TOOLS, uri);
  second = subscribe (&fixture, GMCP_SUBSCRIPTION_NONE, uri);
  g_assert_true (gmcp_subscription_is_complete (first));
  g_assert_true (gmcp_subscription_is_complete (second));

  assert_call (fixture.client, "toggle-subscriber-updates", NULL, NULL);
  wait_told (&fixture, uri);
  g_clear_object (&first);
  g_assert_cmpint (gmcp_subscription_get_state (second), ==, GMCP_SUBSCRIPTION_STATE_OPEN);
  /* It tells again every five seconds, as long as one is there that wants it. */
  wait_told (&fixture, uri);
  assert_call (fixture.client, "toggle-subscriber-updates", NULL, NULL);

  /* In the next connection it is asked for again. */
  close_client (fixture.client);
  g_assert_cmpint (gmcp_subscription_get_state (second), ==, GMCP_SUBSCRIPTION_STATE_WAITING);
  g_ptr_array_set_size (fixture.told, 0);
  open_client (fixture.client);
  wait_told (&fixture, uri);
  g_assert_cmpint (gmcp_subscription_get_state (second), ==, GMCP_SUBSCRIPTION_STATE_OPEN);
  assert_call (fixture.client, "toggle-subscriber-updates", NULL, NULL);
  wait_told (&fixture, uri);

  g_clear_object (&second);
  tear_down (&fixture);
}

static void
test_modern (gconstpointer argument)
{
  Fixture fixture = { NULL };
  g_autoptr (GmcpSubscription) notes = NULL;
  g_autoptr (GmcpSubscription) lists = NULL;
  const char *const *uris;

  if (!set_up (&fixture, "modern-server.mjs", argument, g_strcmp0 (argument, "--http") == 0))
    return;

  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_MODERN);
  notes = subscribe (&fixture, GMCP_SUBSCRIPTION_NONE, "note://1");
  lists = subscribe (
    &fixture, GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_RESOURCES | GMCP_SUBSCRIPTION_PROMPTS,
    NULL);
  g_assert_true (gmcp_subscription_is_complete (notes));
  uris = gmcp_subscription_get_acknowledged_resource_uris (notes);
  g_assert_cmpstr (uris[0], ==, "note://1");
  /* It has no prompts, and says so. */
  g_assert_cmpint (gmcp_subscription_get_acknowledged_lists (lists), ==,
                   GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_RESOURCES);
  g_assert_false (gmcp_subscription_is_complete (lists));

  assert_call (fixture.client, "touch", "{\"uri\":\"note://1\"}", NULL);
  wait_told (&fixture, "note://1");
  assert_call (fixture.client, "add-resource", "{\"uri\":\"note://3\"}", NULL);
  wait_told (&fixture, "resources-list-changed");
  assert_call (fixture.client, "grow", "{\"name\":\"later\"}", NULL);
  wait_told (&fixture, "tools-list-changed");

  /* The other goes on when one is closed; nobody asked for this resource. */
  gmcp_subscription_close (lists);
  assert_call (fixture.client, "touch", "{\"uri\":\"note://2\"}", NULL);
  assert_call (fixture.client, "grow", "{\"name\":\"still-later\"}", NULL);
  assert_call (fixture.client, "touch", "{\"uri\":\"note://1\"}", NULL);
  while (fixture.told->len == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fixture.told->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (fixture.told, 0), ==, "note://1");

  /* A server that ends says so in order; the next connection asks again. */
  close_client (fixture.client);
  g_ptr_array_set_size (fixture.told, 0);
  open_client (fixture.client);
  wait_told (&fixture, "note://1");
  assert_call (fixture.client, "touch", "{\"uri\":\"note://1\"}", NULL);
  wait_told (&fixture, "note://1");

  g_clear_object (&lists);
  g_clear_object (&notes);
  tear_down (&fixture);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/npm/subscriptions/everything/stdio", "stdio", test_everything);
  g_test_add_data_func ("/npm/subscriptions/everything/http", "streamableHttp", test_everything);
  g_test_add_data_func ("/npm/subscriptions/modern", NULL, test_modern);
  g_test_add_data_func ("/npm/subscriptions/modern-http", "--http", test_modern);
  g_test_add_data_func ("/npm/subscriptions/modern-only", "--legacy-refused", test_modern);

  return g_test_run ();
}
