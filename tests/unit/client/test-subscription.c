/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How a server is asked to tell of changes, in both eras, and each way in which that ends. */

#include "config.h"

#include <string.h>

#include <gmcp/client/gmcp-subscription.h>
#include <gmcp/core/gmcp-error.h>
#include <json-glib/json-glib.h>

#include "gmcp-limits.h"
#include "steered-transport.h"
#include "unit-test.h"

#define LISTEN      "subscriptions/listen"
#define SUBSCRIBE   "resources/subscribe"
#define UNSUBSCRIBE "resources/unsubscribe"
#define CANCELLED   "notifications/cancelled"

#define ALL_LISTS                                                                                  \
  (GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_PROMPTS | GMCP_SUBSCRIPTION_RESOURCES)

#define CAPABILITIES                                                                               \
  "\"capabilities\":{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},"         \
  "\"resources\":{\"listChanged\":true,\"subscribe\":true}}"

typedef struct
{
  GmcpSubscription *subscription;
  GPtrArray *events; /* of char *, in the order in which they came */
  GAsyncResult *opened;
  guint n_notified; /* of the state */
} Watcher;

typedef struct
{
  SteeredTransport *transport;
  GmcpClient *client;
  GAsyncResult *result;
  GPtrArray *events; /* of the client */
  Watcher a, b;
} Fixture;

static gboolean
is_of (const char *text, const char *method)
{
  g_autofree char *member = g_strdup_printf ("\"method\":\"%s\"", method);

  return strstr (text, member) != NULL;
}

static gint64
get_id (const char *text)
{
  const char *id = strstr (text, "\"id\":");

  g_assert_nonnull (id);
  return g_ascii_strtoll (id + strlen ("\"id\":"), NULL, 10);
}

G_GNUC_PRINTF (2, 3)
static void
say (SteeredTransport *transport, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  steered_transport_say (transport, text);
}

static void
answer (SteeredTransport *transport, const char *text, const char *result)
{
  say (transport, "{\"jsonrpc\":\"2.0\",\"id\":%" G_GINT64_FORMAT ",\"result\":%s}", get_id (text),
       result);
}

static void
refuse (SteeredTransport *transport, const char *text, int code)
{
  say (transport,
       "{\"jsonrpc\":\"2.0\",\"id\":%" G_GINT64_FORMAT
       ",\"error\":{\"code\":%d,\"message\":\"No\"}}",
       get_id (text), code);
}

/* What was asked for is acknowledged. */
static void
acknowledge (SteeredTransport *transport, const char *text, const char *notifications)
{
  say (transport,
       "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
       "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%" G_GINT64_FORMAT "}%s%s}}",
       get_id (text), *notifications != '\0' ? ",\"notifications\":" : "", notifications);
}

static void
acknowledge_all (SteeredTransport *transport, const char *text)
{
  g_autoptr (JsonNode) request = json_from_string (text, NULL);
  JsonObject *params = json_object_get_object_member (json_node_get_object (request), "params");
  g_autofree char *notifications
    = json_to_string (json_object_get_member (params, "notifications"), FALSE);

  acknowledge (transport, text, notifications);
}

static void
answer_open (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "server/discover"))
    answer (transport, text, "{\"supportedVersions\":[\"2026-07-28\"]," CAPABILITIES "}");
  else if (is_of (text, "tools/list"))
    answer (transport, text, "{\"tools\":[]}");
}

static void
answer_modern (SteeredTransport *transport, const char *text)
{
  if (is_of (text, LISTEN))
    acknowledge_all (transport, text);
  else
    answer_open (transport, text);
}

static void
answer_legacy (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "server/discover"))
    refuse (transport, text, -32601);
  else if (is_of (text, "initialize"))
    answer (transport, text, "{\"protocolVersion\":\"2025-06-18\"," CAPABILITIES "}");
  else if (is_of (text, SUBSCRIBE))
    {
      if (strstr (text, "refused") != NULL)
        refuse (transport, text, -32002);
      else
        answer (transport, text, "{}");
    }
  else if (is_of (text, UNSUBSCRIBE))
    answer (transport, text, "{}");
}

