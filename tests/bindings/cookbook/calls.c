/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gmcp/gmcp.h>

static GMainLoop *loop;

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
on_called (GObject *object, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result
    = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (object), async_result, &error);
  g_autofree char *text = result != NULL ? gmcp_tool_result_dup_text (result) : NULL;

  /* A tool that fails is a result: the model reads why, and often knows what to do. */
  if (text != NULL)
    g_print ("%s\n", text);
  else if (error->domain == GMCP_RPC_ERROR)
    g_print ("refused with code %d\n", error->code);
  else if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT))
    g_print ("no answer in time\n");
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_print ("cancelled\n");
  else
    g_print ("%s\n", error->message);
  g_main_loop_quit (loop);
}

static void
call (GmcpToolProvider *provider,
      const char *name,
      const char *arguments,
      GmcpCallOptions *options,
      GCancellable *cancellable)
{
  gmcp_tool_provider_call_tool_json_async (provider, name, arguments, options, cancellable,
                                           on_called, NULL);
  g_main_loop_run (loop);
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
  g_autoptr (GmcpCallOptions) watched = gmcp_call_options_new ();
  g_autoptr (GmcpCallOptions) short_of_time = gmcp_call_options_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GmcpToolProvider *provider = NULL;

  loop = g_main_loop_new (NULL, FALSE);
  if (providers != NULL)
    {
      provider = g_ptr_array_index (providers, 0);
      gmcp_tool_provider_load_async (provider, NULL, on_loaded, &error);
      g_main_loop_run (loop);
    }
  if (error != NULL)
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }

  call (provider, "recipes__divide", "{\"a\": 1, \"b\": 0}", NULL, NULL);

  g_signal_connect (watched, "progress", G_CALLBACK (on_progress), NULL);
  call (provider, "recipes__count", "{\"to\": 2}", watched, NULL);

  call (provider, "recipes__refuse", NULL, NULL, NULL);

  gmcp_call_options_set_timeout_ms (short_of_time, 200);
  call (provider, "recipes__hang", NULL, short_of_time, NULL);

  /* The server is told. */
  g_cancellable_cancel (cancellable);
  call (provider, "recipes__hang", NULL, NULL, cancellable);

  g_main_loop_unref (loop);
  g_print ("the end\n");
  /* MCP error: b is 0: give another one */
  /* 1 of 2: step 1 */
  /* 2 of 2: step 2 */
  /* counted */
  /* refused with code -32001 */
  /* no answer in time */
  /* cancelled */
  /* the end */
  return 0;
}
