/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What becomes of servers that answer the probe only once initialize has been sent to them, too. */

#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include <gmcp/client/gmcp-client.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/stdio/gmcp-stdio-transport.h>

#include "unit-test.h"

/* Where a server is silent on purpose, the client has to find that in a short time. */
#define PROBE_TIMEOUT_MS 100

typedef struct
{
  char *folder;
  char *log;
  GmcpClient *client;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("gmcp-slow-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->log = g_build_filename (fixture->folder, "log", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->client);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_unlink (fixture->log);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->log);
  g_free (fixture->folder);
}

static void
make_client (Fixture *fixture, const char *first, const char *second)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "servers", "slow-server.py", NULL);
  const char *const words[] = { "python3", script, fixture->log, first, second, NULL };
  g_autoptr (GmcpStdioTransport) transport = gmcp_stdio_transport_new (words);

  g_clear_object (&fixture->client);
  fixture->client = gmcp_client_new (GMCP_TRANSPORT (transport));
  gmcp_client_set_name (fixture->client, "srv");
  gmcp_client_set_probe_timeout_ms (fixture->client, PROBE_TIMEOUT_MS);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static gboolean
open_client (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_open_async (fixture->client, NULL, on_result, &result);
  return gmcp_client_open_finish (fixture->client, wait_for (&result), error);
}

static void
close_client (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_client_close_async (fixture->client, NULL, on_result, &result);
  gmcp_client_close_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
}

/* What each process was sent, in lines. */
static char *
read_log (Fixture *fixture)
{
  char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (fixture->log, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

static void
assert_opens (Fixture *fixture, GmcpEra era)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_client_get_era (fixture->client), ==, era);
  close_client (fixture);
}

static void
set_log_level (Fixture *fixture, GmcpLogLevel level)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_client_set_log_level_async (fixture->client, level, NULL, NULL, on_result, &result);
  gmcp_client_set_log_level_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
}

static void
test_held_to_legacy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *log = NULL;

  g_test_summary (
    "a server that takes initialize for the last word is started once more, and is told nothing of a session "
    "that is not used");
  make_client (fixture, "late:modern/legacy/refuse", "modern");
  set_log_level (fixture, GMCP_LOG_LEVEL_ERROR);
  assert_opens (fixture, GMCP_ERA_MODERN);
  log = read_log (fixture);
  g_assert_null (strstr (log, "logging/setLevel"));
  g_assert_true (g_str_has_suffix (log, "\nstart server/discover "));
}

static void
test_silent_when_asked_again (Fixture *fixture, gconstpointer data)
{
  make_client (fixture, "late:modern/legacy/silent", "modern");
  assert_opens (fixture, GMCP_ERA_MODERN);
}

static void
test_asked_again (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that answers both eras is a modern one, and is not started again");
  make_client (fixture, "late:modern/legacy/modern", "die");
  assert_opens (fixture, GMCP_ERA_MODERN);
}

static void
test_dies_when_asked_again (Fixture *fixture, gconstpointer data)
{
  g_autofree char *log = NULL;

  g_test_summary (
    "a server that ends after it was found a modern one is probed once more, as often as it takes "
    "its time, and is sent no initialize");
  make_client (fixture, "late:modern/legacy/die", "modern");
  assert_opens (fixture, GMCP_ERA_MODERN);
  log = read_log (fixture);
  g_assert_true (g_str_has_suffix (log, "\nstart server/discover "));
}

static void
test_next_refuses_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("what a process answered does not open the next one, which refuses everything");
  make_client (fixture, "late:modern/legacy/refuse", "refuse/refuse/refuse");
  g_assert_false (open_client (fixture, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -32601);
  g_assert_nonnull (strstr (error->message, "initialize is not known"));
  g_assert_false (gmcp_client_is_open (fixture->client));
}

static void
test_next_is_legacy (Fixture *fixture, gconstpointer data)
{
  make_client (fixture, "late:modern/legacy/die", "refuse/legacy/refuse");
  assert_opens (fixture, GMCP_ERA_LEGACY);
}

/* It is waited for long before initialize is sent to a server that was modern. */
static void
test_cached (Fixture *fixture, gconstpointer data)
{
  g_autofree char *key = g_strdup_printf ("slow %u", g_random_int ());

  g_test_summary (
    "a server that was a modern one, ends at its second probe, and is a legacy one then");
  make_client (fixture, "modern", "modern");
  gmcp_client_set_cache_key (fixture->client, key);
  gmcp_client_set_probe_timeout_ms (fixture->client, 20000);
  assert_opens (fixture, GMCP_ERA_MODERN);
  g_unlink (fixture->log);

  make_client (fixture, "late:modern/legacy/die", "refuse/legacy/refuse");
  gmcp_client_set_cache_key (fixture->client, key);
  gmcp_client_set_startup_timeout_ms (fixture->client, 8000);
  assert_opens (fixture, GMCP_ERA_LEGACY);
}

static void
test_killed_at_probe (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "a server that somebody kills at its probe is not taken for one of the legacy era");
  make_client (fixture, "kill", "modern/legacy");
  assert_opens (fixture, GMCP_ERA_MODERN);
}

static void
test_exits_at_probe (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that the probe ends is one of the legacy era");
  make_client (fixture, "die", "modern/legacy");
  assert_opens (fixture, GMCP_ERA_LEGACY);
}

static void
test_always_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *log = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a server that is killed time and again is not started for ever");
  make_client (fixture, "kill/kill", "kill/kill");
  g_assert_false (open_client (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  log = read_log (fixture);
  g_assert_cmpstr (log, ==,
                   "start server/discover \nstart server/discover \nstart server/discover \n"
                   "start server/discover \nstart initialize ");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/client/slow-start/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("held-to-legacy", test_held_to_legacy);
  ADD ("silent-when-asked-again", test_silent_when_asked_again);
  ADD ("asked-again", test_asked_again);
  ADD ("dies-when-asked-again", test_dies_when_asked_again);
  ADD ("next-refuses-all", test_next_refuses_all);
  ADD ("next-is-legacy", test_next_is_legacy);
  ADD ("cached", test_cached);
  ADD ("killed-at-probe", test_killed_at_probe);
  ADD ("exits-at-probe", test_exits_at_probe);
  ADD ("always-killed", test_always_killed);
#undef ADD

  return g_test_run ();
}
