/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A server of a provider with tools, resources and prompts of its own: in C what notes-server.py is in
 * Python. */

#include <string.h>

#include <gio/gio.h>

#include <gmcp/gmcp.h>

#define TEXT                                                                                       \
  "{\"type\": \"object\", \"properties\": {\"text\": {\"type\": \"string\"}},"                     \
  " \"required\": [\"text\"]}"
#define FORM                                                                                       \
  "{\"type\": \"object\", \"properties\": {\"color\": {\"type\": \"string\"}},"                    \
  " \"required\": [\"color\"]}"

#define NOTES_TYPE_PROVIDER (notes_get_type ())

G_DECLARE_FINAL_TYPE (Notes, notes, NOTES, PROVIDER, GObject)

struct _Notes
{
  GObject parent_instance;

  GListStore *tools;
  GListStore *resources;
  GListStore *templates;
  GListStore *prompts;
  char *note;
};

/* Tools */

static GListModel *
get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (NOTES_PROVIDER (provider)->tools);
}

static const char *
get_text (GmcpToolCall *call)
{
  return json_object_get_string_member (json_node_get_object (gmcp_tool_call_get_arguments (call)),
                                        "text");
}

static void
return_text (GmcpToolCall *call, const char *text)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (call, result);
}

static void
count_words (Notes *self, GmcpToolCall *call)
{
  g_auto (GStrv) words = g_strsplit (get_text (call), " ", -1);
  g_autofree char *text = g_strdup_printf ("%u words", g_strv_length (words));

  gmcp_caller_log (gmcp_tool_call_get_caller (call), GMCP_LOG_LEVEL_WARNING, "words", "counting");
  return_text (call, text);
}

static void
write_note (Notes *self, GmcpToolCall *call)
{
  g_free (self->note);
  self->note = g_strdup (get_text (call));
  gmcp_resource_provider_emit_resource_updated (GMCP_RESOURCE_PROVIDER (self), "note:1");
  return_text (call, "written");
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolCall) call = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = gmcp_caller_ask_finish (GMCP_CALLER (source), result, &error);

  if (answer != NULL)
    return_text (call, answer);
  else
    gmcp_tool_call_return_error (call, error);
}

static void
ask (Notes *self, GmcpToolCall *call)
{
  g_autoptr (GmcpElicitation) question = gmcp_elicitation_new ("Which color?", FORM, NULL);

  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (question), NULL,
                         on_answer, g_object_ref (call));
}

static void
drop (Notes *self, GmcpToolCall *call)
{
}

static const struct
{
  const char *name;
  const char *schema;
  void (*handle) (Notes *self, GmcpToolCall *call);
} tools[] = {
  { "count_words", TEXT, count_words },
  { "write", TEXT, write_note },
  { "ask", NULL, ask },
  { "drop", NULL, drop },
};

/* With --jobs only. */
#define JOB                                                                                        \
  "{\"name\": \"job\", \"inputSchema\": {\"type\": \"object\"},"                                   \
  " \"execution\": {\"taskSupport\": \"optional\"}}"

/* Later, since a call that is answered at once becomes no task. */
static gboolean
end_job (gpointer call)
{
  return_text (call, "done");
  return G_SOURCE_REMOVE;
}

static void
call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    if (g_str_equal (tools[i].name, gmcp_tool_call_get_name (call)))
      tools[i].handle (NOTES_PROVIDER (provider), call);
  if (g_str_equal (gmcp_tool_call_get_name (call), "job"))
    g_idle_add_full (G_PRIORITY_LOW, end_job, g_object_ref (call), g_object_unref);
}

static void
tool_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = get_tools;
  iface->call_tool = call_tool;
}

/* Resources */

static GListModel *
get_resources (GmcpResourceProvider *provider)
{
  return G_LIST_MODEL (NOTES_PROVIDER (provider)->resources);
}

static GListModel *
get_templates (GmcpResourceProvider *provider)
{
  return G_LIST_MODEL (NOTES_PROVIDER (provider)->templates);
}

static void
read_note (GmcpResourceProvider *provider, GmcpResourceRequest *request)
{
  const char *uri = gmcp_resource_request_get_uri (request);

  if (g_str_equal (uri, "note:1"))
    {
      g_autoptr (GmcpResourceResult) result
        = gmcp_resource_result_new_text (uri, "text/plain", NOTES_PROVIDER (provider)->note);

      gmcp_resource_request_return_result (request, result);
    }
  else
    {
      g_autoptr (GError) error
        = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no %s", uri);

      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
    }
}

static void
complete_variable (GmcpResourceProvider *provider, GmcpCompletionRequest *request)
{
  gmcp_completion_request_return_values (request, (const char *const[]){ "1", NULL });
}

static void
ignore_uri (GmcpResourceProvider *provider, const char *uri)
{
}

static void
resource_iface_init (GmcpResourceProviderInterface *iface)
{
  iface->get_resources = get_resources;
  iface->get_templates = get_templates;
  iface->read = read_note;
  iface->subscribe = ignore_uri;
  iface->unsubscribe = ignore_uri;
  iface->complete_variable = complete_variable;
}

