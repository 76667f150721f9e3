/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

typedef struct
{
  GmcpConfigContents *contents;
  GPtrArray *findings;
  GError *error;
} Read;

static void
read_clear (Read *read)
{
  g_clear_pointer (&read->contents, gmcp_config_contents_free);
  g_clear_pointer (&read->findings, g_ptr_array_unref);
  g_clear_error (&read->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Read, read_clear)

static void
read_text (Read *read, const char *text, gsize length, const char *file)
{
  read_clear (read);
  read->findings = g_ptr_array_new_with_free_func (g_object_unref);
  read->contents = gmcp_config_contents_read (text, length, gmcp_config_format_guess (file), file,
                                              "/srv", read->findings, &read->error);
}

static gboolean
needs_yaml (const char *file)
{
#ifndef HAVE_YAML
  if (gmcp_config_format_guess (file) == GMCP_CONFIG_FORMAT_YAML)
    return TRUE;
#endif
  return FALSE;
}

static void
read_sample (Read *read, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "config", name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length = 0;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  read_text (read, text, length, name);
  g_assert_no_error (read->error);
  g_assert_nonnull (read->contents);
  g_assert_cmpuint (read->findings->len, ==, 0);
}

static GmcpServerConfig *
get_server (Read *read, guint i)
{
  g_assert_cmpuint (i, <, read->contents->servers->len);
  return g_ptr_array_index (read->contents->servers, i);
}

static char *
join_argv (GmcpServerConfig *config)
{
  return g_strjoinv ("|", (char **) gmcp_server_config_get_argv (config));
}

static void
assert_argv (GmcpServerConfig *config, const char *expected)
{
  g_autofree char *argv = join_argv (config);

  g_assert_cmpstr (argv, ==, expected);
}

static void
assert_words (GStrv words, const char *expected)
{
  g_autofree char *joined = g_strjoinv (" ", words);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_sample_json (void)
{
  g_auto (Read) read = { NULL };
  GmcpConfigProject *project;

  read_sample (&read, "mcp_config.json");
  g_assert_cmpuint (read.contents->servers->len, ==, 1);
  g_assert_cmpstr (gmcp_server_config_get_id (get_server (&read, 0)), ==, "meditation");
  assert_argv (get_server (&read, 0), "mcp-meditation");
  g_assert_cmpstr (gmcp_server_config_get_environment (get_server (&read, 0))[0], ==,
                   "GITLAB_TOKEN=");
  g_assert_cmpint (gmcp_server_config_get_start (get_server (&read, 0)), ==,
                   GMCP_SERVER_START_ON_DEMAND);
  g_assert_cmpuint (read.contents->policy->projects->len, ==, 2);
  project = g_ptr_array_index (read.contents->policy->projects, 0);
  g_assert_cmpstr (project->name, ==, "DAAS");
  assert_words (project->servers, "meditation");
  assert_words (project->resources, "meditation://notes/recent");
  project = g_ptr_array_index (read.contents->policy->projects, 1);
  g_assert_cmpuint (project->place.line, ==, 11);
  assert_words (project->servers, "");

  read_sample (&read, "mcp-servers.json");
  g_assert_cmpuint (read.contents->servers->len, ==, 1);
  g_assert_cmpstr (gmcp_server_config_get_id (get_server (&read, 0)), ==, "fs-server");
  assert_argv (get_server (&read, 0), "npx|-y|@modelcontextprotocol/server-filesystem|/home/me");
}

static void
test_sample_toml (void)
{
  g_auto (Read) read = { NULL };

  read_sample (&read, "config.toml");
  g_assert_cmpuint (read.contents->servers->len, ==, 2);
  g_assert_cmpstr (gmcp_server_config_get_id (get_server (&read, 0)), ==, "sqlite");
  assert_argv (get_server (&read, 0), "mcp-server-sqlite|--db|/path/to/db.sqlite");
  g_assert_cmpstr (gmcp_server_config_get_url (get_server (&read, 1)), ==, "http://localhost:3100");
  g_assert_cmpint (gmcp_server_config_get_transport (get_server (&read, 1)), ==,
                   GMCP_SERVER_TRANSPORT_HTTP);
  g_assert_cmpint (GPOINTER_TO_INT (g_hash_table_lookup (read.contents->lines, "github")), ==, 7);

  read_sample (&read, "plugin.toml");
  assert_argv (get_server (&read, 0), "mcp-server-sqlite|--db|{workspace}/data.db");
}

G_GNUC_UNUSED static void
test_sample_servers (void)
{
  g_auto (Read) read = { NULL };
  GmcpServerConfig *config;

  read_sample (&read, "mcp_servers.yaml");
  g_assert_cmpuint (read.contents->servers->len, ==, 3);
  config = get_server (&read, 0);
  g_assert_cmpstr (gmcp_server_config_get_id (config), ==, "filesystem");
  assert_argv (config, "npx|-y|@modelcontextprotocol/server-filesystem|/allowed/path");
  g_assert_cmpstr (gmcp_server_config_get_package (config), ==,
                   "@modelcontextprotocol/server-filesystem");
  g_assert_cmpint (gmcp_server_config_get_start (config), ==, GMCP_SERVER_START_ON_DEMAND);
  g_assert_cmpint (gmcp_server_config_get_health_method (config), ==, GMCP_HEALTH_METHOD_TOOL_CALL);
  g_assert_cmpstr (gmcp_server_config_get_health_tool (config), ==, "filesystem.list_directory");
  g_assert_cmpstr (gmcp_server_config_get_health_arguments (config), ==, "{\"path\":\"/tmp\"}");
  g_assert_cmpuint (gmcp_server_config_get_health_timeout_ms (config), ==, 5000);
  g_assert_true (gmcp_server_config_get_restart_on_failure (config));
  config = get_server (&read, 2);
  g_assert_cmpint (gmcp_server_config_get_start (config), ==, GMCP_SERVER_START_MANUAL);
  g_assert_cmpint (gmcp_server_config_get_health_method (config), ==, GMCP_HEALTH_METHOD_PING);
  g_assert_cmpuint (gmcp_server_config_get_health_timeout_ms (config), ==, 2000);

  g_assert_cmpuint (read.contents->settings.limits[GMCP_MANAGER_LIMIT_HEALTH_INTERVAL_MS], ==,
                    30000);
  g_assert_cmpuint (read.contents->settings.limits[GMCP_MANAGER_LIMIT_STARTUP_TIMEOUT_MS], ==,
                    10000);
  g_assert_cmpuint (read.contents->settings.limits[GMCP_MANAGER_LIMIT_SHUTDOWN_TIMEOUT_MS], ==,
                    5000);
  g_assert_cmpstr (read.contents->settings.log_directory, ==, "/srv/logs/mcp_servers");
}

G_GNUC_UNUSED static void
test_sample_tools (void)
{
  g_auto (Read) read = { NULL };
  GmcpConfigTool *tool;
  GmcpConfigRole *role;

  read_sample (&read, "tools.yaml");
  g_assert_cmpuint (read.contents->servers->len, ==, 0);
  g_assert_cmpuint (read.contents->policy->tools->len, ==, 1);
  tool = g_ptr_array_index (read.contents->policy->tools, 0);
  g_assert_cmpstr (tool->name, ==, "claude-code");
  g_assert_cmpuint (g_strv_length (tool->metadata), ==, 6);
  g_assert_cmpstr (tool->metadata[0], ==, "binary");
  g_assert_cmpstr (tool->metadata[1], ==, "claude");
  g_assert_cmpstr (tool->metadata[2], ==, "command-template");
  g_assert_cmpstr (tool->metadata[3], ==, "{binary} {prompt_file} --model {model}");
  g_assert_cmpstr (tool->metadata[4], ==, "models");
  g_assert_cmpstr (tool->metadata[5], ==, "claude-3.5-sonnet,claude-3-opus");
  assert_words (tool->required, "filesystem git");
  assert_words (tool->recommended, "code-search");
  assert_words (tool->optional, "github gitlab");
  g_assert_cmpuint (tool->roles->len, ==, 2);
  role = g_ptr_array_index (tool->roles, 1);
  g_assert_cmpstr (role->name, ==, "review");
  assert_words (role->allowed_tools, "filesystem.read git.log grep");
  assert_words (role->denied_tools, "");
  g_assert_cmpstr (role->place.key_path, ==, "tools.claude-code.role_restrictions.review");
  g_assert_cmpuint (role->place.line, ==, 14);
}

static void
test_role_keys (void)
{
  static const char *const texts[] = {
    "{\"mcpServers\":{},\"roles\":{\"r\":{\"allowed_tools\":[\"a.*\"],\"denied_tools\":[\"a.b\"],"
    "\"ask_first\":[\"a.c\"],\"read_only\":true,\"host\":\"h\",\"description\":\"d\"}}}",
    "{\"mcpServers\":{},\"roles\":{\"r\":{\"allowed-tools\":[\"a.*\"],\"denied-tools\":[\"a.b\"],"
    "\"ask-first\":[\"a.c\"],\"read-only\":true,\"host\":\"h\",\"_comment\":1}}}",
    "{\"mcpServers\":{},\"roles\":{\"r\":{\"allowedTools\":[\"a.*\"],\"deniedTools\":[\"a.b\"],"
    "\"askFirst\":[\"a.c\"],\"readOnly\":true,\"host\":\"h\"}}}",
    "{\"mcpServers\":{},\"roles\":{\"r\":{\"allowed_tools\":[\"a.*\"],\"denied_tools\":[\"a.b\"],"
    "\"ask_tools\":[\"a.c\"],\"read_only\":true,\"host\":\"h\"}}}",
  };

  g_test_summary ("a role in a file has the keys that it has in the settings, in any spelling");
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Read) read = { NULL };
      GmcpConfigRole *role;

      read_text (&read, texts[i], strlen (texts[i]), "a.json");
      g_assert_no_error (read.error);
      g_assert_cmpuint (read.findings->len, ==, 0);
      g_assert_cmpuint (read.contents->policy->roles->len, ==, 1);
      role = g_ptr_array_index (read.contents->policy->roles, 0);
      assert_words (role->allowed_tools, "a.*");
      assert_words (role->denied_tools, "a.b");
      assert_words (role->ask_first, "a.c");
      g_assert_true (role->read_only);
      g_assert_cmpstr (role->host, ==, "h");
    }
}

