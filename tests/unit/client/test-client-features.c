/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"
#include "gmcp-call-options-private.h"

#include <string.h>

#include "gmcp-client-private.h"
#include "gmcp-limits.h"
#include "gmcp-logging-private.h"
#include "unit-test.h"

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

static void
test_missing_values (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) strings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) prompt = NULL;
  g_autoptr (GmcpCompletionResult) completion = NULL;

  g_test_summary ("an argument whose value is NULL is left out");
  g_hash_table_insert (strings, (gpointer) "a", NULL);
  g_hash_table_insert (strings, (gpointer) "b", (gpointer) "2");
  g_hash_table_insert (strings, (gpointer) "c", NULL);
  prompt = try_prompt (fixture, strings, RESULT ("{\"messages\":[]}"), &error);
  g_assert_no_error (error);
  assert_sent (fixture, "prompts/get",
               "\"params\":{\"name\":\"review\",\"arguments\":{\"b\":\"2\"},");
  completion = try_complete (fixture, GMCP_COMPLETION_KIND_PROMPT, "review", strings,
                             RESULT ("{\"completion\":{\"values\":[]}}"), &error);
  g_assert_no_error (error);
  assert_sent (fixture, "completion/complete", "\"context\":{\"arguments\":{\"b\":\"2\"}},");
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

#define LOGGED(level, more)                                                                        \
  "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"" level       \
  "\"" more "}}"

static void
on_log_message (gpointer source, GmcpLogMessage *message, gpointer user_data)
{
  g_ptr_array_add (user_data, gmcp_log_message_ref (message));
}

/* Ends when the server has got one request more, or the level is set. */
static gboolean
set_level (ClientFixture *fixture, GmcpLogLevel level, const char *answer, GError **error)
{
  Waiter waiter = { NULL };
  gboolean set;

  g_ptr_array_set_size (fixture->server->received, 0);
  gmcp_client_set_log_level_async (fixture->client, level, NULL, NULL, waiter_done, &waiter);
  if (answer != NULL)
    exchange (fixture, &waiter, "logging/setLevel", answer);
  else
    waiter_wait (&waiter);
  set = gmcp_client_set_log_level_finish (fixture->client, waiter.result, error);
  g_object_unref (waiter.result);
  return set;
}

/* What was last logged for a server, and how often. */
static GLogLevelFlags logged_flags;
static GString *logged;
static guint n_logged;
static gsize longest_logged;

static GLogWriterOutput
note_log (GLogLevelFlags flags, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  if (n_fields == 0 || g_strcmp0 (fields[0].value, "Gmcp-Server") != 0)
    return g_log_writer_default (flags, fields, n_fields, user_data);

  logged_flags = flags;
  n_logged++;
  g_string_truncate (logged, 0);
  for (gsize i = 1; i < n_fields; i++)
    {
      longest_logged = MAX (longest_logged, strlen (fields[i].value));
      g_string_append_printf (logged, "%s=%s ", fields[i].key, (const char *) fields[i].value);
    }
  return G_LOG_WRITER_HANDLED;
}

static void
assert_logged (GLogLevelFlags flags, const char *expected)
{
  g_assert_cmpint (logged_flags, ==, flags);
  g_assert_cmpstr (logged->str, ==, expected);
}

static void
test_long_logger (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *logger = g_strnfill (1024 * 1024, 'l');
  g_autofree char *text
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{"
                       "\"level\":\"info\",\"logger\":\"%s\",\"data\":\"d\"}}",
                       logger);

  scripted_server_send (fixture->server, text);
  settle ();
  /* It stands there twice. */
  g_assert_cmpuint (logged->len, <, 2 * GMCP_LIMIT_LOG_MESSAGE_BYTES + 200);
  g_assert_nonnull (strstr (logged->str, "MESSAGE=srv, lll"));
  g_assert_nonnull (strstr (logged->str, "l… 1044480 more characters: d GMCP_SERVER"));
  g_assert_nonnull (strstr (logged->str, "GMCP_LOGGER=lll"));
}

