/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "gmcp-config-edit-private.h"
#include "gmcp-limits.h"
#include "gmcp-settings-schema-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/import/gmcp-config-import.h>

#include "unit-test.h"

typedef struct
{
  char *folder;
  GSettingsBackend *backend;
  GmcpConfigImport *import;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("gmcp-import-XXXXXX", NULL);
  fixture->backend = g_memory_settings_backend_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  if (fixture->import != NULL)
    g_assert_finalize_object (fixture->import);
  g_assert_finalize_object (fixture->backend);
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

  gmcp_config_import_load_async (fixture->import, NULL, store, &result);
  return gmcp_config_import_load_finish (fixture->import, wait (&result), error);
}

static gboolean
apply (Fixture *fixture, const char *id, GError **error)
{
  const char *const ids[] = { id, NULL };
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_config_import_apply_async (fixture->import, id != NULL ? ids : NULL, NULL, store, &result);
  return gmcp_config_import_apply_finish (fixture->import, wait (&result), error);
}

static char *
write_file (Fixture *fixture, const char *name, const char *text)
{
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* target is a file's name, or NULL for the settings. */
static void
begin (Fixture *fixture, const char *program, const char *path, const char *target)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *target_path = g_build_filename (fixture->folder, target, NULL);
  g_autoptr (GFile) target_file = target != NULL ? g_file_new_for_path (target_path) : NULL;

  if (fixture->import != NULL)
    g_assert_finalize_object (fixture->import);
  fixture->import = g_object_new (GMCP_TYPE_CONFIG_IMPORT, "program", program, "file", file,
                                  "backend", fixture->backend, NULL);
  g_assert_null (gmcp_config_import_get_target_file (fixture->import));
  gmcp_config_import_set_target_file (fixture->import, target_file);
}

static void
begin_text (Fixture *fixture, const char *name, const char *text, const char *target)
{
  g_autofree char *path = write_file (fixture, name, text);
  g_autoptr (GError) error = NULL;

  begin (fixture, NULL, path, target);
  load (fixture, &error);
  g_assert_no_error (error);
}

static GmcpConfigImportItem *
get_item (Fixture *fixture, const char *name)
{
  GListModel *items = gmcp_config_import_get_items (fixture->import);

  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);

      if (g_str_equal (gmcp_config_import_item_get_name (item), name))
        return item;
    }
  g_assert_not_reached ();
}

static void
assert_words (const char *const *words, const char *expected)
{
  g_autofree char *joined = g_strjoinv ("|", (char **) words);

  g_assert_cmpstr (joined, ==, expected);
}