static void
store (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
wait_sent (Fixture *fixture, const char *method, guint n)
{
  while (steered_transport_count (fixture->transport, method) < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
on_plain (gpointer object, gpointer user_data)
{
  GSignalInvocationHint *hint = g_signal_get_invocation_hint (object);

  g_ptr_array_add (user_data, g_strdup (g_signal_name (hint->signal_id)));
}

static void
on_updated (gpointer object, const char *uri, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strconcat ("updated ", uri, NULL));
}

static void
on_notification (gpointer object,
                 const char *method,
                 JsonNode *params,
                 const char *params_json,
                 gpointer user_data)
{
  g_assert_true ((params == NULL) == (params_json == NULL));
  g_assert_true (params == NULL || json_node_is_immutable (params));
  g_ptr_array_add (user_data,
                   g_strconcat (method, params_json != NULL ? " " : NULL, params_json, NULL));
}

static void
on_over (gpointer object, const GError *error, gpointer user_data)
{
  GSignalInvocationHint *hint = g_signal_get_invocation_hint (object);

  g_ptr_array_add (user_data,
                   g_strconcat (g_signal_name (hint->signal_id), error != NULL ? ": " : NULL,
                                error != NULL ? error->message : NULL, NULL));
}

static void
on_state (Watcher *watcher)
{
  watcher->n_notified++;
}

static void
connect_changes (gpointer object, GPtrArray *events)
{
  g_signal_connect (object, "tools-list-changed", G_CALLBACK (on_plain), events);
  g_signal_connect (object, "prompts-list-changed", G_CALLBACK (on_plain), events);
  g_signal_connect (object, "resources-list-changed", G_CALLBACK (on_plain), events);
  g_signal_connect (object, "resource-updated", G_CALLBACK (on_updated), events);
  g_signal_connect (object, "notification", G_CALLBACK (on_notification), events);
}

static void
set_up (Fixture *fixture, gconstpointer answer_func)
{
  fixture->transport = steered_transport_new ();
  fixture->transport->answer = answer_func;
  fixture->client = gmcp_client_new (GMCP_TRANSPORT (fixture->transport));
  gmcp_client_set_name (fixture->client, "srv");
  fixture->events = g_ptr_array_new_with_free_func (g_free);
  connect_changes (fixture->client, fixture->events);
}

static void
drop (Watcher *watcher)
{
  g_clear_object (&watcher->opened);
  settle ();
  if (watcher->subscription != NULL)
    g_assert_finalize_object (g_steal_pointer (&watcher->subscription));
  g_clear_pointer (&watcher->events, g_ptr_array_unref);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  settle ();
  drop (&fixture->a);
  drop (&fixture->b);
  g_clear_object (&fixture->result);
  settle ();
  g_assert_finalize_object (fixture->client);
  settle ();
  g_assert_finalize_object (fixture->transport);
  g_ptr_array_unref (fixture->events);
}

static void
open_client (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  g_clear_object (&fixture->result);
  gmcp_client_open_async (fixture->client, NULL, store, &fixture->result);
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  gmcp_client_open_finish (fixture->client, fixture->result, &error);
  g_assert_no_error (error);
}

static void
make (Fixture *fixture, Watcher *watcher, GmcpSubscriptionFlags lists, const char *uris)
{
  g_auto (GStrv) split = uris != NULL ? g_strsplit (uris, " ", -1) : NULL;

  watcher->subscription
    = gmcp_subscription_new (fixture->client, lists, (const char *const *) split, NULL);
  watcher->events = g_ptr_array_new_with_free_func (g_free);
  connect_changes (watcher->subscription, watcher->events);
  g_signal_connect (watcher->subscription, "interrupted", G_CALLBACK (on_over), watcher->events);
  g_signal_connect (watcher->subscription, "ended", G_CALLBACK (on_over), watcher->events);
  g_signal_connect_swapped (watcher->subscription, "notify::state", G_CALLBACK (on_state), watcher);
}

static void
start (Watcher *watcher)
{
  g_clear_object (&watcher->opened);
  gmcp_subscription_open_async (watcher->subscription, NULL, store, &watcher->opened);
}

static gboolean
finish (Watcher *watcher, GError **error)
{
  while (watcher->opened == NULL)
    g_main_context_iteration (NULL, TRUE);
  return gmcp_subscription_open_finish (watcher->subscription, watcher->opened, error);
}

static void
subscribe (Fixture *fixture, Watcher *watcher, GmcpSubscriptionFlags lists, const char *uris)
{
  g_autoptr (GError) error = NULL;

  make (fixture, watcher, lists, uris);
  start (watcher);
  finish (watcher, &error);
  g_assert_no_error (error);
}

static void
wait_state (Watcher *watcher, GmcpSubscriptionState state)
{
  while (gmcp_subscription_get_state (watcher->subscription) != state)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_state (Watcher *watcher, GmcpSubscriptionState state)
{
  g_assert_cmpint (gmcp_subscription_get_state (watcher->subscription), ==, state);
}

/* The events up to now, in one string; they are forgotten. */
static void
assert_events (GPtrArray *events, const char *expected)
{
  g_autofree char *joined = NULL;

  g_ptr_array_add (events, NULL);
  joined = g_strjoinv (" | ", (char **) events->pdata);
  g_assert_cmpstr (joined, ==, expected);
  g_ptr_array_set_size (events, 0);
}

static void
assert_uris (const char *const *uris, const char *expected)
{
  g_autofree char *joined = g_strjoinv (" ", (char **) uris);

  g_assert_cmpstr (joined, ==, expected);
}

static const char *
find (Fixture *fixture, const char *method, guint index)
{
  for (guint i = 0; i < fixture->transport->sent->len; i++)
    {
      const char *text = g_ptr_array_index (fixture->transport->sent, i);

      if (is_of (text, method) && index-- == 0)
        return text;
    }
  g_assert_not_reached ();
}

static void
notify (Fixture *fixture, guint listen, const char *method, const char *more)
{
  say (fixture->transport,
       "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s\",\"params\":{\"_meta\":{"
       "\"io.modelcontextprotocol/subscriptionId\":%" G_GINT64_FORMAT "}%s}}",
       method, get_id (find (fixture, LISTEN, listen)), more);
  settle ();
}

static void
test_modern_filter (Fixture *fixture, gconstpointer data)
{
  static const char *const tasks[] = { "t1", "t2", NULL };
  static const char *const uris[] = { "x://1", "x://2", "x://1", NULL };
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "what is wanted is asked for; of what is acknowledged only what was asked counts");
  open_client (fixture);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, NULL);
  g_clear_object (&fixture->a.subscription);
  fixture->a.subscription = gmcp_subscription_new (
    fixture->client, GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_PROMPTS, uris, tasks);
  assert_uris (gmcp_subscription_get_resource_uris (fixture->a.subscription), "x://1 x://2");
  fixture->transport->answer = NULL;
  start (&fixture->a);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPENING);
  g_assert_nonnull (
    strstr (find (fixture, LISTEN, 0),
            "\"params\":{\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
            "\"resourceSubscriptions\":[\"x://1\",\"x://2\"],\"taskIds\":[\"t1\",\"t2\"]},"
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""));

  acknowledge (fixture->transport, find (fixture, LISTEN, 0),
               "{\"toolsListChanged\":true,\"promptsListChanged\":false,"
               "\"resourcesListChanged\":true,\"resourceSubscriptions\":[\"x://3\",\"x://2\",7],"
               "\"taskIds\":[\"t1\"],\"other\":{}}");
  finish (&fixture->a, &error);
  g_assert_no_error (error);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  g_assert_cmpint (gmcp_subscription_get_acknowledged_lists (fixture->a.subscription), ==,
                   GMCP_SUBSCRIPTION_TOOLS);
  assert_uris (gmcp_subscription_get_acknowledged_resource_uris (fixture->a.subscription), "x://2");
  assert_uris (gmcp_subscription_get_acknowledged_task_ids (fixture->a.subscription), "t1");
  g_assert_false (gmcp_subscription_is_complete (fixture->a.subscription));
}

