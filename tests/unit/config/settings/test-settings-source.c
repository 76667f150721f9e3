/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-settings-schema-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

#include "unit-test.h"

typedef struct
{
  GSettingsBackend *backend;
  GSettings *manager;
  GmcpConfigSource *source;
  GListModel *servers;
  guint n_changes;
  GPtrArray *problems; /* of char * */
} Fixture;

static GSettings *
open_server (Fixture *fixture, const char *id)
{
  g_autofree char *path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", NULL);

  return g_settings_new_with_backend_and_path ("org.gmcp.Server", fixture->backend, path);
}

/* As a program that knows no schema can; GSettings writes what the schema allows only. */
static void
write_at (GSettingsBackend *backend, const char *place, const char *value)
{
  GVariant *variant = g_variant_new_parsed (value);

  g_assert_true (G_SETTINGS_BACKEND_GET_CLASS (backend)->write (backend, place, variant, NULL));
}

static void
on_changed (GListModel *list, guint position, guint removed, guint added, gpointer data)
{
  ((Fixture *) data)->n_changes++;
}

static void
on_problem (GmcpConfigSource *source, const char *id, const GError *error, gpointer data)
{
  g_ptr_array_add (((Fixture *) data)->problems,
                   g_strdup_printf ("%s: %s", id != NULL ? id : "", error->message));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->backend = g_memory_settings_backend_new ();
  fixture->manager = g_settings_new_with_backend ("org.gmcp.Manager", fixture->backend);
  fixture->source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", fixture->backend,
                                  "delay-ms", 1, NULL);
  fixture->servers = gmcp_config_source_get_servers (fixture->source);
  fixture->problems = g_ptr_array_new_with_free_func (g_free);
  g_signal_connect (fixture->servers, "items-changed", G_CALLBACK (on_changed), fixture);
  g_signal_connect (fixture->source, "problem-found", G_CALLBACK (on_problem), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->source);
  g_object_unref (fixture->manager);
  g_assert_finalize_object (fixture->backend);
  g_ptr_array_unref (fixture->problems);
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

static void
wait_for_changes (Fixture *fixture, guint n_changes)
{
  while (fixture->n_changes < n_changes)
    g_main_context_iteration (NULL, TRUE);
}

/* Lets everything that is due be dispatched. */
static void
settle (Fixture *fixture)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
set_servers (Fixture *fixture, const char *first, const char *second, const char *third)
{
  const char *const ids[] = { first, second, third, NULL };

  g_settings_set_strv (fixture->manager, "servers", ids);
}

static void
set_command (Fixture *fixture, const char *id, const char *command)
{
  g_autoptr (GSettings) server = open_server (fixture, id);
  const char *const argv[] = { command, NULL };

  g_settings_set_strv (server, "command", argv);
}

static char *
list_ids (Fixture *fixture)
{
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (fixture->servers); i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (fixture->servers, i);

      g_string_append_printf (ids, "%s ", gmcp_server_config_get_id (config));
    }

  return g_string_free (ids, FALSE);
}

static void
assert_ids (Fixture *fixture, const char *expected)
{
  g_autofree char *ids = list_ids (fixture);

  g_assert_cmpstr (g_strchomp (ids), ==, expected);
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_assert_null (
    gmcp_settings_config_source_get_settings (GMCP_SETTINGS_CONFIG_SOURCE (fixture->source)));
  load (fixture->source);
  assert_ids (fixture, "");
  g_assert_cmpuint (fixture->n_changes, ==, 0);
  g_assert_cmpuint (fixture->problems->len, ==, 0);
  g_assert_nonnull (
    gmcp_settings_config_source_get_settings (GMCP_SETTINGS_CONFIG_SOURCE (fixture->source)));
}