static void
test_project_keys (void)
{
  static const char text[]
    = "{\"mcp_servers\":{},\"projects\":{\"p\":{\"servers\":[\"a\"],\"title\":\"P\","
      "\"instructions\":\"Be brief\",\"wrong\":1}}}";
  g_auto (Read) read = { NULL };
  GmcpConfigProject *project;

  read_text (&read, text, strlen (text), "a.json");
  g_assert_no_error (read.error);
  g_assert_cmpuint (read.findings->len, ==, 1);
  project = g_ptr_array_index (read.contents->policy->projects, 0);
  g_assert_cmpstr (project->title, ==, "P");
  g_assert_cmpstr (project->instructions, ==, "Be brief");
}

static void
test_aliases (void)
{
  static const struct
  {
    const char *file;
    const char *text;
    const char *same; /* as mcpServers.web has it */
  } cases[] = {
    { "a.json", "{\"servers\":{\"web\":{\"command\":\"a\"}},\"inputs\":[{\"id\":\"k\"}]}",
      "{\"command\":\"a\"}" },
    { "a.json", "{\"servers\":[{\"id\":\"web\",\"command\":\"a\"}]}", "{\"command\":\"a\"}" },
    { "a.json", "[{\"name\":\"web\",\"command\":\"a\"}]", "{\"command\":\"a\"}" },
    { "a.json", "{\"web\":{\"command\":\"a\"}}", "{\"command\":\"a\"}" },
    { "a.json", "{\"mcpServers\":{\"web\":{\"command\":[\"a\",\"b\"],\"args\":[\"c\"]}}}",
      "{\"command\":\"a\",\"args\":[\"b\",\"c\"]}" },
    { "a.json",
      "{\"mcpServers\":{\"web\":{\"type\":\"streamableHttp\",\"url\":\"http://a\",\"timeout\":5}}}",
      "{\"url\":\"http://a\",\"callTimeoutMs\":5}" },
    { "a.json", "{\"mcpServers\":{\"web\":{\"httpUrl\":\"http://b\",\"url\":\"http://a\"}}}",
      "{\"url\":\"http://a\"}" },
    { "a.json", "{\"mcpServers\":{\"web\":{\"url\":\"http://a\",\"httpUrl\":\"http://b\"}}}",
      "{\"url\":\"http://a\"}" },
    { "a.json",
      "{\"mcpServers\":{\"web\":{\"command\":\"a\",\"enabled\":false,\"includeTools\":[\"x\"],"
      "\"excludeTools\":[\"y\"]}}}",
      "{\"command\":\"a\",\"disabled\":true,\"allowedTools\":[\"x\"],\"deniedTools\":[\"y\"]}" },
    { "a.toml",
      "[mcp_servers.web]\ncommand = \"a b\"\nenv = { P = 1 }\nenv_vars = [\"T\"]\n"
      "startup_timeout_sec = 1.5\ntool_timeout_sec = 2\nenabled_tools = [\"x\"]",
      "{\"command\":\"a b\",\"env\":{\"P\":\"1\",\"T\":\"${T}\"},\"startupTimeoutMs\":1500,"
      "\"callTimeoutMs\":2000,\"allowedTools\":[\"x\"]}" },
    { "a.toml",
      "[mcp_servers.web]\nurl = \"http://a\"\nbearer_token_env_var = \"T\"\n"
      "http_headers = {A = \"b\"}\nenv_http_headers = {C = \"D\"}",
      "{\"url\":\"http://a\",\"headers\":{\"Authorization\":\"Bearer ${T}\",\"A\":\"b\","
      "\"C\":\"${D}\"}}" },
    { "a.yaml",
      "mcp_settings: {auto_start_default: true}\nmcp_servers:\n  web:\n    command: a 'b c' d\n"
      "    env: {PORT: 8080, ON: true}\n    args: [1]\n    restart_on_failure: false\n"
      "    max_restart_attempts: 4",
      "{\"command\":\"a\",\"args\":[\"b c\",\"d\",\"1\"],\"env\":{\"PORT\":\"8080\",\"ON\":\"true\"},"
      "\"restartOnFailure\":false,\"maxRestartAttempts\":4}" },
    { "a.yaml", "mcpServers: {web: {command: a b}}", "{\"command\":\"a b\"}" },
    { "a.json", "{\"mcpServers\":{\"web\":{\"command\":\"a\",\"healthIntervalMs\":0}}}",
      "{\"command\":\"a\"}" },
    { "a.yaml", "mcp_servers: {web: {url: 'http://a', auto_start: false}}",
      "{\"url\":\"http://a\",\"start\":\"manual\"}" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Read) read = { NULL };
      g_autoptr (GError) error = NULL;
      g_autofree char *titled = g_strconcat ("{\"title\":\"web\",", cases[i].same + 1, NULL);
      g_autoptr (GmcpServerConfig) same = gmcp_server_config_new_from_json ("web", titled, &error);

      g_assert_no_error (error);
      if (needs_yaml (cases[i].file))
        continue;
      g_test_message ("%s", cases[i].text);
      read_text (&read, cases[i].text, strlen (cases[i].text), cases[i].file);
      g_assert_no_error (read.error);
      g_assert_cmpuint (read.contents->servers->len, ==, 1);
      g_assert_true (gmcp_server_config_equal (get_server (&read, 0), same));
    }
}

