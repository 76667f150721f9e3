/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"

#include <gmcp/transport/gmcp-memory-transport.h>

#include "gmcp-caching-private.h"
#include "gmcp-client-private.h"
#include "unit-test.h"

typedef struct
{
  ClientFixture end;
  GmcpResponseCache *cache;
  gint64 now_us;
} Fixture;

/* What the server says now. */
static const char *first_hints, *second_hints;
static gboolean silent, refuses_cursors, fails;
static const char *failure;
static int refusal_code;

#define MINUTE "\"ttlMs\":60000,\"cacheScope\":\"public\""

static void
answer (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  g_autofree char *text = NULL;

  if (g_str_equal (method, "server/discover"))
    {
      scripted_server_send (
        server,
        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
        "\"supportedVersions\":[\"2026-07-28\"]," MINUTE ",\"capabilities\":{\"tools\":{}}}}");
      return;
    }
  if (!g_str_equal (method, "tools/list"))
    {
      scripted_server_modern (server, method, message);
      return;
    }
  if (silent)
    return;

  if (fails)
    text = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":%s}", failure);
  else if (!gmcp_json_value_is_present (gmcp_json_value_get_member (message->params, "cursor")))
    text
      = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
                         "\"tools\":[{\"name\":\"a\"}]%s%s%s}}",
                         second_hints != NULL ? ",\"nextCursor\":\"2\"" : "",
                         *first_hints != '\0' ? "," : "", first_hints);
  else if (refuses_cursors)
    text = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":%d,"
                            "\"message\":\"no such cursor\"}}",
                            refusal_code);
  else
    text
      = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
                         "\"tools\":[{\"name\":\"b\"}],%s}}",
                         second_hints);
  scripted_server_send (server, text);
}

static gint64
read_clock (gpointer data)
{
  Fixture *fixture = data;

  return fixture->now_us;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  first_hints = MINUTE;
  second_hints = NULL;
  silent = refuses_cursors = fails = FALSE;
  refusal_code = -32602;
  fixture->cache = gmcp_response_cache_new ();
  fixture->now_us = 1;
  gmcp_response_cache_set_clock (fixture->cache, read_clock, fixture);
  client_fixture_make (&fixture->end, answer);
  gmcp_client_set_response_cache (fixture->end.client, fixture->cache);
  client_fixture_open (&fixture->end);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  client_fixture_tear_down (&fixture->end, NULL);
  g_assert_finalize_object (fixture->cache);
}

static guint
n_lists (ClientFixture *end)
{
  return scripted_server_count (end->server, "tools/list");
}

/* The number of tools; 0 with an error. */
static guint
list (ClientFixture *end, GError **error)
{
  Waiter waiter = { NULL };
  g_autoptr (GListModel) tools = NULL;

  gmcp_client_list_tools_async (end->client, NULL, waiter_done, &waiter);
  g_assert_null (waiter.result);
  waiter_wait (&waiter);
  tools = gmcp_client_list_tools_finish (end->client, waiter.result, error);
  g_object_unref (waiter.result);
  return tools != NULL ? g_list_model_get_n_items (tools) : 0;
}

static guint
list_well (ClientFixture *end)
{
  g_autoptr (GError) error = NULL;
  guint n = list (end, &error);

  g_assert_no_error (error);
  return n;
}

static GPtrArray *
get_page (ClientFixture *end, const char *cursor, GmcpCallOptions *options, GError **error)
{
  Waiter waiter = { NULL };
  GPtrArray *page;

  gmcp_client_list_tools_page_async (end->client, cursor, options, NULL, waiter_done, &waiter);
  g_assert_null (waiter.result);
  waiter_wait (&waiter);
  page = gmcp_client_list_tools_page_finish (end->client, waiter.result, NULL, error);
  g_object_unref (waiter.result);
  return page;
}

static void
get_page_well (ClientFixture *end, GmcpCallOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) page = get_page (end, NULL, options, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (page->len, ==, 1);
}

static void
test_fresh (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (list_well (&fixture->end), ==, 1);
  g_assert_cmpuint (list_well (&fixture->end), ==, 1);
  get_page_well (&fixture->end, NULL);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 1);

  fixture->now_us += 60000 * 1000;
  g_assert_cmpuint (list_well (&fixture->end), ==, 1);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);
  g_assert_cmpuint (list_well (&fixture->end), ==, 1);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);
}