static void
test_every_key (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) server = open_server (fixture, "web");
  g_autoptr (GmcpServerConfig) config = NULL;
  const char *const argv[] = { "mcp-web", "--x", NULL };
  const char *const environment[] = { "A=1", "B=", NULL };
  const char *const headers[] = { "X-A", "b c", NULL };
  const char *const none[] = { NULL };
  g_autoptr (GmcpServerConfig) plain = NULL;

  g_settings_set_string (server, "title", "The Web");
  g_settings_set_boolean (server, "enabled", TRUE);
  g_settings_set_string (server, "transport", "http");
  g_settings_set_strv (server, "command", argv);
  g_settings_set (server, "environment", "a{ss}", NULL);
  g_settings_set_value (server, "environment", g_variant_new_parsed ("{'B': '', 'A': '1'}"));
  g_settings_set_boolean (server, "allow-sampling", TRUE);
  g_settings_set_string (server, "cwd", "/srv");
  g_settings_set_string (server, "url", "https://example.org");
  g_settings_set_value (server, "headers", g_variant_new_parsed ("{'X-A': 'b c'}"));
  g_settings_set_uint (server, "call-timeout-ms", 7);
  g_settings_set_uint (server, "startup-timeout-ms", 8000);
  g_settings_set_string (server, "start", "at-load");
  g_settings_set_string (server, "health-method", "tool-call");
  g_settings_set_string (server, "health-tool", "echo");
  g_settings_set_string (server, "health-arguments", "{\"text\":1}");
  g_settings_set_uint (server, "health-timeout-ms", 30000);
  g_settings_set_boolean (server, "trusted", TRUE);
  g_settings_set_string (server, "package", "@a/b");
  g_settings_set_strv (server, "allowed-tools", argv);
  g_settings_set_strv (server, "denied-tools", argv + 1);
  g_settings_set_string (server, "sandbox", "read-only-home");
  g_settings_set_strv (server, "writable-paths", argv);
  g_settings_set_boolean (server, "no-network", TRUE);
  set_servers (fixture, "web", "plain", NULL);
  load (fixture->source);

  config = g_list_model_get_item (fixture->servers, 0);
  g_assert_cmpstr (gmcp_server_config_get_title (config), ==, "The Web");
  g_assert_true (gmcp_server_config_is_enabled (config));
  g_assert_cmpint (gmcp_server_config_get_transport (config), ==, GMCP_SERVER_TRANSPORT_HTTP);
  g_assert_cmpstrv (gmcp_server_config_get_argv (config), argv);
  g_assert_cmpstrv (gmcp_server_config_get_environment (config), environment);
  g_assert_false (gmcp_server_config_get_inherit_environment (config));
  g_assert_true (gmcp_server_config_get_allow_sampling (config));
  g_assert_cmpstr (gmcp_server_config_get_cwd (config), ==, "/srv");
  g_assert_cmpstr (gmcp_server_config_get_url (config), ==, "https://example.org");
  g_assert_cmpstrv (gmcp_server_config_get_headers (config), headers);
  g_assert_null (gmcp_server_config_get_ca_file (config));
  g_assert_cmpint (gmcp_server_config_get_era (config), ==, GMCP_ERA_AUTO);
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (config), ==, 7);
  g_assert_cmpuint (gmcp_server_config_get_startup_timeout_ms (config), ==, 8000);
  g_assert_cmpint (gmcp_server_config_get_start (config), ==, GMCP_SERVER_START_AT_LOAD);
  g_assert_cmpint (gmcp_server_config_get_health_method (config), ==, GMCP_HEALTH_METHOD_TOOL_CALL);
  g_assert_cmpstr (gmcp_server_config_get_health_tool (config), ==, "echo");
  g_assert_cmpstr (gmcp_server_config_get_health_arguments (config), ==, "{\"text\":1}");
  g_assert_cmpuint (gmcp_server_config_get_health_timeout_ms (config), ==, 30000);
  g_assert_cmpuint (gmcp_server_config_get_health_interval_ms (config), ==, 0);
  g_assert_true (gmcp_server_config_get_restart_on_failure (config));
  g_assert_true (gmcp_server_config_is_trusted (config));
  g_assert_cmpuint (gmcp_server_config_get_max_calls (config), ==, 0);
  g_assert_cmpstr (gmcp_server_config_get_package (config), ==, "@a/b");
  g_assert_cmpstrv (gmcp_server_config_get_allowed_tools (config), argv);
  g_assert_cmpstrv (gmcp_server_config_get_denied_tools (config), argv + 1);
  g_assert_cmpint (gmcp_server_config_get_sandbox (config), ==, GMCP_SANDBOX_READ_ONLY_HOME);
  g_assert_cmpstrv (gmcp_server_config_get_writable_paths (config), argv);
  g_assert_true (gmcp_server_config_get_no_network (config));
  g_assert_null (gmcp_server_config_get_instructions (config));

  g_test_message ("a server of which nothing is set is there, and enabled");
  plain = g_list_model_get_item (fixture->servers, 1);
  g_assert_cmpstr (gmcp_server_config_get_title (plain), ==, "plain");
  g_assert_true (gmcp_server_config_is_enabled (plain));
  g_assert_cmpstrv (gmcp_server_config_get_argv (plain), none);
  g_assert_null (gmcp_server_config_get_cwd (plain));
  g_test_message (
    "what holds for all servers counts where nothing is set, whatever the schema's default");
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (plain), ==, 0);
  g_assert_cmpuint (gmcp_server_config_get_startup_timeout_ms (plain), ==, 0);
  g_assert_cmpuint (gmcp_server_config_get_health_timeout_ms (plain), ==, 0);
}

