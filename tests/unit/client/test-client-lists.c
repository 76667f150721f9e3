/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"
#include "unit-test.h"

#define LIST_CHANGED "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s/list_changed\"}"

/* What the server lists at present: the answer to each list, by method. */
static GHashTable *pages;

static void
store_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

/* Servers of both eras, which declare what there is, or next to nothing. */
#define ALL "\"tools\":{\"listChanged\":true},\"prompts\":{},\"resources\":{}"
#define FEW "\"completions\":{}"

static void
answer_discover (ScriptedServer *server,
                 const char *method,
                 const GmcpRpcMessage *message,
                 const char *capabilities)
{
  g_autofree char *text
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
                       "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{%s}}}",
                       capabilities);

  if (g_str_equal (method, "server/discover"))
    scripted_server_send (server, text);
  else
    scripted_server_modern (server, method, message);
}

static void
answer_initialize (ScriptedServer *server,
                   const char *method,
                   const GmcpRpcMessage *message,
                   const char *capabilities)
{
  g_autofree char *text
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"protocolVersion\":"
                       "\"2025-11-25\",\"capabilities\":{%s}}}",
                       capabilities);

  if (g_str_equal (method, "initialize"))
    scripted_server_send (server, text);
  else
    scripted_server_legacy (server, method, message);
}

static void
full_modern (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  answer_discover (server, method, message, ALL);
}

static void
few_modern (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  answer_discover (server, method, message, FEW);
}

static void
full_legacy (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  answer_initialize (server, method, message, ALL);
}

static void
few_legacy (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  answer_initialize (server, method, message, FEW);
}

static void
answer (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  g_autofree char *cursor
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (message->params, "cursor"));
  g_autofree char *key = cursor != NULL ? g_strconcat (method, "?", cursor, NULL) : NULL;
  const char *page = g_hash_table_lookup (pages, key != NULL ? key : method);
  g_autofree char *text = NULL;

  if (page == NULL)
    {
      ((ScriptedServerFunc) server->data) (server, method, message);
      return;
    }
  text = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,%s}", page);
  scripted_server_send (server, text);
}

static void
set_up (ClientFixture *fixture, gconstpointer data)
{
  pages = g_hash_table_new (g_str_hash, g_str_equal);
  client_fixture_set_up (fixture, data);
  fixture->server->data = (gpointer) data;
  fixture->server->answer = answer;
}

static void
tear_down (ClientFixture *fixture, gconstpointer data)
{
  client_fixture_tear_down (fixture, data);
  g_clear_pointer (&pages, g_hash_table_unref);
}

static void
set_page (const char *method, const char *page)
{
  g_hash_table_insert (pages, (gpointer) method, (gpointer) page);
}

