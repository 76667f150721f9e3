/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>

#include "manager-fixture.h"
#include "unit-test.h"

#define URI "notes://recent"

typedef struct
{
  gboolean done;
  GmcpResourceResult *result;
  GError *error;
} Read;

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  Read *read = data;

  read->result
    = gmcp_managed_server_read_resource_finish (GMCP_MANAGED_SERVER (object), result, &read->error);
  read->done = TRUE;
}

static Read
read_resource (ManagerFixture *fixture, const char *id, const char *uri, GmcpCallOptions *options)
{
  Read read = { FALSE, NULL, NULL };

  gmcp_managed_server_read_resource_async (gmcp_manager_get_server (fixture->manager, id), uri,
                                           options, NULL, on_read, &read);
  manager_fixture_wait_until (read.done);
  return read;
}

static void
clear_read (Read *read)
{
  g_clear_pointer (&read->result, gmcp_resource_result_unref);
  g_clear_error (&read->error);
}

typedef enum
{
  ASKED,
  FRESH,
  STALE,
} Origin;

static void
assert_reads (ManagerFixture *fixture,
              const char *id,
              const char *uri,
              const char *text,
              Origin origin)
{
  Read read = read_resource (fixture, id, uri, NULL);
  g_autofree char *found = NULL;

  g_assert_no_error (read.error);
  found = gmcp_resource_result_dup_text (read.result);
  g_assert_cmpstr (found, ==, text);
  g_assert_cmpint (gmcp_resource_result_is_cached (read.result), ==, origin != ASKED);
  g_assert_cmpint (gmcp_resource_result_is_stale (read.result), ==, origin == STALE);
  clear_read (&read);
}

static void
assert_no_read (ManagerFixture *fixture, const char *id, GmcpCallOptions *options)
{
  Read read = read_resource (fixture, id, URI, options);

  g_assert_null (read.result);
  g_assert_nonnull (read.error);
  g_assert_cmpuint (read.error->domain, ==, GMCP_ERROR);
  clear_read (&read);
}

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static gboolean
sync_server (ManagerFixture *fixture, const char *id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_manager_sync_async (fixture->manager, id, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  return gmcp_manager_sync_finish (fixture->manager, result, error);
}

static void
stop_server (ManagerFixture *fixture, const char *id)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->manager, id);
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_managed_server_stop_async (server, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  g_assert_true (gmcp_managed_server_stop_finish (server, result, NULL));
}

static void
start_server (ManagerFixture *fixture, const char *id)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->manager, id);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_managed_server_start_async (server, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  gmcp_managed_server_start_finish (server, result, &error);
  g_assert_no_error (error);
}

static void
load_notes (ManagerFixture *fixture, const char *more)
{
  g_autofree char *words = g_strconcat ("--resource " URI "=text", more, NULL);

  manager_fixture_write (
    fixture, manager_fixture_entry_of (fixture, "notes", "context-server.py", words), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
}

static void
test_limits (ManagerFixture *fixture, gconstpointer data)
{
  GmcpResponseCache *cache = gmcp_manager_get_response_cache (fixture->manager);

  g_assert_cmpuint (gmcp_response_cache_get_max_bytes (cache), ==, 64 * 1024 * 1024);
  g_assert_cmpuint (gmcp_response_cache_get_list_ttl_ms (cache), ==, 60000);
  g_assert_cmpuint (gmcp_response_cache_get_resource_ttl_ms (cache), ==, 300000);

  load_notes (fixture, "");
  g_assert_true (gmcp_client_get_response_cache (gmcp_managed_server_get_client (
                   gmcp_manager_get_server (fixture->manager, "notes")))
                 == cache);
}

static void
test_kept (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("what a server says nothing of stays fresh, and needs no server");
  load_notes (fixture, "");
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  assert_reads (fixture, "notes", URI, "text 1", FRESH);
  stop_server (fixture, "notes");
  assert_reads (fixture, "notes", URI, "text 1", FRESH);
  g_assert_cmpint (manager_fixture_get_state (fixture, "notes"), ==, GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "read"), ==, 1);
}

static void
test_hint (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("what the server says of how long holds");
  load_notes (fixture, " --ttl 0");
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  assert_reads (fixture, "notes", URI, "text 2", ASKED);
}

static void
test_modes (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Read read;

  load_notes (fixture, "");
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  gmcp_call_options_set_cache_mode (options, GMCP_CACHE_MODE_REFRESH);
  read = read_resource (fixture, "notes", URI, options);
  g_assert_false (gmcp_resource_result_is_cached (read.result));
  clear_read (&read);
  assert_reads (fixture, "notes", URI, "text 2", FRESH);
}