static void
test_add_and_remove (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) first = NULL;
  g_autoptr (GmcpServerConfig) still_first = NULL;
  g_autoptr (GmcpServerConfig) last = NULL;
  g_autoptr (GmcpServerConfig) still_last = NULL;

  set_servers (fixture, "a", "b", NULL);
  load (fixture->source);
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  first = g_list_model_get_item (fixture->servers, 0);

  set_servers (fixture, "a", "c", "b");
  wait_for_changes (fixture, 2);
  assert_ids (fixture, "a c b");
  still_first = g_list_model_get_item (fixture->servers, 0);
  g_assert_true (first == still_first);

  g_test_message ("those that say the same stay the same objects, wherever they come to stand");
  last = g_list_model_get_item (fixture->servers, 2);
  set_servers (fixture, "b", "a", NULL);
  wait_for_changes (fixture, 3);
  assert_ids (fixture, "b a");
  still_last = g_list_model_get_item (fixture->servers, 0);
  g_assert_true (last == still_last);

  set_servers (fixture, "b", NULL, NULL);
  wait_for_changes (fixture, 4);
  assert_ids (fixture, "b");

  g_test_message ("keys of a server that was removed are of no interest");
  set_command (fixture, "a", "new");
  settle (fixture);
  g_assert_cmpuint (fixture->n_changes, ==, 4);

  g_settings_reset (fixture->manager, "servers");
  wait_for_changes (fixture, 5);
  assert_ids (fixture, "");
}

static void
test_change (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) server = open_server (fixture, "b");
  g_autoptr (GmcpServerConfig) first = NULL;
  g_autoptr (GmcpServerConfig) still_first = NULL;
  g_autoptr (GmcpServerConfig) second = NULL;
  const char *const argv[] = { "x", NULL };

  set_servers (fixture, "a", "b", "c");
  load (fixture->source);
  first = g_list_model_get_item (fixture->servers, 0);

  g_settings_set_strv (server, "command", argv);
  g_settings_set_boolean (server, "enabled", TRUE);
  g_settings_set_string (server, "title", "B");
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  wait_for_changes (fixture, 2);
  settle (fixture);
  g_assert_cmpuint (fixture->n_changes, ==, 2);

  second = g_list_model_get_item (fixture->servers, 1);
  g_assert_cmpstr (gmcp_server_config_get_title (second), ==, "B");
  g_assert_true (gmcp_server_config_is_enabled (second));
  g_assert_cmpstrv (gmcp_server_config_get_argv (second), argv);
  still_first = g_list_model_get_item (fixture->servers, 0);
  g_assert_true (first == still_first);
}

static void
test_bad_ids (Fixture *fixture, gconstpointer data)
{
  const char *const ids[] = { "good", "a/b", "Bad", "", "good", "x y", "..", "other", NULL };

  g_test_summary ("what is no id is reported and left out, and the rest is used");
  set_command (fixture, "good", "mcp-good");
  set_command (fixture, "other", "mcp-other");
  g_settings_set_strv (fixture->manager, "servers", ids);
  load (fixture->source);
  assert_ids (fixture, "good other");
  g_assert_cmpuint (fixture->problems->len, ==, 6);
  g_assert_nonnull (strstr (g_ptr_array_index (fixture->problems, 0), "a/b"));
}

