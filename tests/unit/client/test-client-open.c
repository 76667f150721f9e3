/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "scripted-server.h"

#include <glib/gstdio.h>

#include <gmcp/transport/gmcp-memory-transport.h>

#include "unit-test.h"

#define REFUSAL                                                                                    \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32601,\"message\":\"no such method\"}}"
#define WANTS_MORE                                                                                 \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32021,\"message\":\"It wants more\"}}"

typedef struct
{
  GmcpTransport *client_end;
  GmcpTransport *server_end;
  GmcpClient *client;
  ScriptedServer *server;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  gmcp_memory_transport_new_pair (&fixture->client_end, &fixture->server_end);
  fixture->client = gmcp_client_new (fixture->client_end);
  gmcp_client_set_name (fixture->client, "srv");
  fixture->server = scripted_server_new (fixture->server_end, scripted_server_modern);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->client);
  scripted_server_free (fixture->server);
  g_object_unref (fixture->client_end);
  g_object_unref (fixture->server_end);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
open_client (GmcpClient *client, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_open_async (client, NULL, on_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return gmcp_client_open_finish (client, result, error);
}

static void
assert_opens (Fixture *fixture, GmcpEra era, const char *version)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture->client, &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_client_is_open (fixture->client));
  g_assert_cmpint (gmcp_client_get_era (fixture->client), ==, era);
  g_assert_cmpstr (gmcp_client_get_protocol_version (fixture->client), ==, version);
}

static void
test_modern (Fixture *fixture, gconstpointer data)
{
  const char *probe;

  assert_opens (fixture, GMCP_ERA_MODERN, "2026-07-28");

  probe = scripted_server_find (fixture->server, "server/discover");
  g_assert_nonnull (strstr (probe, "\"id\":1,"));
  g_assert_nonnull (strstr (probe, "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""));
  g_assert_nonnull (strstr (probe, "\"io.modelcontextprotocol/clientCapabilities\":{"
                                   "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}"));
  g_assert_nonnull (strstr (probe, "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"gmcp\""));
  g_assert_cmpstr (gmcp_implementation_get_name (gmcp_client_get_server_info (fixture->client)), ==,
                   "m");
  g_assert_cmpstr (gmcp_client_get_instructions (fixture->client), ==, "Be kind");
  g_assert_true (gmcp_capabilities_has (gmcp_client_get_server_capabilities (fixture->client),
                                        "tools/listChanged"));
}

static void
test_legacy (Fixture *fixture, gconstpointer data)
{
  const char *initialize;

  fixture->server->answer = scripted_server_legacy;
  assert_opens (fixture, GMCP_ERA_LEGACY, "2025-06-18");

  initialize = scripted_server_find (fixture->server, "initialize");
  g_assert_nonnull (strstr (initialize, "\"protocolVersion\":\"2025-11-25\""));
  g_assert_null (strstr (initialize, "io.modelcontextprotocol"));
  while (scripted_server_find (fixture->server, "notifications/initialized") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (gmcp_implementation_get_name (gmcp_client_get_server_info (fixture->client)), ==,
                   "l");
  g_assert_cmpstr (gmcp_client_get_instructions (fixture->client), ==, "Be quick");
}

/* What a server may answer to the probe, and which revision comes of it; NULL where opening fails. */
typedef struct
{
  const char *name;
  const char *probe_answer;
  GmcpEra era;
  const char *version;
  const char *initialize_with;
} ProbeCase;

static const ProbeCase probe_cases[] = {
  { "error-without-id", "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"No\"}}",
    GMCP_ERA_LEGACY, "2025-06-18", "2025-11-25" },
  { "error-null-id", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000}}",
    GMCP_ERA_LEGACY, "2025-06-18", "2025-11-25" },
  { "odd-result", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"ok\":true}}", GMCP_ERA_LEGACY,
    "2025-06-18", "2025-11-25" },
  { "null-result", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":null}", GMCP_ERA_LEGACY,
    "2025-06-18", "2025-11-25" },
  { "only-legacy-versions",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"supportedVersions\":[\"2024-11-05\","
    "\"2025-03-26\"],\"capabilities\":{}}}",
    GMCP_ERA_LEGACY, "2025-06-18", "2025-03-26" },
  { "unsupported-version-legacy",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32022,\"message\":\"V\",\"data\":"
    "{\"supported\":[\"2025-11-25\",\"2025-06-18\"]}}}",
    GMCP_ERA_LEGACY, "2025-06-18", "2025-11-25" },
  { "missing-capability",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32021,\"message\":\"C\"}}",
    GMCP_ERA_MODERN, "2026-07-28", NULL },
  { "header-mismatch",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32020,\"message\":\"H\"}}",
    GMCP_ERA_MODERN, "2026-07-28", NULL },
  { "future-versions",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"supportedVersions\":[\"2031-01-01\"]}}",
    GMCP_ERA_AUTO, NULL, NULL },
  { "unsupported-future",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32022,\"message\":\"V\",\"data\":"
    "{\"supported\":[\"2031-01-01\"]}}}",
    GMCP_ERA_AUTO, NULL, NULL },
  { "unsupported-what-it-names",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32022,\"message\":\"V\",\"data\":"
    "{\"supported\":[\"2026-07-28\"]}}}",
    GMCP_ERA_AUTO, NULL, NULL },
  { "versions-mixed-up",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"supportedVersions\":[7,\"2024-11-05\",null,"
    "\"2026-07-28\",\"2031-01-01\"],\"capabilities\":[]}}",
    GMCP_ERA_MODERN, "2026-07-28", NULL },
};

static void
answer_probe_case (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  const ProbeCase *probe_case = server->data;

  if (g_str_equal (method, "server/discover"))
    scripted_server_send (server, probe_case->probe_answer);
  else
    scripted_server_legacy (server, method, message);
}

static void
test_probe (Fixture *fixture, gconstpointer data)
{
  const ProbeCase *probe_case = data;
  g_autoptr (GError) error = NULL;

  fixture->server->answer = answer_probe_case;
  fixture->server->data = (gpointer) probe_case;

  if (probe_case->version == NULL)
    {
      open_client (fixture->client, &error);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
      g_assert_true (g_str_has_prefix (error->message, "srv "));
      return;
    }

  assert_opens (fixture, probe_case->era, probe_case->version);
  if (probe_case->initialize_with != NULL)
    {
      g_autofree char *member
        = g_strdup_printf ("\"protocolVersion\":\"%s\"", probe_case->initialize_with);

      g_assert_nonnull (strstr (scripted_server_find (fixture->server, "initialize"), member));
    }
  else
    g_assert_null (scripted_server_find (fixture->server, "initialize"));
}

static void
answer_silent (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (!g_str_equal (method, "server/discover"))
    scripted_server_legacy (server, method, message);
}

static void
test_silence (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that does not answer the probe is opened the legacy way");
  fixture->server->answer = answer_silent;
  gmcp_client_set_probe_timeout_ms (fixture->client, 20);
  assert_opens (fixture, GMCP_ERA_LEGACY, "2025-06-18");
  g_assert_null (scripted_server_find (fixture->server, "notifications/cancelled"));
}

static void
answer_late (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    {
      g_free (server->last_id);
      server->last_id = g_strdup ("1");
      scripted_server_modern (server, "server/discover", message);
    }
}

static void
answer_late_and_again (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "server/discover")
      && scripted_server_count (server, "server/discover") > 1)
    scripted_server_modern (server, method, message);
  else
    answer_late (server, method, message);
}

