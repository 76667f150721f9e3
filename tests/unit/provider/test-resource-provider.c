/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>

#include "notes-provider.h"
#include "unit-test.h"

/* Providers of resources and prompts as a host sees them, and what is done for a host whose provider
 * does not answer. */

static void
on_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  GAsyncResult **out = data;

  g_assert_null (*out);
  *out = g_object_ref (result);
}

static GAsyncResult *
wait (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static GmcpResourceResult *
read_uri (NotesProvider *provider, const char *uri, GmcpCallOptions *options, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_resource_provider_read_async (GMCP_RESOURCE_PROVIDER (provider), uri, options, NULL,
                                     on_ready, &result);
  g_assert_null (result);
  return gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (provider), wait (&result),
                                             error);
}

static void
test_read (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GmcpResourceResult) result = NULL;
  g_autoptr (GmcpResourceResult) none = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a second answer is dropped; a request that is let go of fails");
  result = read_uri (provider, "note:1", NULL, &error);
  g_assert_no_error (error);
  text = gmcp_resource_result_dup_text (result);
  g_assert_cmpstr (text, ==, "one");

  none = read_uri (provider, "note:nine", NULL, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  none = read_uri (provider, "note:drop", NULL, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
}

static void
test_error_data (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpResourceResult) none = NULL;
  g_autoptr (GmcpResourceResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  g_autofree char *told = NULL;

  g_test_summary (
    "the data of an error are the error's and the options'; an error after it counts for nothing");
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE, "*are no JSON*");
  none = read_uri (provider, "note:full", options, &error);
  g_test_assert_expected_messages ();
  g_assert_error (error, GMCP_RPC_ERROR, -32050);
  g_assert_cmpstr (error->message, ==, "Full");
  data = gmcp_rpc_error_dup_data_json (error);
  g_assert_cmpstr (data, ==, "{\"left\": 0}");
  told = gmcp_call_options_dup_error_data_json (options);
  g_assert_cmpstr (told, ==, data);
  g_clear_error (&error);

  result = read_uri (provider, "note:1", options, &error);
  g_assert_no_error (error);
  g_assert_null (gmcp_call_options_dup_error_data_json (options));
}

static void
test_hangs (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpResourceResult) none = NULL;
  g_autoptr (GmcpResourceResult) late = gmcp_resource_result_new_text ("note:later", NULL, "late");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpResourceRequest *request;

  g_test_summary ("whoever waits for a provider that does not answer hears in time");
  gmcp_call_options_set_timeout_ms (options, 1);
  none = read_uri (provider, "note:later", options, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_clear_error (&error);
  request = g_ptr_array_index (notes_provider_get_kept (provider), 0);
  g_assert_true (g_cancellable_is_cancelled (
    gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (request))));
  gmcp_resource_request_return_result (request, late);
  g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_FAILED, "late");
  gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
  g_clear_error (&error);

  gmcp_resource_provider_read_async (GMCP_RESOURCE_PROVIDER (provider), "note:later", NULL,
                                     cancellable, on_ready, &result);
  request = g_ptr_array_index (notes_provider_get_kept (provider), 1);
  g_assert_false (g_cancellable_is_cancelled (
    gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (request))));
  g_cancellable_cancel (cancellable);
  g_assert_true (g_cancellable_is_cancelled (
    gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (request))));
  none = gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (provider), wait (&result),
                                             &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  gmcp_resource_request_return_result (request, late);
  g_clear_error (&error);

  g_clear_object (&result);
  gmcp_resource_provider_read_async (GMCP_RESOURCE_PROVIDER (provider), "note:later", NULL,
                                     cancellable, on_ready, &result);
  none = gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (provider), wait (&result),
                                             &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (notes_provider_get_kept (provider)->len, ==, 2);
}

static void
test_lists (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  GmcpResourceProvider *resources = GMCP_RESOURCE_PROVIDER (provider);

  g_assert_cmpuint (g_list_model_get_n_items (gmcp_resource_provider_get_resources (resources)), ==,
                    2);
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_resource_provider_get_templates (resources)), ==,
                    1);
  g_assert_cmpuint (
    g_list_model_get_n_items (gmcp_prompt_provider_get_prompts (GMCP_PROMPT_PROVIDER (provider))),
    ==, 1);
}

static GListModel *
get_no_list (gpointer provider)
{
  return NULL;
}

static GListModel *
get_files (gpointer provider)
{
  static GListStore *files;

  if (files == NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path ("/");

      files = g_list_store_new (G_TYPE_FILE);
      g_list_store_append (files, file);
    }
  return G_LIST_MODEL (files);
}

static void
on_log (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  g_ptr_array_add (data, g_strdup (message));
}

static void
expect_empty_list (gpointer provider, GListModel *(*get) (gpointer provider), GType type)
{
  GListModel *list = get (provider);

  g_assert_true (g_list_model_get_item_type (list) == type);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 0);
  g_assert_true (get (provider) == list);
}

typedef GListModel *(*GetFunc) (gpointer provider);