static void
test_modern_signals (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("each of two subscriptions learns of what came with its id, and of no other");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_PROMPTS, "x://1");
  subscribe (fixture, &fixture->b, GMCP_SUBSCRIPTION_RESOURCES, "x://1 x://2");
  g_assert_true (gmcp_subscription_is_complete (fixture->a.subscription));
  g_assert_true (gmcp_subscription_is_complete (fixture->b.subscription));

  notify (fixture, 0, "tools/list_changed", "");
  notify (fixture, 0, "prompts/list_changed", "");
  notify (fixture, 0, "resources/updated", ",\"uri\":\"x://1/part\"");
  assert_events (fixture->a.events,
                 "tools-list-changed | prompts-list-changed | updated x://1/part");
  assert_events (fixture->b.events, "");
  notify (fixture, 1, "resources/updated", ",\"uri\":\"y://elsewhere\"");
  notify (fixture, 1, "resources/list_changed", "");
  /* Not asked for. */
  notify (fixture, 1, "tools/list_changed", "");
  assert_events (fixture->b.events, "updated y://elsewhere | resources-list-changed");
  assert_events (fixture->a.events, "");
  assert_events (fixture->events,
                 "tools-list-changed | prompts-list-changed | updated x://1/part | "
                 "updated y://elsewhere | resources-list-changed | tools-list-changed");
}

static void
test_modern_odd_notifications (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[] = {
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{"
    "\"io.modelcontextprotocol/subscriptionId\":99}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{"
    "\"io.modelcontextprotocol/subscriptionId\":\"2\"}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":[]}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":5}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
    "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":99}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{}}}",
  };

  g_test_summary ("what names no subscription, or is malformed, changes nothing");
  open_client (fixture);
  subscribe (fixture, &fixture->a, ALL_LISTS, "x://1");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    say (fixture->transport, "%s", texts[i]);
  /* A second acknowledgement takes nothing back. */
  notify (fixture, 0, "subscriptions/acknowledged", ",\"notifications\":{}");
  g_assert_true (gmcp_subscription_is_complete (fixture->a.subscription));
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  assert_events (fixture->a.events, "");
  assert_events (fixture->events, "");

  /* Without an id it is for all that want it. */
  say (fixture->transport, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  assert_events (fixture->a.events, "tools-list-changed");
  assert_events (fixture->events, "tools-list-changed");
}

static void
test_modern_bare_acknowledgement (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  fixture->transport->answer = NULL;
  start (&fixture->a);
  acknowledge (fixture->transport, find (fixture, LISTEN, 0), "");
  finish (&fixture->a, &error);
  g_assert_no_error (error);
  g_assert_false (gmcp_subscription_is_complete (fixture->a.subscription));
  g_assert_cmpint (gmcp_subscription_get_acknowledged_lists (fixture->a.subscription), ==, 0);
}

static void
test_modern_not_acknowledged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("without an acknowledgement it ends; it can be opened again");
  open_client (fixture);
  gmcp_client_set_call_timeout_ms (fixture->client, 20);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  fixture->transport->answer = NULL;
  start (&fixture->a);
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
  g_assert_cmpuint (steered_transport_count (fixture->transport, CANCELLED), ==, 1);
  assert_events (fixture->a.events, "");

  g_clear_error (&error);
  gmcp_client_set_call_timeout_ms (fixture->client, 30000);
  fixture->transport->answer = answer_modern;
  start (&fixture->a);
  finish (&fixture->a, &error);
  g_assert_no_error (error);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  /* It was never open before, so nothing was missed. */
  settle ();
  assert_events (fixture->a.events, "");
}

