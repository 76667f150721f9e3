/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Resources, prompts, completion and log messages with servers of other makers, as npm has them. */

#include <string.h>

#include "npm-fixture.h"

#define MODERN "modern-features.mjs"

typedef struct
{
  GmcpTransport *transport;
  GmcpClient *client;
} Fixture;

/* FALSE, and the test is skipped, where there are no npm packages. */
static gboolean
open_server (Fixture *fixture, const char *script)
{
  if (skip_without_npm ())
    return FALSE;

  fixture->transport = new_script_transport (script, NULL);
  fixture->client = gmcp_client_new (fixture->transport);
  open_client (fixture->client);
  return TRUE;
}

static GListModel *
list_resources (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *model;

  gmcp_client_list_resources_async (fixture->client, NULL, store_result, &result);
  model = gmcp_client_list_resources_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
  return model;
}

static GListModel *
list_templates (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *model;

  gmcp_client_list_resource_templates_async (fixture->client, NULL, store_result, &result);
  model = gmcp_client_list_resource_templates_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
  return model;
}

static GListModel *
list_prompts (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *model;

  gmcp_client_list_prompts_async (fixture->client, NULL, store_result, &result);
  model = gmcp_client_list_prompts_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
  return model;
}

static GmcpResourceResult *
try_read (Fixture *fixture, const char *uri, GmcpCallOptions *options, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_read_resource_async (fixture->client, uri, options, NULL, store_result, &result);
  return gmcp_client_read_resource_finish (fixture->client, wait_for (&result), error);
}

/* One argument for the prompt, or none. */
static GmcpPromptResult *
try_prompt (Fixture *fixture, const char *name, const char *key, const char *value, GError **error)
{
  g_autoptr (GHashTable) arguments = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GAsyncResult) result = NULL;

  if (key != NULL)
    g_hash_table_insert (arguments, (gpointer) key, (gpointer) value);
  gmcp_client_get_prompt_async (fixture->client, name, key != NULL ? arguments : NULL, NULL, NULL,
                                store_result, &result);
  return gmcp_client_get_prompt_finish (fixture->client, wait_for (&result), error);
}

static GmcpCompletionResult *
complete (Fixture *fixture,
          GmcpCompletionKind kind,
          const char *reference,
          const char *argument,
          const char *value,
          GHashTable *context)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpCompletionResult *completion;

  gmcp_client_complete_async (fixture->client, kind, reference, argument, value, context, NULL,
                              NULL, store_result, &result);
  completion = gmcp_client_complete_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
  return completion;
}

static char *
get_prompt_text (Fixture *fixture, const char *name, const char *key, const char *value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) prompt = try_prompt (fixture, name, key, value, &error);

  g_assert_no_error (error);
  return gmcp_prompt_message_dup_text (gmcp_prompt_result_get_message (prompt, 0));
}

static void
test_everything_resources (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GListModel) resources = NULL;
  g_autoptr (GListModel) templates = NULL;
  g_autoptr (GError) error = NULL;
  guint n_blobs = 0;

  if (!open_server (&fixture, EVERYTHING))
    return;

  resources = list_resources (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (resources), >=, 7);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GmcpResource) resource = g_list_model_get_item (resources, i);
      g_autoptr (GmcpResourceResult) result
        = try_read (&fixture, gmcp_resource_get_uri (resource), NULL, &error);

      g_assert_no_error (error);
      g_assert_true (
        gmcp_resource_contents_is_text (gmcp_resource_result_get_contents (result, 0)));
    }

  templates = list_templates (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (templates), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GmcpResourceTemplate) template = g_list_model_get_item (templates, i);
      g_autofree char *uri
        = gmcp_resource_template_expand_json (template, "{\"resourceId\":7}", &error);
      g_autoptr (GmcpResourceResult) result = NULL;
      GmcpResourceContents *contents;

      g_assert_no_error (error);
      result = try_read (&fixture, uri, NULL, &error);
      g_assert_no_error (error);
      contents = gmcp_resource_result_get_contents (result, 0);
      n_blobs += !gmcp_resource_contents_is_text (contents);
      g_assert_true (g_str_has_prefix (
        g_bytes_get_data (gmcp_resource_contents_get_bytes (contents, NULL), NULL), "Resource 7"));
    }
  g_assert_cmpuint (n_blobs, ==, 1);

  g_assert_null (try_read (&fixture, "demo://nothing", NULL, &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);

  g_clear_object (&resources);
  g_clear_object (&templates);
  drop_client (fixture.client, fixture.transport);
}