static void
test_wrong (void)
{
  static const struct
  {
    const char *file;
    const char *text;
    const char *error;
  } cases[] = {
    { "a.json", "{\n\"mcpServers\": {\n\"web\": {\n\"command\": 3}}}",
      "a.json:4: mcpServers.web.command: expected a string" },
    { "a.json", "{\"mcpServers\":\n{\"a\":{},\n}", "a.json:3: " },
    { "a.json", "[{\"command\":\"a\"}]", "a.json:1: [0]: expected an object with an “id”" },
    { "a.json", "[]", "“mcpServers”" },
    { "a.json", "{\"other\":{}}", "“mcpServers”" },
    { "a.toml",
      "[[mcp.servers]]\nname='a'\nurl='http://a'\n[[mcp.servers]]\nname='A'\nurl='http://b'",
      "a.toml:4: mcp.servers[1]: the names “a” and “A” both give the id “a”" },
    { "a.toml", "[mcp_servers.a]\ncommand = 'x'\nargs = 'y'",
      "a.toml:3: mcp_servers.a.args: expected an array of strings" },
    { "a.toml", "[mcp_servers.a]\ncommand = 'x'\nargs = [1, 2]",
      "a.toml:3: mcp_servers.a.args: expected an array of strings" },
    { "a.toml", "[mcp_servers.a]\ncommand = 5",
      "a.toml:2: mcp_servers.a.command: expected a string" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: [1, 2]",
      "a.yaml:3: mcp_servers.a.command: expected a string" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: 5", "a.yaml:3: mcp_servers.a.command: " },
    { "a.json", "{\"mcpServers\":{\n\"\":{\"command\":\"x\"}}}",
      "a.json:2: mcpServers: expected a name for each server" },
    { "a.json", "{\"mcpServers\":{\"a\":{\n\"command\":\"x\",\"url\":\"http://a\"}}}",
      "mcpServers.a.url: expected “command” or “url” alone" },
    { "a.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"disabled\":true,\n\"enabled\":true}}}",
      "a.json:2: mcpServers.a.enabled: expected “enabled” and “disabled” that" },
    { "a.toml", "[mcp_servers.a]\ncommand = 'x'\nenv_vars = ['A=B']", "names of variables" },
    { "a.toml", "x = 1\ny = \n", "a.toml:2: " },
    { "a.yaml", "mcp_servers:\n  a b:\n    command: x\n  a-b:\n    command: y",
      "a.yaml:4: mcp_servers.a-b: the names “a b” and “a-b” both give the id “a-b”" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: \"x 'y\"", "a.yaml:3: mcp_servers.a.command" },
    { "a.yaml", "mcp_servers:\n  a:\n    package: p", "a.yaml:2: mcp_servers.a.command" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: x\n    health_check: {timeout_seconds: 31}",
      "a.yaml:4: mcp_servers.a.health_check.timeout_seconds: expected a number of seconds from 1 to 30" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: x\n    health_check: {method: tool_call}",
      "a.yaml:4: mcp_servers.a.health_check.tool" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: x\n    health_check: {method: knock}",
      "a.yaml:4: mcp_servers.a.health_check.method: expected “ping”" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: x\n    max_restart_attempts: 11",
      "mcp_servers.a.max_restart_attempts: expected a whole number from 1 to 10" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: x\n    max_restart_attempts: 0",
      "expected a whole number from 1 to 10" },
    { "a.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\",\n\"healthIntervalMs\":1}}}",
      "a.json:2: mcpServers.a.healthIntervalMs: expected a whole number of milliseconds from 10000 to 300000" },
    { "a.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"healthIntervalMs\":300001}}}",
      "from 10000 to 300000" },
    { "a.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"startupTimeoutMs\":60001}}}",
      "from 1000 to 60000" },
    { "a.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"shutdownTimeoutMs\":86400000}}}",
      "from 1000 to 30000" },
    { "a.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"healthTimeoutMs\":999}}}",
      "from 1000 to 30000" },
    { "a.json", "{\"mcp_servers\":{\"a\":{\"command\":\"x\",\"maxRestartAttempts\":5000}}}",
      "expected a whole number from 1 to 10" },
    { "a.toml", "[mcp_servers.a]\ncommand = 'x'\nstartup_timeout_sec = 0.5",
      "a.toml:3: mcp_servers.a.startup_timeout_sec: expected a number of seconds from 1 to 60" },
    { "a.yaml", "mcp_servers:\n  a:\n    command: x\n    auto_start: maybe",
      "mcp_servers.a.auto_start: expected true or false" },
    { "a.yaml", "mcp_settings:\n  health_check_interval_seconds: 9\n",
      "a.yaml:2: mcp_settings.health_check_interval_seconds: expected a number of seconds from 10 to 300" },
    { "a.yaml", "mcp_settings:\n  startup_timeout_seconds: 61\n", "from 1 to 60" },
    { "a.yaml", "mcp_settings:\n  shutdown_timeout_seconds: 0\n", "from 1 to 30" },
    { "a.json",
      "{\"mcpServers\":{\"a\":{\"command\":\"x\"}},\"mcp_settings\":{\"pin_policy\":\"ignore\"}}",
      "a.json:1: mcp_settings.pin_policy: expected “off”, “notice” or “withhold”" },
    { "a.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\"}},\"mcp_settings\":{\"share\":true}}",
      "a.json:1: mcp_settings.share: expected “auto”, “yes” or “no”" },
    { "a.yaml", "mcp_settings: []\n", "a.yaml:1: mcp_settings: expected an object" },
    { "a.yaml", "tools:\n  t:\n    role_restrictions:\n      r: {}\n",
      "a.yaml:4: tools.t.role_restrictions.r.allowed_tools: " },
    { "a.yaml", "tools:\n  t:\n    role_restrictions:\n      r: [a, b]\n",
      "a.yaml:4: tools.t.role_restrictions.r: expected an object" },
    { "a.yaml", "projects: {p: [a]}", "projects.p: expected an object" },
    { "a.yaml", "projects: {p: {servers: [a], instructions: [x]}}",
      "projects.p.instructions: expected a string" },
    { "a.yaml", "roles:\n  r:\n    allowed_tools: [a]\n    ask_frist: [b]\n",
      "a.yaml:4: roles.r.ask_frist: this key is not known" },
    { "a.json", "{\"mcpServers\":{},\"roles\":{\"r\":{\"allowed_tools\":[],\"deny\":[\"x\"]}}}",
      "roles.r.deny: this key is not known" },
    { "a.yaml", "tools: {t: {role_restrictions: {r: {allowed_tools: [], host: h}}}}",
      "tools.t.role_restrictions.r.host: this key is not known" },
    { "a.yaml", "roles: {r: {allowed_tools: [], read-only: 'yes'}}",
      "roles.r.read-only: expected true or false" },
    { "a.yaml", "roles: {r: {allowed_tools: [], denied_tools: [a], deniedTools: [b]}}",
      "roles.r.deniedTools: “denied_tools” stands there twice" },
    { "a.yaml", "roles: {r: {allowed_tools: [], ask_tools: [a], ask-first: [b]}}",
      "roles.r.ask-first: “ask_first” stands there twice" },
    { "a.yaml", "tools:\n  t:\n    mcp_tools:\n      required: a\n",
      "a.yaml:4: tools.t.mcp_tools.required: expected an array of strings" },
    { "a.yaml", "tools:\n  t:\n    mcp_tools:\n      required: [[a]]\n",
      "tools.t.mcp_tools.required[0]: expected a string" },
    { "a.yaml", "tools: [t]", "tools: expected an object" },
    { "a.yaml", "projects: {p: 1}", "projects.p: expected an object" },
    { "a.yaml", "a: [", "no valid YAML" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Read) read = { NULL };

      if (needs_yaml (cases[i].file))
        continue;
      read_text (&read, cases[i].text, strlen (cases[i].text), cases[i].file);
      g_test_message ("%s", read.error != NULL ? read.error->message : cases[i].text);
      g_assert_null (read.contents);
      g_assert_error (read.error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (read.error->message, cases[i].error));
      g_assert_cmpuint (read.findings->len, >, 0);
    }
}

static void
test_command_line (void)
{
  static const struct
  {
    const char *command;
    guint n_findings;
  } cases[] = {
    { "npx -y foo", 1 }, { "node server.js", 1 },       { "/usr/bin/node -r x y", 1 },
    { "npx", 0 },        { "/opt/My Programs/mcp", 0 }, { "${HOME}/My Programs/mcp", 0 },
  };

  g_test_summary ("a command with its arguments in one is most likely a slip");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Read) read = { NULL };
      g_autofree char *text
        = g_strdup_printf ("{\"mcpServers\":{\"a\":{\"command\":\"%s\"},\n"
                           "\"b\":{\"command\":\"x\",\"url\":\"http://b\",\"type\":\"stdio\"}}}",
                           cases[i].command);

      read_text (&read, text, strlen (text), "a.json");
      g_assert_no_error (read.error);
      g_assert_cmpuint (read.findings->len, ==, cases[i].n_findings);
      if (cases[i].n_findings > 0)
        {
          GmcpConfigFinding *finding = g_ptr_array_index (read.findings, 0);

          g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==,
                           GMCP_NOTICE_LEVEL_WARNING);
          g_assert_nonnull (strstr (gmcp_config_finding_get_message (finding), "“args”"));
        }
    }
}

