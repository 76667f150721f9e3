/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-config-source-policy-private.h"
#include "gmcp-settings-schema-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/manager/gmcp-manager.h>
#include <gmcp/config/source/gmcp-role.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

#include "unit-test.h"

/* What holds while settings are wrong. */

#define SERVER "/org/gmcp/servers/web/"
#define ROLE   "/org/gmcp/roles/review/"

typedef struct
{
  GSettingsBackend *backend;
  GmcpConfigSource *source;
  GListModel *servers;
  GListModel *findings;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->backend = g_memory_settings_backend_new ();
  fixture->source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", fixture->backend,
                                  "delay-ms", 1, NULL);
  fixture->servers = gmcp_config_source_get_servers (fixture->source);
  fixture->findings = gmcp_config_source_get_findings (fixture->source);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->source);
  g_assert_finalize_object (fixture->backend);
}

/* As a program that knows no schema can; GSettings writes what the schema allows only. */
static void
write_at (GSettingsBackend *backend, const char *place, const char *value)
{
  GVariant *variant = g_variant_new_parsed (value);

  g_assert_true (G_SETTINGS_BACKEND_GET_CLASS (backend)->write (backend, place, variant, NULL));
}

/* Both in one change, as a file that is read again has them. */
static void
write_two (GSettingsBackend *backend,
           const char *place,
           const char *value,
           const char *other_place,
           const char *other_value)
{
  GTree *tree = g_tree_new_full ((GCompareDataFunc) g_strcmp0, NULL, g_free,
                                 (GDestroyNotify) g_variant_unref);

  g_tree_insert (tree, g_strdup (place), g_variant_ref_sink (g_variant_new_parsed (value)));
  g_tree_insert (tree, g_strdup (other_place),
                 g_variant_ref_sink (g_variant_new_parsed (other_value)));
  g_assert_true (G_SETTINGS_BACKEND_GET_CLASS (backend)->write_tree (backend, tree, NULL));
  g_tree_unref (tree);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
load (GmcpConfigSource *source)
{
  gboolean done = FALSE;

  gmcp_config_source_load_async (source, NULL, on_loaded, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static char *
join_findings (GListModel *findings)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (findings); i++)
    {
      g_autoptr (GmcpConfigFinding) finding = g_list_model_get_item (findings, i);
      g_autofree char *text = gmcp_config_finding_dup_text (finding);

      g_string_append_printf (all, "%s\n", text);
    }
  return g_string_free (all, FALSE);
}

static void
wait_for_findings (GListModel *findings, const char *expected)
{
  for (;;)
    {
      g_autofree char *all = join_findings (findings);

      if (g_str_equal (all, expected))
        return;
      g_test_message ("%s", all);
      g_main_context_iteration (NULL, TRUE);
    }
}

static GmcpServerConfig *
get_server (GListModel *servers)
{
  g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, 0);

  g_assert_nonnull (config);
  return config;
}

static void
write_good_server (GSettingsBackend *backend)
{
  write_at (backend, "/org/gmcp/servers", "['web']");
  write_at (backend, SERVER "enabled", "true");
  write_at (backend, SERVER "command", "['mcp-web', '--fast']");
}

#define HOLDS SERVER ": the settings that the server had before hold on until this is mended\n"
#define OFF   SERVER ": the server is off until this is mended\n"