static void
test_hidden_text (ClientFixture *fixture, gconstpointer data)
{
  g_test_summary ("what is written to a terminal shows what is hidden, and is one line");

  scripted_server_send (
    fixture->server,
    LOGGED ("error",
            ",\"logger\":\"d\\u202eb\",\"data\":\"a\\u200bb\\n\\u001b[31mtrusted\\udb40\\udc41\""));
  settle ();
  g_assert_nonnull (strstr (
    logged->str, "MESSAGE=srv, d<U+202E>b: a<U+200B>b <U+001B>[31mtrusted<U+E0041> GMCP_SERVER"));
}

static void
test_log_messages (ClientFixture *fixture, gconstpointer data)
{
  static const char *const malformed[] = {
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":[1]}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":7}}",
    LOGGED ("shout", ",\"logger\":[],\"data\":null"),
  };
  g_autoptr (GPtrArray) messages
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);
  g_autofree char *text = NULL;
  g_autofree char *other = NULL;
  g_autofree char *data_json = NULL;
  g_autofree char *whole = NULL;
  JsonNode *node;

  g_signal_connect (fixture->client, "log-message", G_CALLBACK (on_log_message), messages);
  for (guint i = 0; i < G_N_ELEMENTS (malformed); i++)
    scripted_server_send (fixture->server, malformed[i]);
  settle ();
  g_assert_cmpuint (messages->len, ==, 2);
  g_assert_cmpint (gmcp_log_message_get_level (messages->pdata[0]), ==, GMCP_LOG_LEVEL_UNSET);
  g_assert_cmpint (gmcp_log_message_get_level (messages->pdata[1]), ==, GMCP_LOG_LEVEL_UNSET);
  g_assert_null (gmcp_log_message_get_logger (messages->pdata[1]));
  g_ptr_array_set_size (messages, 0);

  /* Warnings of a server are none of this program, which would end at one of its own. */
  scripted_server_send (fixture->server,
                        LOGGED ("emergency", ",\"logger\":\"db\",\"data\":\"down …\",\"x\":1"));
  settle ();
  assert_logged (G_LOG_LEVEL_MESSAGE, "PRIORITY=0 MESSAGE=srv, db: down … GMCP_SERVER=srv "
                                      "GMCP_LEVEL=emergency GMCP_LOGGER=db GMCP_DATA=\"down …\" ");
  scripted_server_send (fixture->server, LOGGED ("debug", ",\"data\":{\"a\":[1.50]}"));
  settle ();
  assert_logged (G_LOG_LEVEL_DEBUG, "PRIORITY=7 MESSAGE=srv: {\"a\":[1.50]} GMCP_SERVER=srv "
                                    "GMCP_LEVEL=debug GMCP_LOGGER= GMCP_DATA={\"a\":[1.50]} ");

  g_assert_cmpuint (messages->len, ==, 2);
  g_assert_cmpint (gmcp_log_message_get_level (messages->pdata[0]), ==, GMCP_LOG_LEVEL_EMERGENCY);
  g_assert_cmpstr (gmcp_log_message_get_logger (messages->pdata[0]), ==, "db");
  text = gmcp_log_message_dup_text (messages->pdata[0]);
  g_assert_cmpstr (text, ==, "down …");
  whole = gmcp_log_message_dup_json (messages->pdata[0]);
  g_assert_nonnull (strstr (whole, "\"x\":1"));
  g_assert_cmpint (gmcp_log_message_get_level (messages->pdata[1]), ==, GMCP_LOG_LEVEL_DEBUG);
  other = gmcp_log_message_dup_text (messages->pdata[1]);
  data_json = gmcp_log_message_dup_data_json (messages->pdata[1]);
  g_assert_cmpstr (other, ==, "{\"a\":[1.50]}");
  g_assert_cmpstr (data_json, ==, "{\"a\":[1.50]}");
  node = gmcp_log_message_get_data (messages->pdata[1]);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (node));
}