static void
test_stale_at_once (Fixture *fixture, gconstpointer data)
{
  static const char *const hints[]
    = { "", "\"ttlMs\":0", "\"ttlMs\":-5", "\"cacheScope\":\"public\"" };

  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    {
      first_hints = hints[i];
      list_well (&fixture->end);
      list_well (&fixture->end);
      g_assert_cmpuint (n_lists (&fixture->end), ==, 2 * (i + 1));
    }
}

static void
test_never_calls (Fixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GmcpToolResult) result = NULL;

      client_fixture_call (&fixture->end, NULL, NULL, &waiter);
      scripted_server_send (
        fixture->end.server,
        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
        "\"content\":[]," MINUTE "}}");
      result = client_fixture_finish (&fixture->end, &waiter, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (scripted_server_count (fixture->end.server, "tools/call"), ==, 2);
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("Each page has its own time, and is asked for by its cursor when that is over.");

  second_hints = "\"ttlMs\":1000,\"cacheScope\":\"public\"";
  g_assert_cmpuint (list_well (&fixture->end), ==, 2);
  g_assert_cmpuint (list_well (&fixture->end), ==, 2);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);

  fixture->now_us += 1000 * 1000;
  g_assert_cmpuint (list_well (&fixture->end), ==, 2);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 3);
  g_assert_nonnull (
    strstr (scripted_server_find (fixture->end.server, "tools/list"), "\"cursor\":\"2\""));
}

static void
test_bad_cursor (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("A list whose kept page leads to a cursor that is gone is read from its start.");

  second_hints = "\"ttlMs\":1000,\"cacheScope\":\"public\"";
  g_assert_cmpuint (list_well (&fixture->end), ==, 2);
  fixture->now_us += 1000 * 1000;
  refuses_cursors = TRUE;
  /* It refuses the new one too, and then there is no way on. */
  list (&fixture->end, &error);
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 5);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 1);

  refuses_cursors = FALSE;
  g_assert_cmpuint (list_well (&fixture->end), ==, 2);
  fixture->now_us += 1000 * 1000;
  refuses_cursors = TRUE;
  second_hints = NULL;
  g_assert_cmpuint (list_well (&fixture->end), ==, 1);
}

static void
test_failing_cursor (Fixture *fixture, gconstpointer data)
{
  static const int codes[] = { -32602, -32603 };

  g_test_summary (
    "Whatever error a cursor of a kept page gives, the server itself is asked for the "
    "pages before it.");
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GError) error = NULL;
      guint before;

      second_hints = "\"ttlMs\":1000,\"cacheScope\":\"public\"";
      refuses_cursors = FALSE;
      g_assert_cmpuint (list_well (&fixture->end), ==, 2);
      fixture->now_us += 1000 * 1000;
      refuses_cursors = TRUE;
      refusal_code = codes[i];
      before = n_lists (&fixture->end);
      list (&fixture->end, &error);
      g_assert_error (error, GMCP_RPC_ERROR, codes[i]);
      /* The cursor; the first page; its cursor. */
      g_assert_cmpuint (n_lists (&fixture->end), ==, before + 3);
    }
}

static void
test_list_changed (Fixture *fixture, gconstpointer data)
{
  list_well (&fixture->end);
  scripted_server_send (fixture->end.server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/prompts/list_changed\"}");
  settle ();
  list_well (&fixture->end);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 1);

  scripted_server_send (fixture->end.server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  wait_for_messages (&fixture->end, "tools/list", 2);
  list_well (&fixture->end);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);
}

static void
test_changes_missed (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("After a stream of changes was interrupted, what it was for is stale.");

  get_page_well (&fixture->end, NULL);
  gmcp_caching_expire_lists (gmcp_client_get_session (fixture->end.client),
                             GMCP_SUBSCRIPTION_PROMPTS);
  gmcp_caching_expire_resource (gmcp_client_get_session (fixture->end.client), "file:///a");
  get_page_well (&fixture->end, NULL);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 1);
  gmcp_caching_expire_lists (gmcp_client_get_session (fixture->end.client),
                             GMCP_SUBSCRIPTION_TOOLS);
  get_page_well (&fixture->end, NULL);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);
}

static void
test_changed_meanwhile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) page = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("An answer from before a change is given to its caller and not kept.");

  silent = TRUE;
  gmcp_client_list_tools_page_async (fixture->end.client, NULL, NULL, NULL, waiter_done, &waiter);
  wait_for_messages (&fixture->end, "tools/list", 1);
  scripted_server_send (fixture->end.server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  scripted_server_send (fixture->end.server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
                        "\"tools\":[]," MINUTE "}}");
  waiter_wait (&waiter);
  page = gmcp_client_list_tools_page_finish (fixture->end.client, waiter.result, NULL, &error);
  g_assert_no_error (error);
  g_object_unref (waiter.result);
  silent = FALSE;
  get_page_well (&fixture->end, NULL);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);
}