static void
test_modern_refused (Fixture *fixture, gconstpointer data)
{
  static const int codes[] = { -32601, -32602, -32021, -32603 };

  open_client (fixture);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  fixture->transport->answer = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GError) error = NULL;

      start (&fixture->a);
      refuse (fixture->transport, find (fixture, LISTEN, i), codes[i]);
      g_assert_false (finish (&fixture->a, &error));
      g_assert_error (error, GMCP_RPC_ERROR, codes[i]);
      assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
      assert_events (fixture->a.events, "");
    }
}

static void
test_modern_empty_at_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  fixture->transport->answer = NULL;
  start (&fixture->a);
  answer (fixture->transport, find (fixture, LISTEN, 0), "{}");
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
}

static void
test_modern_graceful_end (Fixture *fixture, gconstpointer data)
{
  gint64 ended_us;

  g_test_summary (
    "ended in order, it is asked for again after a second, and all counts as changed");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_PROMPTS, "x://1 x://2");
  ended_us = g_get_monotonic_time ();
  answer (fixture->transport, find (fixture, LISTEN, 0), "{\"resultType\":\"complete\"}");
  assert_events (fixture->a.events, "interrupted");
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_WAITING);
  /* It is over, and its id means nothing any more. */
  notify (fixture, 0, "prompts/list_changed", "");
  assert_events (fixture->a.events, "");

  wait_sent (fixture, LISTEN, 2);
  g_assert_cmpint (g_get_monotonic_time () - ended_us, >=,
                   GMCP_LIMIT_STREAM_MIN_RETRY_MS * (gint64) 1000);
  assert_events (fixture->events, "");
  wait_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  settle ();
  assert_events (fixture->a.events, "prompts-list-changed | updated x://1 | updated x://2");
  assert_events (fixture->events, "prompts-list-changed | updated x://1 | updated x://2");
  g_assert_cmpuint (steered_transport_count (fixture->transport, CANCELLED), ==, 0);
}

static void
answer_modern_less (SteeredTransport *transport, const char *text)
{
  if (is_of (text, LISTEN))
    acknowledge (transport, text, "{\"resourceSubscriptions\":[\"x://2\"]}");
  else
    answer_open (transport, text);
}

static void
test_modern_less_again (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what is granted no longer may have changed while it was not watched");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_PROMPTS, "x://1 x://2");
  fixture->transport->answer = answer_modern_less;
  answer (fixture->transport, find (fixture, LISTEN, 0), "{\"resultType\":\"complete\"}");
  wait_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  settle ();
  assert_events (fixture->a.events,
                 "interrupted | prompts-list-changed | updated x://1 | updated x://2");
  assert_uris (gmcp_subscription_get_acknowledged_resource_uris (fixture->a.subscription), "x://2");
}

static void
close_it (GmcpSubscription *subscription)
{
  gmcp_subscription_close (subscription);
}

static void
test_modern_unwanted_end (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what is closed when it is interrupted is not asked for again");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_PROMPTS, NULL);
  subscribe (fixture, &fixture->b, GMCP_SUBSCRIPTION_PROMPTS, NULL);
  g_signal_connect (fixture->a.subscription, "interrupted", G_CALLBACK (close_it), NULL);
  answer (fixture->transport, find (fixture, LISTEN, 0), "{}");
  answer (fixture->transport, find (fixture, LISTEN, 1), "{}");
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
  assert_state (&fixture->b, GMCP_SUBSCRIPTION_STATE_WAITING);

  /* The other, which waited from after it, is asked for by then. */
  wait_state (&fixture->b, GMCP_SUBSCRIPTION_STATE_OPEN);
  g_assert_cmpuint (steered_transport_count (fixture->transport, LISTEN), ==, 3);
  g_assert_cmpuint (steered_transport_count (fixture->transport, CANCELLED), ==, 0);
}

static void
test_modern_cancelled_by_server (Fixture *fixture, gconstpointer data)
{
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  say (fixture->transport,
       "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
       "%" G_GINT64_FORMAT ",\"reason\":\"Going down\"}}",
       get_id (find (fixture, LISTEN, 0)));
  assert_events (fixture->a.events, "interrupted");
  wait_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  settle ();
  assert_events (fixture->a.events, "tools-list-changed");
  g_assert_cmpuint (steered_transport_count (fixture->transport, LISTEN), ==, 2);
}

static void
answer_refuse_again (SteeredTransport *transport, const char *text)
{
  if (is_of (text, LISTEN) && steered_transport_count (transport, LISTEN) > 1)
    refuse (transport, text, -32601);
  else
    answer_modern (transport, text);
}

static void
test_modern_refused_again (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that no longer knows the method is not asked for ever");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  refuse (fixture->transport, find (fixture, LISTEN, 0), -32603);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_WAITING);
  wait_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
  assert_events (fixture->a.events, "interrupted: No | ended: No");
}

static void
answer_cut (SteeredTransport *transport, const char *text)
{
  answer_modern (transport, text);
  if (is_of (text, LISTEN))
    answer (transport, text, "{}");
}