static void
test_stale (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) strict = gmcp_call_options_new ();
  g_autofree char *gate = g_build_filename (fixture->dir, "gate", NULL);
  g_autofree char *more = g_strconcat (" --ttl 0 --need ", gate, NULL);

  g_test_summary ("a stale answer has to do where the server cannot be started, and says so");
  g_assert_true (g_file_set_contents (gate, "", 0, NULL));
  load_notes (fixture, more);
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  stop_server (fixture, "notes");

  g_assert_cmpint (g_unlink (gate), ==, 0);
  assert_reads (fixture, "notes", URI, "text 1", STALE);
  assert_no_read (fixture, "notes", strict);
  gmcp_call_options_set_stale_on_error (strict, TRUE);
  gmcp_call_options_set_cache_mode (strict, GMCP_CACHE_MODE_BYPASS);
  assert_no_read (fixture, "notes", strict);

  g_assert_true (g_file_set_contents (gate, "", 0, NULL));
  start_server (fixture, "notes");
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  g_unlink (gate);
}

static void
test_restart (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  g_test_summary ("what the process before said is not taken for what this one says");
  load_notes (fixture, "");
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  assert_reads (fixture, "notes", URI, "text 1", FRESH);
  text = manager_fixture_call (fixture, "notes__exit", NULL, NULL, NULL);
  g_assert_null (text);
  manager_fixture_wait_until (manager_fixture_get_state (fixture, "notes")
                              != GMCP_SERVER_STATE_READY);
  start_server (fixture, "notes");
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "read"), ==, 2);
}

static void
test_sync (ManagerFixture *fixture, gconstpointer data)
{
  GmcpResponseCache *cache = gmcp_manager_get_response_cache (fixture->manager);
  g_autoptr (GError) error = NULL;

  manager_fixture_write (
    fixture,
    manager_fixture_entry_of (fixture, "notes", "context-server.py", "--resource " URI "=text"),
    manager_fixture_entry_of (fixture, "other", "context-server.py", "--resource " URI "=else"),
    NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  assert_reads (fixture, "other", URI, "else 1", ASKED);

  g_assert_true (sync_server (fixture, "notes", &error));
  g_assert_no_error (error);
  assert_reads (fixture, "notes", URI, "text 2", ASKED);
  assert_reads (fixture, "other", URI, "else 1", FRESH);

  stop_server (fixture, "other");
  g_assert_true (sync_server (fixture, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (manager_fixture_get_state (fixture, "other"), ==, GMCP_SERVER_STATE_STOPPED);
  assert_reads (fixture, "notes", URI, "text 3", ASKED);
  assert_reads (fixture, "other", URI, "else 1", ASKED);

  g_assert_false (sync_server (fixture, "third", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (cache), >, 0);
}

static void
test_configuration (ManagerFixture *fixture, gconstpointer data)
{
  GmcpResponseCache *cache = gmcp_manager_get_response_cache (fixture->manager);
  g_autoptr (GmcpManagedServer) server = NULL;

  g_test_summary ("nothing is left of a server that changed or was removed");
  load_notes (fixture, "");
  server = g_object_ref (gmcp_manager_get_server (fixture->manager, "notes"));
  assert_reads (fixture, "notes", URI, "text 1", ASKED);
  stop_server (fixture, "notes");
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (cache), >, 0);
  load_notes (fixture, " --ttl 9000");
  assert_reads (fixture, "notes", URI, "text 1", ASKED);

  manager_fixture_write (fixture, NULL, NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_wait_until (gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (cache), ==, 0);
}

static void
test_refused (ManagerFixture *fixture, gconstpointer data)
{
  Read read;

  load_notes (fixture, "");
  read = read_resource (fixture, "notes", "notes://none", NULL);
  g_assert_error (read.error, GMCP_RPC_ERROR, -32002);
  clear_read (&read);
}

static void
test_cancel (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GmcpManagedServer *server;
  Read read = { FALSE, NULL, NULL };

  load_notes (fixture, " --silent");
  server = gmcp_manager_get_server (fixture->manager, "notes");
  gmcp_managed_server_read_resource_async (server, URI, NULL, cancellable, on_read, &read);
  g_cancellable_cancel (cancellable);
  manager_fixture_wait_until (read.done);
  g_assert_error (read.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  clear_read (&read);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test)                                                                            \
  g_test_add (path, ManagerFixture, NULL, manager_fixture_set_up, test, manager_fixture_tear_down)

  ADD ("/manager/cache/limits", test_limits);
  ADD ("/manager/cache/kept", test_kept);
  ADD ("/manager/cache/hint", test_hint);
  ADD ("/manager/cache/modes", test_modes);
  ADD ("/manager/cache/stale", test_stale);
  ADD ("/manager/cache/restart", test_restart);
  ADD ("/manager/cache/sync", test_sync);
  ADD ("/manager/cache/configuration", test_configuration);
  ADD ("/manager/cache/refused", test_refused);
  ADD ("/manager/cache/cancel", test_cancel);

  return g_test_run ();
}