static void
test_findings (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[] = {
    "/org/gmcp/servers: “Bad Id” cannot be the id of a server",
    "/org/gmcp/servers: “one” stands there twice",
    ("/org/gmcp/servers/one/startup-timeout-ms: expected a whole number of milliseconds from 1000 to "
     "60000; the default holds instead"),
    ("/org/gmcp/servers/one/command: Server “one” has no command: set “command” to the program that it "
     "is"),
    "/org/gmcp/servers/two/command: “${a b}” is not known",
    "/org/gmcp/servers/two/health-tool: expected the tool to call, as the method is “tool_call”",
    ("/org/gmcp/servers/two/no-network: Server “two” has “no-network” without a sandbox: set “sandbox” "
     "to “read-only-home”, or take it out"),
    NULL,
  };
  const char *const ids[] = { "Bad Id", "one", "one", "two", "off", NULL };
  const char *const argv[] = { "x", "${a b}", NULL };
  g_autoptr (GSettings) one = open_server (fixture, "one");
  g_autoptr (GSettings) two = open_server (fixture, "two");
  g_autoptr (GSettings) off = open_server (fixture, "off");
  g_autoptr (GmcpServerConfig) config = NULL;
  GListModel *findings = gmcp_config_source_get_findings (fixture->source);

  g_test_summary ("what is wrong is a finding with the path of its key, until it is mended");
  g_settings_set_strv (fixture->manager, "servers", ids);
  g_settings_set_boolean (one, "enabled", TRUE);
  write_at (fixture->backend, "/org/gmcp/servers/one/startup-timeout-ms", "uint32 999");
  g_settings_set_uint (one, "health-timeout-ms", 1000);
  g_settings_set_boolean (off, "enabled", FALSE);
  g_settings_set_boolean (two, "enabled", TRUE);
  g_settings_set_strv (two, "command", argv);
  g_settings_set_string (two, "health-method", "tool-call");
  g_settings_set_boolean (two, "no-network", TRUE);
  load (fixture->source);
  g_assert_cmpuint (g_list_model_get_n_items (findings), ==, g_strv_length ((char **) expected));
  g_assert_cmpuint (fixture->problems->len, ==, g_strv_length ((char **) expected));
  for (guint i = 0; expected[i] != NULL; i++)
    {
      g_autoptr (GmcpConfigFinding) finding = g_list_model_get_item (findings, i);
      g_autofree char *text = gmcp_config_finding_dup_text (finding);

      g_test_message ("%s", text);
      g_assert_true (g_strv_contains (expected, text));
      g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==,
                       strstr (text, "${") != NULL ? GMCP_NOTICE_LEVEL_WARNING
                                                   : GMCP_NOTICE_LEVEL_ERROR);
    }
  config = g_list_model_get_item (fixture->servers, 0);
  g_assert_cmpuint (gmcp_server_config_get_startup_timeout_ms (config), ==, 0);
  g_assert_cmpuint (gmcp_server_config_get_health_timeout_ms (config), ==, 1000);

  set_servers (fixture, "one", NULL, NULL);
  set_command (fixture, "one", "x");
  g_settings_set_uint (one, "startup-timeout-ms", 1000);
  while (g_list_model_get_n_items (findings) > 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < GMCP_LIMIT_SERVERS + 2; i++)
    {
      char *id = g_strdup_printf ("s%u", i);

      g_ptr_array_add (ids, id);
      set_command (fixture, id, "x");
    }
  g_ptr_array_add (ids, NULL);
  g_settings_set_strv (fixture->manager, "servers", (const char *const *) ids->pdata);
  load (fixture->source);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->servers), ==, GMCP_LIMIT_SERVERS);
  g_assert_cmpuint (fixture->problems->len, ==, 2);
}

static void
test_wrong_types (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "settings.ini", NULL);
  GSettingsBackend *backend;
  GmcpConfigSource *source;
  g_autoptr (GmcpServerConfig) config = NULL;

  g_test_summary ("values of another type, or out of range, count as not set");
  g_assert_true (g_file_set_contents (path,
                                      "[gmcp]\nservers=['web']\ntool-name-style='odd'\n"
                                      "[servers/web]\nenabled='perhaps'\ncommand='not a list'\n"
                                      "transport='pigeon'\nsandbox=7\ncall-timeout-ms=86400001\n"
                                      "title=nonsense(\nenvironment=['A']\ncwd='/srv'\n",
                                      -1, NULL));
  backend = g_keyfile_settings_backend_new (path, GMCP_SETTINGS_PATH, "gmcp");
  source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", backend, NULL);
  load (source);
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_config_source_get_servers (source)), ==, 1);
  config = g_list_model_get_item (gmcp_config_source_get_servers (source), 0);
  g_assert_false (gmcp_server_config_is_enabled (config));
  g_assert_null (gmcp_server_config_get_argv (config)[0]);
  g_assert_null (gmcp_server_config_get_environment (config)[0]);
  g_assert_cmpint (gmcp_server_config_get_transport (config), ==, GMCP_SERVER_TRANSPORT_STDIO);
  g_assert_cmpint (gmcp_server_config_get_sandbox (config), ==, GMCP_SANDBOX_NONE);
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (config), ==, 0);
  g_assert_cmpstr (gmcp_server_config_get_cwd (config), ==, "/srv");

  g_assert_finalize_object (source);
  g_object_unref (backend);
  g_unlink (path);
  g_rmdir (dir);
}