static void
test_modes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();

  gmcp_call_options_set_cache_mode (options, GMCP_CACHE_MODE_BYPASS);
  get_page_well (&fixture->end, options);
  get_page_well (&fixture->end, options);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 1); /* discover */

  gmcp_call_options_set_cache_mode (options, GMCP_CACHE_MODE_REFRESH);
  get_page_well (&fixture->end, options);
  get_page_well (&fixture->end, options);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 4);

  gmcp_call_options_set_cache_mode (options, GMCP_CACHE_MODE_DEFAULT);
  get_page_well (&fixture->end, options);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 4);

  /* What the caller adds to the request is part of it. */
  gmcp_call_options_set_meta_json (options, "{\"tenant\":1}", NULL);
  get_page_well (&fixture->end, options);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 5);
}

static void
assert_times_out (Fixture *fixture, GmcpCallOptions *options)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (get_page (&fixture->end, NULL, options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
}

/* An answer that comes is waited for, however slow the machine is. */
static void
set_silent (Fixture *fixture, gboolean is_silent)
{
  silent = is_silent;
  gmcp_client_set_call_timeout_ms (fixture->end.client, is_silent ? 20 : 60000);
}

static void
test_stale_on_error (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;

  first_hints = "\"ttlMs\":0";
  get_page_well (&fixture->end, NULL);
  gmcp_call_options_set_stale_on_error (options, TRUE);
  set_silent (fixture, TRUE);
  /* What was stale at once was not kept for it. */
  assert_times_out (fixture, options);

  set_silent (fixture, FALSE);
  get_page_well (&fixture->end, options);
  set_silent (fixture, TRUE);
  assert_times_out (fixture, NULL);
  get_page_well (&fixture->end, options);

  /* The server failed, or said no. */
  set_silent (fixture, FALSE);
  fails = TRUE;
  failure = "{\"code\":-32603,\"message\":\"out of order\"}";
  get_page_well (&fixture->end, options);
  failure = "{\"code\":-32602,\"message\":\"no\"}";
  g_assert_null (get_page (&fixture->end, NULL, options, &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);
  g_clear_error (&error);
  failure = "{\"code\":-32603,\"message\":\"out of order\"}";
  g_assert_null (get_page (&fixture->end, NULL, options, &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INTERNAL);
  g_clear_error (&error);

  fails = FALSE;
  gmcp_response_cache_set_stale_on_error (fixture->cache, TRUE);
  g_assert_cmpuint (list_well (&fixture->end), ==, 1);
  set_silent (fixture, TRUE);
  g_assert_cmpuint (list_well (&fixture->end), ==, 1);
}

static void
test_stale_when_closed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;

  g_test_summary ("Where the connection is gone, what is kept is all there is.");

  get_page_well (&fixture->end, NULL);
  fixture->now_us += 60000 * 1000;
  gmcp_client_close_async (fixture->end.client, NULL, NULL, NULL);
  settle ();
  g_assert_null (get_page (&fixture->end, NULL, options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_clear_error (&error);
  gmcp_call_options_set_stale_on_error (options, TRUE);
  get_page_well (&fixture->end, options);
  g_assert_null (get_page (&fixture->end, "2", options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_clear_error (&error);
  gmcp_call_options_set_cache_mode (options, GMCP_CACHE_MODE_BYPASS);
  g_assert_null (get_page (&fixture->end, NULL, options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 1);
}

static GmcpResourceResult *
read_resource (ClientFixture *end, const char *uri, GError **error)
{
  Waiter waiter = { NULL };
  GmcpResourceResult *result;

  gmcp_client_read_resource_async (end->client, uri, NULL, NULL, waiter_done, &waiter);
  waiter_wait (&waiter);
  result = gmcp_client_read_resource_finish (end->client, waiter.result, error);
  g_object_unref (waiter.result);
  return result;
}

static void
read_well (ClientFixture *end, const char *uri)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceResult) result = read_resource (end, uri, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
}

static void
answer_read (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "resources/read"))
    scripted_server_send (server,
                          "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
                          "\"contents\":[{\"uri\":\"x:\",\"text\":\"t\"}]," MINUTE "}}");
  else
    answer (server, method, message);
}

static void
test_resources (Fixture *fixture, gconstpointer data)
{
  ScriptedServer *server = fixture->end.server;

  server->answer = answer_read;
  read_well (&fixture->end, "file:///a");
  read_well (&fixture->end, "file:///a");
  g_assert_cmpuint (scripted_server_count (server, "resources/read"), ==, 1);
  read_well (&fixture->end, "file:///b");
  g_assert_cmpuint (scripted_server_count (server, "resources/read"), ==, 2);

  scripted_server_send (server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
                        "\"params\":{\"uri\":\"file:///a\"}}");
  settle ();
  read_well (&fixture->end, "file:///b");
  g_assert_cmpuint (scripted_server_count (server, "resources/read"), ==, 2);
  read_well (&fixture->end, "file:///a");
  g_assert_cmpuint (scripted_server_count (server, "resources/read"), ==, 3);
}

static void
send_raw (ClientFixture *end, const char *params)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  gmcp_client_send_request_json_async (end->client, "resources/read", params, NULL, NULL,
                                       waiter_done, &waiter);
  waiter_wait (&waiter);
  text = gmcp_client_send_request_json_finish (end->client, waiter.result, &error);
  g_assert_no_error (error);
  g_object_unref (waiter.result);
}

static void
test_answered_questions (Fixture *fixture, gconstpointer data)
{
  ScriptedServer *server = fixture->end.server;
  guint before = gmcp_response_cache_get_n_responses (fixture->cache);

  g_test_summary ("What depends on answers to the server's questions is never kept nor taken.");

  server->answer = answer_read;
  for (guint i = 0; i < 2; i++)
    {
      send_raw (&fixture->end, "{\"uri\":\"file:///a\",\"inputResponses\":{}}");
      send_raw (&fixture->end, "{\"uri\":\"file:///a\",\"requestState\":\"s\"}");
    }
  g_assert_cmpuint (scripted_server_count (server, "resources/read"), ==, 4);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, before);

  send_raw (&fixture->end, "{\"uri\":\"file:///a\"}");
  read_well (&fixture->end, "file:///a");
  g_assert_cmpuint (scripted_server_count (server, "resources/read"), ==, 5);
  send_raw (&fixture->end, "{\"uri\":\"file:///a\",\"_meta\":{\"tenant\":2}}");
  g_assert_cmpuint (scripted_server_count (server, "resources/read"), ==, 6);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  get_page_well (&fixture->end, NULL);
  gmcp_client_list_tools_page_async (fixture->end.client, NULL, NULL, cancellable, waiter_done,
                                     &waiter);
  g_cancellable_cancel (cancellable);
  waiter_wait (&waiter);
  g_assert_null (
    gmcp_client_list_tools_page_finish (fixture->end.client, waiter.result, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_object_unref (waiter.result);
  settle ();
  g_assert_cmpuint (n_lists (&fixture->end), ==, 1);
  g_assert_null (scripted_server_find (fixture->end.server, "notifications/cancelled"));
}

static void
test_close (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  get_page_well (&fixture->end, NULL);
  gmcp_client_list_tools_page_async (fixture->end.client, NULL, NULL, NULL, waiter_done, &waiter);
  gmcp_client_close_async (fixture->end.client, NULL, NULL, NULL);
  waiter_wait (&waiter);
  g_assert_null (
    gmcp_client_list_tools_page_finish (fixture->end.client, waiter.result, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_object_unref (waiter.result);
}

static void
test_guessed_id (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) page = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("A peer cannot answer what it was not asked.");

  get_page_well (&fixture->end, NULL);
  for (guint id = 1; id < 20; id++)
    {
      g_autofree char *text = g_strdup_printf (
        "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"tools\":[{\"name\":\"x\"},{\"name\":\"y\"}]}}",
        id);

      scripted_server_send (fixture->end.server, text);
    }
  gmcp_client_list_tools_page_async (fixture->end.client, NULL, NULL, NULL, waiter_done, &waiter);
  waiter_wait (&waiter);
  page = gmcp_client_list_tools_page_finish (fixture->end.client, waiter.result, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (page->len, ==, 1);
  g_object_unref (waiter.result);
}

static void
test_ping (Fixture *fixture, gconstpointer data)
{
  guint before = scripted_server_count (fixture->end.server, "server/discover");
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("Whether the server is alive only the server can tell.");

  gmcp_client_ping_async (fixture->end.client, NULL, NULL, waiter_done, &waiter);
  waiter_wait (&waiter);
  g_assert_true (gmcp_client_ping_finish (fixture->end.client, waiter.result, &error));
  g_object_unref (waiter.result);
  g_assert_cmpuint (scripted_server_count (fixture->end.server, "server/discover"), ==, before + 1);
}

static void
test_shared (Fixture *fixture, gconstpointer data)
{
  ClientFixture other;

  g_test_summary ("Clients of one server share what it answered, and no others do.");

  gmcp_client_set_cache_key (fixture->end.client, "key-of-the-test");
  list_well (&fixture->end);

  client_fixture_make (&other, answer);
  gmcp_client_set_response_cache (other.client, fixture->cache);
  gmcp_client_set_era (other.client, GMCP_ERA_MODERN);
  client_fixture_open (&other);
  list_well (&other);
  g_assert_cmpuint (n_lists (&other), ==, 1);
  gmcp_client_set_cache_key (other.client, "another");
  list_well (&other);
  g_assert_cmpuint (n_lists (&other), ==, 2);
  gmcp_client_set_cache_key (other.client, "key-of-the-test");
  list_well (&other);
  g_assert_cmpuint (n_lists (&other), ==, 2);

  /* A change that one hears of is one for all. */
  scripted_server_send (other.server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  wait_for_messages (&other, "tools/list", 3);
  settle ();
  list_well (&fixture->end);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 1);
  client_fixture_tear_down (&other, NULL);

  /* And it outlives the connection. */
  client_fixture_make (&other, answer);
  gmcp_client_set_response_cache (other.client, fixture->cache);
  gmcp_client_set_cache_key (other.client, "key-of-the-test");
  gmcp_client_set_era (other.client, GMCP_ERA_MODERN);
  client_fixture_open (&other);
  list_well (&other);
  g_assert_cmpuint (n_lists (&other), ==, 0);
  client_fixture_tear_down (&other, NULL);
}

static void
test_sign_in (Fixture *fixture, gconstpointer data)
{
  first_hints = "\"ttlMs\":60000,\"cacheScope\":\"private\"";
  gmcp_client_set_sign_in (fixture->end.client, "alice");
  list_well (&fixture->end);
  list_well (&fixture->end);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 1);
  gmcp_client_set_sign_in (fixture->end.client, "bob");
  list_well (&fixture->end);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);
  gmcp_client_set_sign_in (fixture->end.client, "alice");
  list_well (&fixture->end);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 2);
  gmcp_client_set_sign_in (fixture->end.client, NULL);
  list_well (&fixture->end);
  g_assert_cmpuint (n_lists (&fixture->end), ==, 3);
}

static void
test_leaving (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("What nobody can use any more does not stay.");

  list_well (&fixture->end);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), >, 0);
  gmcp_client_set_response_cache (fixture->end.client, NULL);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 0);
  g_assert_null (gmcp_client_get_response_cache (fixture->end.client));
  list_well (&fixture->end);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 0);
}

