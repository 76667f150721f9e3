/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/protocol/gmcp-prompt.h>
#include <string.h>

#include "gmcp-completion-result-private.h"
#include "gmcp-prompt-result-private.h"
#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static void
test_prompt (void)
{
  static const char json[]
    = "{\"name\":\"review\",\"title\":\"Review\",\"description\":\"d\",\"extra\":1.50,"
      "\"icons\":[{\"src\":\"data:,\"}],\"arguments\":[{\"name\":\"code\",\"title\":\"The code\","
      "\"description\":\"what to look at\",\"required\":true},5,{\"title\":\"no name\"},"
      "{\"name\":\"style\",\"required\":\"yes\"}]}";
  static const char *const invalid[] = { "5", "{}", "{\"name\":\"\"}", "{\"name\":null}" };
  g_autoptr (GmcpPrompt) prompt = gmcp_prompt_new_from_json (json, NULL);
  g_autoptr (GmcpPromptArgument) first = NULL;
  g_autoptr (GPtrArray) icons = gmcp_definition_list_icons (GMCP_DEFINITION (prompt));
  g_autofree char *whole = gmcp_definition_dup_json (GMCP_DEFINITION (prompt));
  g_autofree char *argument = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_prompt_new_from_json (invalid[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }

  g_assert_cmpstr (whole, ==, json);
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (prompt)), ==, "review");
  g_assert_cmpstr (gmcp_definition_get_title (GMCP_DEFINITION (prompt)), ==, "Review");
  g_assert_cmpstr (gmcp_definition_get_description (GMCP_DEFINITION (prompt)), ==, "d");
  g_assert_cmpuint (icons->len, ==, 1);
  g_assert_cmpuint (gmcp_prompt_get_n_arguments (prompt), ==, 2);
  first = gmcp_prompt_argument_ref (gmcp_prompt_get_argument (prompt, 0));
  g_assert_false (gmcp_prompt_argument_is_required (gmcp_prompt_get_argument (prompt, 1)));
  g_assert_null (gmcp_prompt_get_argument (prompt, 2));

  g_clear_object (&prompt);
  g_assert_cmpstr (gmcp_prompt_argument_get_name (first), ==, "code");
  g_assert_cmpstr (gmcp_prompt_argument_get_title (first), ==, "The code");
  g_assert_cmpstr (gmcp_prompt_argument_get_description (first), ==, "what to look at");
  g_assert_true (gmcp_prompt_argument_is_required (first));
  argument = gmcp_prompt_argument_dup_json (first);
  g_assert_true (g_str_has_prefix (argument, "{\"name\":\"code\""));
}

static void
test_result (void)
{
  static const char *const invalid[] = { "5", "{}", "{\"messages\":{}}" };
  g_autoptr (GmcpJsonDoc) doc = parse (
    "{\"description\":\"d\",\"_meta\":{\"a\":1},\"messages\":[{\"role\":\"user\",\"content\":"
    "{\"type\":\"text\",\"text\":\"hello\"}},5,{\"role\":\"assistant\",\"content\":[{\"type\":"
    "\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"},{\"type\":\"resource\",\"resource\":"
    "{\"uri\":\"x:y\",\"text\":\"inside\"}}]},{\"role\":\"robot\",\"content\":\"bare\"},{}]}");
  g_autoptr (GmcpPromptResult) result
    = gmcp_prompt_result_new_from_value (gmcp_json_doc_get_root (doc), NULL);
  g_autofree char *meta = gmcp_prompt_result_dup_meta_json (result);
  g_autofree char *text = NULL;
  GmcpPromptMessage *message;

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      g_autoptr (GmcpJsonDoc) bad = parse (invalid[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_prompt_result_new_from_value (gmcp_json_doc_get_root (bad), &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
    }

  g_assert_cmpstr (meta, ==, "{\"a\":1}");
  g_assert_cmpstr (gmcp_prompt_result_get_description (result), ==, "d");
  g_assert_cmpuint (gmcp_prompt_result_get_n_messages (result), ==, 4);
  message = gmcp_prompt_result_get_message (result, 0);
  g_assert_cmpint (gmcp_prompt_message_get_role (message), ==, GMCP_MESSAGE_ROLE_USER);
  g_assert_cmpuint (gmcp_prompt_message_get_n_contents (message), ==, 1);
  g_assert_cmpstr (gmcp_content_get_text (gmcp_prompt_message_get_content (message, 0)), ==,
                   "hello");
  g_assert_null (gmcp_prompt_message_get_content (message, 1));

  message = gmcp_prompt_result_get_message (result, 1);
  g_assert_cmpint (gmcp_prompt_message_get_role (message), ==, GMCP_MESSAGE_ROLE_ASSISTANT);
  g_assert_cmpuint (gmcp_prompt_message_get_n_contents (message), ==, 2);
  text = gmcp_prompt_message_dup_text (message);
  g_assert_cmpstr (text, ==, "[image: image/png, 3 bytes]\ninside");

  message = gmcp_prompt_result_get_message (result, 2);
  g_assert_cmpint (gmcp_prompt_message_get_role (message), ==, GMCP_MESSAGE_ROLE_USER);
  g_assert_cmpuint (gmcp_prompt_message_get_n_contents (message), ==, 0);
  g_assert_cmpuint (gmcp_prompt_message_get_n_contents (gmcp_prompt_result_get_message (result, 3)),
                    ==, 0);
  g_assert_null (gmcp_prompt_result_get_message (result, 4));
}

static void
test_completion (void)
{
  static const char *const invalid[]
    = { "5", "{}", "{\"completion\":[]}", "{\"completion\":{\"values\":\"a\"}}" };
  g_autoptr (GmcpJsonDoc) doc
    = parse ("{\"completion\":{\"values\":[\"py\",5,\"pü\"],\"total\":12,\"hasMore\":true}}");
  g_autoptr (GmcpJsonDoc) bare = parse ("{\"completion\":{\"values\":[],\"total\":-9}}");
  g_autoptr (GmcpCompletionResult) result
    = gmcp_completion_result_new_from_value (gmcp_json_doc_get_root (doc), NULL);
  g_autoptr (GmcpCompletionResult) empty
    = gmcp_completion_result_new_from_value (gmcp_json_doc_get_root (bare), NULL);
  const char *const expected[] = { "py", "pü", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      g_autoptr (GmcpJsonDoc) bad = parse (invalid[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_completion_result_new_from_value (gmcp_json_doc_get_root (bad), &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
    }

  g_assert_true (g_strv_equal (gmcp_completion_result_get_values (result), expected));
  g_assert_cmpint (gmcp_completion_result_get_total (result), ==, 12);
  g_assert_true (gmcp_completion_result_has_more (result));
  g_assert_null (gmcp_completion_result_get_values (empty)[0]);
  g_assert_cmpint (gmcp_completion_result_get_total (empty), ==, -1);
  g_assert_false (gmcp_completion_result_has_more (empty));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/protocol/prompt/all", test_prompt);
  g_test_add_func ("/protocol/prompt/result", test_result);
  g_test_add_func ("/protocol/prompt/completion", test_completion);

  return g_test_run ();
}