static void
test_own_context (void)
{
  GMainContext *context = g_main_context_new ();
  GSettingsBackend *backend = g_memory_settings_backend_new ();
  g_autoptr (GSettings) manager = g_settings_new_with_backend ("org.gmcp.Manager", backend);
  const char *const ids[] = { "a", NULL };
  Fixture fixture = { .backend = backend, .manager = manager };
  gboolean done = FALSE;

  g_test_summary ("changes come in the context that the source was made in");
  g_main_context_push_thread_default (context);
  fixture.source
    = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", backend, "delay-ms", 1, NULL);
  g_main_context_pop_thread_default (context);
  fixture.servers = gmcp_config_source_get_servers (fixture.source);
  g_signal_connect (fixture.servers, "items-changed", G_CALLBACK (on_changed), &fixture);
  gmcp_config_source_load_async (fixture.source, NULL, on_loaded, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);

  g_settings_set_strv (manager, "servers", ids);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (fixture.n_changes, ==, 0);
  while (fixture.n_changes == 0)
    g_main_context_iteration (context, TRUE);
  assert_ids (&fixture, "a");

  set_command (&fixture, "a", "x");
  while (fixture.n_changes == 1)
    g_main_context_iteration (context, TRUE);

  g_assert_finalize_object (fixture.source);
  g_object_unref (backend);
  g_main_context_unref (context);
}

static void
test_enums (void)
{
  static const struct
  {
    const char *schema;
    const char *key;
    GType (*get_type) (void);
  } cases[] = {
    { "org.gmcp.Manager", "tool-name-style", gmcp_tool_name_style_get_type },
    { "org.gmcp.Server", "transport", gmcp_server_transport_get_type },
    { "org.gmcp.Server", "sandbox", gmcp_sandbox_get_type },
    { "org.gmcp.Server", "start", gmcp_server_start_get_type },
    { "org.gmcp.Server", "share", gmcp_share_get_type },
    { "org.gmcp.Manager", "share", gmcp_share_get_type },
    { "org.gmcp.Server", "health-method", gmcp_health_method_get_type },
  };
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();

  g_test_summary ("the enumerations of the schema are those of the library");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GSettingsSchema) schema
        = g_settings_schema_source_lookup (source, cases[i].schema, TRUE);
      g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, cases[i].key);
      g_autoptr (GVariant) range = g_settings_schema_key_get_range (key);
      g_autoptr (GVariant) boxed = g_variant_get_child_value (range, 1);
      g_autoptr (GVariant) nicks = g_variant_get_variant (boxed);
      g_autoptr (GEnumClass) values = g_type_class_ref (cases[i].get_type ());
      g_autoptr (GSettingsBackend) backend = g_memory_settings_backend_new ();
      g_autoptr (GSettings) settings = g_settings_new_full (
        schema, backend, g_settings_schema_get_path (schema) != NULL ? NULL : "/org/gmcp/x/");

      g_assert_cmpuint (g_variant_n_children (nicks), ==, values->n_values);
      for (guint j = 0; j < values->n_values; j++)
        {
          g_assert_true (
            g_settings_set_string (settings, cases[i].key, values->values[j].value_nick));
          g_assert_cmpint (g_settings_get_enum (settings, cases[i].key), ==,
                           values->values[j].value);
        }
    }
}