static void
test_variables (void)
{
  static const char text[]
    = "{\"mcpServers\": {\n\"a\": {\"command\": \"x\",\n\"args\": [\"${HOME}\", \"${secret:x\"],\n"
      "\"env\": {\"K\": \"${a b}\", \"L\": \"$${a b}\", \"M\": \"${N:-}${env:N}${input:i}\"}}}}";
  static const char *const expected[] = {
    "/a.json:3: mcpServers.a.args[1]: a “${” has no “}”; write “$${” for one that stands for itself",
    "/a.json:4: mcpServers.a.env.K: “${a b}” is not known",
  };
  g_auto (Read) read = { NULL };

  g_test_summary ("variables that no start can fill in are told of before");
  read_text (&read, text, strlen (text), "/a.json");
  g_assert_no_error (read.error);
  g_assert_cmpuint (read.findings->len, ==, G_N_ELEMENTS (expected));
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (read.findings, i);
      g_autofree char *shown = gmcp_config_finding_dup_text (finding);

      g_assert_cmpstr (shown, ==, expected[i]);
      g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==, GMCP_NOTICE_LEVEL_WARNING);
    }
}

static void
test_misspelt (void)
{
  static const char text[]
    = "{\"mcpServers\": {\"a\": {\"comand\": \"x\"},\n\"b\": {\"ulr\": \"http://h/\"}}}";
  g_auto (Read) read = { NULL };
  g_auto (Read) empty = { NULL };

  g_test_summary (
    "an entry that lacks its program names the key that may have been meant to be it");
  read_text (&read, text, strlen (text), "/a.json");
  g_assert_error (read.error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (
    read.error->message, ==,
    "/a.json:1: mcpServers.a.command: expected the name or path of a program (comand: this "
    "key is not known. Near to it: command.)");
  g_assert_nonnull (
    strstr (gmcp_config_finding_get_message (g_ptr_array_index (read.findings, 3)), "(ulr: "));

  g_test_message ("a file with nothing in it is said to have nothing in it");
  read_text (&empty, " \n", 2, "b.json");
  g_assert_nonnull (strstr (empty.error->message, "there is nothing in it"));
}

static void
test_all_findings (void)
{
  static const char text[]
    = "{\"mcpServers\": {\n\"a\": {\"command\": 1, \"args\": 2},\n\"b\": {\"url\": 3,\n\"trust\": 1,"
      "\"colour\": 2},\n\"c\": {\"command\": \"ok\"}}}";
  static const char *const expected[] = {
    "/a.json:2: mcpServers.a.command: expected a string",
    "/a.json:2: mcpServers.a.args: expected an array of strings",
    "/a.json:3: mcpServers.b.url: expected a string",
    "/a.json:4: mcpServers.b.trust: this key is another program's, and has no effect here",
    "/a.json:4: mcpServers.b.colour: this key is not known",
    "/a.json:3: mcpServers.b.command: expected the name or path of a program",
  };
  g_auto (Read) read = { NULL };

  g_test_summary ("all that is wrong is said at once, each with its place");
  read_text (&read, text, strlen (text), "/a.json");
  g_assert_cmpuint (read.findings->len, ==, G_N_ELEMENTS (expected));
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (read.findings, i);
      g_autofree char *shown = gmcp_config_finding_dup_text (finding);

      g_assert_cmpstr (shown, ==, expected[i]);
      g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==,
                       i == 3   ? GMCP_NOTICE_LEVEL_INFO
                       : i == 4 ? GMCP_NOTICE_LEVEL_WARNING
                                : GMCP_NOTICE_LEVEL_ERROR);
    }
}

