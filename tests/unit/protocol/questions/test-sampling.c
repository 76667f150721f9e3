/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-sampling-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/protocol/questions/gmcp-root.h>

#include "unit-test.h"

static void
on_answer (GmcpInputRequest *request, const char *answer, gpointer data)
{
  char **slot = data;

  g_assert_null (*slot);
  *slot = g_strdup (answer != NULL ? answer : "refused");
}

static GmcpSampling *
make (const char *params, char **answer, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (params, strlen (params), NULL, 0, NULL);
  GmcpSampling *sampling;

  g_assert_nonnull (doc);
  sampling = gmcp_sampling_new_from_value (gmcp_json_doc_get_root (doc), error);
  if (sampling != NULL && answer != NULL)
    gmcp_input_request_listen (GMCP_INPUT_REQUEST (sampling), on_answer, answer);
  return sampling;
}

static const char plain[] = "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
                            "\"text\":\"Hi\"}}],\"maxTokens\":10}";

static void
test_params (void)
{
  g_autoptr (GmcpSampling) sampling = make (
    "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hi\"},"
    "{\"type\":\"tool_result\",\"toolUseId\":\"1\",\"content\":[]}]},{\"role\":\"assistant\"},7],\"systemPrompt\":\"Be kind\","
    "\"maxTokens\":100,\"temperature\":0.5,\"stopSequences\":[\"END\",3],\"includeContext\":\"none\","
    "\"modelPreferences\":{\"hints\":[{\"name\":\"big\"},{}],\"costPriority\":0.25,"
    "\"speedPriority\":9},\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}},5],"
    "\"toolChoice\":{\"mode\":\"required\"}}",
    NULL, NULL);
  g_autofree char *tools = gmcp_sampling_dup_tools_json (sampling);
  g_autofree char *messages = gmcp_sampling_dup_messages_json (sampling);
  g_autofree char *raw = NULL;
  GmcpSamplingMessage *message = g_ptr_array_index (gmcp_sampling_get_messages (sampling), 0);
  GPtrArray *contents = gmcp_sampling_message_get_contents (message);
  double temperature;

  g_assert_cmpuint (gmcp_sampling_get_messages (sampling)->len, ==, 3);
  g_assert_cmpint (gmcp_sampling_message_get_role (message), ==, GMCP_MESSAGE_ROLE_USER);
  message = g_ptr_array_index (gmcp_sampling_get_messages (sampling), 1);
  g_assert_cmpint (gmcp_sampling_message_get_role (message), ==, GMCP_MESSAGE_ROLE_ASSISTANT);
  message = g_ptr_array_index (gmcp_sampling_get_messages (sampling), 2);
  g_assert_cmpint (gmcp_sampling_message_get_role (message), ==, GMCP_MESSAGE_ROLE_USER);
  g_assert_cmpuint (contents->len, ==, 2);
  g_assert_cmpstr (gmcp_content_get_text (g_ptr_array_index (contents, 0)), ==, "Hi");
  raw
    = gmcp_sampling_message_dup_json (g_ptr_array_index (gmcp_sampling_get_messages (sampling), 2));
  g_assert_cmpstr (raw, ==, "7");
  g_assert_cmpstr (gmcp_sampling_get_system_prompt (sampling), ==, "Be kind");
  g_assert_cmpint (gmcp_sampling_get_max_tokens (sampling), ==, 100);
  g_assert_true (gmcp_sampling_get_temperature (sampling, &temperature));
  g_assert_cmpfloat (temperature, ==, 0.5);
  g_assert_cmpstr (gmcp_sampling_get_stop_sequences (sampling)[0], ==, "END");
  g_assert_null (gmcp_sampling_get_stop_sequences (sampling)[1]);
  g_assert_cmpstr (gmcp_sampling_get_include_context (sampling), ==, "none");
  g_assert_cmpstr (gmcp_sampling_get_model_hints (sampling)[0], ==, "big");
  g_assert_null (gmcp_sampling_get_model_hints (sampling)[1]);
  g_assert_cmpfloat (gmcp_sampling_get_cost_priority (sampling), ==, 0.25);
  g_assert_cmpfloat (gmcp_sampling_get_speed_priority (sampling), ==, 1);
  g_assert_cmpfloat (gmcp_sampling_get_intelligence_priority (sampling), ==, -1);
  g_assert_cmpuint (gmcp_sampling_get_tools (sampling)->len, ==, 1);
  g_assert_true (g_str_has_prefix (tools, "[{\"name\":\"t\""));
  g_assert_true (g_str_has_prefix (messages, "[{\"role\""));
  g_assert_cmpstr (gmcp_sampling_get_tool_choice (sampling), ==, "required");
}

