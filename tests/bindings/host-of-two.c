/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A host of two servers: host-of-two FILE */

#include <gmcp/gmcp.h>

#include <string.h>

static GMainLoop *loop;

static gboolean
allow_call (gpointer permission)
{
  gmcp_call_permission_allow_once (permission);
  return G_SOURCE_REMOVE;
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *permission, gpointer user_data)
{
  GmcpTool *tool = gmcp_call_permission_get_tool (permission);

  g_print ("call %s? (%s)\n", gmcp_definition_get_name (GMCP_DEFINITION (tool)),
           gmcp_call_permission_get_rule (permission));
  g_idle_add_full (G_PRIORITY_DEFAULT, allow_call, g_object_ref (permission), g_object_unref);
}

static gboolean
answer_question (gpointer question)
{
  g_autoptr (GError) error = NULL;

  if (strstr (gmcp_elicitation_get_message (question), "Ada") == NULL)
    {
      gmcp_input_request_decline (question);
      return G_SOURCE_REMOVE;
    }

  if (!gmcp_elicitation_accept_json (question, "{\"day\": \"Friday\"}", &error)
      && g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT))
    g_print ("not a day to choose\n");
  g_clear_error (&error);
  if (!gmcp_elicitation_accept_json (question, "{\"day\": \"Monday\"}", &error))
    g_printerr ("%s\n", error->message);
  return G_SOURCE_REMOVE;
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *question, gpointer user_data)
{
  g_print ("%s asks: %s\n", gmcp_input_request_get_server_name (question),
           gmcp_elicitation_get_message (GMCP_ELICITATION (question)));
  /* The user takes a moment. */
  g_idle_add_full (G_PRIORITY_DEFAULT, answer_question, g_object_ref (question), g_object_unref);
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer user_data)
{
  g_print ("%g of %g: %s\n", progress, total, message);
}

static void
on_begun (GmcpCallOptions *options,
          double progress,
          double total,
          const char *message,
          gpointer cancellable)
{
  g_print ("%s\n", message);
  g_cancellable_cancel (cancellable);
}

static void
print_error (const GError *error)
{
  if (error->domain == GMCP_RPC_ERROR)
    {
      g_autofree char *data = gmcp_rpc_error_dup_data_json (error);

      g_print ("%d %s %s\n", error->code, error->message, data);
    }
  else if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT))
    g_print ("no answer in time\n");
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_print ("cancelled\n");
  else
    g_print ("%s\n", error->message);
}

static void
on_called (GObject *object, GAsyncResult *async_result, gpointer result)
{
  g_autoptr (GError) error = NULL;

  *(GmcpToolResult **) result
    = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (object), async_result, &error);
  if (error != NULL)
    print_error (error);
  g_main_loop_quit (loop);
}

static GmcpToolResult *
call (GmcpToolProvider *provider,
      const char *name,
      const char *arguments,
      GmcpCallOptions *options,
      GCancellable *cancellable)
{
  GmcpToolResult *result = NULL;

  gmcp_tool_provider_call_tool_json_async (provider, name, arguments, options, cancellable,
                                           on_called, &result);
  g_main_loop_run (loop);
  return result;
}

static void
print_call (GmcpToolProvider *provider,
            const char *name,
            const char *arguments,
            GmcpCallOptions *options,
            GCancellable *cancellable)
{
  g_autoptr (GmcpToolResult) result = call (provider, name, arguments, options, cancellable);
  g_autofree char *text = result != NULL ? gmcp_tool_result_dup_text (result) : NULL;

  if (text != NULL)
    g_print ("%s\n", text);
}

static void
create_task (GmcpToolProvider *provider)
{
  g_autoptr (GmcpToolResult) result
    = call (provider, "tasks__create_task", "{\"title\": \"Water the plants\"}", NULL, NULL);

  if (result != NULL)
    g_print ("%s\n", gmcp_tool_result_is_error (result) ? "failed" : "created");
}

static void
use_tools (GmcpToolProvider *provider)
{
  g_autoptr (GmcpCallOptions) counting = gmcp_call_options_new ();
  g_autoptr (GmcpCallOptions) hurried = gmcp_call_options_new ();
  g_autoptr (GmcpCallOptions) waiting = gmcp_call_options_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_print ("%u tools\n", g_list_model_get_n_items (gmcp_tool_provider_get_tools (provider)));
  create_task (provider);

  g_signal_connect (counting, "progress", G_CALLBACK (on_progress), NULL);
  print_call (provider, "recipes__count", "{\"to\": 2}", counting, NULL);

  print_call (provider, "recipes__refuse", NULL, NULL, NULL);

  gmcp_call_options_set_timeout_ms (hurried, 200);
  print_call (provider, "recipes__hang", NULL, hurried, NULL);

  g_signal_connect (waiting, "progress", G_CALLBACK (on_begun), cancellable);
  print_call (provider, "recipes__hang", NULL, waiting, cancellable);

  print_call (provider, "recipes__reserve", "{\"guest\": \"Ada\"}", NULL, NULL);
  print_call (provider, "recipes__reserve", "{\"guest\": \"Bob\"}", NULL, NULL);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer error)
{
  gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, error);
  g_main_loop_quit (loop);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) config = g_file_new_for_commandline_arg (argv[1]);
  g_autoptr (GPtrArray) providers = gmcp_load_tool_providers ("org.example.Host", config, &error);
  const char *ask_first[] = { "tasks.create_task", NULL };

  loop = g_main_loop_new (NULL, FALSE);
  if (providers != NULL)
    {
      GmcpToolProvider *provider = g_ptr_array_index (providers, 0);

      g_object_set (provider, "ask-first", ask_first, NULL);
      g_signal_connect (provider, "call-requested", G_CALLBACK (on_call_requested), NULL);
      g_signal_connect (provider, "input-requested", G_CALLBACK (on_input_requested), NULL);
      gmcp_tool_provider_load_async (provider, NULL, on_loaded, &error);
      g_main_loop_run (loop);
      if (error == NULL)
        use_tools (provider);
    }
  g_main_loop_unref (loop);
  if (error == NULL)
    return 0;
  g_printerr ("%s\n", error->message);
  return 1;
}