static void
test_late_probe (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("an answer to the probe that comes after initialize was sent still decides");
  fixture->server->answer = answer_late_and_again;
  gmcp_client_set_probe_timeout_ms (fixture->client, 20);
  assert_opens (fixture, GMCP_ERA_MODERN, "2026-07-28");
}

/* The probe is answered once initialize has come, and not known any more when it comes again. */
static void
answer_both_late (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  g_autofree char *id = NULL;

  if (!g_str_equal (method, "initialize"))
    {
      if (scripted_server_count (server, "server/discover") > 1 && server->data == NULL)
        scripted_server_legacy (server, method, message);
      return;
    }
  id = g_strdup (server->last_id);
  answer_late (server, method, message);
  g_free (server->last_id);
  server->last_id = g_steal_pointer (&id);
  if (server->data != NULL)
    scripted_server_send (server, server->data);
  else
    scripted_server_legacy (server, method, message);
}

static void
test_both_late (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "a connection that took initialize after the probe is one of the legacy era: the server may hold it "
    "to that");
  fixture->server->answer = answer_both_late;
  gmcp_client_set_probe_timeout_ms (fixture->client, 20);
  assert_opens (fixture, GMCP_ERA_LEGACY, "2025-06-18");
  while (scripted_server_find (fixture->server, "notifications/initialized") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (scripted_server_count (fixture->server, "server/discover"), ==, 2);
}

static void
test_late_probe_no_legacy (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "where a late answer to the probe comes with a refusal of initialize, it decides at once");
  fixture->server->answer = answer_both_late;
  fixture->server->data = (gpointer) REFUSAL;
  gmcp_client_set_probe_timeout_ms (fixture->client, 100);
  assert_opens (fixture, GMCP_ERA_MODERN, "2026-07-28");
}

