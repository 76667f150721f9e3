/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "set-file.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <glib/gstdio.h>
#include <string.h>

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/manager/gmcp-manager.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>
#include <gmcp/provider/gmcp-tool-provider.h>

#include "unit-test.h"

/* Settings in a key file whose locks are in a folder of ours, as an administrator would have them. */
typedef struct
{
  char *folder;
  GSettingsBackend *backend;
  GmcpManager *manager;
} Fixture;

static char *
write_file (Fixture *fixture, const char *name, const char *text)
{
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("gmcp-locks-XXXXXX", NULL);
  fixture->manager = gmcp_manager_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  g_assert_finalize_object (fixture->manager);
  g_clear_object (&fixture->backend);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
}

static void
add_settings (Fixture *fixture, const char *values, const char *locks)
{
  g_autofree char *path = write_file (fixture, "keyfile", values);
  g_autoptr (GSettingsBackend) plain = g_keyfile_settings_backend_new (path, "/", NULL);
  g_autoptr (GmcpConfigSource) source = NULL;

  g_free (write_file (fixture, "locks", locks));
  fixture->backend = g_object_new (G_OBJECT_TYPE (plain), "filename", path, "root-path", "/",
                                   "defaults-dir", fixture->folder, NULL);
  source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", fixture->backend, NULL);
  gmcp_manager_add_source (fixture->manager, source);
}

static void
add_file (Fixture *fixture, const char *text)
{
  g_autofree char *path = write_file (fixture, "mcp.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GmcpConfigSource) source
    = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "delay-ms", 1, NULL);

  gmcp_manager_add_source (fixture->manager, source);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
load (Fixture *fixture)
{
  gboolean done = FALSE;

  gmcp_manager_load_config_async (fixture->manager, NULL, on_loaded, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static GmcpServerConfig *
get_config (Fixture *fixture, const char *id)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->manager, id);

  g_assert_nonnull (server);
  return gmcp_managed_server_get_config (server);
}

static const char web[]
  = "{\"mcpServers\": {\"web\": {\"command\": \"mine\", \"env\": {\"A\": \"1\"}, \"maxCalls\": 9,"
    " \"callTimeoutMs\": 9000}}}";

static void
test_server (Fixture *fixture, gconstpointer data)
{
  GmcpServerConfig *config;

  g_test_summary ("keys that are locked for an id hold whichever place the server comes from");
  add_file (fixture, web);
  add_settings (fixture,
                "[org/gmcp/servers/web]\nenabled=false\ncommand=['theirs']\n"
                "call-timeout-ms=uint32 3000\nmax-calls=uint32 3\n",
                "/org/gmcp/servers/web/enabled\n/org/gmcp/servers/web/command\n"
                "/org/gmcp/servers/web/max-calls\n");
  load (fixture);
  config = get_config (fixture, "web");
  g_assert_false (gmcp_server_config_is_enabled (config));
  g_assert_cmpstr (gmcp_server_config_get_argv (config)[0], ==, "theirs");
  /* This one is not locked, and the file comes first. */
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (config), ==, 9000);
  /* This one the settings do not have, so that there is nothing to lock. */
  g_assert_cmpuint (gmcp_server_config_get_max_calls (config), ==, 9);
  g_assert_cmpstr (gmcp_server_config_get_environment (config)[0], ==, "A=1");
}

static void
test_sandbox (Fixture *fixture, gconstpointer data)
{
  const char *locks = data;
  GmcpServerConfig *config;

  g_test_summary ("no file opens a sandbox that is locked");
  add_file (fixture, "{\"mcpServers\": {\"web\": {\"command\": \"mine\", \"unixSockets\": true,"
                     " \"sandbox\": \"read-only-home\"}}}");
  add_settings (fixture, "[org/gmcp/servers/web]\nsandbox='read-only-home'\n", locks);
  load (fixture);
  config = get_config (fixture, "web");
  g_assert_cmpint (gmcp_server_config_get_sandbox (config), ==, GMCP_SANDBOX_READ_ONLY_HOME);
  g_assert_true (gmcp_server_config_get_unix_sockets (config) == (*locks == '\0'));
}

static void
test_nothing_locked (Fixture *fixture, gconstpointer data)
{
  add_file (fixture, web);
  add_settings (fixture, "[org/gmcp/servers/web]\nenabled=false\ncommand=['theirs']\n",
                "/org/gmcp/servers/other/command\n");
  load (fixture);
  g_assert_true (gmcp_server_config_is_enabled (get_config (fixture, "web")));
  g_assert_cmpstr (gmcp_server_config_get_argv (get_config (fixture, "web"))[0], ==, "mine");
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = NULL;
  gboolean told = FALSE;

  g_test_summary ("where the list of servers is locked, no other place adds one");
  add_file (fixture, web);
  add_settings (fixture,
                "[org/gmcp]\nservers=['only']\n[org/gmcp/servers/only]\ncommand=['only']\n",
                "/org/gmcp/servers\n");
  load (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager)), ==, 1);
  g_assert_cmpstr (gmcp_server_config_get_argv (get_config (fixture, "only"))[0], ==, "only");
  findings = gmcp_manager_list_findings (fixture->manager);
  for (guint i = 0; i < findings->len; i++)
    told |= strstr (gmcp_config_finding_get_message (g_ptr_array_index (findings, i)),
                    "locked the list")
            != NULL;
  g_assert_true (told);
}

