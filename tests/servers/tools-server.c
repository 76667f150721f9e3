/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A server over standard input and output with a tool for each thing that a client can run into. */

#include <locale.h>
#include <signal.h>

#include <gio/gio.h>
#include <glib-unix.h>

#include <gmcp/gmcp.h>

static const guint8 pixel_png[] = {
  0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,   0,    13,   'I',  'H',  'D',  'R',  0,
  0,    0,    1,    0,    0,    0,    1,    8,    0,    0,   0,    0,    0x3a, 0x7e, 0x9b, 0x55, 0,
  0,    0,    10,   'I',  'D',  'A',  'T',  'x',  0x9c, 'c', 0xf8, 0x0f, 0,    1,    1,    1,    0,
  0x1b, 0xb6, 0xee, 0x56, 0,    0,    0,    0,    'I',  'E', 'N',  'D',  0xae, 0x42, 0x60, 0x82,
};

static JsonObject *
get_arguments (GmcpToolCall *call)
{
  return json_node_get_object (gmcp_tool_call_get_arguments (call));
}

static void return_json (GmcpToolCall *call, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
return_json (GmcpToolCall *call, const char *format, ...)
{
  g_autofree char *json = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  va_list args;

  va_start (args, format);
  json = g_strdup_vprintf (format, args);
  va_end (args);

  result = gmcp_tool_result_new_structured (json, FALSE, &error);
  if (result != NULL)
    gmcp_tool_call_return_result (call, result);
  else
    gmcp_tool_call_return_error (call, error);
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
  return_text (call, json_object_get_string_member (get_arguments (call), "text"));
}

static void
on_add (GmcpToolCall *call, gpointer user_data)
{
  JsonObject *arguments = get_arguments (call);
  double sum = json_object_get_double_member (arguments, "a")
               + json_object_get_double_member (arguments, "b");
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return_json (call, "{\"sum\": %s}", g_ascii_dtostr (text, sizeof text, sum));
}

static void
on_structured (GmcpToolCall *call, gpointer user_data)
{
  return_json (call, "[{\"name\": \"one\", \"size\": 1}, {\"name\": \"two\", \"size\": 2}]");
}

static void
on_fails (GmcpToolCall *call, gpointer user_data)
{
  JsonObject *arguments = get_arguments (call);
  int code = json_object_get_int_member_with_default (arguments, "code", 0);
  g_autoptr (GError) error = NULL;

  error = code != 0
            ? g_error_new (GMCP_RPC_ERROR, code, "It failed with the code %d", code)
            : g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "It failed; ask for something else");
  gmcp_tool_call_return_error (call, error);
}

static void
on_image (GmcpToolCall *call, gpointer user_data)
{
  g_autoptr (GBytes) png = g_bytes_new_static (pixel_png, sizeof pixel_png);
  g_autoptr (GPtrArray) contents
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_content_unref);
  g_autoptr (GmcpToolResult) result = NULL;

  g_ptr_array_add (contents, gmcp_content_new_text ("One pixel:"));
  g_ptr_array_add (contents, gmcp_content_new_image (png, "image/png"));
  result = gmcp_tool_result_new_contents (contents, FALSE);
  gmcp_tool_call_return_result (call, result);
}

/* Says in its arguments what the client said of itself. */
static void
on_whoami (GmcpToolCall *call, gpointer user_data)
{
  GmcpImplementation *client = gmcp_caller_get_client_info (gmcp_tool_call_get_caller (call));
  g_autofree char *client_json
    = client != NULL ? gmcp_implementation_dup_json (client) : g_strdup ("null");

  return_json (call, "{\"version\": \"%s\", \"client\": %s}",
               gmcp_caller_get_protocol_version (gmcp_tool_call_get_caller (call)), client_json);
}