static void
test_defaults (void)
{
  g_autoptr (GmcpSampling) sampling = make ("{\"messages\":[]}", NULL, NULL);

  g_assert_cmpint (gmcp_sampling_get_max_tokens (sampling), ==, -1);
  g_assert_false (gmcp_sampling_get_temperature (sampling, NULL));
  g_assert_null (gmcp_sampling_get_system_prompt (sampling));
  g_assert_null (gmcp_sampling_get_tool_choice (sampling));
  g_assert_null (gmcp_sampling_dup_tools_json (sampling));
  g_assert_cmpuint (gmcp_sampling_get_tools (sampling)->len, ==, 0);
}

static void
test_bad_params (void)
{
  static const char *const params[] = { "{}", "7", "{\"messages\":{}}" };

  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (make (params[i], NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
    }
}

static void
test_accept (void)
{
  g_autofree char *answer = NULL, *other = NULL, *third = NULL;
  g_autoptr (GmcpSampling) text = make (plain, &answer, NULL);
  g_autoptr (GmcpSampling) json = make (plain, &other, NULL);
  g_autoptr (GmcpSampling) node = make (plain, &third, NULL);
  g_autoptr (JsonNode) result = json_from_string (
    "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"x\"}}",
    NULL);
  g_autoptr (GError) error = NULL;

  gmcp_sampling_accept_text (text, "a \"b\"", "m", "endTurn");
  g_assert_cmpstr (
    answer, ==,
    "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"a \\\"b\\\"\"},"
    "\"model\":\"m\",\"stopReason\":\"endTurn\"}");
  g_assert_true (gmcp_sampling_accept_json (
    json, "{\"role\":\"assistant\",\n\"model\":\"m\",\"content\":[],\"x\":1.50}", &error));
  g_assert_no_error (error);
  g_assert_cmpstr (other, ==, "{\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"x\":1.50}");
  g_assert_true (gmcp_sampling_accept (node, result, &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (third, "\"text\":\"x\""));

  /* A second answer is dropped. */
  gmcp_sampling_accept_text (node, "y", "m", NULL);
  g_assert_true (gmcp_sampling_accept_json (
    node, "{\"role\":\"assistant\",\"model\":\"m\",\"content\":[]}", &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (third, "\"text\":\"x\""));
}

static void
test_bad_answers (void)
{
  static const char *const results[] = {
    "[]",
    "{}",
    "{\"role\":\"assistant\",\"content\":[]}",
    "{\"role\":\"assistant\",\"model\":\"m\"}",
    "{\"role\":\"assistant\",\"model\":\"m\",\"content\":\"text\"}",
    "{\"role\":\"robot\",\"model\":\"m\",\"content\":[]}",
    "{\"model\":\"m\",\"content\":[]}",
  };
  char *answer = NULL;
  GmcpSampling *sampling = make (plain, &answer, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_sampling_accept_json (sampling, results[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
  g_assert_null (answer);
  g_assert_finalize_object (sampling);
  g_assert_cmpstr (answer, ==, "refused");
  g_free (answer);
}

static void
test_root (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/tmp/a b");
  GmcpRoot *root = gmcp_root_new_for_file (file, "Work");
  g_autofree char *uri = NULL, *name = NULL;

  g_object_get (root, "uri", &uri, "name", &name, NULL);
  g_assert_cmpstr (uri, ==, "file:///tmp/a%20b");
  g_assert_cmpstr (gmcp_root_get_uri (root), ==, uri);
  g_assert_cmpstr (name, ==, "Work");
  g_assert_cmpstr (gmcp_root_get_name (root), ==, "Work");
  g_assert_finalize_object (root);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/protocol/sampling/params", test_params);
  g_test_add_func ("/protocol/sampling/defaults", test_defaults);
  g_test_add_func ("/protocol/sampling/bad-params", test_bad_params);
  g_test_add_func ("/protocol/sampling/accept", test_accept);
  g_test_add_func ("/protocol/sampling/bad-answers", test_bad_answers);
  g_test_add_func ("/protocol/root", test_root);

  return g_test_run ();
}
