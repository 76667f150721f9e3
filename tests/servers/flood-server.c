/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A server over HTTP whose tools ask, keep and give as much as they are told to. A token is the name of its user. */

#include <locale.h>
#include <string.h>

#include <gio/gio.h>
#include <glib-unix.h>

#include <gmcp/gmcp.h>

#define RESOURCE "http://localhost/mcp"
/* So that a test can sign what the server has not. */
#define KEY "This is the key of flood-server: no secret"

static GPtrArray *hoarded; /* of GmcpToolCall */

static gint64
get_number (GmcpToolCall *call, const char *name)
{
  return json_object_get_int_member_with_default (
    json_node_get_object (gmcp_tool_call_get_arguments (call)), name, 0);
}

static void
return_text (GmcpToolCall *call, const char *text)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (call, result);
}

static void
on_echo (GmcpToolCall *call, gpointer user_data)
{
  return_text (call, json_object_get_string_member_with_default (
                       json_node_get_object (gmcp_tool_call_get_arguments (call)), "text", ""));
}

static void
on_let_go (GCancellable *cancellable, gpointer call)
{
  g_object_set_data (call, "kept", NULL);
}

/* Until nobody wants the answer any more. */
static void
on_keep (GmcpToolCall *call, gpointer user_data)
{
  g_object_set_data_full (G_OBJECT (call), "kept", g_object_ref (call), g_object_unref);
  g_signal_connect_object (gmcp_tool_call_get_cancellable (call), "cancelled",
                           G_CALLBACK (on_let_go), call, 0);
}

/* Whether anybody wants the answer or not. */
static void
on_hoard (GmcpToolCall *call, gpointer user_data)
{
  g_ptr_array_add (hoarded, g_object_ref (call));
}

static gboolean
give_bytes (gpointer data)
{
  GmcpToolCall *call = data;
  g_autofree char *text = g_strnfill ((gsize) get_number (call, "bytes"), 'x');
  g_autofree char *json = g_strdup_printf ("\"%s\"", text);

  if (get_number (call, "fails") != 0)
    gmcp_tool_call_return_rpc_error (call, -32000, "It failed", json);
  else
    return_text (call, text);
  return G_SOURCE_REMOVE;
}

/* So many bytes, when the call is a task. */
static void
on_give (GmcpToolCall *call, gpointer user_data)
{
  g_timeout_add_full (G_PRIORITY_LOW, 1, give_bytes, g_object_ref (call), g_object_unref);
}

static void
tell_steps (GmcpToolCall *call, gsize n_bytes)
{
  g_autofree char *text = g_strnfill (n_bytes, 'x');

  for (gint64 i = 0; i < get_number (call, "steps"); i++)
    gmcp_tool_call_report_progress (call, (double) i, -1, text);
}

/* Tells so many steps, each with so many bytes, and goes on. */
static void
on_chat (GmcpToolCall *call, gpointer user_data)
{
  tell_steps (call, (gsize) get_number (call, "bytes"));
  on_keep (call, user_data);
}

/* Tells so many steps, and then gives so many bytes. */
static void
on_tell (GmcpToolCall *call, gpointer user_data)
{
  tell_steps (call, 1);
  on_give (call, user_data);
}

/* Questions */

typedef struct
{
  GmcpToolCall *call;
  guint n_open;
  guint n_refused; /* by this side: too many are open */
  guint n_bad;     /* answers that were none */
} Asking;

static void ask_once (Asking *asking, const char *key);

static void
end_asking (Asking *asking)
{
  g_autofree char *text = g_strdup_printf ("%u refused, %u bad", asking->n_refused, asking->n_bad);

  return_text (asking->call, text);
  g_object_unref (asking->call);
  g_free (asking);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  Asking *asking = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer G_GNUC_UNUSED
    = gmcp_caller_ask_finish (GMCP_CALLER (source), result, &error);

  asking->n_open--;
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED))
    {
      asking->n_refused++;
    }
  else if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL))
    {
      asking->n_bad++;
      ask_once (asking, NULL);
    }
  if (asking->n_open == 0)
    end_asking (asking);
}