/* What came with the request beside the arguments. */
static void
on_meta (GmcpToolCall *call, gpointer user_data)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);
  const char *meta_json = gmcp_call_options_get_meta_json (options);
  const char *traceparent = gmcp_call_options_get_traceparent (options);
  const char *tracestate = gmcp_call_options_get_tracestate (options);
  const char *baggage = gmcp_call_options_get_baggage (options);

  return_json (call, "{\"meta\": %s, \"trace\": \"%s|%s|%s\"}",
               meta_json != NULL ? meta_json : "null", traceparent != NULL ? traceparent : "",
               tracestate != NULL ? tracestate : "", baggage != NULL ? baggage : "");
}

typedef struct
{
  GmcpToolCall *call;
  guint step;
  guint n_steps;
} Slow;

static void
slow_free (gpointer data)
{
  Slow *slow = data;

  g_object_unref (slow->call);
  g_free (slow);
}

static gboolean
on_slow_step (gpointer user_data)
{
  Slow *slow = user_data;
  g_autofree char *text = NULL;

  if (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (slow->call)))
    {
      g_printerr ("slow: cancelled\n");
      return_text (slow->call, "nobody reads this");
      return G_SOURCE_REMOVE;
    }

  slow->step++;
  text = g_strdup_printf ("step %u of %u", slow->step, slow->n_steps);
  gmcp_tool_call_report_progress (slow->call, slow->step, slow->n_steps, text);
  if (slow->step < slow->n_steps)
    return G_SOURCE_CONTINUE;

  return_text (slow->call, text);
  return G_SOURCE_REMOVE;
}

static void
on_slow (GmcpToolCall *call, gpointer user_data)
{
  JsonObject *arguments = get_arguments (call);
  Slow *slow = g_new0 (Slow, 1);
  g_autoptr (GSource) source
    = g_timeout_source_new (json_object_get_int_member_with_default (arguments, "step_ms", 10));

  slow->call = g_object_ref (call);
  slow->n_steps = json_object_get_int_member_with_default (arguments, "steps", 5);
  g_source_set_callback (source, on_slow_step, slow, slow_free);
  g_source_attach (source, NULL);
}

static void
on_never (GmcpToolCall *call, gpointer user_data)
{
}

static gboolean add_tool (GmcpServer *server, const char *json, GmcpToolFunc func);

/* Changes the list of tools: with on, the tool “extra” is there. */
static void
on_extra (GmcpToolCall *call, gpointer user_data)
{
  GmcpServer *server = user_data;

  if (json_object_get_boolean_member (get_arguments (call), "on"))
    add_tool (server, "{\"name\": \"extra\", \"inputSchema\": {\"type\": \"object\"}}", on_never);
  else
    gmcp_server_remove_tool (server, "extra");
  return_text (call, "done");
}

static const struct
{
  const char *json;
  GmcpToolFunc func;
} tools[] = {
  { "{\"name\": \"echo\", \"title\": \"Echo\", \"description\": \"Gives the text back\","
    " \"inputSchema\": {\"type\": \"object\", \"properties\": {\"text\": {\"type\": \"string\"}},"
    " \"required\": [\"text\"], \"additionalProperties\": false},"
    " \"annotations\": {\"readOnlyHint\": true}}",
    on_echo },
  { "{\"name\": \"add\", \"description\": \"Adds two numbers\","
    " \"inputSchema\": {\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"number\"},"
    " \"b\": {\"type\": \"number\"}}, \"required\": [\"a\", \"b\"]},"
    " \"outputSchema\": {\"type\": \"object\", \"properties\": {\"sum\": {\"type\": \"number\"}},"
    " \"required\": [\"sum\"]}}",
    on_add },
  { "{\"name\": \"structured\", \"description\": \"Gives a list\","
    " \"inputSchema\": {\"type\": \"object\"}, \"outputSchema\": {\"type\": \"array\","
    " \"items\": {\"type\": \"object\", \"required\": [\"name\", \"size\"]}}}",
    on_structured },
  { "{\"name\": \"fails\", \"description\": \"Fails, of the protocol with a code\","
    " \"inputSchema\": {\"type\": \"object\", \"properties\": {\"code\": {\"type\": \"integer\"}}}}",
    on_fails },
  { "{\"name\": \"image\", \"description\": \"Gives an image\","
    " \"inputSchema\": {\"type\": \"object\"}}",
    on_image },
  { "{\"name\": \"whoami\", \"description\": \"Says who the client is\","
    " \"inputSchema\": {\"type\": \"object\"}}",
    on_whoami },
  { "{\"name\": \"meta\", \"description\": \"Gives what came with the request\","
    " \"inputSchema\": {\"type\": \"object\"}}",
    on_meta },
  { "{\"name\": \"slow\", \"description\": \"Takes its time and tells how far it is\","
    " \"inputSchema\": {\"type\": \"object\", \"properties\": {"
    " \"steps\": {\"type\": \"integer\", \"minimum\": 1},"
    " \"step_ms\": {\"type\": \"integer\", \"minimum\": 0}}}}",
    on_slow },
  { "{\"name\": \"never\", \"description\": \"Ends without an answer\","
    " \"inputSchema\": {\"type\": \"object\"}}",
    on_never },
  { "{\"name\": \"set_extra\", \"description\": \"Adds or removes a tool\","
    " \"inputSchema\": {\"type\": \"object\", \"properties\": {\"on\": {\"type\": \"boolean\"}},"
    " \"required\": [\"on\"]}}",
    on_extra },
};