/* Prompts */

static GListModel *
get_prompts (GmcpPromptProvider *provider)
{
  return G_LIST_MODEL (NOTES_PROVIDER (provider)->prompts);
}

static void
get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  g_autofree char *text
    = g_strdup_printf ("Greet %s", gmcp_prompt_request_get_argument (request, "name"));
  g_autoptr (GmcpPromptResult) result = gmcp_prompt_result_new_text ("A greeting", text);

  gmcp_prompt_request_return_result (request, result);
}

static void
complete_argument (GmcpPromptProvider *provider, GmcpCompletionRequest *request)
{
  static const char *const names[] = { "ann", "anton", NULL };
  guint first = 0;

  while (names[first] != NULL
         && !g_str_has_prefix (names[first], gmcp_completion_request_get_value (request)))
    first++;
  gmcp_completion_request_return_values (request, names + first);
}

static void
prompt_iface_init (GmcpPromptProviderInterface *iface)
{
  iface->get_prompts = get_prompts;
  iface->get_prompt = get_prompt;
  iface->complete_argument = complete_argument;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (Notes,
                               notes,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER, tool_iface_init)
                                 G_IMPLEMENT_INTERFACE (GMCP_TYPE_RESOURCE_PROVIDER,
                                                        resource_iface_init)
                                   G_IMPLEMENT_INTERFACE (GMCP_TYPE_PROMPT_PROVIDER,
                                                          prompt_iface_init))

static void
notes_finalize (GObject *object)
{
  Notes *self = NOTES_PROVIDER (object);

  g_object_unref (self->tools);
  g_object_unref (self->resources);
  g_object_unref (self->templates);
  g_object_unref (self->prompts);
  g_free (self->note);

  G_OBJECT_CLASS (notes_parent_class)->finalize (object);
}

static void
notes_class_init (NotesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = notes_finalize;
}

static void
notes_init (Notes *self)
{
  g_autoptr (GmcpResource) one = gmcp_resource_new ("note:1", "One", "text/plain");
  g_autoptr (GmcpResourceTemplate) notes = gmcp_resource_template_new ("note:{n}", "Notes", NULL);
  g_autoptr (GPtrArray) arguments
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_prompt_argument_unref);
  g_autoptr (GmcpPrompt) greet = NULL;

  g_ptr_array_add (arguments, gmcp_prompt_argument_new ("name", NULL, TRUE));
  greet = gmcp_prompt_new ("greet", "Greets", arguments);
  self->note = g_strdup ("one");
  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
  self->resources = g_list_store_new (GMCP_TYPE_RESOURCE);
  self->templates = g_list_store_new (GMCP_TYPE_RESOURCE_TEMPLATE);
  self->prompts = g_list_store_new (GMCP_TYPE_PROMPT);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *description = g_strdup_printf ("Does %s", tools[i].name);
      g_autoptr (GmcpTool) tool = gmcp_tool_new (tools[i].name, description, tools[i].schema, NULL);

      g_list_store_append (self->tools, tool);
    }
  g_list_store_append (self->resources, one);
  g_list_store_append (self->templates, notes);
  g_list_store_append (self->prompts, greet);
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer data)
{
  g_main_loop_quit (data);
}

static gboolean
on_input (GIOChannel *channel, GIOCondition condition, gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

/* Prints the address, and ends with the standard input. */
static int
serve_http (GmcpServer *server, GMainLoop *loop)
{
  g_autoptr (GmcpHttpEndpoint) endpoint = gmcp_http_endpoint_new (server);
  g_autoptr (GIOChannel) input = g_io_channel_unix_new (0);
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;

  if (!gmcp_http_endpoint_listen (endpoint, 0, &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  uri = gmcp_http_endpoint_dup_uri (endpoint);
  g_print ("%s\n", uri);
  g_io_add_watch (input, G_IO_IN | G_IO_HUP, on_input, loop);
  g_main_loop_run (loop);
  return 0;
}

/* Words after the program's name: --jobs adds a tool whose calls are tasks, --registry serves the provider in a registry,
 * --http over HTTP. */
int
main (int argc, char *argv[])
{
  g_autoptr (Notes) notes = g_object_new (NOTES_TYPE_PROVIDER, NULL);
  g_autoptr (GmcpToolRegistry) registry = gmcp_tool_registry_new ();
  const char *const *words = (const char *const *) argv;
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (notes);
  g_autoptr (GmcpServer) server = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  if (g_strv_contains (words, "--jobs"))
    {
      g_autoptr (GmcpTool) job = gmcp_tool_new_from_json (JOB, NULL);

      g_list_store_append (notes->tools, job);
    }
  if (g_strv_contains (words, "--registry"))
    {
      gmcp_tool_registry_add_provider (registry, "notes", provider, NULL);
      provider = GMCP_TOOL_PROVIDER (registry);
    }
  server = gmcp_server_new ("notes", "1.0", provider);
  if (g_strv_contains (words, "--http"))
    return serve_http (server, loop);
  gmcp_server_run_stdio_async (server, NULL, on_finished, loop);
  g_main_loop_run (loop);
  return 0;
}