static void
test_everything_prompts (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GListModel) prompts = NULL;
  g_autoptr (GHashTable) context = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GmcpCompletionResult) departments = NULL;
  g_autoptr (GmcpCompletionResult) names = NULL;
  g_autoptr (GmcpCompletionResult) ids = NULL;
  g_autofree char *simple = NULL;
  g_autofree char *weather = NULL;
  g_autoptr (GError) error = NULL;

  if (!open_server (&fixture, EVERYTHING))
    return;

  prompts = list_prompts (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (prompts), ==, 4);
  simple = get_prompt_text (&fixture, "simple-prompt", NULL, NULL);
  g_assert_cmpstr (simple, ==, "This is a simple prompt without arguments.");
  weather = get_prompt_text (&fixture, "args-prompt", "city", "Rome");
  g_assert_nonnull (strstr (weather, "Rome"));
  g_assert_null (try_prompt (&fixture, "args-prompt", NULL, NULL, &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);

  departments = complete (&fixture, GMCP_COMPLETION_KIND_PROMPT, "completable-prompt", "department",
                          "E", NULL);
  g_assert_cmpstr (gmcp_completion_result_get_values (departments)[0], ==, "Engineering");
  g_hash_table_insert (context, (gpointer) "department", (gpointer) "Sales");
  names
    = complete (&fixture, GMCP_COMPLETION_KIND_PROMPT, "completable-prompt", "name", "D", context);
  g_assert_cmpstr (gmcp_completion_result_get_values (names)[0], ==, "David");
  ids = complete (&fixture, GMCP_COMPLETION_KIND_RESOURCE,
                  "demo://resource/dynamic/text/{resourceId}", "resourceId", "1", NULL);
  g_assert_cmpstr (gmcp_completion_result_get_values (ids)[0], ==, "1");

  g_clear_object (&prompts);
  drop_client (fixture.client, fixture.transport);
}

static void
on_log_message (gpointer source, GmcpLogMessage *message, gpointer user_data)
{
  GPtrArray *messages = user_data;

  g_ptr_array_add (messages, gmcp_log_message_ref (message));
}

static void
set_level (Fixture *fixture, GmcpLogLevel level)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_client_set_log_level_async (fixture->client, level, NULL, NULL, store_result, &result);
  gmcp_client_set_log_level_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
}

static void
test_everything_logging (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GPtrArray) messages
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);

  if (!open_server (&fixture, EVERYTHING))
    return;

  g_signal_connect (fixture.client, "log-message", G_CALLBACK (on_log_message), messages);
  set_level (&fixture, GMCP_LOG_LEVEL_DEBUG);
  g_assert_cmpint (gmcp_client_get_log_level (fixture.client), ==, GMCP_LOG_LEVEL_DEBUG);
  /* One message at once, and one every few seconds. */
  assert_call (fixture.client, "toggle-simulated-logging", "{}", NULL);
  while (messages->len == 0)
    g_main_context_iteration (NULL, TRUE);
  assert_call (fixture.client, "toggle-simulated-logging", "{}", NULL);
  g_assert_cmpint (gmcp_log_message_get_level (messages->pdata[0]), !=, GMCP_LOG_LEVEL_UNSET);

  drop_client (fixture.client, fixture.transport);
}

