/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"

#define RESULT(text) "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":" text "}"
#define FAILURE(code, text)                                                                        \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":" code ",\"message\":\"" text "\"}}"

/* Waits for the request, answers it, waits for the result. */
static void
exchange (ClientFixture *fixture, Waiter *waiter, const char *method, const char *answer)
{
  while (scripted_server_find (fixture->server, method) == NULL && waiter->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  if (waiter->result == NULL)
    scripted_server_send (fixture->server, answer);
  waiter_wait (waiter);
}

static void
assert_sent (ClientFixture *fixture, const char *method, const char *text)
{
  const char *sent = scripted_server_find (fixture->server, method);

  g_assert_nonnull (sent);
  if (strstr (sent, text) == NULL)
    g_error ("%s is not in %s", text, sent);
}

static GHashTable *
strings_new (const char *first, ...)
{
  GHashTable *strings = g_hash_table_new (g_str_hash, g_str_equal);
  va_list list;

  va_start (list, first);
  for (const char *key = first; key != NULL; key = va_arg (list, const char *))
    g_hash_table_insert (strings, (gpointer) key, va_arg (list, char *));
  va_end (list);
  return strings;
}

static GmcpResourceResult *
try_read (ClientFixture *fixture, const char *answer, GmcpCallOptions *options, GError **error)
{
  Waiter waiter = { NULL };
  GmcpResourceResult *result;

  gmcp_client_read_resource_async (fixture->client, "x:\"y", options, NULL, waiter_done, &waiter);
  exchange (fixture, &waiter, "resources/read", answer);
  result = gmcp_client_read_resource_finish (fixture->client, waiter.result, error);
  g_object_unref (waiter.result);
  return result;
}

static GmcpPromptResult *
try_prompt (ClientFixture *fixture, GHashTable *arguments, const char *answer, GError **error)
{
  Waiter waiter = { NULL };
  GmcpPromptResult *result;

  gmcp_client_get_prompt_async (fixture->client, "review", arguments, NULL, NULL, waiter_done,
                                &waiter);
  exchange (fixture, &waiter, "prompts/get", answer);
  result = gmcp_client_get_prompt_finish (fixture->client, waiter.result, error);
  g_object_unref (waiter.result);
  return result;
}

static GmcpCompletionResult *
try_complete (ClientFixture *fixture,
              GmcpCompletionKind kind,
              const char *reference,
              GHashTable *context,
              const char *answer,
              GError **error)
{
  Waiter waiter = { NULL };
  GmcpCompletionResult *result;

  gmcp_client_complete_async (fixture->client, kind, reference, "lang", "p", context, NULL, NULL,
                              waiter_done, &waiter);
  exchange (fixture, &waiter, "completion/complete", answer);
  result = gmcp_client_complete_finish (fixture->client, waiter.result, error);
  g_object_unref (waiter.result);
  return result;
}

static void
test_read (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceResult) result = NULL;

  gmcp_call_options_set_meta_json (options, "{\"mark\":1}", NULL);
  result = try_read (fixture,
                     RESULT ("{\"resultType\":\"complete\",\"contents\":[{\"uri\":\"x:y\","
                             "\"text\":\"inside\"}]}"),
                     options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_resource_contents_get_text (gmcp_resource_result_get_contents (result, 0)),
                   ==, "inside");
  assert_sent (fixture, "resources/read", "\"params\":{\"uri\":\"x:\\\"y\",\"_meta\":");
  assert_sent (fixture, "resources/read", "\"mark\":1");
  assert_sent (fixture, "resources/read", "\"progressToken\":");
}

static void
test_prompt (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) arguments = strings_new ("b", "2", "a", "\"1\"", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) result = NULL;
  g_autoptr (GmcpPromptResult) none = NULL;

  result = try_prompt (fixture, arguments,
                       RESULT ("{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
                               "\"text\":\"do it\"}}]}"),
                       &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gmcp_prompt_result_get_n_messages (result), ==, 1);
  assert_sent (fixture, "prompts/get",
               "\"params\":{\"name\":\"review\",\"arguments\":{\"a\":\"\\\"1\\\"\",\"b\":\"2\"},");
  g_ptr_array_set_size (fixture->server->received, 0);
  none = try_prompt (fixture, NULL, RESULT ("{\"messages\":[]}"), &error);
  g_assert_no_error (error);
  assert_sent (fixture, "prompts/get", "\"params\":{\"name\":\"review\",\"_meta\":");
}

