/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The client that the official conformance suite drives: conformance-client URL. The suite says in the
 * environment which of its scenarios the server at that address plays, and with what. Which era the
 * server speaks is left to the client to find out. */

#include <gmcp/gmcp.h>
#include <string.h>

typedef struct
{
  GmcpClient *client;
  GListModel *tools;
  JsonNode *context; /* nullable: what the scenario hands over */
} Run;

typedef gboolean (*ScenarioFunc) (Run *run, GError **error);

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
await (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
open_client (Run *run, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_open_async (run->client, NULL, on_result, &result);
  await (&result);
  return gmcp_client_open_finish (run->client, result, error);
}

static void
close_client (Run *run)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_close_async (run->client, NULL, on_result, &result);
  await (&result);
  gmcp_client_close_finish (run->client, result, NULL);
}

static gboolean
list_tools (Run *run, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_list_tools_async (run->client, NULL, on_result, &result);
  await (&result);
  run->tools = gmcp_client_list_tools_finish (run->client, result, error);
  return run->tools != NULL;
}

static gboolean
call_tool (Run *run, const char *name, const char *arguments, GError **error)
{
  g_autoptr (GmcpToolResult) tool_result = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *text = NULL;

  gmcp_client_call_tool_json_async (run->client, name, arguments, NULL, NULL, on_result, &result);
  await (&result);
  tool_result = gmcp_client_call_tool_finish (run->client, result, error);
  if (tool_result == NULL)
    return FALSE;

  text = gmcp_tool_result_dup_text (tool_result);
  g_print ("%s: %s\n", name, text);
  return TRUE;
}

/* Calls each tool that was listed. */
static gboolean
call_all (Run *run, const char *arguments, GError **error)
{
  for (guint i = 0; i < g_list_model_get_n_items (run->tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (run->tools, i);

      if (!call_tool (run, gmcp_definition_get_name (GMCP_DEFINITION (tool)), arguments, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
play_list (Run *run, GError **error)
{
  return list_tools (run, error);
}

static gboolean
play_calls (Run *run, GError **error)
{
  return list_tools (run, error) && call_all (run, "{}", error);
}

static gboolean
play_sum (Run *run, GError **error)
{
  return list_tools (run, error) && call_all (run, "{\"a\":2,\"b\":3}", error);
}

static gboolean
play_region (Run *run, GError **error)
{
  return list_tools (run, error) && call_all (run, "{\"region\":\"us-west1\"}", error);
}

/* What the scenario says is to be called. */
static gboolean
play_context (Run *run, GError **error)
{
  JsonArray *calls;

  if (run->context == NULL
      || !json_object_has_member (json_node_get_object (run->context), "toolCalls"))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           "the scenario does not say what to call");
      return FALSE;
    }
  if (!list_tools (run, error))
    return FALSE;

  calls = json_object_get_array_member (json_node_get_object (run->context), "toolCalls");
  for (guint i = 0; i < json_array_get_length (calls); i++)
    {
      JsonObject *call = json_array_get_object_element (calls, i);
      g_autofree char *arguments
        = json_to_string (json_object_get_member (call, "arguments"), FALSE);

      if (!call_tool (run, json_object_get_string_member (call, "name"), arguments, error))
        return FALSE;
    }
  return TRUE;
}

/* Gives the schema of one tool back as the argument of the other, just as it came. */
static gboolean
play_echo_schema (Run *run, GError **error)
{
  if (!list_tools (run, error))
    return FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (run->tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (run->tools, i);
      g_autofree char *schema = NULL;
      g_autofree char *arguments = NULL;

      if (!g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                        "json_schema_2020_12_tool"))
        continue;
      schema = gmcp_tool_dup_input_schema_json (tool);
      arguments = g_strdup_printf ("{\"schema\":%s}", schema);
      return call_tool (run, "json_schema_echo", arguments, error);
    }

  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the tool is not there");
  return FALSE;
}

/* A user who takes what is proposed, and says yes where nothing is. */
static void
on_input_requested (GmcpClient *client, GmcpInputRequest *request, gpointer user_data)
{
  GmcpElicitation *elicitation;
  const char *content = NULL;
  g_autoptr (GError) error = NULL;

  if (!GMCP_IS_ELICITATION (request))
    return;

  elicitation = GMCP_ELICITATION (request);
  if (gmcp_elicitation_get_field (elicitation, "confirmed") != NULL)
    content = "{\"confirmed\":true}";
  if (!gmcp_elicitation_accept_json (elicitation, content, &error))
    g_printerr ("%s\n", error->message);
}

static const struct
{
  const char *name;
  ScenarioFunc play;
} scenarios[] = {
  { "initialize", play_list },
  { "tools_call", play_sum },
  { "sse-retry", play_calls },
  { "request-metadata", play_list },
  { "http-standard-headers", play_calls },
  { "http-custom-headers", play_context },
  { "http-invalid-tool-headers", play_region },
  { "json-schema-ref-no-deref", play_list },
  { "json-schema-2020-12-preservation", play_echo_schema },
};

static ScenarioFunc
find_scenario (const char *name)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (scenarios); i++)
    if (g_str_equal (scenarios[i].name, name))
      return scenarios[i].play;
  return play_calls;
}

int
main (int argc, char *argv[])
{
  const char *context = g_getenv ("MCP_CONFORMANCE_CONTEXT");
  g_autoptr (GmcpTransport) transport = NULL;
  g_autoptr (GmcpClient) client = NULL;
  g_autoptr (GError) error = NULL;
  Run run = { NULL };
  gboolean done;

  if (argc != 2)
    {
      g_printerr ("usage: %s URL\n", argv[0]);
      return 2;
    }

  transport = GMCP_TRANSPORT (gmcp_http_transport_new (argv[1]));
  client = gmcp_client_new (transport);
  run.client = client;
  g_signal_connect (client, "input-requested", G_CALLBACK (on_input_requested), NULL);
  if (context != NULL)
    run.context = json_from_string (context, NULL);

  done = open_client (&run, &error)
         && find_scenario (g_getenv ("MCP_CONFORMANCE_SCENARIO")) (&run, &error);
  if (done)
    g_print ("spoke MCP %s\n", gmcp_client_get_protocol_version (client));
  else
    g_printerr ("%s\n", error->message);
  close_client (&run);

  g_clear_object (&run.tools);
  g_clear_pointer (&run.context, json_node_unref);
  return done ? 0 : 1;
}