static void
test_server (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *key;
    const char *wrong;
    const char *right;
    const char *findings;
  } cases[] = {
    { "command", "@as []", "['mcp-web', '--fast']",
      SERVER
      "command: Server “web” has no command: set “command” to the program that it is\n" HOLDS },
    { "command", "5", "['mcp-web', '--fast']",
      SERVER "command: expected an array of strings\n" HOLDS },
    { "environment", "['A']", "{'A': '1'}",
      SERVER "environment: expected an object of strings\n" HOLDS },
    { "enabled", "'yes'", "true", SERVER "enabled: expected true or false\n" HOLDS },
    { "title", "7", "'W'", SERVER "title: expected a string\n" HOLDS },
    { "start", "'sometimes'", "'manual'",
      SERVER "start: expected “manual”, “on-demand” or “at-load”\n" HOLDS },
    { "sandbox", "true", "'none'", SERVER "sandbox: expected “none” or “read-only-home”\n" HOLDS },
    { "startup-timeout-ms", "uint32 999", "uint32 1000",
      (SERVER
       "startup-timeout-ms: expected a whole number of milliseconds from 1000 to 60000\n" HOLDS) },
    { "startup-timeout-ms", "uint32 0", "uint32 1000",
      (SERVER
       "startup-timeout-ms: expected a whole number of milliseconds from 1000 to 60000\n" HOLDS) },
    { "health-timeout-ms", "'many'", "uint32 2000",
      (SERVER
       "health-timeout-ms: expected a whole number of milliseconds from 1000 to 30000\n" HOLDS) },
    { "call-timeout-ms", "uint32 86400001", "uint32 2",
      (SERVER
       "call-timeout-ms: expected a whole number of milliseconds from 1 to 86400000\n" HOLDS) },
  };

  g_test_summary ("a server goes on with what it had, whatever is wrong in its settings now");
  write_good_server (fixture->backend);
  load (fixture->source);
  wait_for_findings (fixture->findings, "");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GmcpServerConfig *before = get_server (fixture->servers);
      g_autofree char *place = g_strconcat (SERVER, cases[i].key, NULL);

      g_test_message ("%s = %s", cases[i].key, cases[i].wrong);
      write_at (fixture->backend, place, cases[i].wrong);
      wait_for_findings (fixture->findings, cases[i].findings);
      g_assert_true (get_server (fixture->servers) == before);
      g_assert_true (gmcp_server_config_is_enabled (before));
      write_at (fixture->backend, place, cases[i].right);
      wait_for_findings (fixture->findings, "");
    }
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (get_server (fixture->servers)), ==, 2);
  g_assert_cmpuint (gmcp_server_config_get_startup_timeout_ms (get_server (fixture->servers)), ==,
                    1000);

  g_test_message ("it can be disabled all the same, and is what is set when it is enabled again");
  write_at (fixture->backend, SERVER "command", "@as []");
  while (g_list_model_get_n_items (fixture->findings) == 0)
    g_main_context_iteration (NULL, TRUE);
  write_at (fixture->backend, SERVER "enabled", "false");
  wait_for_findings (fixture->findings, "");
  g_assert_false (gmcp_server_config_is_enabled (get_server (fixture->servers)));
  write_at (fixture->backend, SERVER "enabled", "true");
  wait_for_findings (
    fixture->findings,
    SERVER "command: Server “W” has no command: set “command” to the program that it is\n");
  g_assert_true (gmcp_server_config_is_enabled (get_server (fixture->servers)));
}

static void
test_first (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("where nothing was there before, a server that cannot be understood is off");
  write_good_server (fixture->backend);
  write_at (fixture->backend, SERVER "sandbox", "'read-only'");
  load (fixture->source);
  wait_for_findings (fixture->findings,
                     SERVER "sandbox: expected “none” or “read-only-home”\n" OFF);
  g_assert_false (gmcp_server_config_is_enabled (get_server (fixture->servers)));

  write_at (fixture->backend, SERVER "sandbox", "'read-only-home'");
  wait_for_findings (fixture->findings, "");
  g_assert_true (gmcp_server_config_is_enabled (get_server (fixture->servers)));
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("servers stay where the list of them cannot be read");
  write_good_server (fixture->backend);
  load (fixture->source);
  write_at (fixture->backend, "/org/gmcp/servers", "'web'");
  wait_for_findings (fixture->findings, "/org/gmcp/servers: expected an array of strings\n");
  g_assert_cmpuint (g_list_model_get_n_items (fixture->servers), ==, 1);

  g_test_message ("also when one of them changes");
  write_at (fixture->backend, SERVER "title", "'The Web'");
  while (g_strcmp0 (gmcp_server_config_get_title (get_server (fixture->servers)), "The Web") != 0)
    g_main_context_iteration (NULL, TRUE);
  write_at (fixture->backend, "/org/gmcp/servers", "@as []");
  wait_for_findings (fixture->findings, "");
  g_assert_cmpuint (g_list_model_get_n_items (fixture->servers), ==, 0);
}

static gboolean
role_allows (GmcpConfigSource *source, const char *tool)
{
  GPtrArray *roles = gmcp_config_source_peek_roles (source);

  g_assert_cmpuint (roles->len, ==, 1);
  return gmcp_role_allows_tool (g_ptr_array_index (roles, 0), "web", tool);
}

