/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* Functions of tools that work in a thread, and report and answer from there. */

typedef struct
{
  GThread *home;
  GThread *worker;
  gboolean fails;
  guint n_progress;
  GAsyncResult *result;
} Fixture;

static gpointer
work_in_thread (gpointer data)
{
  g_autoptr (GmcpToolCall) call = data;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("done");

  gmcp_tool_call_report_progress (call, 1, 2, "half");
  gmcp_tool_call_return_result (call, result);
  /* Which is ignored. */
  gmcp_tool_call_return_result (call, result);
  return NULL;
}

static gpointer
fail_in_thread (gpointer data)
{
  g_autoptr (GmcpToolCall) call = data;

  gmcp_tool_call_return_rpc_error (call, -32050, "No", "{\"why\":1}");
  return NULL;
}

static void
on_work (GmcpToolCall *call, gpointer data)
{
  Fixture *fixture = data;

  fixture->worker = g_thread_new ("worker", fixture->fails ? fail_in_thread : work_in_thread,
                                  g_object_ref (call));
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer data)
{
  Fixture *fixture = data;

  g_assert_true (g_thread_self () == fixture->home);
  g_assert_cmpfloat (progress, ==, 1);
  g_assert_cmpstr (message, ==, "half");
  g_assert_null (fixture->result);
  fixture->n_progress++;
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  g_assert_true (g_thread_self () == fixture->home);
  g_assert_null (fixture->result);
  fixture->result = g_object_ref (result);
}

static GmcpToolResult *
call_tool (Fixture *fixture, GError **error)
{
  g_autoptr (GmcpToolRegistry) registry = gmcp_tool_registry_new ();
  g_autoptr (GmcpTool) tool = gmcp_tool_new ("work", NULL, NULL, NULL);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  GmcpToolResult *result;

  fixture->home = g_thread_self ();
  g_signal_connect (options, "progress", G_CALLBACK (on_progress), fixture);
  g_assert_true (gmcp_tool_registry_add_tool (registry, tool, on_work, fixture, NULL, NULL));
  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (registry), "work", NULL, options,
                                           NULL, on_called, fixture);
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  result = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (registry), fixture->result,
                                                     error);
  g_thread_join (fixture->worker);
  /* What the thread has said since. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_object (&fixture->result);
  return result;
}

static void
test_result (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GmcpToolResult) result = call_tool (&fixture, NULL);
  g_autofree char *text = gmcp_tool_result_dup_text (result);

  g_assert_cmpstr (text, ==, "done");
  g_assert_cmpuint (fixture.n_progress, ==, 1);
}

static void
test_error (void)
{
  Fixture fixture = { .fails = TRUE };
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;

  g_assert_null (call_tool (&fixture, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -32050);
  data = gmcp_rpc_error_dup_data_json (error);
  g_assert_cmpstr (data, ==, "{\"why\":1}");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  g_test_add_func ("/tool-call-thread/result", test_result);
  g_test_add_func ("/tool-call-thread/error", test_error);

  return g_test_run ();
}