static void
test_config_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (fixture, "own.json", web);
  guint interval_ms = 0;
  guint timeout_ms = 0;

  g_test_summary (
    "what is locked holds beside a file of the host's, and nothing else of the settings");
  add_settings (fixture,
                "[org/gmcp]\nhealth-interval-ms=uint32 77000\nshutdown-timeout-ms=uint32 7000\n"
                "[org/gmcp/servers/web]\ncommand=['theirs']\ncall-timeout-ms=uint32 3000\n",
                "/org/gmcp/health-interval-ms\n/org/gmcp/servers/web/command\n");
  set_file (fixture->manager, "config-file", path);
  load (fixture);
  g_assert_cmpstr (gmcp_server_config_get_argv (get_config (fixture, "web"))[0], ==, "theirs");
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (get_config (fixture, "web")), ==, 9000);
  g_object_get (fixture->manager, "health-interval-ms", &interval_ms, "shutdown-timeout-ms",
                &timeout_ms, NULL);
  g_assert_cmpuint (interval_ms, ==, 77000);
  g_assert_cmpuint (timeout_ms, ==, 5000);
}

static guint
get_interval (Fixture *fixture)
{
  guint interval_ms = 0;

  g_object_get (fixture->manager, "health-interval-ms", &interval_ms, NULL);
  return interval_ms;
}

static void
test_settings_of_files (Fixture *fixture, gconstpointer data)
{
  const char *locked = data;

  g_test_summary ("what a file says of all servers goes when the file does not say it any more");
  add_file (fixture,
            "{\"mcp_servers\": {}, \"mcp_settings\": {\"health_check_interval_seconds\": 20}}");
  add_settings (fixture, "[org/gmcp]\nhealth-interval-ms=uint32 77000\n", locked);
  load (fixture);
  if (*locked != '\0')
    {
      g_assert_cmpuint (get_interval (fixture), ==, 77000);
      return;
    }

  g_assert_cmpuint (get_interval (fixture), ==, 20000);
  g_free (write_file (fixture, "mcp.json", "{\"mcp_servers\": {\"a\": {\"command\": \"b\"}}}"));
  while (get_interval (fixture) != 77000)
    g_main_context_iteration (NULL, TRUE);
}

static void
on_trusted (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_file_config_source_set_trusted_finish (GMCP_FILE_CONFIG_SOURCE (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
test_settings_of_project (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path
    = write_file (fixture, "mcp.json",
                  "{\"mcp_servers\": {\"a\": {\"command\": \"b\"}}, \"mcp_settings\": "
                  "{\"health_check_interval_seconds\": 20, \"startup_timeout_seconds\": 7}}");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GmcpFileConfigSource) source
    = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "project", TRUE, NULL);
  gboolean done = FALSE;
  guint startup_ms = 0;

  g_test_summary ("what a project's file says of all servers comes after what the user has set");
  add_settings (fixture, "[org/gmcp]\nhealth-interval-ms=uint32 77000\n", "");
  gmcp_manager_add_source (fixture->manager, GMCP_CONFIG_SOURCE (source));
  load (fixture);
  gmcp_file_config_source_set_trusted_async (source, TRUE, NULL, on_trusted, &done);
  while (!done || !gmcp_file_config_source_is_trusted (source))
    g_main_context_iteration (NULL, TRUE);
  while (startup_ms != 7000)
    {
      g_main_context_iteration (NULL, TRUE);
      g_object_get (fixture->manager, "startup-timeout-ms", &startup_ms, NULL);
    }
  g_assert_cmpuint (get_interval (fixture), ==, 77000);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD(path, func, data) g_test_add (path, Fixture, data, set_up, func, tear_down)
  ADD ("/config/locks/server", test_server, NULL);
  ADD ("/config/locks/sandbox", test_sandbox, "/org/gmcp/servers/web/sandbox\n");
  ADD ("/config/locks/no-sandbox", test_sandbox, "");
  ADD ("/config/locks/nothing", test_nothing_locked, NULL);
  ADD ("/config/locks/list", test_list, NULL);
  ADD ("/config/locks/config-file", test_config_file, NULL);
  ADD ("/config/locks/setting-of-file", test_settings_of_files, "/org/gmcp/health-interval-ms\n");
  ADD ("/config/setting-of-file-vanishes", test_settings_of_files, "");
  ADD ("/config/setting-of-project", test_settings_of_project, NULL);
  return g_test_run ();
}
