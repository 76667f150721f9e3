/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "gmcp-gateway-command-private.h"
#include "gmcp-limits.h"

#include <gmcp/config/import/gmcp-config-import.h>
#include <gmcp/config/import/gmcp-program-connection.h>
#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

#define EXECUTABLE "/opt/gmcp/bin/gmcp"

typedef struct
{
  char *folder;
  char *path;
  GmcpProgramConnection *connection;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("gmcp-connection-XXXXXX", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->path);
  if (fixture->connection != NULL)
    g_assert_finalize_object (fixture->connection);
}

static void
store (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static GAsyncResult *
wait (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

static gboolean
load (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_program_connection_load_async (fixture->connection, NULL, store, &result);
  return gmcp_program_connection_load_finish (fixture->connection, wait (&result), error);
}

static gboolean
connect_program (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_program_connection_connect_async (fixture->connection, NULL, store, &result);
  return gmcp_program_connection_connect_finish (fixture->connection, wait (&result), error);
}

static gboolean
disconnect_program (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_program_connection_disconnect_async (fixture->connection, NULL, store, &result);
  return gmcp_program_connection_disconnect_finish (fixture->connection, wait (&result), error);
}

/* A connection of the program whose file holds the text, or is not there. */
static void
begin (Fixture *fixture, const char *program, const char *text)
{
  g_autoptr (GFile) file = NULL;

  if (fixture->connection != NULL)
    g_assert_finalize_object (fixture->connection);
  g_free (fixture->path);
  fixture->path = g_build_filename (fixture->folder, program, NULL);
  if (text != NULL)
    g_assert_true (g_file_set_contents (fixture->path, text, -1, NULL));
  file = g_file_new_for_path (fixture->path);
  fixture->connection = gmcp_program_connection_new (program, file);
  gmcp_program_connection_set_executable (fixture->connection, EXECUTABLE);
}

static void
begin_loaded (Fixture *fixture, const char *program, const char *text)
{
  g_autoptr (GError) error = NULL;

  begin (fixture, program, text);
  load (fixture, &error);
  g_assert_no_error (error);
}

static void
assert_state (Fixture *fixture, GmcpProgramConnectionState state)
{
  g_assert_cmpint (gmcp_program_connection_get_state (fixture->connection), ==, state);
}

static void
assert_holds (const char *path, const char *text)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, text);
}

static char *
preview (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  char *text = gmcp_program_connection_preview_connect (fixture->connection, &error);

  g_assert_no_error (error);
  return text;
}

/* Connected, read again by a new connection, and disconnected: byte for byte what was before. */
static void
check_round (Fixture *fixture, const char *program, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *shown = NULL;

  begin_loaded (fixture, program, text);
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_ABSENT);
  shown = preview (fixture);
  g_assert_nonnull (strstr (shown, "\n+"));
  assert_holds (fixture->path, text);
  connect_program (fixture, &error);
  g_assert_no_error (error);
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_CONNECTED);
  assert_holds (g_file_peek_path (gmcp_program_connection_get_backup_file (fixture->connection)),
                text);

  begin_loaded (fixture, program, NULL);
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_CONNECTED);
  g_assert_cmpstr (gmcp_program_connection_get_entry_name (fixture->connection), ==, "gmcp");
  g_assert_cmpstr (gmcp_program_connection_get_entry_command (fixture->connection)[0], ==,
                   EXECUTABLE);
  g_free (shown);
  shown = preview (fixture);
  g_assert_cmpstr (shown, ==, "");
  disconnect_program (fixture, &error);
  g_assert_no_error (error);
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_ABSENT);
  assert_holds (fixture->path, text);
}

static const char *
get_sample (const char *program)
{
  if (g_str_equal (program, "codex"))
    return "model = \"o\" # mine\n\n[mcp_servers.web]\ncommand = 'web'\n\n[mcp_servers.web.env]\nA = "
           "'b'\n\n[projects.\"/home/me\"]\ntrust_level = \"trusted\"\n";
  if (g_str_equal (program, "goose"))
    return "GOOSE_PROVIDER: x # mine\nextensions:\n  web:\n    enabled: true\n    type: stdio\n    "
           "name: web\n    cmd: web\n    args: []\n\n# the end\nGOOSE_MODEL: y\n";
  if (g_str_equal (program, "vscode"))
    return "{\n\t// mine\n\t\"servers\": {\n\t\t\"web\": {\"command\": \"web\"} // w\n\t},\n\t\"inputs\": "
           "[],\n}";
  if (g_str_equal (program, "zed"))
    return "// Zed\n{\n  \"theme\": \"One\",\n  \"context_servers\": {\n    \"web\": {\"source\": "
           "\"custom\", \"command\": \"web\"},\n  },\n}\n";
  if (g_str_equal (program, "opencode"))
    return "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n    \"web\": "
           "{\"type\": \"local\", \"command\": [\"web\"], \"enabled\": true}\n  }\n}\n";
  return "{\n    \"mcpServers\": {\n        \"web\": {\n            \"command\": \"web\"\n        }\n  "
         "  },\n    \"other\": {\"a\": [1, 2]}\n}\n";
}

