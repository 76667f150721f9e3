/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "server-fixture.h"

#include <gmcp/transport/gmcp-memory-transport.h>

static char *unquote (const char *format, va_list args) G_GNUC_PRINTF (1, 0);

static char *
unquote (const char *format, va_list args)
{
  char *text = g_strdup_vprintf (format, args);

  return g_strdelimit (text, "'", '"');
}

/* Tools */

static void
on_echo (GmcpServer *server, GmcpServerRequest *request, gpointer user_data)
{
  JsonObject *arguments = json_node_get_object (gmcp_server_request_get_arguments (request));
  const char *text = json_object_get_string_member (arguments, "text");
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  g_assert_cmpstr (gmcp_server_request_get_tool_name (request), ==, "echo");
  gmcp_server_request_return_result (request, result);
}

static void
on_add (GmcpServer *server, GmcpServerRequest *request, gpointer user_data)
{
  JsonObject *arguments = json_node_get_object (gmcp_server_request_get_arguments (request));
  gint64 a = json_object_get_int_member (arguments, "a");
  g_autofree char *json = g_strdup_printf (a == 13 ? "{\"sum\": \"%" G_GINT64_FORMAT "\"}"
                                                   : "{\"sum\": %" G_GINT64_FORMAT "}",
                                           a + json_object_get_int_member (arguments, "b"));
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_structured (json, FALSE, NULL);

  gmcp_server_request_return_result (request, result);
}

static void
on_list (GmcpServer *server, GmcpServerRequest *request, gpointer user_data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_structured ("[1,2]", FALSE, NULL);

  gmcp_server_request_return_result (request, result);
}

static void
on_hold (GmcpServer *server, GmcpServerRequest *request, gpointer user_data)
{
  ServerFixture *fixture = user_data;

  g_ptr_array_add (fixture->held, g_object_ref (request));
}

static void
on_drop (GmcpServer *server, GmcpServerRequest *request, gpointer user_data)
{
}

static void
on_fail (GmcpServer *server, GmcpServerRequest *request, gpointer user_data)
{
  JsonObject *arguments = json_node_get_object (gmcp_server_request_get_arguments (request));
  int code = json_object_get_int_member_with_default (arguments, "code", 0);
  g_autoptr (GError) error
    = code != 0 ? g_error_new_literal (GMCP_RPC_ERROR, code, "It is broken")
                : g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "It is not there");

  gmcp_server_request_return_error (request, error);
}

static const struct
{
  const char *json;
  GmcpServerToolFunc func;
} tools[] = {
  { "{'name':'echo','inputSchema':{'type':'object','properties':{'text':{'type':'string'}},"
    "'required':['text']}}",
    on_echo },
  { "{'name':'add','inputSchema':{'type':'object','properties':{'a':{'type':'integer'},"
    "'b':{'type':'integer'}},'required':['a','b']},'outputSchema':{'type':'object',"
    "'properties':{'sum':{'type':'integer'}},'required':['sum']}}",
    on_add },
  { "{'name':'list','inputSchema':{'type':'object'},'outputSchema':{'type':'array'}}", on_list },
  { "{'name':'hold','inputSchema':{'type':'object'}}", on_hold },
  { "{'name':'drop','inputSchema':{'type':'object'}}", on_drop },
  { "{'name':'fail','inputSchema':{'type':'object'}}", on_fail },
};

GmcpTool *
server_fixture_tool (const char *format, ...)
{
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  GmcpTool *tool;
  va_list args;

  va_start (args, format);
  json = unquote (format, args);
  va_end (args);

  tool = gmcp_tool_new_from_json (json, &error);
  g_assert_no_error (error);
  return tool;
}

void
server_fixture_add_hold (ServerFixture *fixture, const char *name, const char *members)
{
  g_autoptr (GmcpTool) tool
    = server_fixture_tool ("{'name':'%s','inputSchema':{'type':'object'}%s}", name, members);
  g_autoptr (GError) error = NULL;

  gmcp_server_add_tool (fixture->server, tool, on_hold, fixture, NULL, &error);
  g_assert_no_error (error);
}

/* The client */

static void
on_message (gpointer data, const char *text, gsize length, GBytes *owner)
{
  ServerFixture *fixture = data;

  g_queue_push_tail (&fixture->received, g_strndup (text, length));
}

static void
on_violation (gpointer data, const GError *error)
{
  g_assert_not_reached ();
}

static void
on_closed (gpointer data, const GError *error)
{
  ServerFixture *fixture = data;

  fixture->closed = TRUE;
}

static const GmcpTransportTaker taker = { on_message, on_violation, on_closed, NULL };

static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  gboolean *opened = data;
  g_autoptr (GError) error = NULL;

  gmcp_transport_open_finish (GMCP_TRANSPORT (source), result, &error);
  g_assert_no_error (error);
  *opened = TRUE;
}