static void
test_documented (void)
{
  static const char *const ids[] = { "org.gmcp.Manager", "org.gmcp.Server" };
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();

  g_test_summary ("every key has a summary and a description, and times name their unit");
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (GSettingsSchema) schema = g_settings_schema_source_lookup (source, ids[i], TRUE);
      g_auto (GStrv) keys = g_settings_schema_list_keys (schema);

      for (gsize j = 0; keys[j] != NULL; j++)
        {
          g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[j]);

          g_assert_nonnull (g_settings_schema_key_get_summary (key));
          g_assert_nonnull (g_settings_schema_key_get_description (key));
          if (g_str_has_suffix (keys[j], "-ms"))
            g_assert_nonnull (strstr (g_settings_schema_key_get_summary (key), "milliseconds"));
        }
    }
}

/* Where the process that is run looks for schemas; this one has its own by now. */
static void
run_without_schema (gboolean has_copy)
{
  g_autofree char *empty = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  static const char *const names[]
    = { "XDG_DATA_DIRS", "XDG_DATA_HOME", "GSETTINGS_SCHEMA_DIR", "GMCP_SCHEMA_DIR" };
  char *values[G_N_ELEMENTS (names)];

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      values[i] = g_strdup (g_getenv (names[i]));
      g_setenv (names[i], empty, TRUE);
    }
  if (has_copy)
    g_setenv ("GMCP_SCHEMA_DIR", values[2], TRUE);

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (values[i] != NULL)
        g_setenv (names[i], values[i], TRUE);
      else
        g_unsetenv (names[i]);
      g_free (values[i]);
    }
  g_rmdir (empty);
}

/* What a process without an installed schema sees; data says whether it has the library's copy. */
static void
test_without_schema (gconstpointer data)
{
  if (g_test_subprocess ())
    {
      GSettingsBackend *backend = g_memory_settings_backend_new ();
      Fixture fixture = { .backend = backend };
      gboolean has_copy = GPOINTER_TO_INT (data);

      fixture.source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", backend, NULL);
      fixture.servers = gmcp_config_source_get_servers (fixture.source);
      fixture.problems = g_ptr_array_new_with_free_func (g_free);
      g_signal_connect (fixture.source, "problem-found", G_CALLBACK (on_problem), &fixture);
      load (fixture.source);
      load (fixture.source);
      assert_ids (&fixture, "");
      g_assert_cmpuint (fixture.problems->len, ==, has_copy ? 0 : 2);
      g_assert_true (
        (gmcp_settings_config_source_get_settings (GMCP_SETTINGS_CONFIG_SOURCE (fixture.source))
         != NULL)
        == has_copy);
      g_assert_finalize_object (fixture.source);
      g_object_unref (backend);
      g_ptr_array_unref (fixture.problems);
      return;
    }

  run_without_schema (GPOINTER_TO_INT (data));
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/settings-source/" path, Fixture, NULL, set_up, func, tear_down)

static GmcpServerConfig *
make_config (const char *id, const char *url)
{
  const char *const argv[] = { "mcp-web", "--x", NULL };
  const char *const environment[] = { "A=1", NULL };

  return g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", id, "title", "The Web", "argv",
                       url == NULL ? argv : NULL, "environment", environment, "url", url, NULL);
}