static gboolean
is_supported (const char *program)
{
#ifndef HAVE_YAML
  if (g_str_equal (program, "goose"))
    return FALSE;
#endif
  return TRUE;
}

static void
test_rounds (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();

  g_assert_cmpuint (g_strv_length (programs), ==, 12);
  for (gsize i = 0; programs[i] != NULL; i++)
    {
      /* What is no server, no map, no file with anything in it, and without an end of the last line. */
      const char *const json[]
        = { "{}", "{\"theme\": \"dark\"}", " \n", "{\"a\": {\"b\": 1} }\n\n" };
      const char *const toml[] = { "a = 1", "# mine\n", "", "a = 1\n[b]\n\n\n" };
      const char *const yaml[] = { "a: 1", "# mine\n", "", "extensions: {} # none\nb: 1\n" };
      const char *const *more = g_str_equal (programs[i], "codex")   ? toml
                                : g_str_equal (programs[i], "goose") ? yaml
                                                                     : json;

      if (!is_supported (programs[i]))
        continue;
      check_round (fixture, programs[i], get_sample (programs[i]));
      for (gsize k = 0; k < G_N_ELEMENTS (json); k++)
        check_round (fixture, programs[i], more[k]);
    }
}

/* How each program writes a command. */
static void
test_formats (Fixture *fixture, gconstpointer data)
{
  static const char *const parts[][2] = {
    { "claude-desktop", "\"command\": \"" EXECUTABLE "\",\n      \"args\": [\"gateway\"]" },
    { "vscode", "\"type\": \"stdio\"" },
    { "zed", "\"source\": \"custom\"" },
    { "opencode", "\"command\": [\"" EXECUTABLE "\", \"gateway\"]" },
    { "opencode", "\"type\": \"local\"" },
    { "codex", "[mcp_servers.gmcp]\ncommand = \"" EXECUTABLE "\"\nargs = [\"gateway\"]\n" },
#ifdef HAVE_YAML
    { "goose", "cmd: \"" EXECUTABLE "\"\n" },
    { "goose", "enabled: true\n" },
#endif
  };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *contents = NULL;

      begin_loaded (fixture, parts[i][0], NULL);
      g_assert_false (gmcp_program_connection_has_file (fixture->connection));
      connect_program (fixture, &error);
      g_assert_no_error (error);
      g_assert_true (gmcp_program_connection_has_file (fixture->connection));
      g_assert_null (gmcp_program_connection_get_backup_file (fixture->connection));
      g_assert_true (g_file_get_contents (fixture->path, &contents, NULL, NULL));
      if (strstr (contents, parts[i][1]) == NULL)
        g_error ("%s: %s", parts[i][0], contents);
      g_assert_cmpint (g_unlink (fixture->path), ==, 0);
    }
}

/* Another path, another role, a switch that is off: it is the gateway, and is made as it is to be. */
static void
test_changed (Fixture *fixture, gconstpointer data)
{
  static const char *const role[] = { "--role", "review", NULL };
  g_autoptr (GError) error = NULL;

  begin_loaded (
    fixture, "cline",
    "{\"mcpServers\": {\n  \"all\": {\"command\": \"/old/gmcp\", \"args\": [\"gateway\"], "
    "\"disabled\": true, \"timeout\": 5},\n  \"web\": {\"command\": \"web\"}}}");
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_CHANGED);
  g_assert_cmpstr (gmcp_program_connection_get_entry_name (fixture->connection), ==, "all");
  g_assert_cmpstr (gmcp_program_connection_get_other_names (fixture->connection)[0], ==, "web");
  gmcp_program_connection_set_arguments (fixture->connection, role);
  connect_program (fixture, &error);
  g_assert_no_error (error);
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_CONNECTED);
  assert_holds (
    fixture->path,
    "{\"mcpServers\": {\n  \"all\": {\n    \"command\": \"" EXECUTABLE
    "\",\n    \"args\": [\"gateway\", \"--role\", \"review\"],\n    \"disabled\": false,\n "
    "   \"timeout\": 5\n  },\n  \"web\": {\"command\": \"web\"}}}");

  /* What was there before the gateway was is not known. */
  gmcp_program_connection_set_arguments (fixture->connection, NULL);
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_CHANGED);
  disconnect_program (fixture, &error);
  g_assert_no_error (error);
  assert_holds (fixture->path, "{\"mcpServers\": {\n  \"web\": {\"command\": \"web\"}}}");
}