static void
test_unusable_lists (void)
{
  static const struct
  {
    GetFunc get;
    guint n_messages;
    const char *named;
  } cases[] = {
    { NULL, 2, "no list of" },
    { get_no_list, 2, "no list of" },
    { get_files, 3, "GFile" },
  };

  g_test_summary ("a provider whose functions give no list, or one of other things, has none");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_free);
      guint handler = g_log_set_handler ("Gmcp", G_LOG_LEVEL_MESSAGE, on_log, messages);
      g_autoptr (NotesProvider) provider = notes_provider_new ();
      GmcpResourceProviderInterface *resources = GMCP_RESOURCE_PROVIDER_GET_IFACE (provider);
      GmcpPromptProviderInterface *prompts = GMCP_PROMPT_PROVIDER_GET_IFACE (provider);
      GmcpResourceProviderInterface resources_before = *resources;
      GmcpPromptProviderInterface prompts_before = *prompts;

      resources->get_resources = (gpointer) cases[i].get;
      resources->get_templates = (gpointer) cases[i].get;
      prompts->get_prompts = (gpointer) cases[i].get;
      expect_empty_list (provider, (GetFunc) gmcp_resource_provider_get_resources,
                         GMCP_TYPE_RESOURCE);
      expect_empty_list (provider, (GetFunc) gmcp_resource_provider_get_templates,
                         GMCP_TYPE_RESOURCE_TEMPLATE);
      expect_empty_list (provider, (GetFunc) gmcp_prompt_provider_get_prompts, GMCP_TYPE_PROMPT);
      *resources = resources_before;
      *prompts = prompts_before;

      g_assert_cmpuint (messages->len, ==, cases[i].n_messages);
      for (guint j = 0; j < messages->len; j++)
        {
          g_assert_nonnull (strstr (g_ptr_array_index (messages, j), "NotesProvider"));
          g_assert_nonnull (strstr (g_ptr_array_index (messages, j), cases[i].named));
        }
      g_log_remove_handler ("Gmcp", handler);
    }
}

static void
on_updated (GmcpResourceProvider *provider, const char *uri, gpointer data)
{
  g_assert_cmpstr (uri, ==, "note:1");
  ++*(guint *) data;
}

static void
test_subscribe (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  GmcpResourceProvider *resources = GMCP_RESOURCE_PROVIDER (provider);
  guint n_updated = 0;

  g_assert_true (gmcp_resource_provider_can_subscribe (resources));
  gmcp_resource_provider_subscribe (resources, "note:1");
  g_assert_cmpuint (notes_provider_get_subscribed (provider)->len, ==, 1);
  g_signal_connect (provider, "resource-updated", G_CALLBACK (on_updated), &n_updated);
  gmcp_resource_provider_emit_resource_updated (resources, "note:1");
  g_assert_cmpuint (n_updated, ==, 1);
  gmcp_resource_provider_unsubscribe (resources, "note:1");
  g_assert_cmpuint (notes_provider_get_subscribed (provider)->len, ==, 0);
}

static void
test_prompt (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GHashTable) arguments = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GAsyncResult) ready = NULL;
  g_autoptr (GmcpPromptResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_hash_table_insert (arguments, (gpointer) "name", (gpointer) "Ann");
  gmcp_prompt_provider_get_prompt_async (GMCP_PROMPT_PROVIDER (provider), "greet", arguments, NULL,
                                         NULL, on_ready, &ready);
  result = gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (provider), wait (&ready),
                                                   &error);
  g_assert_no_error (error);
  text = gmcp_prompt_message_dup_text (gmcp_prompt_result_get_message (result, 0));
  g_assert_cmpstr (text, ==, "Greet Ann");
}

static void
test_complete (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GAsyncResult) prompt_ready = NULL;
  g_autoptr (GAsyncResult) resource_ready = NULL;
  g_autoptr (GmcpCompletionResult) prompt = NULL;
  g_autoptr (GmcpCompletionResult) resource = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_prompt_provider_complete_argument_async (GMCP_PROMPT_PROVIDER (provider), "greet", "name",
                                                "ant", NULL, NULL, NULL, on_ready, &prompt_ready);
  prompt = gmcp_prompt_provider_complete_argument_finish (GMCP_PROMPT_PROVIDER (provider),
                                                          wait (&prompt_ready), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_completion_result_get_values (prompt)[0], ==, "anton");
  g_assert_cmpint (gmcp_completion_result_get_total (prompt), ==, 1);

  gmcp_resource_provider_complete_variable_async (GMCP_RESOURCE_PROVIDER (provider), "note:{n}",
                                                  "n", "", NULL, NULL, NULL, on_ready,
                                                  &resource_ready);
  resource = gmcp_resource_provider_complete_variable_finish (GMCP_RESOURCE_PROVIDER (provider),
                                                              wait (&resource_ready), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length ((char **) gmcp_completion_result_get_values (resource)), ==, 2);
}