#ifdef HAVE_YAML
static void
test_log_directory (void)
{
  static const struct
  {
    const char *text;
    const char *directory;
    const char *fallback;
  } cases[] = {
    { "mcp_servers: {a: {command: x}}", NULL, "/srv/logs/mcp_servers" },
    { "mcp_settings: {auto_start_default: true}", NULL, "/srv/logs/mcp_servers" },
    { "mcp_settings: {log_directory: x}", "/srv/x", "/srv/logs/mcp_servers" },
    { "mcp_settings: {log_directory: '${GMCP_LOGS}/x'}", "/var/gmcp/x", "/srv/logs/mcp_servers" },
    { "mcp_settings: {log_directory: '${GMCP_NO_LOGS:-y}'}", "/srv/y", "/srv/logs/mcp_servers" },
    { "mcpServers: {a: {command: x}}", NULL, NULL },
    { "tools: {t: {binary: x}}", NULL, NULL },
  };
  static const char *const wrong[] = { "${GMCP_NO_LOGS}", "${secret:x}", "${x", "{workspace}/x" };

  g_setenv ("GMCP_LOGS", "/var/gmcp", TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Read) read = { NULL };

      g_test_message ("%s", cases[i].text);
      read_text (&read, cases[i].text, strlen (cases[i].text), "a.yaml");
      g_assert_no_error (read.error);
      g_assert_cmpstr (read.contents->settings.log_directory, ==, cases[i].directory);
      g_assert_cmpstr (read.contents->settings.default_log_directory, ==, cases[i].fallback);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (Read) read = { NULL };
      g_autofree char *text = g_strdup_printf ("mcp_settings:\n  log_directory: '%s'\n", wrong[i]);

      read_text (&read, text, strlen (text), "a.yaml");
      g_assert_error (read.error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (read.error->message, "a.yaml:2: mcp_settings.log_directory: "));
    }
  g_unsetenv ("GMCP_LOGS");
}
#endif