/* All that is said about an item, in one text. */
static char *
describe (GmcpConfigImportItem *item)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpServerConfig *config = gmcp_config_import_item_get_config (item);
  g_autofree char *secrets = g_strjoinv (" ", (char **) gmcp_config_import_item_get_secrets (item));
  g_autofree char *argv = NULL;
  g_autofree char *environment = NULL;
  g_autofree char *headers = NULL;

  if (config == NULL)
    return g_strdup_printf ("! %s", gmcp_config_import_item_get_problem (item));

  argv = g_strjoinv (" ", (char **) gmcp_server_config_get_argv (config));
  environment = g_strjoinv (" ", (char **) gmcp_server_config_get_environment (config));
  headers = g_strjoinv (" ", (char **) gmcp_server_config_get_headers (config));
  g_string_append_printf (
    text, "%s|%s|%s|%s%s%s", gmcp_server_config_is_enabled (config) ? "on" : "off",
    gmcp_server_config_get_transport (config) == GMCP_SERVER_TRANSPORT_STDIO  ? argv
    : gmcp_server_config_get_transport (config) == GMCP_SERVER_TRANSPORT_HTTP ? "http"
                                                                              : "sse",
    environment,
    gmcp_server_config_get_url (config) != NULL ? gmcp_server_config_get_url (config) : "",
    *headers != '\0' ? " " : "", headers);
  if (gmcp_server_config_get_call_timeout_ms (config) > 0)
    g_string_append_printf (text, "|call %u", gmcp_server_config_get_call_timeout_ms (config));
  if (gmcp_server_config_get_startup_timeout_ms (config) > 0)
    g_string_append_printf (text, "|start %u", gmcp_server_config_get_startup_timeout_ms (config));
  if (*secrets != '\0')
    g_string_append_printf (text, "|secret %s", secrets);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const struct
{
  const char *file;
  const char *name;
  const char *expected;
} programs[] = {
  { "claude-desktop.json", "filesystem",
    "on|npx -y @modelcontextprotocol/server-filesystem /home/ada/Documents||" },
  { "claude-desktop.json", "weather",
    "on|uv --directory /home/ada/weather run weather.py --unit "
    "$${UNIT}|WEATHER_API_KEY=plain-weather-key||secret env.WEATHER_API_KEY" },
  { "claude-code.json", "github",
    "on|http||${GITHUB_MCP_URL:-https://mcp.example.com/github} Authorization Bearer "
    "${GITHUB_TOKEN}" },
  { "claude-code.json", "database", "on|npx -y @bytebase/dbhub --dsn ${DSN}|||call 60000" },
  { "claude-code.json", "events", "! type: expected “stdio”, “http” or “sse”" },
  { "claude-code.json", "asana", "on|sse||https://mcp.example.com/sse" },
  { "cursor.json", "local notes",
    "on|python ${workspaceFolder}/tools/notes.py|API_KEY=${env:NOTES_KEY}|" },
  { "cursor.json", "remote",
    "on|http||https://api.example.com/mcp X-Api-Key plain-remote-key|secret headers.X-Api-Key" },
  { "vscode.json", "perplexity",
    "on|docker run -i --rm -e PERPLEXITY_API_KEY "
    "mcp/perplexity-ask|PERPLEXITY_API_KEY=${input:perplexity-key}|" },
  { "vscode.json", "fetch", "on|http||https://api.example.com/mcp/" },
  { "zed.json", "local", "on|node server.js --stdio||" },
  { "zed.json", "older", "on|older-server one|LEVEL=2|" },
  { "zed.json", "remote",
    "on|http||https://mcp.example.com Authorization Bearer plain-zed-token|secret "
    "headers.Authorization" },
  { "zed.json", "from-extension", "! command: expected the name or path of a program" },
  { "gemini.json", "python",
    "on|python -m my_mcp_server --port 8080|API_KEY=${EXTERNAL_API_KEY:-} "
    "DATABASE_URL=${DB_CONNECTION_STRING:-} PRICE=5$||call 15000" },
  { "gemini.json", "stream", "on|http||http://localhost:3000/mcp Authorization Bearer ${TOKEN:-}" },
  { "gemini.json", "events", "on|sse||http://localhost:3001/sse" },
  { "codex.toml", "context7",
    "on|npx -y @upstash/context7-mcp|LOCAL_TOKEN=${LOCAL_TOKEN} MY_ENV_VAR=MY_ENV_VALUE||call "
    "45000|start 20000" },
  { "codex.toml", "figma",
    "off|http||https://mcp.example.com/figma Authorization Bearer ${FIGMA_OAUTH_TOKEN} X-Region "
    "us-east-1 X-Team ${FIGMA_TEAM}" },
  { "goose.yaml", "developer", "! type: expected “stdio”, “http” or “sse”" },
  { "goose.yaml", "memory-bank",
    "on|npx -y @modelcontextprotocol/server-memory|MEMORY_FILE_PATH=/home/ada/memory.json "
    "MEMORY_PASSPHRASE=${secret:MEMORY_PASSPHRASE}||call 300000" },
  { "goose.yaml", "remote", "off|http||https://mcp.example.com/goose|call 60000" },
  { "cline.json", "local",
    "on|node /path/to/server.js|API_KEY=plain-cline-key||call 60000|secret env.API_KEY" },
  { "cline.json", "remote",
    "off|http||https://mcp.example.com/cline Authorization Bearer plain-cline-token|secret "
    "headers.Authorization" },
  { "roo-code.json", "search", "on|http||https://mcp.example.com/roo|call 30000" },
  { "windsurf.json", "figma",
    "on|http||https://mcp.example.com/windsurf API_KEY Bearer ${env:AUTH_TOKEN}" },
  { "windsurf.json", "playwright", "off|npx -y @playwright/mcp||" },
  { "opencode.json", "everything",
    "on|npx -y @modelcontextprotocol/server-everything|MY_ENV_VAR=${MY_VAR:-}||start 5000" },
  { "opencode.json", "sentry",
    "! headers.X-Key: expected the value itself, as those of other files are not read" },
  { "opencode.json", "jira", "off|http||https://mcp.example.com/jira" },
};