static void
test_modern_cut_soon (Fixture *fixture, gconstpointer data)
{
  gint64 at_us[3];

  g_test_summary ("a server that cuts each stream is asked less and less often");
  open_client (fixture);
  fixture->transport->answer = answer_cut;
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  start (&fixture->a);
  for (guint i = 0; i < G_N_ELEMENTS (at_us); i++)
    {
      wait_sent (fixture, LISTEN, i + 1);
      at_us[i] = g_get_monotonic_time ();
    }
  g_assert_cmpint (at_us[1] - at_us[0], >=, 1000 * 1000);
  g_assert_cmpint (at_us[2] - at_us[1], >=, 2000 * 1000);
  fixture->transport->answer = answer_modern;
  wait_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
}

static void
test_connection_lost (Fixture *fixture, gconstpointer answer_func)
{
  const char *method = answer_func == (gconstpointer) answer_modern ? LISTEN : SUBSCRIBE;
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "Broken");
  g_autoptr (GError) refused = NULL;

  g_test_summary ("with the connection it is interrupted, and with the next it is asked for again");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, "x://1");
  make (fixture, &fixture->b, GMCP_SUBSCRIPTION_NONE, "x://2");
  fixture->transport->answer = NULL;
  start (&fixture->b);
  gmcp_transport_closed (GMCP_TRANSPORT (fixture->transport), error);
  settle ();
  assert_events (fixture->a.events, "interrupted: srv: Broken");
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_WAITING);
  /* It was never open. */
  g_assert_false (finish (&fixture->b, &refused));
  g_assert_error (refused, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
  assert_state (&fixture->b, GMCP_SUBSCRIPTION_STATE_CLOSED);
  g_clear_error (&refused);
  start (&fixture->b);
  g_assert_false (finish (&fixture->b, &refused));
  g_assert_error (refused, GMCP_ERROR, GMCP_ERROR_CLOSED);

  fixture->transport->answer = answer_func;
  open_client (fixture);
  wait_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  settle ();
  assert_events (fixture->a.events, "tools-list-changed | updated x://1");
  g_assert_cmpuint (steered_transport_count (fixture->transport, method), ==, 3);
  assert_state (&fixture->b, GMCP_SUBSCRIPTION_STATE_CLOSED);
}

static void
test_client_closed (Fixture *fixture, gconstpointer answer_func)
{
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, "x://1");
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_WAITING);
  gmcp_subscription_close (fixture->a.subscription);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
  settle ();
  open_client (fixture);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
}

static void
test_modern_cancel_opening (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  fixture->transport->answer = NULL;
  gmcp_subscription_open_async (fixture->a.subscription, cancellable, store, &fixture->a.opened);
  g_cancellable_cancel (cancellable);
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (steered_transport_count (fixture->transport, CANCELLED), ==, 1);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
  /* It comes too late. */
  acknowledge_all (fixture->transport, find (fixture, LISTEN, 0));
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);

  g_clear_error (&error);
  start (&fixture->a);
  gmcp_subscription_close (fixture->a.subscription);
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (steered_transport_count (fixture->transport, CANCELLED), ==, 2);
}

static void
test_modern_drop (Fixture *fixture, gconstpointer data)
{
  g_autofree char *member = NULL;

  g_test_summary ("the last reference ends it, and the server is told of the request that it was");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  member = g_strdup_printf ("\"requestId\":%" G_GINT64_FORMAT, get_id (find (fixture, LISTEN, 0)));
  drop (&fixture->a);
  g_assert_nonnull (strstr (find (fixture, CANCELLED, 0), member));
  notify (fixture, 0, "tools/list_changed", "");
  assert_events (fixture->events, "");
}

static void
test_misuse (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, NULL);
  start (&fixture->a);
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_clear_error (&error);

  open_client (fixture);
  start (&fixture->a);
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  subscribe (fixture, &fixture->b, GMCP_SUBSCRIPTION_TOOLS, NULL);
  start (&fixture->b);
  g_assert_false (finish (&fixture->b, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PENDING);
  assert_state (&fixture->b, GMCP_SUBSCRIPTION_STATE_OPEN);
  gmcp_subscription_close (fixture->b.subscription);
  gmcp_subscription_close (fixture->b.subscription);
  g_assert_cmpuint (steered_transport_count (fixture->transport, CANCELLED), ==, 1);
}

static void
test_modern_other_notifications (Fixture *fixture, gconstpointer data)
{
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  say (fixture->transport, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x/new\",\"params\":"
                           "{\"big\": 18446744073709551616}}");
  say (fixture->transport, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x/bare\"}");
  assert_events (fixture->events, "notifications/x/new {\"big\": 18446744073709551616} | "
                                  "notifications/x/bare");
  assert_events (fixture->a.events, "");

  notify (fixture, 0, "x/own", "");
  g_assert_cmpuint (fixture->a.events->len, ==, 1);
  g_assert_true (
    g_str_has_prefix (g_ptr_array_index (fixture->a.events, 0), "notifications/x/own {\"_meta\""));
  g_assert_cmpuint (fixture->events->len, ==, 1);
}