static void
ask_once (Asking *asking, const char *key)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) question = gmcp_elicitation_new (
    "What is your name?",
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}",
    &error);

  g_assert_no_error (error);
  if (key != NULL)
    gmcp_input_request_set_key (GMCP_INPUT_REQUEST (question), key);
  asking->n_open++;
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (asking->call), GMCP_INPUT_REQUEST (question),
                         NULL, on_answer, asking);
}

/* So many at once, and once more for each answer that is none: without end for who never gives one. */
static void
on_ask (GmcpToolCall *call, gpointer user_data)
{
  Asking *asking = g_new0 (Asking, 1);

  asking->call = g_object_ref (call);
  for (gint64 i = 0; i < get_number (call, "questions"); i++)
    {
      g_autofree char *key = g_strdup_printf ("q%" G_GINT64_FORMAT, i);

      ask_once (asking, key);
    }
  if (asking->n_open == 0)
    end_asking (asking);
}

static const struct
{
  const char *name;
  gboolean is_task;
  GmcpToolFunc func;
} tools[] = {
  { "echo", FALSE, on_echo }, { "keep", FALSE, on_keep },      { "hoard", FALSE, on_hoard },
  { "job", TRUE, on_keep },   { "hoard_job", TRUE, on_hoard }, { "give", TRUE, on_give },
  { "chat", FALSE, on_chat }, { "ask", FALSE, on_ask },        { "ask_job", TRUE, on_ask },
  { "tell", FALSE, on_tell }, { "text", FALSE, on_give },
};

static GmcpServer *
make_server (GError **error)
{
  g_autoptr (GmcpServer) server = gmcp_server_new ("flood-server", "1.0", NULL);
  g_autoptr (GBytes) key = g_bytes_new_static (KEY, strlen (KEY));

  if (!gmcp_server_set_state_key (server, key, error))
    return NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *json = g_strdup_printf (
        "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}%s}", tools[i].name,
        tools[i].is_task ? ",\"execution\":{\"taskSupport\":\"optional\"}" : "");
      g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (json, error);

      if (tool == NULL || !gmcp_server_add_tool (server, tool, tools[i].func, NULL, NULL, error))
        return NULL;
    }
  return g_steal_pointer (&server);
}

static void
on_verify (GmcpHttpEndpoint *endpoint, GmcpTokenRequest *request, gpointer user_data)
{
  const char *const audience[] = { RESOURCE, NULL };

  gmcp_token_request_accept (request, gmcp_token_request_get_token (request), NULL, audience, 0);
}

static gboolean
on_input (gint fd, GIOCondition condition, gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Each argument is NAME=NUMBER, a property of the endpoint. */
static void
set_properties (GmcpHttpEndpoint *endpoint, char *arguments[])
{
  for (; *arguments != NULL; arguments++)
    {
      g_auto (GStrv) parts = g_strsplit (*arguments, "=", 2);
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_UINT64);
      g_value_set_uint64 (&value, g_ascii_strtoull (parts[1], NULL, 10));
      g_object_set_property (G_OBJECT (endpoint), parts[0], &value);
    }
}

/* Until the standard input ends. */
int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServer) server = NULL;
  g_autoptr (GmcpHttpEndpoint) endpoint = NULL;
  g_autofree char *uri = NULL;
  gboolean ended = FALSE;

  setlocale (LC_ALL, "");
  hoarded = g_ptr_array_new_with_free_func (g_object_unref);
  server = make_server (&error);
  if (server != NULL)
    {
      endpoint = gmcp_http_endpoint_new (server);
      g_object_set (endpoint, "resource", RESOURCE, NULL);
      set_properties (endpoint, argv + 1);
      g_signal_connect (endpoint, "verify-token", G_CALLBACK (on_verify), NULL);
    }
  if (server == NULL || !gmcp_http_endpoint_listen (endpoint, 0, &error))
    {
      g_printerr ("flood-server: %s\n", error->message);
      return 1;
    }
  uri = gmcp_http_endpoint_dup_uri (endpoint);
  g_print ("%s\n", uri);
  g_unix_fd_add (0, G_IO_IN | G_IO_HUP, on_input, &ended);
  while (!ended)
    g_main_context_iteration (NULL, TRUE);
  gmcp_http_endpoint_close (endpoint);
  g_ptr_array_unref (hoarded);
  return 0;
}