/* Both are refused once initialize has come and the probe was answered. */
static void
answer_late_then_refuse (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    {
      server->data = g_strdup (server->last_id);
      answer_late (server, method, message);
    }
  else if (server->data != NULL)
    {
      scripted_server_send (server, REFUSAL);
      g_free (server->last_id);
      server->last_id = g_steal_pointer (&server->data);
      scripted_server_send (server, REFUSAL);
    }
}

static void
test_late_probe_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a connection on which both are refused in the end is not open");
  fixture->server->answer = answer_late_then_refuse;
  gmcp_client_set_probe_timeout_ms (fixture->client, 20);
  g_assert_false (open_client (fixture->client, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -32601);
  g_assert_false (gmcp_client_is_open (fixture->client));
}

/* A modern server that introduces itself to nobody who offers too little, and answers initialize as well. */
static void
answer_wants_more (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    {
      g_autofree char *id = g_strdup (server->last_id);

      g_free (server->last_id);
      server->last_id = g_strdup ("1");
      scripted_server_send (server, WANTS_MORE);
      g_free (server->last_id);
      server->last_id = g_steal_pointer (&id);
      scripted_server_legacy (server, method, message);
    }
  else if (!g_str_equal (method, "server/discover"))
    scripted_server_modern (server, method, message);
  else if (scripted_server_count (server, "server/discover") > 1)
    scripted_server_send (server, WANTS_MORE);
}

static void
test_late_probe_wants_more (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;

  fixture->server->answer = answer_wants_more;
  gmcp_client_set_probe_timeout_ms (fixture->client, 20);
  assert_opens (fixture, GMCP_ERA_MODERN, "2026-07-28");

  gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, NULL, on_result, &result);
  while (scripted_server_find (fixture->server, "tools/call") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (scripted_server_find (fixture->server, "tools/call"),
                            "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""));
  scripted_server_send (fixture->server, REFUSAL);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
answer_initialize (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    scripted_server_send (server, server->data);
  else
    scripted_server_legacy (server, method, message);
}

static void
test_initialize_answers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "a revision that has no sessions is taken as the newest that has; one that is not "
    "known is refused; so is an answer without one");
  fixture->server->answer = answer_initialize;
  gmcp_client_set_era (fixture->client, GMCP_ERA_LEGACY);

  fixture->server->data = (gpointer) "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":"
                                     "{\"protocolVersion\":\"1999-01-01\",\"capabilities\":{}}}";
  open_client (fixture->client, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "1999-01-01"));
  g_assert_null (scripted_server_find (fixture->server, "server/discover"));
}

static void
test_newer_answer (Fixture *fixture, gconstpointer data)
{
  fixture->server->answer = answer_initialize;
  fixture->server->data = (gpointer) "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":"
                                     "{\"protocolVersion\":\"2026-07-28\",\"capabilities\":{}}}";
  assert_opens (fixture, GMCP_ERA_LEGACY, "2025-11-25");
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->server->answer = answer_initialize;
  fixture->server->data = (gpointer) "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32000,"
                                     "\"message\":\"Licence expired\"}}";
  open_client (fixture->client, &error);
  g_assert_error (error, GMCP_RPC_ERROR, -32000);
  g_assert_nonnull (strstr (error->message, "srv"));
  g_assert_nonnull (strstr (error->message, "Licence expired"));
  g_assert_false (gmcp_client_is_open (fixture->client));
}

static void
test_forced_modern (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->server->answer = scripted_server_legacy;
  gmcp_client_set_era (fixture->client, GMCP_ERA_MODERN);
  open_client (fixture->client, &error);
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND);
  g_assert_null (scripted_server_find (fixture->server, "initialize"));
}