static void
test_modern_violation (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error
    = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, "Too long");

  g_test_summary ("what cannot be read ends calls, and no subscription");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  subscribe (fixture, &fixture->b, GMCP_SUBSCRIPTION_TOOLS, NULL);
  gmcp_transport_report_violation (GMCP_TRANSPORT (fixture->transport), error);
  settle ();
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  notify (fixture, 1, "tools/list_changed", "");
  assert_events (fixture->b.events, "tools-list-changed");
}

static void
drop_slot (gpointer object, gpointer slot)
{
  g_clear_object ((GmcpSubscription **) slot);
}

static void
test_drop_in_handler (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("the handler of one subscription drops it and closes the other");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, NULL);
  subscribe (fixture, &fixture->b, GMCP_SUBSCRIPTION_TOOLS, NULL);
  g_clear_object (&fixture->a.opened);
  g_signal_connect_swapped (fixture->a.subscription, "tools-list-changed", G_CALLBACK (close_it),
                            fixture->b.subscription);
  g_signal_connect (fixture->a.subscription, "tools-list-changed", G_CALLBACK (drop_slot),
                    &fixture->a.subscription);
  say (fixture->transport, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  g_assert_null (fixture->a.subscription);
  assert_events (fixture->b.events, "");
  assert_state (&fixture->b, GMCP_SUBSCRIPTION_STATE_CLOSED);
}

static void
test_modern_lists_first (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_test_summary ("changes of all lists are told of before one is read");
  open_client (fixture);
  gmcp_client_list_tools_async (fixture->client, NULL, store, &result);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "tools/list"), ==, 0);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_object_unref (gmcp_client_list_tools_finish (fixture->client, result, NULL));
  g_assert_nonnull (strstr (find (fixture, LISTEN, 0),
                            "{\"toolsListChanged\":true,\"promptsListChanged\":true,"
                            "\"resourcesListChanged\":true}"));
  notify (fixture, 0, "prompts/list_changed", "");
  assert_events (fixture->events, "prompts-list-changed");
  notify (fixture, 0, "tools/list_changed", "");
  assert_events (fixture->events, "tools-list-changed");
  wait_sent (fixture, "tools/list", 2);
}

static void
test_legacy_shared (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a resource is asked for once, and let go by the last who wants it");
  open_client (fixture);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, "x://1 x://2");
  make (fixture, &fixture->b, GMCP_SUBSCRIPTION_NONE, "x://2 x://3");
  start (&fixture->a);
  /* While the first is under way. */
  start (&fixture->b);
  g_assert_true (finish (&fixture->a, NULL));
  g_assert_true (finish (&fixture->b, NULL));
  g_assert_true (gmcp_subscription_is_complete (fixture->a.subscription));
  g_assert_true (gmcp_subscription_is_complete (fixture->b.subscription));
  g_assert_cmpuint (steered_transport_count (fixture->transport, SUBSCRIBE), ==, 3);
  g_assert_cmpuint (steered_transport_count (fixture->transport, LISTEN), ==, 0);

  gmcp_subscription_close (fixture->a.subscription);
  g_assert_cmpuint (steered_transport_count (fixture->transport, UNSUBSCRIBE), ==, 1);
  g_assert_nonnull (strstr (find (fixture, UNSUBSCRIBE, 0), "\"uri\":\"x://1\""));
  gmcp_subscription_close (fixture->b.subscription);
  g_assert_cmpuint (steered_transport_count (fixture->transport, UNSUBSCRIBE), ==, 3);
}

static void
test_legacy_close_while_opening (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, "x://1");
  start (&fixture->a);
  gmcp_subscription_close (fixture->a.subscription);
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (steered_transport_count (fixture->transport, UNSUBSCRIBE), ==, 1);
  start (&fixture->a);
  g_assert_true (finish (&fixture->a, NULL));
  g_assert_cmpuint (steered_transport_count (fixture->transport, SUBSCRIBE), ==, 2);
}

static void
test_legacy_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, "x://1 x://refused");
  g_assert_false (gmcp_subscription_is_complete (fixture->a.subscription));
  assert_uris (gmcp_subscription_get_acknowledged_resource_uris (fixture->a.subscription), "x://1");

  make (fixture, &fixture->b, GMCP_SUBSCRIPTION_NONE, "x://refused");
  start (&fixture->b);
  g_assert_false (finish (&fixture->b, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -32002);
  g_assert_cmpstr (error->message, ==, "srv does not tell of changes of “x://refused”: No");
}

static void
answer_legacy_poor (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "initialize"))
    answer (transport, text,
            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"resources\":{},"
            "\"tools\":{\"listChanged\":true}}}");
  else
    answer_legacy (transport, text);
}

