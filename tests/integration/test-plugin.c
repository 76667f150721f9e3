/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include <gmcp/gmcp.h>

#include "../unit/fixtures/set-file.h"

#define PYTHON "/usr/bin/python3"

static gboolean
iterate_until (gboolean *done)
{
  while (!*done)
    g_main_context_iteration (NULL, TRUE);
  return TRUE;
}

static char *
get_script (void)
{
  return g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
}

static GmcpToolProvider *
find_provider (const char *config_file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = config_file != NULL ? g_file_new_for_path (config_file) : NULL;
  g_autoptr (GPtrArray) providers = gmcp_load_tool_providers (NULL, file, &error);
  GmcpToolProvider *provider = NULL;

  g_assert_no_error (error);
  for (guint i = 0; i < providers->len; i++)
    if (g_str_equal (G_OBJECT_TYPE_NAME (g_ptr_array_index (providers, i)), "GmcpToolsProvider"))
      provider = g_object_ref (g_ptr_array_index (providers, i));

  g_assert_nonnull (provider);
  return provider;
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
load (GmcpToolProvider *provider)
{
  gboolean done = FALSE;

  gmcp_tool_provider_load_async (provider, NULL, on_loaded, &done);
  iterate_until (&done);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (object), result, NULL));
  *(gboolean *) data = TRUE;
}

static void
drop (GmcpToolProvider *provider)
{
  gboolean done = FALSE;

  gmcp_tool_provider_close_async (provider, NULL, on_closed, &done);
  iterate_until (&done);
  g_assert_finalize_object (provider);
}

typedef struct
{
  gboolean done;
  char *text;
} Call;

static void
on_called (GObject *object, GAsyncResult *result, gpointer data)
{
  Call *call = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) tool_result
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (object), result, &error);

  g_assert_no_error (error);
  call->text = gmcp_tool_result_dup_text (tool_result);
  call->done = TRUE;
}

static void
assert_echoes (GmcpToolProvider *provider, const char *name)
{
  Call call = { FALSE, NULL };

  gmcp_tool_provider_call_tool_json_async (provider, name, "{\"text\": \"hello\"}", NULL, NULL,
                                           on_called, &call);
  iterate_until (&call.done);
  g_assert_cmpstr (call.text, ==, "{\"text\": \"hello\"}");
  g_free (call.text);
}

static void
assert_listed (GmcpToolProvider *provider, guint n_tools, const char *first)
{
  GListModel *tools = gmcp_tool_provider_get_tools (provider);
  g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, 0);

  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, n_tools);
  if (n_tools > 0)
    g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (tool)), ==, first);
}

