/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers that fail, stay silent, answer late or answer twice, in C: each call ends, and nothing breaks. */

#include <gmcp/gmcp.h>

static const char *tool_names[] = { "fails", "refuses", "silent", "twice", "asks" };

/* The call that was handled last. */
static GmcpToolCall *kept;

static gboolean
answer_question (gpointer call)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("yes");

  gmcp_tool_call_resume_timeout (call);
  gmcp_tool_call_return_result (call, result);
  return G_SOURCE_REMOVE;
}

static void
return_text (GmcpToolCall *call, const char *text)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (call, result);
}

static void
return_failure (GmcpToolCall *call, const char *message)
{
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NO_SPACE, message);

  gmcp_tool_call_return_error (call, error);
}

static void
handle_call (GmcpToolCall *call, gpointer user_data)
{
  const char *name = gmcp_tool_call_get_name (call);

  g_set_object (&kept, call);
  if (g_str_equal (name, "fails"))
    return_failure (call, "The disk is full.");
  else if (g_str_equal (name, "refuses"))
    gmcp_tool_call_return_rpc_error (call, -32050, "full", "{\"left\":0}");
  else if (g_str_equal (name, "twice"))
    {
      return_text (call, "once");
      return_text (call, "twice");
      return_failure (call, "twice");
    }
  else if (g_str_equal (name, "asks"))
    {
      gmcp_tool_call_pause_timeout (call);
      g_timeout_add_full (G_PRIORITY_DEFAULT, 20, answer_question, g_object_ref (call),
                          g_object_unref);
    }
}

#define BAD_TYPE_PROVIDER (bad_provider_get_type ())
G_DECLARE_FINAL_TYPE (BadProvider, bad_provider, BAD, PROVIDER, GObject)

struct _BadProvider
{
  GObject parent_instance;

  GListStore *tools;
};

static GListModel *
bad_provider_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (BAD_PROVIDER (provider)->tools);
}

static void
bad_provider_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  handle_call (call, NULL);
}

static void
bad_provider_tool_provider_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = bad_provider_get_tools;
  iface->call_tool = bad_provider_call_tool;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (BadProvider,
                               bad_provider,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      bad_provider_tool_provider_init))

static void
bad_provider_finalize (GObject *object)
{
  g_object_unref (BAD_PROVIDER (object)->tools);
  G_OBJECT_CLASS (bad_provider_parent_class)->finalize (object);
}

static void
bad_provider_class_init (BadProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = bad_provider_finalize;
}

static void
bad_provider_init (BadProvider *self)
{
  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
  for (gsize i = 0; i < G_N_ELEMENTS (tool_names); i++)
    {
      g_autoptr (GmcpTool) tool = gmcp_tool_new (tool_names[i], NULL, NULL, NULL);

      g_list_store_append (self->tools, tool);
    }
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer called)
{
  *(GAsyncResult **) called = g_object_ref (result);
}

static char *
finish_call (GmcpToolProvider *provider, GAsyncResult **called, GError **error)
{
  g_autoptr (GmcpToolResult) result = NULL;

  while (*called == NULL)
    g_main_context_iteration (NULL, TRUE);
  result = gmcp_tool_provider_call_tool_json_finish (provider, *called, error);
  g_clear_object (called);
  return result != NULL ? gmcp_tool_result_dup_text (result) : NULL;
}

/* With timeout_ms 0 there is the limit that every call has. */
static char *
call_tool (GmcpToolProvider *provider, const char *name, guint timeout_ms, GError **error)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  GAsyncResult *called = NULL;

  gmcp_call_options_set_timeout_ms (options, timeout_ms);
  gmcp_tool_provider_call_tool_json_async (provider, name, NULL, options, NULL, on_called, &called);
  return finish_call (provider, &called, error);
}

static void
check_late_answers (void)
{
  /* The handler is told that nobody waits any more. */
  g_assert_true (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (kept)));
  return_text (kept, "late");
  return_text (kept, "later");
  return_failure (kept, "late");
}

static void
check_silence (GmcpToolProvider *provider)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GAsyncResult *called = NULL;

  g_assert_null (call_tool (provider, "silent", 1, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_clear_error (&error);
  check_late_answers ();

  gmcp_tool_provider_call_tool_json_async (provider, "silent", NULL, NULL, cancellable, on_called,
                                           &called);
  g_cancellable_cancel (cancellable);
  g_assert_null (finish_call (provider, &called, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  check_late_answers ();
}

static void
check_errors (GmcpToolProvider *provider)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (GError) refusal = NULL;
  g_autofree char *data = NULL;

  g_assert_null (call_tool (provider, "fails", 0, &failure));
  g_assert_error (failure, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_assert_cmpstr (failure->message, ==, "The disk is full.");

  g_assert_null (call_tool (provider, "refuses", 0, &refusal));
  g_assert_error (refusal, GMCP_RPC_ERROR, -32050);
  data = gmcp_rpc_error_dup_data_json (refusal);
  g_assert_cmpstr (data, ==, "{\"left\":0}");
}

static void
check_provider (GmcpToolProvider *provider)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *once = NULL;
  g_autofree char *yes = NULL;

  check_silence (provider);
  check_errors (provider);

  once = call_tool (provider, "twice", 0, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (once, ==, "once");

  /* The time of a question does not count. */
  yes = call_tool (provider, "asks", 10, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (yes, ==, "yes");
}

static void
test_provider (void)
{
  g_autoptr (GmcpToolProvider) provider = g_object_new (BAD_TYPE_PROVIDER, NULL);

  check_provider (provider);
}

static void
test_registry (void)
{
  g_autoptr (GmcpToolRegistry) registry = gmcp_tool_registry_new ();
  g_autoptr (GmcpToolProvider) provider = g_object_new (BAD_TYPE_PROVIDER, NULL);
  g_autoptr (GError) error = NULL;

  gmcp_tool_registry_add_provider (registry, "bad", provider, &error);
  g_assert_no_error (error);
  check_provider (GMCP_TOOL_PROVIDER (registry));
}

static void
test_functions (void)
{
  g_autoptr (GmcpToolRegistry) registry = gmcp_tool_registry_new ();
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (tool_names); i++)
    {
      gmcp_tool_registry_add_function (registry, tool_names[i], NULL, NULL, handle_call, NULL, NULL,
                                       &error);
      g_assert_no_error (error);
    }
  check_provider (GMCP_TOOL_PROVIDER (registry));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bad-handlers/provider", test_provider);
  g_test_add_func ("/bad-handlers/registry", test_registry);
  g_test_add_func ("/bad-handlers/functions", test_functions);
  status = g_test_run ();
  g_clear_object (&kept);
  return status;
}