static void
test_legacy_not_declared (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a server is not asked for what it does not declare");
  open_client (fixture);
  subscribe (fixture, &fixture->a, ALL_LISTS, "x://1");
  g_assert_cmpint (gmcp_subscription_get_acknowledged_lists (fixture->a.subscription), ==,
                   GMCP_SUBSCRIPTION_TOOLS);
  assert_uris (gmcp_subscription_get_acknowledged_resource_uris (fixture->a.subscription), "");
  make (fixture, &fixture->b, GMCP_SUBSCRIPTION_NONE, "x://1");
  start (&fixture->b);
  g_assert_false (finish (&fixture->b, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  g_assert_cmpuint (steered_transport_count (fixture->transport, SUBSCRIBE), ==, 0);
}

static void
say_updated (Fixture *fixture, const char *uri)
{
  say (fixture->transport,
       "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{"
       "\"uri\":\"%s\"}}",
       uri);
}

static void
test_legacy_signals (Fixture *fixture, gconstpointer data)
{
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, "x://1");
  subscribe (fixture, &fixture->b, GMCP_SUBSCRIPTION_RESOURCES, "x://2");
  say (fixture->transport, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  say (fixture->transport,
       "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}");
  say_updated (fixture, "x://1");
  say_updated (fixture, "x://2#part");
  assert_events (fixture->a.events, "tools-list-changed | updated x://1");
  assert_events (fixture->b.events, "resources-list-changed | updated x://2#part");
  /* Written in another way than it was asked for, it may be any. */
  say_updated (fixture, "X://2");
  assert_events (fixture->a.events, "updated X://2");
  assert_events (fixture->b.events, "updated X://2");
  assert_events (fixture->events, "tools-list-changed | resources-list-changed | updated x://1 | "
                                  "updated x://2#part | updated X://2");
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer subscription)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_client_read_resource_finish (GMCP_CLIENT (source), result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  gmcp_subscription_close (subscription);
}

static gboolean
report_violation (gpointer transport)
{
  g_autoptr (GError) violation
    = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, "Too long");

  gmcp_transport_report_violation (transport, violation);
  return G_SOURCE_REMOVE;
}

static void
test_legacy_close_in_violation (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a subscription that is still opening is closed by who loses a call to what "
                  "cannot be read, which ends the request of the subscription too");
  open_client (fixture);
  fixture->transport->answer = NULL;
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, "x://1");
  gmcp_client_read_resource_async (fixture->client, "x://2", NULL, NULL, on_read,
                                   fixture->a.subscription);
  start (&fixture->a);
  settle ();
  /* In a source, so that callers get their errors at once. */
  g_idle_add (report_violation, fixture->transport);
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);

  fixture->transport->answer = answer_legacy;
  start (&fixture->a);
  g_assert_true (finish (&fixture->a, NULL));
}

static void
test_legacy_no_longer_declared (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "Broken");

  g_test_summary ("a server that comes back without subscriptions is not asked for ever");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, "x://1");
  gmcp_transport_closed (GMCP_TRANSPORT (fixture->transport), error);
  fixture->transport->answer = answer_legacy_poor;
  open_client (fixture);
  settle ();
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
  assert_events (fixture->a.events,
                 "interrupted: srv: Broken | ended: srv does not tell of changes "
                 "of resources; read them again instead");
}

static void
listen (Fixture *fixture, const GError *error)
{
  gmcp_transport_report_listening (GMCP_TRANSPORT (fixture->transport), error);
}

static void
test_legacy_deaf (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "It broke");

  g_test_summary ("what changed while nothing could be heard counts as changed");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, "x://1 x://2");
  listen (fixture, error);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_WAITING);
  assert_events (fixture->a.events, "interrupted: It broke");

  /* One that is opened meanwhile may miss something too. */
  subscribe (fixture, &fixture->b, GMCP_SUBSCRIPTION_NONE, "x://2");
  g_ptr_array_set_size (fixture->events, 0);
  listen (fixture, NULL);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  assert_events (fixture->a.events, "tools-list-changed | updated x://1 | updated x://2");
  assert_events (fixture->b.events, "updated x://2");
  g_assert_cmpuint (steered_transport_count (fixture->transport, SUBSCRIBE), ==, 2);
  say_updated (fixture, "x://1");
  assert_events (fixture->a.events, "updated x://1");

  /* Closed while it waits, it is let go as ever. */
  listen (fixture, error);
  gmcp_subscription_close (fixture->a.subscription);
  g_assert_cmpuint (steered_transport_count (fixture->transport, UNSUBSCRIBE), ==, 1);
  listen (fixture, NULL);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
  assert_events (fixture->b.events, "interrupted: It broke | updated x://2");
}

static void
test_legacy_deaf_session_lost (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "It broke");

  g_test_summary ("a session that is lost while nothing can be heard");
  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, "x://1");
  listen (fixture, error);
  gmcp_transport_report_session_lost (GMCP_TRANSPORT (fixture->transport), error);
  wait_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_OPEN);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "initialize"), ==, 2);
  g_assert_cmpuint (steered_transport_count (fixture->transport, SUBSCRIBE), ==, 2);
  assert_events (fixture->a.events, "interrupted: It broke | updated x://1");
}

static void
close_in_handler (GmcpSubscription *subscription, const GError *error, gpointer client)
{
  gmcp_client_close_async (client, NULL, NULL, NULL);
}

static void
test_legacy_deaf_close_in_handler (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "It broke");

  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, "x://1");
  subscribe (fixture, &fixture->b, GMCP_SUBSCRIPTION_NONE, "x://1");
  g_signal_connect (fixture->a.subscription, "interrupted", G_CALLBACK (close_in_handler),
                    fixture->client);
  listen (fixture, error);
  listen (fixture, NULL);
  g_assert_false (gmcp_client_is_open (fixture->client));
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_WAITING);
  assert_state (&fixture->b, GMCP_SUBSCRIPTION_STATE_WAITING);
}