static void
test_modern (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GListModel) resources = NULL;
  g_autoptr (GListModel) templates = NULL;
  g_autoptr (GListModel) prompts = NULL;
  g_autoptr (GmcpResource) note = NULL;
  g_autoptr (GmcpResourceTemplate) template = NULL;
  g_autoptr (GmcpResourceResult) result = NULL;
  g_autoptr (GmcpResourceResult) of_template = NULL;
  g_autoptr (GmcpCompletionResult) languages = NULL;
  g_autoptr (GmcpCompletionResult) names = NULL;
  g_autofree char *prompt = NULL;
  g_autofree char *uri = NULL;
  g_autoptr (GError) error = NULL;

  if (!open_server (&fixture, MODERN))
    return;

  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_MODERN);
  resources = list_resources (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (resources), ==, 1);
  note = g_list_model_get_item (resources, 0);
  result = try_read (&fixture, gmcp_resource_get_uri (note), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_resource_contents_get_text (gmcp_resource_result_get_contents (result, 0)),
                   ==, "a note");

  templates = list_templates (&fixture);
  template = g_list_model_get_item (templates, 0);
  uri = gmcp_resource_template_expand_json (template, "{\"name\":\"ä b\"}", &error);
  g_assert_no_error (error);
  of_template = try_read (&fixture, uri, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (
    gmcp_resource_contents_get_text (gmcp_resource_result_get_contents (of_template, 0)), ==,
    "about %C3%A4%20b");

  prompts = list_prompts (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (prompts), ==, 1);
  prompt = get_prompt_text (&fixture, "greet", "language", "de");
  g_assert_cmpstr (prompt, ==, "Greet me in de");
  languages = complete (&fixture, GMCP_COMPLETION_KIND_PROMPT, "greet", "language", "d", NULL);
  g_assert_cmpstr (gmcp_completion_result_get_values (languages)[0], ==, "de");
  names = complete (&fixture, GMCP_COMPLETION_KIND_RESOURCE,
                    gmcp_resource_template_get_uri_template (template), "name", "m", NULL);
  g_assert_cmpstr (gmcp_completion_result_get_values (names)[0], ==, "monday");

  /* The lists follow the server's changes. */
  assert_call (fixture.client, "grow-all", "{}", NULL);
  while (g_list_model_get_n_items (resources) < 2 || g_list_model_get_n_items (prompts) < 2)
    g_main_context_iteration (NULL, TRUE);

  g_clear_object (&resources);
  g_clear_object (&templates);
  g_clear_object (&prompts);
  drop_client (fixture.client, fixture.transport);
}

static void
test_modern_logging (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GPtrArray) of_client
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);
  g_autoptr (GPtrArray) of_call
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autofree char *text = NULL;

  if (!open_server (&fixture, MODERN))
    return;

  g_signal_connect (fixture.client, "log-message", G_CALLBACK (on_log_message), of_client);
  g_signal_connect (options, "log-message", G_CALLBACK (on_log_message), of_call);
  /* Nothing is logged unless it is asked for. */
  assert_call (fixture.client, "log", "{\"level\":\"error\"}", NULL);
  g_assert_cmpuint (of_client->len, ==, 0);

  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_NOTICE);
  assert_call (fixture.client, "log", "{\"level\":\"info\"}", options);
  g_assert_cmpuint (of_client->len, ==, 0);
  assert_call (fixture.client, "log", "{\"level\":\"notice\"}", options);
  g_assert_cmpuint (of_client->len, ==, 1);
  g_assert_cmpuint (of_call->len, ==, 1);
  g_assert_cmpint (gmcp_log_message_get_level (of_call->pdata[0]), ==, GMCP_LOG_LEVEL_NOTICE);
  text = gmcp_log_message_dup_text (of_call->pdata[0]);
  g_assert_cmpstr (text, ==, "it is notice");

  set_level (&fixture, GMCP_LOG_LEVEL_INFO);
  assert_call (fixture.client, "log", "{\"level\":\"info\"}", NULL);
  g_assert_cmpuint (of_client->len, ==, 2);
  drop_client (fixture.client, fixture.transport);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/npm/features/everything/resources", test_everything_resources);
  g_test_add_func ("/npm/features/everything/prompts", test_everything_prompts);
  g_test_add_func ("/npm/features/everything/logging", test_everything_logging);
  g_test_add_func ("/npm/features/modern/all", test_modern);
  g_test_add_func ("/npm/features/modern/logging", test_modern_logging);

  return g_test_run ();
}