static void
test_foreign_keys (void)
{
  static const char text[]
    = "{\"$schema\":\"x\",\"mcpServers\": {\"a\": {\"command\": \"x\",\"_comment\": 1,\"//\": 2,"
      "\"alwaysAllow\": [],\"watchPaths\": [],\"transportType\": \"stdio\",\"tiemout\": 3}}}";
  g_auto (Read) read = { NULL };
  guint n_warnings = 0;

  g_test_summary ("a key that nobody knows is a slip of the pen; one of another program is none");
  read_text (&read, text, strlen (text), "a.json");
  g_assert_no_error (read.error);
  for (guint i = 0; i < read.findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (read.findings, i);

      if (gmcp_config_finding_get_severity (finding) == GMCP_NOTICE_LEVEL_INFO)
        continue;
      n_warnings++;
      g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==, GMCP_NOTICE_LEVEL_WARNING);
      g_assert_cmpstr (gmcp_config_finding_get_key_path (finding), ==, "mcpServers.a.tiemout");
    }
  g_assert_cmpuint (n_warnings, ==, 1);
}

#ifdef HAVE_YAML
static void
test_unknown_keys (void)
{
  static const char text[] = "mcp_servers:\n  a:\n    command: x\n    colour: red\n"
                             "    health_check: {depth: 1}\nmcp_settings:\n  speed: 1\n"
                             "tools:\n  t: {shape: 1, mcp_tools: {nice: [a]}}\nweather: sunny\n";
  static const char *const expected[] = {
    "/a.yaml:7: mcp_settings.speed: this key is not known",
    "/a.yaml:4: mcp_servers.a.colour: this key is not known",
    "/a.yaml:5: mcp_servers.a.health_check.depth: this key is not known",
    "/a.yaml:9: tools.t.shape: this key is not known",
    "/a.yaml:9: tools.t.mcp_tools.nice: this key is not known",
    "/a.yaml:10: weather: this key is not known",
  };
  g_auto (Read) read = { NULL };

  read_text (&read, text, strlen (text), "/a.yaml");
  g_assert_no_error (read.error);
  g_assert_cmpuint (read.findings->len, ==, G_N_ELEMENTS (expected));
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (read.findings, i);
      g_autofree char *shown = gmcp_config_finding_dup_text (finding);

      g_assert_cmpstr (shown, ==, expected[i]);
      g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==, GMCP_NOTICE_LEVEL_WARNING);
    }
}
#endif

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manager/config-files/sample/json", test_sample_json);
  g_test_add_func ("/manager/config-files/sample/toml", test_sample_toml);
#ifdef HAVE_YAML
  g_test_add_func ("/manager/config-files/sample/servers", test_sample_servers);
  g_test_add_func ("/manager/config-files/sample/tools", test_sample_tools);
#endif
  g_test_add_func ("/manager/config-files/role-keys", test_role_keys);
  g_test_add_func ("/manager/config-files/project-keys", test_project_keys);
  g_test_add_func ("/manager/config-files/aliases", test_aliases);
  g_test_add_func ("/manager/config-files/wrong", test_wrong);
  g_test_add_func ("/manager/config-files/command-line", test_command_line);
  g_test_add_func ("/manager/config-files/all-findings", test_all_findings);
  g_test_add_func ("/manager/config-files/misspelt", test_misspelt);
  g_test_add_func ("/manager/config-files/variables", test_variables);
  g_test_add_func ("/manager/config-files/foreign-keys", test_foreign_keys);
#ifdef HAVE_YAML
  g_test_add_func ("/manager/config-files/unknown-keys", test_unknown_keys);
  g_test_add_func ("/manager/config-files/log-directory", test_log_directory);
#endif
  return g_test_run ();
}