static void
test_log_flood (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (100000, 'x');
  g_autofree char *large = g_strdup_printf (LOGGED ("info", ",\"data\":\"%s\""), filler);
  g_autoptr (GPtrArray) messages
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);
  gint64 begun;
  guint seconds;

  g_test_summary ("all are told by the signal; the log of the process gets some of them, cut");

  g_signal_connect (fixture->client, "log-message", G_CALLBACK (on_log_message), messages);
  for (guint i = 0; i < 300; i++)
    scripted_server_send (fixture->server, large);
  n_logged = 0;
  begun = g_get_monotonic_time ();
  while (messages->len < 300)
    g_main_context_iteration (NULL, TRUE);
  seconds = (guint) ((g_get_monotonic_time () - begun) / G_USEC_PER_SEC);
  g_assert_cmpuint (n_logged, >=, 100);
  g_assert_cmpuint (n_logged, <=, 100 * (seconds + 2));
  g_assert_cmpuint (longest_logged, <, 5000);
}

static void
test_log_level_modern (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) of_first
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GmcpToolResult) other_result = NULL;
  Waiter first = { NULL };
  Waiter second = { NULL };

  g_signal_connect (options, "log-message", G_CALLBACK (on_log_message), of_first);
  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_NOTICE);
  client_fixture_call (fixture, options, NULL, &first);
  assert_sent (fixture, "tools/call", "\"io.modelcontextprotocol/logLevel\":\"notice\"");
  scripted_server_send (fixture->server, LOGGED ("notice", ",\"data\":1"));
  settle ();
  g_assert_cmpuint (of_first->len, ==, 1);

  /* One that asked for nothing changes nothing; with another that did it is not known whose it is. */
  client_fixture_answer_text (fixture, "done");
  result = client_fixture_finish (fixture, &first, &error);
  g_assert_no_error (error);
  scripted_server_send (fixture->server, LOGGED ("notice", ",\"data\":2"));
  settle ();
  g_assert_cmpuint (of_first->len, ==, 1);

  g_assert_true (set_level (fixture, GMCP_LOG_LEVEL_INFO, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (scripted_server_count (fixture->server, "logging/setLevel"), ==, 0);
  client_fixture_call (fixture, NULL, NULL, &second);
  assert_sent (fixture, "tools/call", "\"io.modelcontextprotocol/logLevel\":\"info\"");
  client_fixture_answer_text (fixture, "done");
  other_result = client_fixture_finish (fixture, &second, &error);
  g_assert_no_error (error);
}

static void
test_log_level_of_many (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) messages
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  Waiter waiters[3] = { { NULL } };
  GArray *requests = gmcp_logging_get_requests (gmcp_client_get_session (fixture->client));
  gint64 ended = 1; /* as the opening has */

  g_test_summary ("Whose a message is takes no look at all calls: two that go on are enough.");
  g_signal_connect (options, "log-message", G_CALLBACK (on_log_message), messages);
  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_NOTICE);
  for (guint i = 0; i < 10; i++)
    g_array_append_val (requests, ended);
  client_fixture_call (fixture, options, NULL, &waiters[0]);
  client_fixture_call (fixture, options, NULL, &waiters[1]);
  scripted_server_send (fixture->server, LOGGED ("notice", ",\"data\":1"));
  settle ();
  g_assert_cmpuint (messages->len, ==, 0);
  g_assert_cmpuint (requests->len, ==, 12);

  client_fixture_answer_text (fixture, "done");
  result = client_fixture_finish (fixture, &waiters[1], NULL);
  scripted_server_send (fixture->server, LOGGED ("notice", ",\"data\":2"));
  settle ();
  g_assert_cmpuint (messages->len, ==, 1);
  g_assert_cmpuint (requests->len, ==, 1);

  gmcp_client_close_async (fixture->client, NULL, waiter_done, &waiters[2]);
  waiter_wait (&waiters[2]);
  g_object_unref (waiters[2].result);
  waiter_wait (&waiters[0]);
  g_object_unref (waiters[0].result);
}