static void
test_programs (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *path
        = g_test_build_filename (G_TEST_DIST, "data", "import", programs[i].file, NULL);
      g_autofree char *program = g_strndup (programs[i].file, strcspn (programs[i].file, "."));
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

#ifndef HAVE_YAML
      if (g_str_has_suffix (path, ".yaml"))
        continue;
#endif
      begin (fixture, program, path, NULL);
      load (fixture, &error);
      g_assert_no_error (error);
      g_assert_nonnull (gmcp_config_import_get_title (fixture->import));
      text = describe (get_item (fixture, programs[i].name));
      g_assert_cmpstr (text, ==, programs[i].expected);
    }
}

static void
test_ranges (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (
    fixture, "codex.toml", "[mcp_servers.a]\ncommand = \"b\"\nstartup_timeout_sec = 120\n");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a time that is too long here is left out, and said to be");
  begin (fixture, "codex", path, NULL);
  load (fixture, &error);
  g_assert_no_error (error);
  text = describe (get_item (fixture, "a"));
  g_assert_cmpstr (text, ==, "on|b||");
  assert_words (gmcp_config_import_item_get_notes (get_item (fixture, "a")),
                "startup_timeout_sec: expected a number of seconds from 1 to 60; the default holds "
                "instead");
}

static void
test_changes (Fixture *fixture, gconstpointer data)
{
  static const char first[]
    = "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":[\"-v\",\"two words\"],\"env\":{\"A\":\"plain-1\","
      "\"B\":\"plain-2\"}},\"b\":{\"url\":\"https://example.com/?token=plain-3\"}}}";
  static const char second[]
    = "{\"mcpServers\":{\"a\":{\"command\":\"y\",\"args\":[\"--token\",\"plain-4\",\"--api-key=plain-5\","
      "\"db://u:plain-6@host\",\"Abcd1234Efgh5678Ijkl\"],\"env\":{\"A\":\"plain-7\",\"C\":\"plain-8\"}},"
      "\"b\":{\"url\":\"https://example.org/\"}}}";
  g_autoptr (GError) error = NULL;

  g_test_summary ("what changes is said, without a secret");
  begin_text (fixture, "from.json", first, NULL);
  apply (fixture, NULL, &error);
  g_assert_no_error (error);
  begin_text (fixture, "from.json", second, NULL);
  assert_words (gmcp_config_import_item_get_notes (get_item (fixture, "a")),
                "command: x -v 'two words' → y --token [redacted] [redacted] [redacted] [redacted]|"
                "env: A, C, B");
  assert_words (gmcp_config_import_item_get_notes (get_item (fixture, "b")),
                "url: [redacted] → https://example.org/");
}

static void
test_guess (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *file;
    const char *text;
    const char *program;
  } cases[] = {
    { "claude_desktop_config.json", "{\"mcpServers\": {}}", NULL },
    { "settings.json", "{\"context_servers\": {\"a\": {\"command\": \"b\"}}}", "zed" },
    { "any.json", "{\"mcp\": {\"a\": {\"type\": \"local\", \"command\": [\"b\"]}}}", "opencode" },
    { "any.json", "{\"mcp\": {\"servers\": {\"a\": {\"command\": \"b\"}}}}", NULL },
    { "any.json", "{\"servers\": {\"a\": {\"command\": \"b\"}}}", NULL },
    { "any.toml", "[mcp_servers.a]\ncommand = \"b\"\n", NULL },
#ifdef HAVE_YAML
    { "any.yaml", "extensions: {a: {type: stdio, cmd: b, timeout: 3}}\n", "goose" },
#endif
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      begin_text (fixture, cases[i].file, cases[i].text, NULL);
      g_assert_cmpstr (gmcp_config_import_get_program (fixture->import), ==, cases[i].program);
      g_assert_cmpuint (g_list_model_get_n_items (gmcp_config_import_get_items (fixture->import)),
                        ==, strstr (cases[i].text, "{}") != NULL ? 0 : 1);
    }
}

static GSettings *
open_server (Fixture *fixture, const char *id)
{
  g_autofree char *path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", NULL);

  return g_settings_new_with_backend_and_path ("org.gmcp.Server", fixture->backend, path);
}