static void
test_legacy_send_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  make (fixture, &fixture->a, GMCP_SUBSCRIPTION_NONE, "x://1 x://2");
  fixture->transport->refuse = TRUE;
  start (&fixture->a);
  g_assert_false (finish (&fixture->a, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
  assert_state (&fixture->a, GMCP_SUBSCRIPTION_STATE_CLOSED);
  fixture->transport->refuse = FALSE;
  start (&fixture->a);
  g_assert_true (finish (&fixture->a, NULL));
}

static void
test_properties (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpClient) client = NULL;
  g_auto (GStrv) uris = NULL;
  g_auto (GStrv) tasks = NULL;
  g_auto (GStrv) given = NULL;
  GmcpSubscriptionFlags lists, given_lists;
  GmcpSubscriptionState state;

  open_client (fixture);
  subscribe (fixture, &fixture->a, GMCP_SUBSCRIPTION_TOOLS, "x://1");
  g_object_get (fixture->a.subscription, "client", &client, "lists", &lists, "resource-uris", &uris,
                "task-ids", &tasks, "state", &state, "acknowledged-lists", &given_lists,
                "acknowledged-resource-uris", &given, NULL);
  g_assert_true (client == fixture->client);
  g_assert_cmpint (lists, ==, GMCP_SUBSCRIPTION_TOOLS);
  g_assert_cmpint (given_lists, ==, GMCP_SUBSCRIPTION_TOOLS);
  assert_uris ((const char *const *) uris, "x://1");
  assert_uris ((const char *const *) given, "x://1");
  assert_uris ((const char *const *) tasks, "");
  g_assert_cmpint (state, ==, GMCP_SUBSCRIPTION_STATE_OPEN);
  /* To opening and to open. */
  g_assert_cmpuint (fixture->a.n_notified, ==, 2);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, answer, func)                                                                    \
  g_test_add ("/client/subscription/" path, Fixture, answer, set_up, func, tear_down)
  ADD ("modern/filter", answer_modern, test_modern_filter);
  ADD ("modern/signals", answer_modern, test_modern_signals);
  ADD ("modern/odd-notifications", answer_modern, test_modern_odd_notifications);
  ADD ("modern/bare-acknowledgement", answer_modern, test_modern_bare_acknowledgement);
  ADD ("modern/not-acknowledged", answer_modern, test_modern_not_acknowledged);
  ADD ("modern/refused", answer_modern, test_modern_refused);
  ADD ("modern/empty-at-once", answer_modern, test_modern_empty_at_once);
  ADD ("modern/graceful-end", answer_modern, test_modern_graceful_end);
  ADD ("modern/less-again", answer_modern, test_modern_less_again);
  ADD ("modern/unwanted-end", answer_modern, test_modern_unwanted_end);
  ADD ("modern/cancelled-by-server", answer_modern, test_modern_cancelled_by_server);
  ADD ("modern/refused-again", answer_refuse_again, test_modern_refused_again);
  ADD ("modern/cut-soon", answer_modern, test_modern_cut_soon);
  ADD ("modern/connection-lost", answer_modern, test_connection_lost);
  ADD ("modern/client-closed", answer_modern, test_client_closed);
  ADD ("modern/cancel-opening", answer_modern, test_modern_cancel_opening);
  ADD ("modern/drop", answer_modern, test_modern_drop);
  ADD ("modern/other-notifications", answer_modern, test_modern_other_notifications);
  ADD ("modern/violation", answer_modern, test_modern_violation);
  ADD ("modern/lists-first", answer_modern, test_modern_lists_first);
  ADD ("misuse", answer_modern, test_misuse);
  ADD ("drop-in-handler", answer_modern, test_drop_in_handler);
  ADD ("properties", answer_modern, test_properties);
  ADD ("legacy/shared", answer_legacy, test_legacy_shared);
  ADD ("legacy/close-while-opening", answer_legacy, test_legacy_close_while_opening);
  ADD ("legacy/refused", answer_legacy, test_legacy_refused);
  ADD ("legacy/not-declared", answer_legacy_poor, test_legacy_not_declared);
  ADD ("legacy/signals", answer_legacy, test_legacy_signals);
  ADD ("legacy/deaf", answer_legacy, test_legacy_deaf);
  ADD ("legacy/deaf-session-lost", answer_legacy, test_legacy_deaf_session_lost);
  ADD ("legacy/deaf-close-in-handler", answer_legacy, test_legacy_deaf_close_in_handler);
  ADD ("legacy/connection-lost", answer_legacy, test_connection_lost);
  ADD ("legacy/client-closed", answer_legacy, test_client_closed);
  ADD ("legacy/close-in-violation", answer_legacy, test_legacy_close_in_violation);
  ADD ("legacy/no-longer-declared", answer_legacy, test_legacy_no_longer_declared);
  ADD ("legacy/send-fails", answer_legacy, test_legacy_send_fails);
  ADD ("legacy/drop-in-handler", answer_legacy, test_drop_in_handler);
#undef ADD

  return g_test_run ();
}