static void
test_startup_timeout (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->server->answer = NULL;
  gmcp_client_set_startup_timeout_ms (fixture->client, 30);
  open_client (fixture->client, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "srv"));
  g_assert_nonnull (strstr (error->message, "30 ms"));
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fixture->server->answer = NULL;
  gmcp_client_open_async (fixture->client, cancellable, on_result, &result);
  while (scripted_server_find (fixture->server, "server/discover") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (cancellable);
  g_assert_null (result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (gmcp_client_open_finish (fixture->client, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Where it is kept of which era the server of that key is. */
static char *
dup_era_path (const char *key)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);

  return g_build_filename (g_get_user_cache_dir (), "gmcp", "eras", digest, NULL);
}

/* A thread writes the file, which is empty for a while. */
static void
wait_for_contents (const char *path)
{
  GStatBuf status;

  while (g_stat (path, &status) != 0 || status.st_size == 0)
    g_main_context_iteration (NULL, FALSE);
}

static void
test_cached (Fixture *fixture, gconstpointer data)
{
  g_autofree char *key = g_strdup_printf ("test %u", g_random_int ());
  g_autofree char *path = dup_era_path (key);
  GmcpTransport *client_end, *server_end;
  GmcpClient *second;
  ScriptedServer *server;
  g_autoptr (GError) error = NULL;

  g_test_summary ("the second opening with the same key does not ask for the era again");
  fixture->server->answer = scripted_server_legacy;
  gmcp_client_set_cache_key (fixture->client, key);
  assert_opens (fixture, GMCP_ERA_LEGACY, "2025-06-18");
  wait_for_contents (path);

  gmcp_memory_transport_new_pair (&client_end, &server_end);
  second = gmcp_client_new (client_end);
  server = scripted_server_new (server_end, scripted_server_legacy);
  gmcp_client_set_cache_key (second, key);
  open_client (second, &error);
  g_assert_no_error (error);
  g_assert_null (scripted_server_find (server, "server/discover"));

  g_assert_finalize_object (second);
  scripted_server_free (server);
  g_object_unref (client_end);
  g_object_unref (server_end);

  /* The server has become a modern one since, and knows no sessions. */
  gmcp_memory_transport_new_pair (&client_end, &server_end);
  second = gmcp_client_new (client_end);
  server = scripted_server_new (server_end, answer_initialize);
  server->answer = scripted_server_modern;
  gmcp_client_set_cache_key (second, key);
  gmcp_client_set_startup_timeout_ms (second, 2000);
  server->data = NULL;
  g_clear_error (&error);
  {
    g_autoptr (GAsyncResult) result = NULL;

    gmcp_client_open_async (second, NULL, on_result, &result);
    while (scripted_server_find (server, "initialize") == NULL)
      g_main_context_iteration (NULL, TRUE);
    scripted_server_send (server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32601,"
                                  "\"message\":\"No sessions\"}}");
    while (result == NULL)
      g_main_context_iteration (NULL, TRUE);
    gmcp_client_open_finish (second, result, &error);
  }
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_client_get_era (second), ==, GMCP_ERA_MODERN);
  g_assert_finalize_object (second);
  scripted_server_free (server);
  g_object_unref (client_end);
  g_object_unref (server_end);
  g_unlink (path);
}

static void
wait_for_text (const char *path, const char *wanted)
{
  g_autofree char *text = NULL;

  do
    {
      g_main_context_iteration (NULL, FALSE);
      g_clear_pointer (&text, g_free);
      g_file_get_contents (path, &text, NULL, NULL);
    }
  while (g_strcmp0 (text, wanted) != 0);
}

static void
test_cached_modern (Fixture *fixture, gconstpointer data)
{
  g_autofree char *key = g_strdup_printf ("test %u", g_random_int ());
  g_autofree char *path = dup_era_path (key);
  GmcpTransport *client_end, *server_end;
  GmcpClient *second;
  ScriptedServer *server;
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "a modern server that is found a legacy one once is asked anew at the next opening");
  gmcp_client_set_cache_key (fixture->client, key);
  fixture->server->answer = scripted_server_modern;
  open_client (fixture->client, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_client_get_era (fixture->client), ==, GMCP_ERA_MODERN);
  wait_for_text (path, "modern\n");

  gmcp_memory_transport_new_pair (&client_end, &server_end);
  second = gmcp_client_new (client_end);
  server = scripted_server_new (server_end, scripted_server_legacy);
  gmcp_client_set_cache_key (second, key);
  open_client (second, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_client_get_era (second), ==, GMCP_ERA_LEGACY);
  wait_for_text (path, "unknown\n");

  g_assert_finalize_object (second);
  scripted_server_free (server);
  g_object_unref (client_end);
  g_object_unref (server_end);
  g_unlink (path);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/client/open/modern", test_modern);
  ADD ("/client/open/legacy", test_legacy);
  ADD ("/client/open/silence", test_silence);
  ADD ("/client/open/late-probe", test_late_probe);
  ADD ("/client/open/late-probe/initialized", test_both_late);
  ADD ("/client/open/late-probe/no-legacy", test_late_probe_no_legacy);
  ADD ("/client/open/late-probe/refused", test_late_probe_refused);
  ADD ("/client/open/late-probe/wants-more", test_late_probe_wants_more);
  ADD ("/client/open/initialize-answers", test_initialize_answers);
  ADD ("/client/open/newer-answer", test_newer_answer);
  ADD ("/client/open/refused", test_refused);
  ADD ("/client/open/forced-modern", test_forced_modern);
  ADD ("/client/open/startup-timeout", test_startup_timeout);
  ADD ("/client/open/cancel", test_cancel);
  ADD ("/client/open/cached", test_cached);
  ADD ("/client/open/cached-modern", test_cached_modern);
#undef ADD

  for (guint i = 0; i < G_N_ELEMENTS (probe_cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/client/open/probe/%s", probe_cases[i].name);

      g_test_add (path, Fixture, &probe_cases[i], set_up, test_probe, tear_down);
    }

  return g_test_run ();
}