static void
test_settings (Fixture *fixture, gconstpointer data)
{
  static const char first[]
    = "{\"mcpServers\": {\"Web Search\": {\"command\": \"web\", \"args\": [\"-x\"],"
      " \"env\": {\"API_TOKEN\": \"t0p\"}}, \"other\": {\"url\": \"https://example.com/\"}}}";
  static const char second[]
    = "{\"mcpServers\": {\"Web Search\": {\"command\": \"web2\","
      " \"env\": {\"API_TOKEN\": \"t0p\"}}, \"other\": {\"url\": \"https://example.com/\"}}}";
  g_autoptr (GSettings) manager
    = g_settings_new_with_backend ("org.gmcp.Manager", fixture->backend);
  g_autoptr (GSettings) web = open_server (fixture, "web-search");
  g_autoptr (GError) error = NULL;
  GVariantBuilder builder;
  g_auto (GStrv) ids = NULL;
  g_auto (GStrv) argv = NULL;
  g_autofree char *title = NULL;
  GmcpConfigImportItem *item;

  begin_text (fixture, "from.json", first, NULL);
  item = get_item (fixture, "Web Search");
  g_assert_cmpstr (gmcp_config_import_item_get_id (item), ==, "web-search");
  g_assert_cmpint (gmcp_config_import_item_get_change (item), ==, GMCP_IMPORT_CHANGE_ADDED);
  assert_words (gmcp_config_import_item_get_fields (item), "command|env");
  assert_words (gmcp_config_import_item_get_secrets (item), "env.API_TOKEN");
  ids = g_settings_get_strv (manager, "servers");
  g_assert_cmpuint (g_strv_length (ids), ==, 0);

  apply (fixture, NULL, &error);
  g_assert_no_error (error);
  g_strfreev (ids);
  ids = g_settings_get_strv (manager, "servers");
  assert_words ((const char *const *) ids, "web-search|other");
  title = g_settings_get_string (web, "title");
  g_assert_cmpstr (title, ==, "Web Search");
  g_assert_true (g_settings_get_boolean (web, "enabled"));

  /* What only the user says, and what is in the keyring, stays. */
  g_settings_set_boolean (web, "trusted", TRUE);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_add (&builder, "{ss}", "API_TOKEN", "${secret:web}");
  g_settings_set_value (web, "environment", g_variant_builder_end (&builder));
  begin_text (fixture, "from.json", second, NULL);
  item = get_item (fixture, "Web Search");
  g_assert_cmpint (gmcp_config_import_item_get_change (item), ==, GMCP_IMPORT_CHANGE_CHANGED);
  assert_words (gmcp_config_import_item_get_fields (item), "command");
  assert_words (gmcp_config_import_item_get_secrets (item), "");
  item = get_item (fixture, "other");
  g_assert_cmpint (gmcp_config_import_item_get_change (item), ==, GMCP_IMPORT_CHANGE_SAME);

  apply (fixture, "web-search", &error);
  g_assert_no_error (error);
  argv = g_settings_get_strv (web, "command");
  assert_words ((const char *const *) argv, "web2");
  g_assert_true (g_settings_get_boolean (web, "trusted"));

  /* A preview that does not hold any more is not written. */
  begin_text (fixture, "from.json", first, NULL);
  g_settings_set_boolean (web, "trusted", FALSE);
  g_assert_false (apply (fixture, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
}

static void
test_unkept (Fixture *fixture, gconstpointer data)
{
  static const char text[]
    = "{\"mcpServers\": {\"web\": {\"command\": \"w\", \"maxCalls\": 3, \"noNetwork\": true,"
      " \"sandbox\": \"read-only-home\", \"maxMemoryMib\": 5, \"timeout\": 7000}}}";
  g_autoptr (GSettings) web = open_server (fixture, "web");
  g_autoptr (GError) error = NULL;
  GmcpConfigImportItem *item;
  const char *const *notes;

  g_test_summary ("what the settings cannot keep is said, each time, and a file can keep it");
  for (guint i = 0; i < 2; i++)
    {
      begin_text (fixture, "from.json", text, NULL);
      item = get_item (fixture, "web");
      g_assert_cmpint (gmcp_config_import_item_get_change (item), ==,
                       i == 0 ? GMCP_IMPORT_CHANGE_ADDED : GMCP_IMPORT_CHANGE_SAME);
      notes = gmcp_config_import_item_get_notes (item);
      g_assert_cmpuint (g_strv_length ((char **) notes), ==, 1);
      g_assert_nonnull (strstr (notes[0], "maxCalls, maxMemoryMib"));
      g_assert_nonnull (strstr (notes[0], "--to FILE"));
      g_assert_cmpuint (
        gmcp_server_config_get_max_calls (gmcp_config_import_item_get_config (item)), ==, 0);
      if (i == 0)
        assert_words (gmcp_config_import_item_get_fields (item),
                      "command|callTimeoutMs|sandbox|noNetwork");
      g_assert_true (apply (fixture, NULL, &error));
      g_assert_no_error (error);
    }
  g_assert_true (g_settings_get_boolean (web, "no-network"));
  g_assert_cmpuint (g_settings_get_uint (web, "call-timeout-ms"), ==, 7000);

  begin_text (fixture, "from.json", text, "to.json");
  item = get_item (fixture, "web");
  g_assert_cmpuint (g_strv_length ((char **) gmcp_config_import_item_get_notes (item)), ==, 0);
  g_assert_cmpuint (gmcp_server_config_get_max_calls (gmcp_config_import_item_get_config (item)),
                    ==, 3);
}

#ifdef HAVE_YAML
static void
test_sample (Fixture *fixture, gconstpointer data)
{
  static const char *const general[]
    = { "auto-start-default", "health-interval-ms", "startup-timeout-ms", "shutdown-timeout-ms",
        "log-directory" };
  g_autofree char *path
    = g_test_build_filename (G_TEST_DIST, "data", "config", "mcp_servers.yaml", NULL);
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_manager_schema (NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("the settings keep all that a common file of servers says");
  for (guint i = 0; i < 2; i++)
    {
      GListModel *items;

      begin (fixture, NULL, path, NULL);
      load (fixture, &error);
      g_assert_no_error (error);
      items = gmcp_config_import_get_items (fixture->import);
      g_assert_cmpuint (g_list_model_get_n_items (items), ==, 3);
      for (guint k = 0; k < 3; k++)
        {
          g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, k);

          g_assert_cmpint (gmcp_config_import_item_get_change (item), ==,
                           i == 0 ? GMCP_IMPORT_CHANGE_ADDED : GMCP_IMPORT_CHANGE_SAME);
          assert_words (gmcp_config_import_item_get_notes (item), "");
        }
      g_assert_true (apply (fixture, NULL, &error));
      g_assert_no_error (error);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (general); i++)
    g_assert_true (g_settings_schema_has_key (schema, general[i]));
}
#endif

static const struct
{
  const char *summary;
  const char *before;
  const char *after;
} edits[] = {
  { "no file", NULL,
    "{\n  \"mcpServers\": {\n    \"new\": {\n      \"command\": \"n\",\n      \"args\": [\"1\"]\n"
    "    }\n  }\n}\n" },
  { "an empty object", "{}",
    "{\n  \"mcpServers\": {\n    \"new\": {\n      \"command\": \"n\",\n"
    "      \"args\": [\"1\"]\n    }\n  }\n}" },
  { "in one line", "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}",
    "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\n  \"new\": {\n    \"command\": \"n\",\n"
    "    \"args\": [\"1\"]\n  }\n}}" },
  { "comments stay where they are",
    "// top\n{\n  \"other\": 1, // kept\n  \"mcpServers\": {\n    /* first */\n"
    "    \"a\": { \"command\": \"x\" /* , */ } // about a, really\n    // the end\n  }\n}\n// bye\n",
    "// top\n{\n  \"other\": 1, // kept\n  \"mcpServers\": {\n    /* first */\n"
    "    \"a\": { \"command\": \"x\" /* , */ }, // about a, really\n    \"new\": {\n"
    "      \"command\": \"n\",\n      \"args\": [\"1\"]\n    }\n    // the end\n  }\n}\n// bye\n" },
  { "a trailing comma",
    "{\n  \"mcpServers\": {\n    \"a\": { \"command\": \"x\" }, // a\n  },\n}\n",
    "{\n  \"mcpServers\": {\n    \"a\": { \"command\": \"x\" }, // a\n    \"new\": {\n"
    "      \"command\": \"n\",\n      \"args\": [\"1\"]\n    },\n  },\n}\n" },
  { "an empty map with a comment", "{ \"mcpServers\": { // none\n } }",
    "{ \"mcpServers\": { // none\n  \"new\": {\n    \"command\": \"n\",\n    \"args\": [\"1\"]\n"
    "  }\n } }" },
  { "a byte order mark", "\xef\xbb\xbf{}",
    "\xef\xbb\xbf{\n  \"mcpServers\": {\n    \"new\": {\n      \"command\": \"n\",\n"
    "      \"args\": [\"1\"]\n    }\n  }\n}" },
};

static void
test_edits (void)
{
  const char *const argv[] = { "n", "1", NULL };
  g_autoptr (GmcpServerConfig) config
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "new", "title", "new", "argv", argv, NULL);
  const GmcpConfigEdit edit = { "new", config, NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *before = edits[i].before;
      g_autofree char *after
        = gmcp_config_edit (GMCP_CONFIG_FORMAT_JSON, before, before != NULL ? strlen (before) : 0,
                            NULL, &edit, 1, &error);

      g_test_message ("%s", edits[i].summary);
      g_assert_no_error (error);
      g_assert_cmpstr (after, ==, edits[i].after);
    }
}

static void
test_edits_refused (void)
{
  static const char *const texts[] = {
    "{",
    "[]",
    "{\"mcpServers\": []}",
    "[{\"id\": \"a\", \"command\": \"b\"}]",
    "{\"mcpServers\": {\"n",
    /* It would be there twice. */
    "{\"servers\": {\"new\": {\"command\": \"x\"}}}",
  };
  const char *const argv[] = { "n", NULL };
  g_autoptr (GmcpServerConfig) config
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "new", "title", "new", "argv", argv, NULL);
  const GmcpConfigEdit edit = { "new", config, NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_config_edit (GMCP_CONFIG_FORMAT_JSON, texts[i], strlen (texts[i]), NULL,
                                       &edit, 1, &error));
      g_assert_nonnull (error);
    }
}