/* What was changed by hand between the two stays. */
static void
test_changed_between (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  g_autofree char *edited = NULL;

  begin_loaded (fixture, "cursor",
                "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"a\"}\n  }\n}\n");
  connect_program (fixture, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (fixture->path, &contents, NULL, NULL));
  edited = g_strconcat ("// mine\n", contents, NULL);
  begin_loaded (fixture, "cursor", edited);
  disconnect_program (fixture, &error);
  g_assert_no_error (error);
  assert_holds (fixture->path,
                "// mine\n{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"a\"}\n  }\n}\n");
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  static const char text[]
    = "{\"mcpServers\": {\"gmcp\": {\"command\": \"git-mcp\"}, \"b\": {\"command\": "
      "\"env\", \"args\": [\"gmcp\", \"-c\", \"x\", \"gateway\"]}}}";
  g_autoptr (GError) error = NULL;
  g_autofree char *shown = NULL;

  /* The gateway is found by what it starts. */
  begin_loaded (fixture, "gemini", text);
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_CHANGED);
  g_assert_cmpstr (gmcp_program_connection_get_entry_name (fixture->connection), ==, "b");

  /* A name that was given is that of no other server. */
  gmcp_program_connection_set_name (fixture->connection, "gmcp");
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_NAME_TAKEN);
  shown = gmcp_program_connection_preview_connect (fixture->connection, &error);
  g_assert_null (shown);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (connect_program (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (disconnect_program (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  assert_holds (fixture->path, text);

  gmcp_program_connection_set_name (fixture->connection, "c d");
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_ABSENT);
  connect_program (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_program_connection_get_entry_name (fixture->connection), ==, "c d");
  disconnect_program (fixture, &error);
  g_assert_no_error (error);
  assert_holds (fixture->path, text);
}

/* What has the name may be no server at all. */
static void
test_no_server (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  begin_loaded (fixture, "cursor", "{\"mcpServers\": {\"gmcp\": 5}}");
  assert_state (fixture, GMCP_PROGRAM_CONNECTION_STATE_NAME_TAKEN);
  g_assert_false (connect_program (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

static void
test_changed_meanwhile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  begin_loaded (fixture, "cursor", "{}");
  g_assert_true (g_file_set_contents (fixture->path, "{ }", -1, NULL));
  g_assert_false (connect_program (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  assert_holds (fixture->path, "{ }");
}

static void
test_bad_files (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[][2] = {
    { "cursor", "{\"mcpServers\": {" },  { "cursor", "[]" },
    { "cursor", "{\"mcpServers\": 7}" }, { "cursor", "\xff\xfe{}" },
    { "codex", "[mcp_servers.gmcp" },    { "codex", "a = 1\na = 2\n" },
#ifdef HAVE_YAML
    { "goose", "extensions: [" },        { "goose", "a: &x *x\n" },
#endif
  };
  g_autofree char *large = g_strnfill (GMCP_LIMIT_CONFIG_FILE_BYTES + 1, ' ');
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) problem = NULL;

      begin (fixture, texts[i][0], texts[i][1]);
      if (load (fixture, &problem))
        connect_program (fixture, &problem);
      g_assert_error (problem, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (problem->message, fixture->path));
      assert_holds (fixture->path, texts[i][1]);
    }

  begin (fixture, "cursor", large);
  g_assert_false (load (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_clear_error (&error);
  g_assert_false (connect_program (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  begin (fixture, "emacs", NULL);
  g_assert_false (load (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

/* What the program gives to others is not shown. */
static void
test_secrets (Fixture *fixture, gconstpointer data)
{
  g_autofree char *shown = NULL;

  begin_loaded (fixture, "cursor",
                "{\"mcpServers\": {\"web\": {\"command\": \"web\", \"env\": {\"API_KEY\": "
                "\"mellon-speak-friend\"}}}}");
  shown = preview (fixture);
  g_assert_nonnull (strstr (shown, "API_KEY"));
  g_assert_null (strstr (shown, "mellon"));
}

static void
test_commands (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *words[7];
    gboolean is_gateway;
  } commands[] = {
    { { "gmcp", "gateway" }, TRUE },
    { { "/opt/x/gmcp", "-c", "f", "--host=x", "gateway", "--search" }, TRUE },
    { { "env", "A=b", "gmcp", "gateway" }, TRUE },
    { { "flatpak-spawn", "--host", "gmcp", "--config", "f", "gateway" }, TRUE },
    { { "gmcp", "shell", "gateway" }, FALSE },
    { { "gmcp" }, FALSE },
    { { "gmcp", "-c", "gateway" }, FALSE },
    { { "gmcp-tasks", "gateway" }, FALSE },
    { { "mcp-gateway", "gateway" }, FALSE },
    { { NULL }, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_assert_cmpint (gmcp_is_gateway_command (commands[i].words), ==, commands[i].is_gateway);
  g_assert_false (gmcp_is_gateway_command (NULL));
  g_assert_false (gmcp_gateway_command_has_file (commands[0].words));
  g_assert_true (gmcp_gateway_command_has_file (commands[1].words));
  g_assert_true (gmcp_gateway_command_has_file (commands[3].words));

  /* A path is full unless every program finds just that. */
  begin (fixture, "cursor", NULL);
  {
    g_auto (GStrv) command = gmcp_program_connection_dup_command (fixture->connection);

    g_assert_cmpstr (command[0], ==, EXECUTABLE);
    g_assert_cmpstr (command[1], ==, "gateway");
    g_assert_null (command[2]);
  }
}

static GPtrArray *
find (const char *program, GFile *folder, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_program_connection_find_async (program, folder, NULL, store, &result);
  return gmcp_program_connection_find_finish (wait (&result), error);
}

static void
make_folder (const char *base, const char *name)
{
  g_autofree char *path = g_build_filename (base, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = find (NULL, NULL, &error);
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->folder);
  g_autofree char *file = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 0);
  g_clear_pointer (&found, g_ptr_array_unref);

  make_folder (g_get_user_config_dir (), "opencode");
  make_folder (g_get_home_dir (), ".claude");
  found = find (NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 2);
  file = g_file_get_path (gmcp_program_connection_get_file (g_ptr_array_index (found, 0)));
  g_assert_true (g_str_has_suffix (file, "/.claude.json"));
  g_free (file);
  file = g_file_get_path (gmcp_program_connection_get_file (g_ptr_array_index (found, 1)));
  g_assert_true (g_str_has_suffix (file, "/opencode/opencode.json"));
  g_clear_pointer (&found, g_ptr_array_unref);

  /* The file that is there comes before the one that might be. */
  g_free (file);
  file = g_build_filename (g_get_user_config_dir (), "opencode", "opencode.jsonc", NULL);
  g_assert_true (g_file_set_contents (file, "{}", -1, NULL));
  found = find ("opencode", NULL, &error);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpstr (
    g_file_peek_path (gmcp_program_connection_get_file (g_ptr_array_index (found, 0))), ==, file);
  g_clear_pointer (&found, g_ptr_array_unref);

  /* In a project what is there, or what was named. */
  found = find (NULL, folder, &error);
  g_assert_cmpuint (found->len, ==, 0);
  g_clear_pointer (&found, g_ptr_array_unref);
  found = find ("cursor", folder, &error);
  g_assert_cmpuint (found->len, ==, 1);
  g_clear_pointer (&found, g_ptr_array_unref);
  found = find ("goose", folder, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 0);
  g_clear_pointer (&found, g_ptr_array_unref);
  found = find ("emacs", NULL, &error);
  g_assert_null (found);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/config/program-connection/rounds", test_rounds);
  ADD ("/config/program-connection/formats", test_formats);
  ADD ("/config/program-connection/changed", test_changed);
  ADD ("/config/program-connection/changed-between", test_changed_between);
  ADD ("/config/program-connection/names", test_names);
  ADD ("/config/program-connection/no-server", test_no_server);
  ADD ("/config/program-connection/changed-meanwhile", test_changed_meanwhile);
  ADD ("/config/program-connection/bad-files", test_bad_files);
  ADD ("/config/program-connection/secrets", test_secrets);
  ADD ("/config/program-connection/commands", test_commands);
  ADD ("/config/program-connection/find", test_find);
  return g_test_run ();
}