static void
assert_servers (Fixture *fixture, const char *expected)
{
  g_auto (GStrv) ids = g_settings_get_strv (fixture->manager, "servers");
  g_autofree char *joined = g_strjoinv (" ", ids);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_add (Fixture *fixture, gconstpointer data)
{
  GmcpSettingsConfigSource *source = GMCP_SETTINGS_CONFIG_SOURCE (fixture->source);
  g_autoptr (GSettings) left = open_server (fixture, "web");
  g_autoptr (GSettings) remote = open_server (fixture, "remote");
  g_autoptr (GmcpServerConfig) web = make_config ("web", NULL);
  g_autoptr (GmcpServerConfig) other = make_config ("remote", "https://example.org/mcp");
  g_autoptr (GmcpServerConfig) found = NULL;
  g_autofree char *url = NULL;
  g_autoptr (GVariant) untouched = NULL;
  g_autoptr (GError) error = NULL;

  /* Of an earlier server of that id. */
  g_settings_set_boolean (left, "enabled", FALSE);
  g_settings_set_string (left, "cwd", "/srv");
  load (fixture->source);

  g_assert_true (gmcp_settings_config_source_add_server (source, web, &error));
  g_assert_no_error (error);
  assert_servers (fixture, "web");
  assert_ids (fixture, "web");
  found = g_list_model_get_item (fixture->servers, 0);
  g_assert_true (gmcp_server_config_equal (found, web));
  g_assert_cmpint (gmcp_server_config_get_transport (found), ==, GMCP_SERVER_TRANSPORT_STDIO);
  /* Only what is not as by default is stored. */
  untouched = g_settings_get_user_value (left, "transport");
  g_assert_null (untouched);

  g_assert_true (gmcp_settings_config_source_add_server (source, other, &error));
  g_assert_no_error (error);
  assert_ids (fixture, "web remote");
  url = g_settings_get_string (remote, "url");
  g_assert_cmpstr (url, ==, "https://example.org/mcp");

  g_assert_false (gmcp_settings_config_source_add_server (source, web, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  assert_servers (fixture, "web remote");
}

static void
test_add_bad (Fixture *fixture, gconstpointer data)
{
  GmcpSettingsConfigSource *source = GMCP_SETTINGS_CONFIG_SOURCE (fixture->source);
  g_autoptr (GmcpServerConfig) nameless = make_config ("a/b", NULL);
  g_autoptr (GmcpServerConfig) empty = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "empty", NULL);
  g_autoptr (GmcpServerConfig) far
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "far", "url", "ftp://example.org", NULL);
  g_autoptr (GmcpServerConfig) often
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "often", "url", "https://example.org",
                    "startup-timeout-ms", 5, NULL);
  g_autoptr (GmcpServerConfig) tuned
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "tuned", "url", "https://example.org",
                    "max-calls", 3, "idle-timeout-ms", 5, NULL);
  g_autoptr (GmcpServerConfig) off
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "off", "enabled", FALSE, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_settings_config_source_add_server (source, nameless, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (gmcp_settings_config_source_add_server (source, empty, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_clear_error (&error);
  g_assert_false (gmcp_settings_config_source_add_server (source, far, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_clear_error (&error);
  g_assert_false (gmcp_settings_config_source_add_server (source, often, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (error->message, "startupTimeoutMs: expected a whole number of "
                                            "milliseconds from 1000 to 60000"));
  g_clear_error (&error);
  g_assert_false (gmcp_settings_config_source_add_server (source, tuned, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (error->message, "“tuned”"));
  g_assert_nonnull (strstr (error->message, "idleTimeoutMs, maxCalls"));
  g_assert_nonnull (strstr (error->message, "mcp.json"));
  g_clear_error (&error);
  assert_servers (fixture, "");

  /* What is off may be half done. */
  g_assert_true (gmcp_settings_config_source_add_server (source, off, &error));
  g_assert_no_error (error);
  assert_servers (fixture, "off");
}

static void
test_set_and_remove (Fixture *fixture, gconstpointer data)
{
  GmcpSettingsConfigSource *source = GMCP_SETTINGS_CONFIG_SOURCE (fixture->source);
  g_autoptr (GSettings) server = open_server (fixture, "web");
  g_autoptr (GmcpServerConfig) web = make_config ("web", NULL);
  g_autoptr (GmcpServerConfig) changed = make_config ("web", "https://example.org/mcp");
  g_autoptr (GmcpServerConfig) tuned
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "web", "url", "https://example.org", "era",
                    GMCP_ERA_MODERN, NULL);
  g_autoptr (GmcpServerConfig) slow
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "web", "url", "https://example.org",
                    "call-timeout-ms", 10000, NULL);
  g_autoptr (GVariant) timeout = NULL;
  g_autoptr (GmcpServerConfig) usual
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "web", "url", "https://example.org",
                    "call-timeout-ms", 30000, NULL);
  g_autoptr (GVariant) usual_timeout = NULL;
  g_autoptr (GVariant) no_timeout = NULL;
  g_autoptr (GVariant) command = NULL;
  g_autoptr (GVariant) url = NULL;
  g_autoptr (GVariant) after = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_settings_config_source_set_server (source, web, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_clear_error (&error);
  g_assert_false (gmcp_settings_config_source_remove_server (source, "web", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_clear_error (&error);

  g_assert_true (gmcp_settings_config_source_add_server (source, web, &error));
  g_assert_false (gmcp_settings_config_source_set_server (source, tuned, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (error->message, "protocolEra"));
  g_clear_error (&error);
  g_assert_true (gmcp_settings_config_source_set_server (source, changed, &error));
  g_assert_no_error (error);
  command = g_settings_get_user_value (server, "command");
  g_assert_null (command);
  url = g_settings_get_user_value (server, "url");
  g_assert_nonnull (url);

  g_test_message ("a time is reset where the server has none of its own");
  g_assert_true (gmcp_settings_config_source_set_server (source, slow, &error));
  g_assert_no_error (error);
  timeout = g_settings_get_user_value (server, "call-timeout-ms");
  g_assert_nonnull (timeout);
  g_test_message ("also what the schema has by default, since that stands for what holds for all");
  g_assert_true (gmcp_settings_config_source_set_server (source, usual, &error));
  g_assert_no_error (error);
  usual_timeout = g_settings_get_user_value (server, "call-timeout-ms");
  g_assert_nonnull (usual_timeout);
  g_assert_cmpuint (g_variant_get_uint32 (usual_timeout), ==, 30000);
  g_assert_true (gmcp_settings_config_source_set_server (source, changed, &error));
  g_assert_no_error (error);
  no_timeout = g_settings_get_user_value (server, "call-timeout-ms");
  g_assert_null (no_timeout);

  g_assert_true (gmcp_settings_config_source_remove_server (source, "web", &error));
  g_assert_no_error (error);
  assert_servers (fixture, "");
  after = g_settings_get_user_value (server, "url");
  g_assert_null (after);

  g_test_message ("what is no id can be taken out of the list");
  set_servers (fixture, "no id!", "web", NULL);
  g_assert_true (gmcp_settings_config_source_remove_server (source, "no id!", &error));
  g_assert_no_error (error);
  assert_servers (fixture, "web");
}

/* A list that names it is enough for a server that has its keys. */
static void
test_plain_keys (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) local = open_server (fixture, "local");
  g_autoptr (GSettings) remote = open_server (fixture, "remote");
  g_autoptr (GSettings) both = open_server (fixture, "both");
  const char *const ids[] = { "local", "remote", "both", NULL };
  const char *const argv[] = { "mcp-web", NULL };
  g_autoptr (GmcpServerConfig) config = NULL;
  GListModel *findings;
  g_autoptr (GmcpConfigFinding) finding = NULL;

  g_settings_set_strv (local, "command", argv);
  g_settings_set_string (remote, "url", "https://example.org/mcp");
  g_settings_set_strv (both, "command", argv);
  g_settings_set_string (both, "url", "https://example.org/mcp");
  g_settings_set_strv (fixture->manager, "servers", ids);
  load (fixture->source);

  config = g_list_model_get_item (fixture->servers, 0);
  g_assert_true (gmcp_server_config_is_enabled (config));
  g_assert_cmpint (gmcp_server_config_get_transport (config), ==, GMCP_SERVER_TRANSPORT_STDIO);
  g_clear_object (&config);
  config = g_list_model_get_item (fixture->servers, 1);
  g_assert_true (gmcp_server_config_is_enabled (config));
  g_assert_cmpint (gmcp_server_config_get_transport (config), ==, GMCP_SERVER_TRANSPORT_HTTP);

  findings = gmcp_config_source_get_findings (fixture->source);
  g_assert_cmpuint (g_list_model_get_n_items (findings), ==, 1);
  finding = g_list_model_get_item (findings, 0);
  g_assert_nonnull (strstr (gmcp_config_finding_get_key_path (finding), "both/transport"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("empty", test_empty);
  ADD ("every-key", test_every_key);
  ADD ("add-and-remove", test_add_and_remove);
  ADD ("change", test_change);
  ADD ("bad-ids", test_bad_ids);
  ADD ("findings", test_findings);
  ADD ("many", test_many);
  ADD ("add", test_add);
  ADD ("add-bad", test_add_bad);
  ADD ("set-and-remove", test_set_and_remove);
  ADD ("plain-keys", test_plain_keys);
  g_test_add_func ("/manager/settings-source/wrong-types", test_wrong_types);
  g_test_add_func ("/manager/settings-source/own-context", test_own_context);
  g_test_add_func ("/manager/settings-source/enums", test_enums);
  g_test_add_func ("/manager/settings-source/documented", test_documented);
  g_test_add_data_func ("/manager/settings-source/no-schema", GINT_TO_POINTER (FALSE),
                        test_without_schema);
  g_test_add_data_func ("/manager/settings-source/own-schema", GINT_TO_POINTER (TRUE),
                        test_without_schema);
  return g_test_run ();
}