static char *
read_file (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
test_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (
    fixture, "real.json",
    "{ // mine\n  \"mcpServers\": {\n    \"A\": { \"command\": \"x\", \"mine\": [1, 2],"
    " \"timeout\": 7, \"args\": [] },\n"
    "    \"b\": { \"command\": \"y\" /* why */ }\n  }\n}\n");
  g_autofree char *link = g_build_filename (fixture->folder, "mcp.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GStatBuf info;

  g_assert_cmpint (symlink ("real.json", link), ==, 0);
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  begin_text (
    fixture, "from.json",
    "{\"mcpServers\": {\"A\": {\"command\": \"x\", \"args\": [\"1\"]},"
    " \"b\": {\"command\": \"z\"}, \"c\": {\"command\": \"w\", \"env\": {\"N\": \"1\"}}}}",
    "mcp.json");
  assert_words (gmcp_config_import_item_get_fields (get_item (fixture, "A")), "command");
  /* Its comment would be lost. */
  g_assert_cmpint (gmcp_config_import_item_get_change (get_item (fixture, "b")), ==,
                   GMCP_IMPORT_CHANGE_REFUSED);
  g_assert_nonnull (
    strstr (gmcp_config_import_item_get_problem (get_item (fixture, "b")), "comments within “b”"));
  g_assert_false (apply (fixture, "b", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_clear_error (&error);

  apply (fixture, NULL, &error);
  g_assert_no_error (error);
  text = read_file (fixture, "real.json");
  g_assert_cmpstr (
    text, ==,
    "{ // mine\n  \"mcpServers\": {\n    \"A\": {\n      \"mine\": [1, 2],\n      \"timeout\": 7,\n"
    "      \"command\": \"x\",\n      \"args\": [\"1\"]\n    },\n"
    "    \"b\": { \"command\": \"y\" /* why */ },\n    \"c\": {\n      \"command\": \"w\",\n"
    "      \"env\": {\"N\":\"1\"}\n    }\n  }\n}\n");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0640);

  /* Once more there is nothing to do, and a file that changes meanwhile stays as it is. */
  g_assert_true (load (fixture, &error));
  g_assert_cmpint (gmcp_config_import_item_get_change (get_item (fixture, "c")), ==,
                   GMCP_IMPORT_CHANGE_SAME);
  begin_text (fixture, "from.json", "{\"mcpServers\": {\"d\": {\"command\": \"v\"}}}", "mcp.json");
  g_free (write_file (fixture, "real.json", "{\"mcpServers\": {}}"));
  g_assert_false (apply (fixture, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "changed meanwhile"));
  g_free (text);
  text = read_file (fixture, "real.json");
  g_assert_cmpstr (text, ==, "{\"mcpServers\": {}}");
}

static void
test_new_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fixture->folder, "new.json", NULL);
  GStatBuf info;

  begin_text (fixture, "from.json", "{\"mcpServers\": {\"d\": {\"command\": \"v\"}}}", "new.json");
  apply (fixture, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  /* It may hold a secret. */
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
}

static void
test_bad_files (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *text; /* NULL for what is made below */
    const char *message;
  } cases[] = {
    { "broken.json", "{\"mcpServers\": {\"a\": {\n\"command\": }}}", "broken.json:2" },
    { "empty.json", "", "empty.json" },
    { "list.json", "{\"mcpServers\": 3}", "mcpServers" },
    { "large.json", NULL, "larger than a configuration may be" },
    { "pipe.json", NULL, "is no file" },
    { "none.json", NULL, "is not there" },
  };
  g_autofree char *blanks = g_strnfill (10 * 1024 * 1024, ' ');
  g_autofree char *pipe = g_build_filename (fixture->folder, "pipe.json", NULL);
  g_autofree char *target = NULL;

  g_free (write_file (fixture, "large.json", blanks));
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = cases[i].text != NULL
                                ? write_file (fixture, cases[i].name, cases[i].text)
                                : g_build_filename (fixture->folder, cases[i].name, NULL);
      g_autoptr (GError) error = NULL;

      begin (fixture, NULL, path, NULL);
      g_assert_false (load (fixture, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_false (apply (fixture, NULL, NULL));
    }

  /* Nor is anything written to a file that cannot be read. */
  target = write_file (fixture, "from.json", "{\"mcpServers\": {\"d\": {\"command\": \"v\"}}}");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean nothing_there
        = g_str_equal (cases[i].name, "none.json") || g_str_equal (cases[i].name, "empty.json");
      g_autoptr (GError) error = NULL;

      begin (fixture, NULL, target, cases[i].name);
      g_assert_cmpint (load (fixture, &error), ==, nothing_there);
    }
}