static void
test_caller (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) asked = NULL;
  g_autoptr (GmcpElicitation) question
    = gmcp_elicitation_new ("Which?", "{\"type\":\"object\",\"properties\":{}}", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  GmcpCaller *caller;

  g_test_summary (
    "a host that reads is told and asked like a client; without a listener it declines");
  gmcp_resource_provider_read_async (GMCP_RESOURCE_PROVIDER (provider), "note:later", NULL, NULL,
                                     on_ready, &result);
  caller
    = gmcp_provider_request_get_caller (g_ptr_array_index (notes_provider_get_kept (provider), 0));
  g_assert_null (gmcp_caller_get_client_info (caller));
  g_assert_null (gmcp_caller_get_protocol_version (caller));
  gmcp_caller_log (caller, GMCP_LOG_LEVEL_INFO, NULL, "nobody listens");
  g_assert_false (gmcp_caller_log_json (caller, GMCP_LOG_LEVEL_INFO, NULL, "{", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);

  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (question), NULL, on_ready, &asked);
  answer = gmcp_caller_ask_finish (caller, wait (&asked), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==, "{\"action\":\"decline\"}");

  g_clear_object (&asked);
  gmcp_caller_list_roots_async (caller, NULL, on_ready, &asked);
  g_assert_null (gmcp_caller_list_roots_finish (caller, wait (&asked), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);

  g_ptr_array_set_size (notes_provider_get_kept (provider), 0);
  wait (&result);
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer data)
{
  g_ptr_array_add (data, g_object_ref (request));
}

static void
on_log_message (GmcpCallOptions *options, GmcpLogMessage *message, gpointer data)
{
  g_autofree char *text = gmcp_log_message_dup_text (message);

  g_string_append_printf (data, "%s;", text);
}

/* Whoever listens accepts. */
static char *
ask_and_accept (GmcpCaller *caller, GmcpElicitation *question, GPtrArray *asked, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (question), NULL, on_ready, &result);
  g_assert_cmpuint (asked->len, ==, 1);
  g_assert_true (
    gmcp_elicitation_accept_json (g_ptr_array_index (asked, 0), "{\"a\":\"b\"}", NULL));
  g_ptr_array_set_size (asked, 0);
  return gmcp_caller_ask_finish (caller, wait (&result), error);
}

static void
test_host (void)
{
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GPtrArray) asked = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GString) logged = g_string_new (NULL);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpElicitation) question = gmcp_elicitation_new (
    "Which?", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) called = NULL;
  g_autoptr (GAsyncResult) cancelled = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *accepted = NULL;
  g_autofree char *dropped = NULL;
  GmcpToolCall *call;
  GmcpCaller *caller;

  g_test_summary ("a tool that a host calls asks and tells the host, as it does a server's client");
  g_signal_connect (provider, "input-requested", G_CALLBACK (on_input_requested), asked);
  g_signal_connect (options, "log-message", G_CALLBACK (on_log_message), logged);
  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_WARNING);
  gmcp_tool_provider_call_tool_async (GMCP_TOOL_PROVIDER (provider), "ask", NULL, options, NULL,
                                      on_ready, &called);
  call = g_ptr_array_index (notes_provider_get_calls (provider), 0);
  caller = gmcp_tool_call_get_caller (call);
  g_assert_true (caller == gmcp_tool_call_get_caller (call));

  gmcp_caller_log (caller, GMCP_LOG_LEVEL_INFO, NULL, "quiet");
  gmcp_caller_log (caller, GMCP_LOG_LEVEL_ERROR, NULL, "loud");
  g_assert_cmpstr (logged->str, ==, "loud;");

  accepted = ask_and_accept (caller, question, asked, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (accepted, ==, "{\"action\":\"accept\",\"content\":{\"a\":\"b\"}}");

  g_test_message (
    "a question that the host lets go of is cancelled; one that is not needed is closed");
  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (question), NULL, on_ready, &cancelled);
  g_ptr_array_set_size (asked, 0);
  dropped = gmcp_caller_ask_finish (caller, wait (&cancelled), &error);
  g_assert_cmpstr (dropped, ==, "{\"action\":\"cancel\"}");

  g_clear_object (&cancelled);
  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (question), cancellable, on_ready, &cancelled);
  g_cancellable_cancel (cancellable);
  g_assert_null (gmcp_caller_ask_finish (caller, wait (&cancelled), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (gmcp_input_request_is_open (g_ptr_array_index (asked, 0)));
  g_clear_error (&error);

  result = gmcp_tool_result_new_text ("x");
  gmcp_tool_call_return_result (call, result);
  g_clear_pointer (&result, gmcp_tool_result_unref);
  result
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (provider), wait (&called), &error);
  g_assert_no_error (error);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/provider/resources/read", test_read);
  g_test_add_func ("/provider/resources/error-data", test_error_data);
  g_test_add_func ("/provider/resources/hangs", test_hangs);
  g_test_add_func ("/provider/resources/lists", test_lists);
  g_test_add_func ("/provider/resources/unusable-lists", test_unusable_lists);
  g_test_add_func ("/provider/resources/subscribe", test_subscribe);
  g_test_add_func ("/provider/resources/prompt", test_prompt);
  g_test_add_func ("/provider/resources/complete", test_complete);
  g_test_add_func ("/provider/resources/caller", test_caller);
  g_test_add_func ("/provider/resources/host", test_host);
  return g_test_run ();
}