static void
test_complete (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) context = strings_new ("framework", "flask", NULL);
  g_autoptr (GHashTable) nothing = strings_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) prompt = NULL;
  g_autoptr (GmcpCompletionResult) resource = NULL;

  prompt = try_complete (fixture, GMCP_COMPLETION_KIND_PROMPT, "review", context,
                         RESULT ("{\"completion\":{\"values\":[\"python\"]}}"), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_completion_result_get_values (prompt)[0], ==, "python");
  assert_sent (fixture, "completion/complete",
               "\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"review\"},\"argument\":"
               "{\"name\":\"lang\",\"value\":\"p\"},\"context\":{\"arguments\":{\"framework\":"
               "\"flask\"}},\"_meta\"");
  g_ptr_array_set_size (fixture->server->received, 0);
  resource = try_complete (fixture, GMCP_COMPLETION_KIND_RESOURCE, "x:{lang}", nothing,
                           RESULT ("{\"completion\":{\"values\":[]}}"), &error);
  g_assert_no_error (error);
  assert_sent (fixture, "completion/complete",
               "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"x:{lang}\"},\"argument\":{\"name\":"
               "\"lang\",\"value\":\"p\"},\"_meta\"");
}

/* What each of the three gives for an answer. */
static void
assert_all_fail (ClientFixture *fixture,
                 const char *answer,
                 GQuark domain,
                 int code,
                 const char *message)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;

      g_ptr_array_set_size (fixture->server->received, 0);
      if (i == 0)
        g_assert_null (try_read (fixture, answer, NULL, &error));
      else if (i == 1)
        g_assert_null (try_prompt (fixture, NULL, answer, &error));
      else
        g_assert_null (
          try_complete (fixture, GMCP_COMPLETION_KIND_PROMPT, "review", NULL, answer, &error));
      g_assert_error (error, domain, code);
      g_assert_nonnull (strstr (error->message, "srv"));
      g_assert_nonnull (strstr (error->message, message));
    }
}

static void
test_failures (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  Waiter waiter = { NULL };
  Waiter closed = { NULL };

  assert_all_fail (fixture, RESULT ("{}"), GMCP_ERROR, GMCP_ERROR_PROTOCOL, "has no array");
  assert_all_fail (fixture, RESULT ("null"), GMCP_ERROR, GMCP_ERROR_PROTOCOL, "");
  assert_all_fail (fixture, FAILURE ("-32602", "Resource not found"), GMCP_RPC_ERROR,
                   GMCP_RPC_ERROR_INVALID_PARAMS, "Resource not found");
  assert_all_fail (fixture, FAILURE ("-32002", "Resource not found"), GMCP_RPC_ERROR, -32002,
                   "Resource not found");
  /* The scripted server declares none of the three. */
  assert_all_fail (fixture, FAILURE ("-32601", "Method not found"), GMCP_ERROR,
                   GMCP_ERROR_NOT_SUPPORTED, "does not have");

  gmcp_client_read_resource_async (fixture->client, "x:y", NULL, cancellable, waiter_done, &waiter);
  g_cancellable_cancel (cancellable);
  waiter_wait (&waiter);
  g_assert_null (gmcp_client_read_resource_finish (fixture->client, waiter.result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wait_for_messages (fixture, "notifications/cancelled", 1);
  g_clear_object (&waiter.result);

  gmcp_client_close_async (fixture->client, NULL, waiter_done, &closed);
  waiter_wait (&closed);
  g_object_unref (closed.result);
  assert_all_fail (fixture, "", GMCP_ERROR, GMCP_ERROR_CLOSED, "not connected");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/client/features/modern/" path, ClientFixture, scripted_server_modern,              \
              client_fixture_set_up, func, client_fixture_tear_down);                              \
  g_test_add ("/client/features/legacy/" path, ClientFixture, scripted_server_legacy,              \
              client_fixture_set_up, func, client_fixture_tear_down)

  ADD ("read", test_read);
  ADD ("prompt", test_prompt);
  ADD ("complete", test_complete);
  ADD ("failures", test_failures);

  return g_test_run ();
}