static void
test_same_id (Fixture *fixture, gconstpointer data)
{
  GmcpConfigImportItem *item;

  begin_text (fixture, "from.json",
              "{\"mcpServers\": {\"My Files\": {\"command\": \"a\"}, \"my-files\": {\"command\":"
              " \"b\"}}}",
              NULL);
  item = get_item (fixture, "my-files");
  g_assert_cmpint (gmcp_config_import_item_get_change (item), ==, GMCP_IMPORT_CHANGE_REFUSED);
  g_assert_cmpstr (gmcp_config_import_item_get_problem (item), ==,
                   "the names “My Files” and “my-files” both give the id “my-files”; rename one");
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = gmcp_server_config_make_id ("a ${B}");
  g_autoptr (GSettings) server = NULL;
  g_autofree char *title = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a name that looks like a variable is written so that it is none");
  begin_text (fixture, "from.json", "{\"mcpServers\": {\"a ${B}\": {\"command\": \"a\"}}}", NULL);
  g_assert_true (apply (fixture, NULL, &error));
  g_assert_no_error (error);
  server = open_server (fixture, id);
  title = g_settings_get_string (server, "title");
  g_assert_cmpstr (title, ==, "a $${B}");
}

static gboolean
load_pasted (Fixture *fixture, const char *text, GError **error)
{
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->folder);

  g_clear_object (&fixture->import);
  fixture->import = g_object_new (GMCP_TYPE_CONFIG_IMPORT, "text", text, "folder", folder,
                                  "backend", fixture->backend, NULL);
  return load (fixture, error);
}