/* How the lists are asked for. */
typedef struct
{
  const char *method;
  const char *member;
  const char *topic; /* of the notification */
  void (*list_async) (GmcpClient *self,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
  GListModel *(*list_finish) (GmcpClient *self, GAsyncResult *result, GError **error);
  void (*page_async) (GmcpClient *self,
                      const char *cursor,
                      GmcpCallOptions *options,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
  GPtrArray *(*page_finish) (GmcpClient *self,
                             GAsyncResult *result,
                             char **next_cursor,
                             GError **error);
  const char *items[3];
  const char *first_changed;
  const char *malformed;
} Kind;

static const Kind kinds[] = {
  {
    "tools/list",
    "tools",
    "tools",
    gmcp_client_list_tools_async,
    gmcp_client_list_tools_finish,
    gmcp_client_list_tools_page_async,
    gmcp_client_list_tools_page_finish,
    { "{\"name\":\"a\"}", "{\"name\":\"b\"}", "{\"name\":\"c\"}" },
    "{\"name\":\"a\",\"title\":\"A\"}",
    "{\"title\":\"no name\"}",
  },
  {
    "resources/list",
    "resources",
    "resources",
    gmcp_client_list_resources_async,
    gmcp_client_list_resources_finish,
    gmcp_client_list_resources_page_async,
    gmcp_client_list_resources_page_finish,
    { "{\"uri\":\"x:a\"}", "{\"uri\":\"x:b\"}", "{\"uri\":\"x:c\"}" },
    "{\"uri\":\"x:a\",\"name\":\"A\"}",
    "{\"name\":\"no URI\"}",
  },
  {
    "resources/templates/list",
    "resourceTemplates",
    "resources",
    gmcp_client_list_resource_templates_async,
    gmcp_client_list_resource_templates_finish,
    gmcp_client_list_resource_templates_page_async,
    gmcp_client_list_resource_templates_page_finish,
    { "{\"uriTemplate\":\"x:{a}\"}", "{\"uriTemplate\":\"x:{b}\"}", "{\"uriTemplate\":\"x:{c}\"}" },
    "{\"uriTemplate\":\"x:{a}\",\"name\":\"A\"}",
    "{\"uri\":\"x:a\"}",
  },
  {
    "prompts/list",
    "prompts",
    "prompts",
    gmcp_client_list_prompts_async,
    gmcp_client_list_prompts_finish,
    gmcp_client_list_prompts_page_async,
    gmcp_client_list_prompts_page_finish,
    { "{\"name\":\"a\"}", "{\"name\":\"b\"}", "{\"name\":\"c\"}" },
    "{\"name\":\"a\",\"arguments\":[]}",
    "[]",
  },
};

static GListModel *
try_list (ClientFixture *fixture, const Kind *kind, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  kind->list_async (fixture->client, NULL, store_result, &result);
  return kind->list_finish (fixture->client, wait_for (&result), error);
}

static GListModel *
list (ClientFixture *fixture, const Kind *kind)
{
  g_autoptr (GError) error = NULL;
  GListModel *model = try_list (fixture, kind, &error);

  g_assert_no_error (error);
  return model;
}

static GPtrArray *
try_page (ClientFixture *fixture,
          const Kind *kind,
          const char *cursor,
          GmcpCallOptions *options,
          char **next,
          GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  kind->page_async (fixture->client, cursor, options, NULL, store_result, &result);
  return kind->page_finish (fixture->client, wait_for (&result), next, error);
}

static void
test_pages (ClientFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const Kind *kind = &kinds[i];
      g_autofree char *first
        = g_strdup_printf ("\"result\":{\"%s\":[%s,%s,5,%s],\"nextCursor\":\"p\\u00e4ge 2\"}",
                           kind->member, kind->items[0], kind->malformed, kind->items[0]);
      g_autofree char *second = g_strdup_printf ("\"result\":{\"%s\":[%s,%s],\"nextCursor\":null}",
                                                 kind->member, kind->items[1], kind->items[2]);
      g_autofree char *second_key = g_strconcat (kind->method, "?päge 2", NULL);
      g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
      g_autoptr (GPtrArray) items = NULL;
      g_autoptr (GListModel) model = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *next = NULL;

      set_page (kind->method, first);
      set_page (second_key, second);

      gmcp_call_options_set_meta_json (options, "{\"mark\":1}", NULL);
      items = try_page (fixture, kind, NULL, options, &next, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (items->len, ==, 1);
      g_assert_cmpstr (next, ==, "päge 2");
      g_assert_nonnull (
        strstr (scripted_server_find (fixture->server, kind->method), "\"mark\":1"));
      g_clear_pointer (&items, g_ptr_array_unref);

      items = try_page (fixture, kind, next, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (items->len, ==, 2);
      g_clear_pointer (&items, g_ptr_array_unref);
      g_clear_pointer (&next, g_free);
      items = try_page (fixture, kind, "päge 2", NULL, &next, &error);
      g_assert_null (next);

      model = list (fixture, kind);
      g_assert_cmpuint (g_list_model_get_n_items (model), ==, 3);
      g_hash_table_remove_all (pages);
    }
}

static void
test_page_errors (ClientFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const Kind *kind = &kinds[i];
      g_autoptr (GError) error = NULL;
      g_autofree char *next = NULL;

      set_page (kind->method, "\"error\":{\"code\":-32602,\"message\":\"bad cursor\"}");
      g_assert_null (try_page (fixture, kind, NULL, NULL, &next, &error));
      g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);
      g_assert_nonnull (strstr (error->message, "of srv could not be listed: bad cursor"));
      g_clear_error (&error);

      set_page (kind->method, "\"result\":{\"other\":[]}");
      g_assert_null (try_page (fixture, kind, NULL, NULL, &next, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_clear_error (&error);
      g_assert_null (try_list (fixture, kind, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_assert_null (next);
    }
}

typedef struct
{
  guint n;
  guint position;
  guint removed;
  guint added;
} Changes;

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, gpointer user_data)
{
  Changes *changes = user_data;

  *changes = (Changes){ changes->n + 1, position, removed, added };
}

static void
test_minimal_changes (ClientFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const Kind *kind = &kinds[i];
      g_autofree char *before = g_strdup_printf ("\"result\":{\"%s\":[%s,%s]}", kind->member,
                                                 kind->items[0], kind->items[1]);
      g_autofree char *more = g_strdup_printf ("\"result\":{\"%s\":[%s,%s,%s]}", kind->member,
                                               kind->first_changed, kind->items[1], kind->items[2]);
      g_autofree char *notification = g_strdup_printf (LIST_CHANGED, kind->topic);
      Changes changes = { 0 };
      g_autoptr (GListModel) model = NULL;
      g_autoptr (GListModel) again = NULL;
      g_autoptr (GObject) first = NULL;
      g_autoptr (GObject) second = NULL;
      g_autoptr (GObject) new_first = NULL;
      g_autoptr (GObject) new_second = NULL;
      guint n_requests;

      set_page (kind->method, before);
      model = list (fixture, kind);
      first = g_list_model_get_item (model, 0);
      second = g_list_model_get_item (model, 1);
      g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &changes);

      again = list (fixture, kind);
      g_assert_true (again == model);
      g_assert_cmpuint (changes.n, ==, 0);

      /* One changes, one stays, one is new. */
      set_page (kind->method, more);
      n_requests = scripted_server_count (fixture->server, kind->method);
      scripted_server_send (fixture->server, notification);
      while (changes.n == 0)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (scripted_server_count (fixture->server, kind->method), ==, n_requests + 1);
      g_assert_cmpuint (g_list_model_get_n_items (model), ==, 3);
      new_first = g_list_model_get_item (model, 0);
      new_second = g_list_model_get_item (model, 1);
      g_assert_true (new_first != first);
      g_assert_true (new_second == second);
      g_signal_handlers_disconnect_by_data (model, &changes);
      g_hash_table_remove_all (pages);
    }
}

static void
test_not_declared (ClientFixture *fixture, gconstpointer data)
{
  Waiter read = { NULL };
  Waiter called = { NULL };
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("What a server does not declare it is not asked to list; what somebody reads or "
                  "calls goes out all the same.");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const Kind *kind = &kinds[i];
      g_autoptr (GListModel) model = list (fixture, kind);
      g_autoptr (GPtrArray) items = NULL;
      g_autofree char *next = NULL;

      g_assert_cmpuint (g_list_model_get_n_items (model), ==, 0);
      items = try_page (fixture, kind, NULL, NULL, &next, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (items->len, ==, 0);
      g_assert_null (next);
      g_assert_cmpuint (scripted_server_count (fixture->server, kind->method), ==, 0);
    }

  set_page ("resources/read", "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}");
  gmcp_client_read_resource_async (fixture->client, "x:a", NULL, NULL, waiter_done, &read);
  waiter_wait (&read);
  g_assert_null (gmcp_client_read_resource_finish (fixture->client, read.result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
  g_object_unref (read.result);

  client_fixture_call (fixture, NULL, NULL, &called);
  client_fixture_answer_text (fixture, "here");
  result = client_fixture_finish (fixture, &called, &error);
  g_assert_no_error (error);
}

static void
test_not_known (ClientFixture *fixture, gconstpointer data)
{
  g_test_summary ("Of what a server declares, it may lack templates of resources.");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const Kind *kind = &kinds[i];
      gboolean may_lack = g_str_equal (kind->member, "resourceTemplates");
      g_autoptr (GListModel) model = NULL;
      g_autoptr (GPtrArray) items = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *next = NULL;

      set_page (kind->method, "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}");
      model = try_list (fixture, kind, &error);
      g_assert_cmpint (model != NULL, ==, may_lack);
      g_assert_cmpint (g_error_matches (error, GMCP_RPC_ERROR, -32601), ==, !may_lack);
      g_clear_error (&error);
      items = try_page (fixture, kind, NULL, NULL, &next, &error);
      g_assert_cmpint (items != NULL, ==, may_lack);
      g_assert_cmpint (g_error_matches (error, GMCP_RPC_ERROR, -32601), ==, !may_lack);
      g_assert_null (next);
    }
}

typedef struct
{
  GmcpTool *tool;
  Waiter waiter;
} Expecting;

static void
begin_expecting (ClientFixture *fixture, Expecting *call)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();

  gmcp_call_options_set_expected_tool (options, call->tool);
  gmcp_client_call_tool_json_async (fixture->client, "a", NULL, options, NULL, waiter_done,
                                    &call->waiter);
}

static void
test_refresh_fails (ClientFixture *fixture, gconstpointer data)
{
  const Kind *kind = &kinds[0];
  g_autofree char *before = g_strdup_printf ("\"result\":{\"tools\":[%s]}", kind->items[0]);
  g_autofree char *after = g_strdup_printf ("\"result\":{\"tools\":[%s]}", kind->first_changed);
  g_autofree char *notification = g_strdup_printf (LIST_CHANGED, kind->topic);
  g_autoptr (GListModel) model = NULL;
  g_autoptr (GmcpTool) tool = NULL;
  g_autoptr (GmcpTool) new_tool G_GNUC_UNUSED = NULL;
  g_autoptr (GError) error = NULL;
  Expecting call = { NULL };
  Changes changes = { 0 };

  g_test_summary ("What changed and could not be read is not taken for what the server has, and is "
                  "read again.");
  set_page (kind->method, before);
  model = list (fixture, kind);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &changes);
  tool = g_list_model_get_item (model, 0);

  set_page (kind->method, "\"error\":{\"code\":-32603,\"message\":\"busy\"}");
  scripted_server_send (fixture->server, notification);
  wait_for_messages (fixture, kind->method, 2);
  settle ();

  /* It asks for the list, whatever was read before. */
  call.tool = tool;
  begin_expecting (fixture, &call);
  g_assert_null (client_fixture_finish (fixture, &call.waiter, &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INTERNAL);
  g_assert_cmpuint (scripted_server_count (fixture->server, kind->method), ==, 3);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 0);
  g_clear_error (&error);

  /* And by itself. */
  set_page (kind->method, after);
  while (changes.n == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (scripted_server_count (fixture->server, kind->method), ==, 4);
  begin_expecting (fixture, &call);
  g_assert_null (client_fixture_finish (fixture, &call.waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED);
  g_assert_cmpuint (scripted_server_count (fixture->server, kind->method), ==, 4);
  g_signal_handlers_disconnect_by_data (model, &changes);
}

static void
test_refresh_fails_often (ClientFixture *fixture, gconstpointer data)
{
  const Kind *kind = &kinds[0];
  g_autofree char *notification = g_strdup_printf (LIST_CHANGED, kind->topic);
  g_autoptr (GListModel) model G_GNUC_UNUSED = list (fixture, kind);
  gint64 at_us[3];

  g_test_summary ("A server that tells of changes and then fails is asked less and less often.");
  set_page (kind->method, "\"error\":{\"code\":-32603,\"message\":\"busy\"}");
  for (guint i = 0; i < G_N_ELEMENTS (at_us); i++)
    {
      scripted_server_send (fixture->server, notification);
      wait_for_messages (fixture, kind->method, i + 2);
      at_us[i] = g_get_monotonic_time ();
      settle ();
    }
  g_assert_cmpint (at_us[1] - at_us[0], >=, 500 * 1000);
  g_assert_cmpint (at_us[2] - at_us[1], >=, 1000 * 1000);
}

static void
answer_big_page (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  guint n = scripted_server_count (server, method);
  g_autofree char *filling = g_strnfill (17 * 1024 * 1024, 'x');
  g_autofree char *text
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"t%u\","
                       "\"description\":\"%s\"}],\"nextCursor\":\"%u\"}}",
                       n, filling, n);

  scripted_server_send (server, text);
}

static void
test_too_big (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("A list whose pages do not end has a limit in bytes.");
  fixture->server->answer = answer_big_page;
  g_assert_null (try_list (fixture, &kinds[0], &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_nonnull (strstr (error->message, "134217728 bytes"));
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/list"), ==, 8);
}

static void
test_closed (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) closed = NULL;

  gmcp_client_close_async (fixture->client, NULL, store_result, &closed);
  gmcp_client_close_finish (fixture->client, wait_for (&closed), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (try_list (fixture, &kinds[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
      g_assert_nonnull (strstr (error->message, "of srv cannot be listed: it is not connected"));
      g_clear_error (&error);
      g_assert_null (try_page (fixture, &kinds[i], NULL, NULL, NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/client/lists/modern/" path, ClientFixture, full_modern, set_up, func, tear_down);  \
  g_test_add ("/client/lists/legacy/" path, ClientFixture, full_legacy, set_up, func, tear_down)

  ADD ("pages", test_pages);
  ADD ("page-errors", test_page_errors);
  ADD ("minimal-changes", test_minimal_changes);
  ADD ("not-known", test_not_known);
  ADD ("refresh-fails", test_refresh_fails);
  g_test_add ("/client/lists/legacy/refresh-fails-often", ClientFixture, full_legacy, set_up,
              test_refresh_fails_often, tear_down);
  g_test_add ("/client/lists/modern/not-declared", ClientFixture, few_modern, set_up,
              test_not_declared, tear_down);
  g_test_add ("/client/lists/legacy/not-declared", ClientFixture, few_legacy, set_up,
              test_not_declared, tear_down);
  g_test_add ("/client/lists/legacy/too-big", ClientFixture, full_legacy, set_up, test_too_big,
              tear_down);
  ADD ("closed", test_closed);

  return g_test_run ();
}