typedef struct
{
  char *dir;
  char *config;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *script = get_script ();
  g_autofree char *text = g_strdup_printf (
    "{\"mcpServers\":{\"file\":{\"command\":\"%s\",\"args\":[\"-S\",\"%s\"]}}}", PYTHON, script);

  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->config = g_build_filename (fixture->dir, "mcp.json", NULL);
  g_assert_true (g_file_set_contents (fixture->config, text, -1, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->config);
  g_rmdir (fixture->dir);
  g_free (fixture->config);
  g_free (fixture->dir);
}

static void
test_file (Fixture *fixture, gconstpointer data)
{
  GmcpToolProvider *provider = find_provider (fixture->config);

  g_test_summary ("a host loads the module and calls a tool of a server from a file");
  assert_listed (provider, 0, NULL);
  load (provider);
  assert_listed (provider, 1, "file__echo");
  assert_echoes (provider, "file__echo");
  assert_echoes (provider, "file.echo");
  drop (provider);
}

static void
test_twice (Fixture *fixture, gconstpointer data)
{
  GmcpToolProvider *first = find_provider (fixture->config);
  GmcpToolProvider *second = find_provider (fixture->config);
  GmcpToolProvider *third;

  g_test_summary ("two providers of the one module live side by side, and after each other");
  g_assert_true (G_OBJECT_TYPE (first) == G_OBJECT_TYPE (second));
  load (first);
  load (second);
  assert_echoes (second, "file__echo");
  drop (first);
  assert_echoes (second, "file__echo");
  drop (second);
  third = find_provider (fixture->config);
  assert_echoes (third, "file__echo");
  drop (third);
}

static void
on_items_changed (GListModel *tools, guint position, guint removed, guint added, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
test_settings (void)
{
  GmcpToolProvider *provider = find_provider (NULL);
  GListModel *tools = gmcp_tool_provider_get_tools (provider);
  g_autoptr (GSettings) manager = g_settings_new ("org.gmcp.Manager");
  g_autoptr (GSettings) server
    = g_settings_new_with_path ("org.gmcp.Server", "/org/gmcp/servers/live/");
  g_autofree char *script = get_script ();
  const char *const argv[] = { PYTHON, "-S", script, NULL };
  const char *const ids[] = { "live", NULL };
  gboolean changed = FALSE;

  g_test_summary (
    "nothing is configured at first; a server that is added to the settings is there");
  load (provider);
  assert_listed (provider, 0, NULL);

  g_signal_connect (tools, "items-changed", G_CALLBACK (on_items_changed), &changed);
  g_settings_set_strv (server, "command", argv);
  g_settings_set_boolean (server, "enabled", TRUE);
  g_settings_set_strv (manager, "servers", ids);
  iterate_until (&changed);
  assert_listed (provider, 1, "live__echo");
  assert_echoes (provider, "live__echo");

  changed = FALSE;
  g_settings_reset (manager, "servers");
  iterate_until (&changed);
  assert_listed (provider, 0, NULL);
  drop (provider);
}

static void
test_file_alone (Fixture *fixture, gconstpointer data)
{
  GmcpToolProvider *provider = find_provider (fixture->config);
  g_autoptr (GSettings) manager = g_settings_new ("org.gmcp.Manager");
  const char *const ids[] = { "other", NULL };

  g_test_summary ("with a file the settings are not looked at");
  g_settings_set_strv (manager, "servers", ids);
  g_settings_set_string (manager, "tool-name-style", "bare");
  load (provider);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (provider)), ==, 1);
  assert_listed (provider, 1, "file__echo");
  g_settings_reset (manager, "servers");
  g_settings_reset (manager, "tool-name-style");
  drop (provider);
}

/* A host that knows GIO only, and scans the folder by itself, before and after the library does. */
static void
test_plain_gio (Fixture *fixture, gconstpointer data)
{
  const char *folder = g_getenv ("GMCP_MODULE_PATH");
  GIOExtensionPoint *point;
  GIOExtension *extension;
  GmcpToolProvider *provider;
  GmcpToolProvider *other;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }

  gmcp_tool_provider_register_extension_point ();
  g_io_modules_scan_all_in_directory (folder);
  point = g_io_extension_point_lookup (GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME);
  extension = g_io_extension_point_get_extension_by_name (point, "gmcp");
  g_assert_nonnull (extension);
  g_assert_cmpint (g_io_extension_get_priority (extension), ==, 10);
  provider = g_object_new (g_io_extension_get_type (extension), NULL);
  set_file (provider, "config-file", fixture->config);
  g_object_set (provider, "host", "org.example.Host", NULL);
  assert_echoes (provider, "file__echo");

  other = find_provider (fixture->config);
  g_assert_true (G_OBJECT_TYPE (other) == G_OBJECT_TYPE (provider));
  g_io_modules_scan_all_in_directory (folder);
  g_assert_cmpuint (g_list_length (g_io_extension_point_get_extensions (point)), ==, 1);
  assert_echoes (other, "file__echo");
  drop (provider);
  drop (other);
}

static void
test_no_schema (void)
{
  static const char *const names[]
    = { "XDG_DATA_DIRS", "XDG_DATA_HOME", "GSETTINGS_SCHEMA_DIR", "GMCP_SCHEMA_DIR" };
  char *values[G_N_ELEMENTS (names)];
  g_autofree char *empty = NULL;

  g_test_summary ("without an installed schema the list is empty, and the host lives");
  if (g_test_subprocess ())
    {
      GmcpToolProvider *provider = find_provider (NULL);

      load (provider);
      assert_listed (provider, 0, NULL);
      drop (provider);
      return;
    }

  empty = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      values[i] = g_strdup (g_getenv (names[i]));
      g_setenv (names[i], empty, TRUE);
    }
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

#define ADD(path, func) g_test_add ("/plugin/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("file", test_file);
  ADD ("twice", test_twice);
  ADD ("file-alone", test_file_alone);
  ADD ("plain-gio", test_plain_gio);
  g_test_add_func ("/plugin/settings", test_settings);
  g_test_add_func ("/plugin/no-schema", test_no_schema);
  return g_test_run ();
}