static void
test_pasted (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *id; /* NULL for a text that is refused */
    const char *argument;
  } cases[] = {
    { "{\"command\": \"uvx\", \"args\": [\"mcp-server-time\"]}", "time", "mcp-server-time" },
    { "\"a\": {\"command\": \"uvx\", \"args\": [\"b\"]}", "a", "b" },
    { "// one\n{\"a\": {\"command\": \"uvx\", \"args\": [\"b\"]}}", "a", "b" },
    { "[mcp_servers.a]\ncommand = \"uvx\"\nargs = [\"b\"]\n", "a", "b" },
    { "command = \"uvx\"\nargs = [\"mcp-server-time\"]\n", "time", "mcp-server-time" },
#ifdef HAVE_YAML
    { "mcpServers:\n  a:\n    command: uvx\n    args: [b]\n", "a", "b" },
    { "a:\n  command: uvx\n  args:\n  - b\n", "a", "b" },
    { "mcpServers:\n  a: [\n", NULL, NULL },
#endif
    { "some words", NULL, NULL },
    { "{\"mcpServers\":", NULL, NULL },
  };

  g_test_summary ("a text that was copied is JSON, TOML or YAML, whole or a part");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_read = load_pasted (fixture, cases[i].text, &error);
      GmcpConfigImportItem *item;

      g_test_message ("%s", cases[i].text);
      if (cases[i].id == NULL)
        {
          g_assert_false (is_read);
          g_assert_nonnull (error);
          g_assert_true (g_str_has_prefix (error->message, "the text: "));
          continue;
        }
      g_assert_no_error (error);
      item = get_item (fixture, cases[i].id);
      g_assert_cmpstr (gmcp_server_config_get_argv (gmcp_config_import_item_get_config (item))[1],
                       ==, cases[i].argument);
    }
}