static gboolean
add_tool (GmcpServer *server, const char *json, GmcpToolFunc func)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (json, &error);

  if (tool != NULL && gmcp_server_add_tool (server, tool, func, server, NULL, &error))
    return TRUE;

  g_printerr ("tools-server: %s\n", error->message);
  return FALSE;
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  int *status = user_data;
  g_autoptr (GError) error = NULL;

  *status = 0;
  if (gmcp_server_run_stdio_finish (GMCP_SERVER (source), result, &error)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_printerr ("tools-server: %s\n", error->message);
  *status = 1;
}

static gboolean
on_sigterm (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_input (gint fd, GIOCondition condition, gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Until the standard input ends. */
static int
serve_http (GmcpServer *server)
{
  g_autoptr (GmcpHttpEndpoint) endpoint = gmcp_http_endpoint_new (server);
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;
  gboolean ended = FALSE;

  if (!gmcp_http_endpoint_listen (endpoint, 0, &error))
    {
      g_printerr ("tools-server: %s\n", error->message);
      return 1;
    }
  uri = gmcp_http_endpoint_dup_uri (endpoint);
  g_print ("%s\n", uri);
  g_unix_fd_add (0, G_IO_IN | G_IO_HUP, on_input, &ended);
  while (!ended)
    g_main_context_iteration (NULL, TRUE);
  return 0;
}

int
main (int argc, char *argv[])
{
  int page_size = 1000;
  int n_more_tools = 0;
  gboolean http = FALSE;
  const GOptionEntry entries[] = {
    { "page-size", 0, 0, G_OPTION_ARG_INT, &page_size, "Tools on a page of the list", "N" },
    { "http", 0, 0, G_OPTION_ARG_NONE, &http, "Serve HTTP, and print the address", NULL },
    { "more-tools", 0, 0, G_OPTION_ARG_INT, &n_more_tools, "Tools more1 to moreN", "N" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GmcpServer) server = gmcp_server_new ("tools-server", "1.0", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  int status = -1;

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("tools-server: %s\n", error->message);
      return 2;
    }

  gmcp_server_set_title (server, "Tools server");
  gmcp_server_set_instructions (server, "Every tool does what its description says.");
  g_object_set (server, "page-size", page_size, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      if (!add_tool (server, tools[i].json, tools[i].func))
        return 1;
    }
  for (int i = 1; i <= n_more_tools; i++)
    {
      g_autofree char *json
        = g_strdup_printf ("{\"name\": \"more%d\", \"inputSchema\": {\"type\": \"object\"}}", i);

      if (!add_tool (server, json, on_image))
        return 1;
    }

  g_unix_signal_add (SIGTERM, on_sigterm, cancellable);
  if (http)
    return serve_http (server);
  gmcp_server_run_stdio_async (server, cancellable, on_finished, &status);
  while (status < 0)
    g_main_context_iteration (NULL, TRUE);

  return status;
}