static void
test_log_level_legacy (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (set_level (fixture, GMCP_LOG_LEVEL_ALERT, RESULT ("{}"), &error));
  g_assert_no_error (error);
  assert_sent (fixture, "logging/setLevel", "\"params\":{\"level\":\"alert\",");
  g_assert_cmpint (gmcp_client_get_log_level (fixture->client), ==, GMCP_LOG_LEVEL_ALERT);
  g_assert_false (
    set_level (fixture, GMCP_LOG_LEVEL_INFO, FAILURE ("-32602", "no such level"), &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);
  g_clear_error (&error);
  g_assert_false (
    set_level (fixture, GMCP_LOG_LEVEL_INFO, FAILURE ("-32601", "Method not found"), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
  g_assert_true (set_level (fixture, GMCP_LOG_LEVEL_UNSET, NULL, &error));
  g_assert_cmpuint (fixture->server->received->len, ==, 0);
}

static void
test_log_messages_legacy (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) messages
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Waiter waiters[3] = { { NULL } };

  g_test_summary ("What is logged while one call is under way is of that call, from its level on.");
  g_signal_connect (options, "log-message", G_CALLBACK (on_log_message), messages);
  client_fixture_call (fixture, options, NULL, &waiters[0]);
  scripted_server_send (fixture->server, LOGGED ("error", ",\"data\":0"));
  settle ();
  g_assert_cmpuint (messages->len, ==, 0);

  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_NOTICE);
  scripted_server_send (fixture->server, LOGGED ("info", ",\"data\":1"));
  scripted_server_send (fixture->server, LOGGED ("notice", ",\"data\":2"));
  settle ();
  g_assert_cmpuint (messages->len, ==, 1);

  g_test_message ("nor is it known beside another, or after one that was given up");
  client_fixture_call (fixture, NULL, cancellable, &waiters[1]);
  scripted_server_send (fixture->server, LOGGED ("notice", ",\"data\":3"));
  settle ();
  g_cancellable_cancel (cancellable);
  waiter_wait (&waiters[1]);
  g_object_unref (waiters[1].result);
  scripted_server_send (fixture->server, LOGGED ("notice", ",\"data\":4"));
  settle ();
  g_assert_cmpuint (messages->len, ==, 1);

  gmcp_client_close_async (fixture->client, NULL, waiter_done, &waiters[2]);
  waiter_wait (&waiters[2]);
  g_object_unref (waiters[2].result);
  waiter_wait (&waiters[0]);
  g_object_unref (waiters[0].result);
}

static char *
hide_secret (const char *text, gpointer data)
{
  g_auto (GStrv) parts = g_strsplit (text, "hunter2", -1);

  return g_strjoinv ("[hidden]", parts);
}

static void
test_log_messages_without_secrets (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) messages
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_message_unref);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autofree char *text = NULL;
  Waiter waiters[2] = { { NULL } };

  g_test_summary ("Whoever called may be another program, which is told no secret.");
  gmcp_client_set_text_filter (fixture->client, hide_secret, NULL, NULL);
  g_signal_connect (options, "log-message", G_CALLBACK (on_log_message), messages);
  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_NOTICE);
  client_fixture_call (fixture, options, NULL, &waiters[0]);
  scripted_server_send (fixture->server, LOGGED ("notice", ",\"data\":\"with hunter2\""));
  settle ();
  g_assert_cmpuint (messages->len, ==, 1);
  text = gmcp_log_message_dup_text (messages->pdata[0]);
  g_assert_cmpstr (text, ==, "with [hidden]");

  gmcp_client_close_async (fixture->client, NULL, waiter_done, &waiters[1]);
  for (guint i = 0; i < G_N_ELEMENTS (waiters); i++)
    {
      waiter_wait (&waiters[i]);
      g_object_unref (waiters[i].result);
    }
}

static void
answer_with_logging (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    scripted_server_send (server, RESULT ("{\"protocolVersion\":\"2025-06-18\",\"capabilities\":"
                                          "{\"logging\":{}},\"serverInfo\":{}}"));
  else if (g_str_equal (method, "logging/setLevel"))
    scripted_server_send (server, FAILURE ("-32603", "not now"));
  else
    scripted_server_legacy (server, method, message);
}