static void
test_pasted_paths (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (fixture, "server.py", "");
  g_autoptr (GError) error = NULL;
  const char *const *argv;

  g_test_summary ("paths that are there are made full, since the server runs elsewhere");
  g_assert_true (load_pasted (fixture,
                              "{\"a\": {\"command\": \"./server.py\", \"args\": [\"server.py\","
                              " \"other.py\", \"-server.py\", \"${HOME}\"]},"
                              " \"b\": {\"command\": \"server.py\"}}",
                              &error));
  g_assert_no_error (error);
  argv = gmcp_server_config_get_argv (gmcp_config_import_item_get_config (get_item (fixture, "a")));
  g_assert_cmpstr (argv[0], ==, path);
  g_assert_cmpstr (argv[1], ==, path);
  g_assert_cmpstr (argv[2], ==, "other.py");
  g_assert_cmpstr (argv[3], ==, "-server.py");
  g_assert_cmpstr (argv[4], ==, "${HOME}");
  argv = gmcp_server_config_get_argv (gmcp_config_import_item_get_config (get_item (fixture, "b")));
  g_assert_cmpstr (argv[0], ==, "server.py");
}

static void
test_unknown_program (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) found = NULL;

  begin (fixture, "emacs", "/nowhere", NULL);
  g_assert_false (load (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  gmcp_config_import_find_async ("emacs", NULL, NULL, store, &result);
  found = gmcp_config_import_find_finish (wait (&result), &error);
  g_assert_null (found);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) workspace = g_file_new_for_path (fixture->folder);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "Claude", NULL);
  g_autofree char *path = g_build_filename (folder, "claude_desktop_config.json", NULL);
  g_autofree char *project = write_file (fixture, ".mcp.json", "{\"mcpServers\": {}}");

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  gmcp_config_import_find_async (NULL, workspace, NULL, store, &result);
  found = gmcp_config_import_find_finish (wait (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 2);
  g_assert_cmpstr (gmcp_config_import_get_program (g_ptr_array_index (found, 0)), ==,
                   "claude-desktop");
  g_assert_cmpstr (gmcp_config_import_get_program (g_ptr_array_index (found, 1)), ==,
                   "claude-code");
  g_assert_cmpstr (g_file_peek_path (gmcp_config_import_get_file (g_ptr_array_index (found, 1))),
                   ==, project);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/config/import/programs", test_programs);
  ADD ("/config/import/ranges", test_ranges);
  ADD ("/config/import/changes", test_changes);
  ADD ("/config/import/guess", test_guess);
  ADD ("/config/import/settings", test_settings);
  ADD ("/config/import/unkept", test_unkept);
#ifdef HAVE_YAML
  ADD ("/config/import/sample", test_sample);
#endif
  ADD ("/config/import/file", test_file);
  ADD ("/config/import/new-file", test_new_file);
  ADD ("/config/import/bad-files", test_bad_files);
  ADD ("/config/import/same-id", test_same_id);
  ADD ("/config/import/names", test_names);
  ADD ("/config/import/pasted", test_pasted);
  ADD ("/config/import/pasted-paths", test_pasted_paths);
  ADD ("/config/import/unknown-program", test_unknown_program);
  ADD ("/config/import/find", test_find);
  g_test_add_func ("/config/import/edits", test_edits);
  g_test_add_func ("/config/import/edits-refused", test_edits_refused);
  return g_test_run ();
}