static void
test_role (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a rule that cannot be read denies what it denied, or everything");
  write_at (fixture->backend, "/org/gmcp/roles", "['review']");
  write_at (fixture->backend, ROLE "allowed-tools", "['web.*']");
  write_at (fixture->backend, ROLE "denied-tools", "'web.write'");
  load (fixture->source);
  wait_for_findings (fixture->findings, ROLE "denied-tools: expected an array of strings\n" ROLE
                                             ": the role allows nothing until this is mended\n");
  g_assert_false (role_allows (fixture->source, "read"));

  write_at (fixture->backend, ROLE "denied-tools", "['web.write']");
  wait_for_findings (fixture->findings, "");
  g_assert_true (role_allows (fixture->source, "read"));
  g_assert_false (role_allows (fixture->source, "write"));

  write_at (fixture->backend, ROLE "denied-tools", "7");
  wait_for_findings (fixture->findings,
                     ROLE "denied-tools: expected an array of strings\n" ROLE
                          ": what was set before holds on until this is mended\n");
  g_assert_true (role_allows (fixture->source, "read"));
  g_assert_false (role_allows (fixture->source, "write"));

  g_test_message ("roles stay where the list of them cannot be read");
  write_at (fixture->backend, ROLE "denied-tools", "['web.write']");
  write_at (fixture->backend, "/org/gmcp/roles", "true");
  wait_for_findings (fixture->findings, "/org/gmcp/roles: expected an array of strings\n");
  g_assert_false (role_allows (fixture->source, "write"));
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
test_manager (Fixture *fixture, gconstpointer data)
{
  GmcpManager *manager = gmcp_manager_new ();
  gboolean done = FALSE;

  g_test_summary ("a manager goes on with what was set, and rules for asking are looked through");
  write_at (fixture->backend, "/org/gmcp/ask-first", "['web.write']");
  write_at (fixture->backend, "/org/gmcp/pin-policy", "'withhold'");
  gmcp_manager_add_source (manager, fixture->source);
  gmcp_manager_load_config_async (manager, NULL, on_config_loaded, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (gmcp_manager_get_pin_policy (manager), ==, GMCP_PIN_POLICY_WITHHOLD);

  write_at (fixture->backend, "/org/gmcp/pin-policy", "'hold'");
  write_at (fixture->backend, "/org/gmcp/ask-first", "'web.write'");
  write_at (fixture->backend, "/org/gmcp/ask-destructive", "true");
  wait_for_findings (fixture->findings,
                     "/org/gmcp/ask-first: expected an array of strings\n"
                     "/org/gmcp/pin-policy: expected “off”, “notice” or “withhold”\n");
  while (!gmcp_manager_get_ask_destructive (manager))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (gmcp_manager_get_pin_policy (manager), ==, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_cmpstr (gmcp_manager_get_ask_first (manager)[0], ==, "web.write");

  write_two (fixture->backend, "/org/gmcp/ask-destructive", "false", "/org/gmcp/pin-policy",
             "'holds'");
  while (gmcp_manager_get_ask_destructive (manager))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (gmcp_manager_get_pin_policy (manager), ==, GMCP_PIN_POLICY_WITHHOLD);

  write_at (fixture->backend, "/org/gmcp/pin-policy", "'off'");
  write_at (fixture->backend, "/org/gmcp/ask-first", "['', 'a.${B}', 'c.d']");
  wait_for_findings (fixture->findings,
                     "/org/gmcp/ask-first: “” is no rule; write SERVER.TOOL, or TOOL for a tool of "
                     "the host's own. Until then every call is asked about\n");
  while (gmcp_manager_get_pin_policy (manager) != GMCP_PIN_POLICY_OFF)
    g_main_context_iteration (NULL, TRUE);

  g_assert_finalize_object (manager);
}

#define KEY_FILE(enabled)                                                                          \
  "[gmcp]\nservers=['web']\n[servers/web]\ncommand=['mcp-web']\nenabled=" enabled "\n"

static void
test_key_file (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "settings.ini", NULL);
  GSettingsBackend *backend;
  GmcpConfigSource *source;
  GListModel *findings;

  g_test_summary ("a key file that somebody edits by hand");
  g_assert_true (g_file_set_contents (path, KEY_FILE ("true"), -1, NULL));
  backend = g_keyfile_settings_backend_new (path, GMCP_SETTINGS_PATH, "gmcp");
  source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", backend, "delay-ms", 1, NULL);
  findings = gmcp_config_source_get_findings (source);
  load (source);
  wait_for_findings (findings, "");

  g_assert_true (g_file_set_contents (path, KEY_FILE ("\"yes\"") "start='sometimes'\n", -1, NULL));
  wait_for_findings (findings, SERVER "enabled: expected true or false\n" SERVER
                                      "start: expected “manual”, “on-demand” or “at-load”\n" HOLDS);
  g_assert_true (
    gmcp_server_config_is_enabled (get_server (gmcp_config_source_get_servers (source))));

  g_assert_true (g_file_set_contents (path, KEY_FILE ("true") "start=at-load\n", -1, NULL));
  wait_for_findings (findings, "");
  g_assert_cmpint (
    gmcp_server_config_get_start (get_server (gmcp_config_source_get_servers (source))), ==,
    GMCP_SERVER_START_AT_LOAD);

  g_assert_finalize_object (source);
  g_object_unref (backend);
  g_unlink (path);
  g_rmdir (dir);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/settings-keep/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("server", test_server);
  ADD ("first", test_first);
  ADD ("list", test_list);
  ADD ("role", test_role);
  ADD ("manager", test_manager);
  g_test_add_func ("/manager/settings-keep/key-file", test_key_file);
  return g_test_run ();
}