static void
test_log_level_before_open (void)
{
  ClientFixture fixture = { NULL };
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;

  client_fixture_make (&fixture, answer_with_logging);
  gmcp_client_set_log_level_async (fixture.client, GMCP_LOG_LEVEL_WARNING, NULL, NULL, waiter_done,
                                   &waiter);
  waiter_wait (&waiter);
  g_assert_true (gmcp_client_set_log_level_finish (fixture.client, waiter.result, &error));
  g_object_unref (waiter.result);
  client_fixture_open (&fixture);
  wait_for_messages (&fixture, "logging/setLevel", 1);
  assert_sent (&fixture, "logging/setLevel", "\"level\":\"warning\"");
  client_fixture_tear_down (&fixture, NULL);
}

static void
test_log_level_of_calls (void)
{
  ClientFixture fixture = { NULL };
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Waiter waiters[4] = { { NULL } };

  g_test_summary ("a server that knows one level is asked for the lowest that a call wants, once");
  client_fixture_make (&fixture, answer_with_logging);
  client_fixture_open (&fixture);
  gmcp_call_options_set_default_log_level (options, GMCP_LOG_LEVEL_INFO);
  client_fixture_call (&fixture, options, NULL, &waiters[0]);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture.server, "logging/setLevel"), ==, 0);

  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_DEBUG);
  client_fixture_call (&fixture, options, NULL, &waiters[1]);
  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_ERROR);
  client_fixture_call (&fixture, options, NULL, &waiters[2]);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture.server, "logging/setLevel"), ==, 1);
  assert_sent (&fixture, "logging/setLevel", "\"level\":\"debug\"");

  gmcp_client_close_async (fixture.client, NULL, waiter_done, &waiters[3]);
  for (guint i = 0; i < G_N_ELEMENTS (waiters); i++)
    {
      waiter_wait (&waiters[i]);
      g_object_unref (waiters[i].result);
    }
  client_fixture_tear_down (&fixture, NULL);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  logged = g_string_new (NULL);
  g_log_set_writer_func (note_log, NULL, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/client/features/modern/" path, ClientFixture, scripted_server_modern,              \
              client_fixture_set_up, func, client_fixture_tear_down);                              \
  g_test_add ("/client/features/legacy/" path, ClientFixture, scripted_server_legacy,              \
              client_fixture_set_up, func, client_fixture_tear_down)

  ADD ("read", test_read);
  ADD ("prompt", test_prompt);
  ADD ("complete", test_complete);
  ADD ("missing-values", test_missing_values);
  ADD ("failures", test_failures);
  ADD ("log-messages", test_log_messages);
  ADD ("long-logger", test_long_logger);
  ADD ("hidden-text", test_hidden_text);
  ADD ("log-flood", test_log_flood);
  g_test_add ("/client/features/modern/log-level", ClientFixture, scripted_server_modern,
              client_fixture_set_up, test_log_level_modern, client_fixture_tear_down);
  g_test_add ("/client/features/modern/log-level-of-many", ClientFixture, scripted_server_modern,
              client_fixture_set_up, test_log_level_of_many, client_fixture_tear_down);
  g_test_add ("/client/features/legacy/log-level", ClientFixture, scripted_server_legacy,
              client_fixture_set_up, test_log_level_legacy, client_fixture_tear_down);
  g_test_add ("/client/features/legacy/log-messages-of-call", ClientFixture, scripted_server_legacy,
              client_fixture_set_up, test_log_messages_legacy, client_fixture_tear_down);
  ADD ("log-messages-without-secrets", test_log_messages_without_secrets);
  g_test_add_func ("/client/features/legacy/log-level-before-open", test_log_level_before_open);
  g_test_add_func ("/client/features/legacy/log-level-of-calls", test_log_level_of_calls);

  return g_test_run ();
}