static void
test_not_complete (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) page = NULL;
  Waiter waiter = { NULL };
  guint before = gmcp_response_cache_get_n_responses (fixture->cache);

  silent = TRUE;
  gmcp_client_list_tools_page_async (fixture->end.client, NULL, NULL, NULL, waiter_done, &waiter);
  wait_for_messages (&fixture->end, "tools/list", 1);
  scripted_server_send (fixture->end.server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"whatever\","
                        "\"tools\":[]," MINUTE "}}");
  waiter_wait (&waiter);
  page = gmcp_client_list_tools_page_finish (fixture->end.client, waiter.result, NULL, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_object_unref (waiter.result);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, before);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/client/cache/fresh", test_fresh);
  ADD ("/client/cache/stale-at-once", test_stale_at_once);
  ADD ("/client/cache/never-calls", test_never_calls);
  ADD ("/client/cache/pages", test_pages);
  ADD ("/client/cache/bad-cursor", test_bad_cursor);
  ADD ("/client/cache/failing-cursor", test_failing_cursor);
  ADD ("/client/cache/list-changed", test_list_changed);
  ADD ("/client/cache/changes-missed", test_changes_missed);
  ADD ("/client/cache/changed-meanwhile", test_changed_meanwhile);
  ADD ("/client/cache/modes", test_modes);
  ADD ("/client/cache/stale-on-error", test_stale_on_error);
  ADD ("/client/cache/stale-when-closed", test_stale_when_closed);
  ADD ("/client/cache/resources", test_resources);
  ADD ("/client/cache/answered-questions", test_answered_questions);
  ADD ("/client/cache/cancel", test_cancel);
  ADD ("/client/cache/close", test_close);
  ADD ("/client/cache/guessed-id", test_guessed_id);
  ADD ("/client/cache/ping", test_ping);
  ADD ("/client/cache/shared", test_shared);
  ADD ("/client/cache/sign-in", test_sign_in);
  ADD ("/client/cache/leaving", test_leaving);
  ADD ("/client/cache/not-complete", test_not_complete);

  return g_test_run ();
}
