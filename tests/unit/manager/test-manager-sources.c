/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gunixsocketaddress.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "gmcp-config-load-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* Places of configuration that come, stand beside others and go, and servers that run already. */

static void
write_other (const char *path, char *entry)
{
  g_autofree char *text = g_strdup_printf ("{\"mcpServers\":{%s}}", entry);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_free (entry);
}

static void
test_beside_file (ManagerFixture *fixture, gconstpointer data)
{
  gboolean is_first = GPOINTER_TO_INT (data);
  g_autofree char *path = g_build_filename (fixture->dir, "plugin.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GmcpConfigSource) source = GMCP_CONFIG_SOURCE (gmcp_file_config_source_new (file));
  g_autoptr (GPtrArray) sources = NULL;

  g_test_summary ("what the host adds itself counts beside its configuration file, after it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  write_other (path, manager_fixture_entry (fixture, "two", "--tools echo"));
  if (is_first)
    gmcp_manager_add_source (fixture->manager, source);
  g_assert_null (manager_fixture_load (fixture, NULL));
  if (!is_first)
    {
      gmcp_manager_add_source (fixture->manager, source);
      g_assert_null (manager_fixture_load (fixture, NULL));
    }
  manager_fixture_assert_tools (fixture, "one__pid two__echo");
  sources = gmcp_manager_list_sources (fixture->manager);
  g_assert_cmpuint (sources->len, ==, 2);
  g_assert_true (g_ptr_array_index (sources, 1) == source);

  gmcp_manager_remove_source (fixture->manager, source);
  manager_fixture_assert_tools (fixture, "one__pid");
  g_unlink (path);
}

/* A source that never answers. */
typedef struct
{
  GmcpConfigSource parent_instance;

  guint timeout_ms; /* 0 for that of any source */
  GmcpConfigLoad *load;
} SilentSource;

typedef struct
{
  GmcpConfigSourceClass parent_class;
} SilentSourceClass;

GType silent_source_get_type (void);

G_DEFINE_TYPE (SilentSource, silent_source, GMCP_TYPE_CONFIG_SOURCE)

static void
silent_source_load (GmcpConfigSource *source, GmcpConfigLoad *load)
{
  SilentSource *self = (SilentSource *) source;

  g_set_object (&self->load, load);
  if (self->timeout_ms != 0)
    gmcp_config_load_guard (load, self->timeout_ms);
}

static void
silent_source_finalize (GObject *object)
{
  g_clear_object (&((SilentSource *) object)->load);
  G_OBJECT_CLASS (silent_source_parent_class)->finalize (object);
}

static void
silent_source_class_init (SilentSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = silent_source_finalize;
  GMCP_CONFIG_SOURCE_CLASS (klass)->load = silent_source_load;
}

static void
silent_source_init (SilentSource *self)
{
}

static void
keep_source_result (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
test_silent_cancelled (void)
{
  g_autoptr (GmcpConfigSource) source = g_object_new (silent_source_get_type (), NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GError) error = NULL;
  GmcpConfigLoad **load = &((SilentSource *) source)->load;

  g_test_summary ("a source that does not answer ends with the one who asked");
  gmcp_config_source_load_async (source, cancellable, keep_source_result, &done);
  g_assert_false (g_cancellable_is_cancelled (gmcp_config_load_get_cancellable (*load)));
  g_cancellable_cancel (cancellable);
  g_assert_true (g_cancellable_is_cancelled (gmcp_config_load_get_cancellable (*load)));
  manager_fixture_wait_until (done != NULL);
  g_assert_false (gmcp_config_source_load_finish (source, done, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  gmcp_config_load_return_success (*load);
  g_clear_object (load);
}

static void
test_silent (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = g_object_new (silent_source_get_type (), NULL);
  SilentSource *silent = (SilentSource *) source;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a manager does not wait for good for a source that does not answer");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  silent->timeout_ms = 1;
  GMCP_CONFIG_SOURCE_GET_CLASS (source)->keeps_time = TRUE;
  gmcp_manager_add_source (fixture->manager, source);
  error = manager_fixture_load (fixture, NULL);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "SilentSource"));
  gmcp_config_load_return_success (silent->load);
  gmcp_manager_remove_source (fixture->manager, source);
}

static void
test_desktop (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "mcp", NULL);
  g_autofree char *path = g_build_filename (folder, "mcp.json", NULL);

  g_test_summary ("the places of a desktop do not count beside a configuration file");
  g_mkdir_with_parents (folder, 0700);
  write_other (path, manager_fixture_entry (fixture, "two", "--tools echo"));
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  gmcp_manager_add_default_sources (fixture->manager);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__pid");
  g_unlink (path);
}

static void
test_taken_away (ManagerFixture *fixture, gconstpointer data)
{
  GListModel *servers = G_LIST_MODEL (fixture->manager);
  g_autofree char *entry = manager_fixture_entry (fixture, "one", "--tools pid");

  g_test_summary ("a file that is taken away takes its servers with it; one that is written anew, "
                  "is empty or is wrong does not");
  manager_fixture_write (fixture, g_strdup (entry), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__pid");

  g_test_message ("half written");
  g_assert_true (g_file_set_contents (fixture->config, "{\"mcpServers\":", -1, NULL));
  manager_fixture_wait_until (manager_fixture_has_notice (fixture, "error - "));
  manager_fixture_assert_tools (fixture, "one__pid");

  g_test_message ("taken away");
  g_assert_no_errno (g_unlink (fixture->config));
  manager_fixture_wait_until (g_list_model_get_n_items (servers) == 0);
  manager_fixture_assert_tools (fixture, "");
  g_assert_true (manager_fixture_has_notice (fixture, "mcp.json: the file is not there any more"));

  g_test_message ("there again");
  manager_fixture_write (fixture, g_strdup (entry), NULL);
  manager_fixture_wait_until (g_list_model_get_n_items (servers) == 1);
}

static void
test_renamed (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *aside = g_strconcat (fixture->config, ".old", NULL);
  GListModel *servers = G_LIST_MODEL (fixture->manager);
  guint n_changes = 0;

  g_test_summary ("an editor that moves the file aside before it writes the new one takes nothing "
                  "away");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_signal_connect_swapped (servers, "items-changed", G_CALLBACK (g_atomic_int_inc), &n_changes);
  g_assert_no_errno (g_rename (fixture->config, aside));
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  manager_fixture_wait_until (g_list_model_get_n_items (servers) == 2);
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_false (manager_fixture_has_notice (fixture, "not there any more"));
  g_signal_handlers_disconnect_by_data (servers, &n_changes);
  g_unlink (aside);
}

/* A server for each connection to a socket. */
static gboolean
on_incoming (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  int fd = g_socket_get_fd (g_socket_connection_get_socket (connection));
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_unix_set_fd_nonblocking (fd, FALSE, &error);
  g_assert_no_error (error);
  g_subprocess_launcher_take_stdin_fd (launcher, dup (fd));
  g_subprocess_launcher_take_stdout_fd (launcher, dup (fd));
  process = g_subprocess_launcher_spawn (launcher, &error, "/usr/bin/python3", "-S", script,
                                         "--tools", "echo", NULL);
  g_assert_no_error (error);
  (*(guint *) data)++;
  return TRUE;
}

static void
test_runs_already (ManagerFixture *fixture, gconstpointer data)
{
  gboolean is_listed_first = GPOINTER_TO_INT (data);
  g_autofree char *path = g_build_filename (fixture->dir, "socket", NULL);
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  guint n_connections = 0;

  g_test_summary ("a server that runs already is called, also where its start is manual");
  g_socket_listener_add_address (G_SOCKET_LISTENER (service), address, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, &error);
  g_assert_no_error (error);
  g_signal_connect (service, "incoming", G_CALLBACK (on_incoming), &n_connections);
  manager_fixture_write (
    fixture, g_strdup_printf ("\"far\":{\"url\":\"unix://%s\",\"start\":\"manual\"}", path), NULL);
  if (is_listed_first)
    {
      g_assert_null (manager_fixture_load (fixture, NULL));
      manager_fixture_assert_tools (fixture, "far__echo");
    }
  text = manager_fixture_call (fixture, "far__echo", "{}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "{}");
  g_assert_cmpuint (n_connections, ==, 1);
  manager_fixture_close (fixture);
  g_socket_service_stop (service);
  g_socket_listener_close (G_SOCKET_LISTENER (service));
  g_unlink (path);
}

static void
test_by_hand (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *entry = manager_fixture_entry (fixture, "one", "--tools pid");
  g_autoptr (GError) error = NULL;

  g_test_summary ("where a server is started by hand only, the error says what helps");
  entry[strlen (entry) - 1] = '\0';
  manager_fixture_write (fixture, g_strconcat (entry, ",\"start\":\"manual\"}", NULL), NULL);
  g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_assert_nonnull (strstr (error->message, "set its “start” to “on-demand”"));
  g_assert_null (strstr (error->message, "gmcp start"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD_FOR(name, func, data)                                                                  \
  g_test_add ("/manager/sources/" name, ManagerFixture, data, manager_fixture_set_up, func,        \
              manager_fixture_tear_down)
#define ADD(name, func) ADD_FOR (name, func, NULL)

  ADD ("beside-file", test_beside_file);
  ADD_FOR ("beside-file-first", test_beside_file, GINT_TO_POINTER (TRUE));
  g_test_add_func ("/manager/sources/silent-cancelled", test_silent_cancelled);
  ADD ("silent", test_silent);
  ADD ("desktop", test_desktop);
  ADD ("taken-away", test_taken_away);
  ADD ("renamed", test_renamed);
  ADD ("runs-already", test_runs_already);
  ADD_FOR ("runs-already-listed", test_runs_already, GINT_TO_POINTER (TRUE));
  ADD ("by-hand", test_by_hand);

  return g_test_run ();
}