void
server_fixture_set_up (ServerFixture *fixture, gconstpointer data)
{
  gboolean opened = FALSE;

  g_queue_init (&fixture->received);
  fixture->held = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->server = gmcp_server_new ("test", "1.0");
  gmcp_server_set_title (fixture->server, "Test");
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (GmcpTool) tool = server_fixture_tool ("%s", tools[i].json);
      g_autoptr (GError) error = NULL;

      gmcp_server_add_tool (fixture->server, tool, tools[i].func, fixture, NULL, &error);
      g_assert_no_error (error);
    }

  gmcp_memory_transport_new_pair (&fixture->client, &fixture->server_transport);
  gmcp_server_attach (fixture->server, fixture->server_transport);
  gmcp_transport_set_taker (fixture->client, &taker, fixture);
  gmcp_transport_open_async (fixture->client, NULL, on_opened, &opened);
  while (!opened)
    g_main_context_iteration (NULL, TRUE);
}

void
server_fixture_tear_down (ServerFixture *fixture, gconstpointer data)
{
  g_ptr_array_unref (fixture->held);
  if (fixture->server != NULL)
    g_assert_finalize_object (fixture->server);
  server_fixture_wait_closed (fixture);
  /* The closing of both ends keeps them until it is at its end. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  gmcp_transport_set_taker (fixture->client, NULL, NULL);
  g_assert_finalize_object (fixture->client);
  g_assert_finalize_object (fixture->server_transport);
  g_queue_clear_full (&fixture->received, g_free);
}

void
server_fixture_send_raw (ServerFixture *fixture, const char *text, gsize length)
{
  GmcpOutgoing message = { text, length, 0, NULL, NULL };
  g_autoptr (GError) error = NULL;

  gmcp_transport_send (fixture->client, &message, &error);
  g_assert_no_error (error);
}

void
server_fixture_send (ServerFixture *fixture, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = unquote (format, args);
  va_end (args);
  server_fixture_send_raw (fixture, text, strlen (text));
}

GmcpJsonDoc *
server_fixture_take (ServerFixture *fixture)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc;

  while (g_queue_is_empty (&fixture->received))
    {
      g_assert_false (fixture->closed);
      g_main_context_iteration (NULL, TRUE);
    }

  text = g_queue_pop_head (&fixture->received);
  g_assert_null (strchr (text, '\n'));
  doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);
  g_assert_no_error (error);
  return doc;
}

void
server_fixture_expect (ServerFixture *fixture, const char *format, ...)
{
  g_autoptr (GmcpJsonDoc) received = server_fixture_take (fixture);
  g_autoptr (GmcpJsonDoc) expected = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  va_list args;

  va_start (args, format);
  text = unquote (format, args);
  va_end (args);
  expected = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);
  g_assert_no_error (error);

  if (!gmcp_json_value_equal (gmcp_json_doc_get_root (received), gmcp_json_doc_get_root (expected)))
    {
      g_autofree char *got = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (received));

      g_error ("got      %s\nexpected %s", got, text);
    }
}

GmcpJsonDoc *
server_fixture_expect_error (ServerFixture *fixture, const char *id, int code)
{
  GmcpJsonDoc *doc = server_fixture_take (fixture);
  GmcpJsonValue root = gmcp_json_doc_get_root (doc);
  GmcpJsonValue error = gmcp_json_value_get_member (root, "error");
  g_autofree char *got_id = gmcp_json_value_dup_raw (gmcp_json_value_get_member (root, "id"));
  g_autofree char *text = gmcp_json_value_dup_raw (root);
  gint64 got_code = 0;

  g_test_message ("%s", text);
  g_assert_cmpstr (got_id, ==, id);
  gmcp_json_value_get_int64 (gmcp_json_value_get_member (error, "code"), &got_code);
  g_assert_cmpint (got_code, ==, code);
  g_assert_true (gmcp_json_value_is_string (gmcp_json_value_get_member (error, "message")));
  g_assert_true (
    gmcp_json_value_equals_string (gmcp_json_value_get_member (root, "jsonrpc"), "2.0"));
  return doc;
}

void
server_fixture_expect_nothing (ServerFixture *fixture)
{
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':'sentinel','method':'no/such'}");
  gmcp_json_doc_unref (
    server_fixture_expect_error (fixture, "\"sentinel\"", GMCP_RPC_ERROR_METHOD_NOT_FOUND));
}

GmcpServerRequest *
server_fixture_wait_held (ServerFixture *fixture, guint n_held)
{
  while (fixture->held->len < n_held)
    g_main_context_iteration (NULL, TRUE);
  return g_ptr_array_index (fixture->held, n_held - 1);
}

void
server_fixture_wait_closed (ServerFixture *fixture)
{
  while (!fixture->closed)
    g_main_context_iteration (NULL, TRUE);
}

void
server_fixture_initialize (ServerFixture *fixture, const char *version)
{
  server_fixture_send (
    fixture,
    "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'%s',"
    "'capabilities':{},'clientInfo':{'name':'hand','version':'2'}}}",
    version);
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','id':0,'result':{'protocolVersion':'%s',"
                         "'capabilities':{'tools':{'listChanged':true}},"
                         "'serverInfo':{'name':'test','title':'Test','version':'1.0'}}}",
                         version);
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
}
