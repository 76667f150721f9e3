/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-config-entry-private.h"
#include "gmcp-config-settings-reader-private.h"
#include "gmcp-config-unset-private.h"
#include "gmcp-manager-limits-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/gmcp-config-finding.h>

#include "unit-test.h"

/* What is said of a configuration names the key as it is written, and its line. */

typedef enum
{
  CAMEL,
  UNDERSCORES,
  HYPHENS,
} Spelling;

static char *
spell (const char *camel, Spelling spelling)
{
  GString *key = g_string_new (NULL);

  for (const char *c = camel; *c != '\0'; c++)
    {
      if (spelling != CAMEL && g_ascii_isupper (*c))
        g_string_append_c (key, spelling == HYPHENS ? '-' : '_');
      g_string_append_c (key, spelling != CAMEL ? g_ascii_tolower (*c) : *c);
    }
  return g_string_free (key, FALSE);
}

static const struct
{
  const char *file;
  const char *before; /* up to the line of the key */
  const char *entry;  /* the line, with @ for the key, and a value that is wrong for all */
  const char *after;
  const char *path; /* of the entry */
  guint line;
} layouts[] = {
  { "a.json", "{\"mcpServers\": {\n\n\"hc\": {\n", "\"@\": [{\"x\": 1}]", "\n}}}", "mcpServers.hc",
    4 },
  { "a.json", "{\"mcp_servers\": {\n\"hc\": {\n", "\"@\": [{\"x\": 1}]", "\n}}}", "mcp_servers.hc",
    3 },
  { "a.json", "{\"servers\": [\n{\"id\": \"hc\",\n", "\"@\": [{\"x\": 1}]", "\n}]}", "servers[0]",
    3 },
#ifdef HAVE_YAML
  { "a.yaml", "# Servers\nmcp_servers:\n  hc:\n", "    @: [{x: 1}]", "\n", "mcp_servers.hc", 4 },
  { "a.yaml", "mcp:\n  servers:\n    hc:\n", "      @: [{x: 1}]", "\n", "mcp.servers.hc", 4 },
#endif
  { "a.toml", "\n[mcp_servers.hc]\n", "@ = [{x = 1}]", "\n", "mcp_servers.hc", 3 },
  { "a.toml", "[[mcp.servers]]\nname = \"hc\"\n", "@ = [{x = 1}]", "\n", "mcp.servers[0]", 3 },
};

static GPtrArray *
find (const char *text, const char *file)
{
  GPtrArray *findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GmcpConfigContents) contents = gmcp_config_contents_read_all (
    text, strlen (text), gmcp_config_format_guess (file), file, "/srv", findings, NULL);

  g_assert_nonnull (contents);
  return findings;
}

/* Whether there is a finding of that key or what stands in it. */
static gboolean
names (GPtrArray *findings, const char *path, guint line)
{
  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      const char *key_path = gmcp_config_finding_get_key_path (finding);

      if (key_path != NULL && g_str_has_prefix (key_path, path)
          && strchr (".[", key_path[strlen (path)]) != NULL
          && (line == 0 || gmcp_config_finding_get_line (finding) == line))
        return TRUE;
    }

  for (guint i = 0; i < findings->len; i++)
    {
      g_autofree char *text = gmcp_config_finding_dup_text (g_ptr_array_index (findings, i));

      g_test_message ("%s", text);
    }
  g_test_message ("There is none of %s in line %u", path, line);
  return FALSE;
}

#ifdef HAVE_YAML
static gboolean
has_text (GPtrArray *findings, const char *part)
{
  for (guint i = 0; i < findings->len; i++)
    {
      g_autofree char *text = gmcp_config_finding_dup_text (g_ptr_array_index (findings, i));

      g_test_message ("%s", text);
      if (strstr (text, part) != NULL)
        return TRUE;
    }
  return FALSE;
}
#endif

static void
check_server_key (gsize layout, const char *key)
{
  const char *mark = strchr (layouts[layout].entry, '@');
  g_autofree char *start = g_strndup (layouts[layout].entry, mark - layouts[layout].entry);
  g_autofree char *text
    = g_strconcat (layouts[layout].before, start, key, mark + 1, layouts[layout].after, NULL);
  g_autofree char *path = g_strconcat (layouts[layout].path, ".", key, NULL);
  g_autoptr (GPtrArray) findings = find (text, layouts[layout].file);

  g_assert_true (names (findings, path, layouts[layout].line));
}

static void
test_servers (void)
{
  static const char *const others[]
    = { "cmd",         "connectionTimeout",  "environment",       "httpHeaders",
        "serverUrl",   "toolTimeoutSeconds", "startupTimeoutSec", "workingDirectory",
        "enabledTools" };
  const char *name;

  for (gsize layout = 0; layout < G_N_ELEMENTS (layouts); layout++)
    for (int spelling = CAMEL; spelling <= HYPHENS; spelling++)
      {
        for (gsize i = 0; (name = gmcp_config_entry_get_key_name (i)) != NULL; i++)
          {
            g_autofree char *key = spell (name, spelling);

            /* In an array it is what the entry is known by. */
            if (strstr (layouts[layout].path, "[0]") != NULL
                && (g_str_equal (key, "id") || g_str_equal (key, "name")))
              continue;
            check_server_key (layout, key);
          }
        for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
          {
            g_autofree char *key = spell (others[i], spelling);

            check_server_key (layout, key);
          }
      }
}

static void
test_settings (void)
{
  g_autofree const char **all = gmcp_config_settings_list_keys ();

  for (guint i = 0; all[i] != NULL; i++)
    {
      const char *key = all[i];
      g_autofree char *path = g_strconcat ("mcp_settings.", key, NULL);
      g_autofree char *json
        = g_strdup_printf ("{\"mcp_servers\": {},\n\"mcp_settings\": {\n\"%s\": []}}", key);
      g_autofree char *toml = g_strdup_printf ("[mcp_settings]\n%s = []\n", key);
      g_autoptr (GPtrArray) of_json = find (json, "a.json");
      g_autoptr (GPtrArray) of_toml = find (toml, "a.toml");

      g_assert_true (names (of_json, path, 3));
      g_assert_true (names (of_toml, path, 2));
#ifdef HAVE_YAML
      {
        g_autofree char *yaml = g_strdup_printf ("mcp_settings:\n  %s: []\n", key);
        g_autoptr (GPtrArray) of_yaml = find (yaml, "a.yaml");

        g_assert_true (names (of_yaml, path, 2));
      }
#endif
    }
}

static void
test_roles (void)
{
  static const char *const keys[]
    = { "allowedTools", "deniedTools", "askFirst", "readOnly", "nonsense" };
  static const char *const places[] = { "roles", "role_restrictions" };

  for (gsize place = 0; place < G_N_ELEMENTS (places); place++)
    for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
      for (int spelling = CAMEL; spelling <= HYPHENS; spelling++)
        {
          g_autofree char *key = spell (keys[i], spelling);
          g_autofree char *path = g_strconcat (places[place], ".review.", key, NULL);
          g_autofree char *json = g_strdup_printf (
            "{\"mcp_servers\": {},\n\"%s\": {\"review\": {\n\"%s\": 7}}}", places[place], key);
          g_autofree char *toml = g_strdup_printf ("[%s.review]\n\n%s = 7\n", places[place], key);
          g_autoptr (GPtrArray) of_json = find (json, "a.json");
          g_autoptr (GPtrArray) of_toml = find (toml, "a.toml");

          g_assert_true (names (of_json, path, 3));
          /* Keys that are not known may be another program's there. */
          g_assert_true (names (of_toml, path, 3));
        }
}

static void
test_role_restrictions (void)
{
  static const struct
  {
    const char *file;
    const char *text;
  } cases[] = {
    { "a.json", "{\"role_restrictions\": {\"review\": {\"allowed_tools\": [\"git.log\"]}}}" },
    { "a.json", "{\"mcpServers\": {}, \"role_restrictions\": {\"review\": {\"allowed_tools\": "
                "[\"git.log\"]}}}" },
#ifdef HAVE_YAML
    { "a.yaml", "role_restrictions:\n  review: {allowed_tools: [git.log]}\n" },
#endif
    { "a.toml", "[role_restrictions.review]\nallowed_tools = [\"git.log\"]\n" },
  };
  g_autoptr (GPtrArray) twice = NULL;

  g_test_summary ("at the top they hold for all hosts, as roles do");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpConfigContents) contents = gmcp_config_contents_read (
        cases[i].text, strlen (cases[i].text), gmcp_config_format_guess (cases[i].file),
        cases[i].file, "/srv", findings, &error);
      GmcpConfigRole *role;

      g_assert_no_error (error);
      g_assert_cmpuint (findings->len, ==, 0);
      g_assert_cmpuint (contents->policy->roles->len, ==, 1);
      role = g_ptr_array_index (contents->policy->roles, 0);
      g_assert_cmpstr (role->name, ==, "review");
      g_assert_null (role->host);
      g_assert_cmpstr (role->allowed_tools[0], ==, "git.log");
    }

  twice = find ("{\"roles\": {\"review\": {\"allowed_tools\": []}},\n"
                "\"role_restrictions\": {\"review\": {\"allowed_tools\": [\"*\"]}}}",
                "a.json");
  g_assert_true (names (twice, "role_restrictions.review", 2));
}

static void
test_doubled (void)
{
  static const char text[]
    = "{\"mcpServers\": {\"one\": {\"command\": \"x\", \"command\": \"y\", \"args\": [\"a\"], \"args\": [\"b\"],\n"
      "\"env\": {\"A\": \"1\", \"A\": \"2\"}, \"env\": {\"B\": \"1\", \"B\": \"2\"}}}}";
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GmcpConfigContents) contents = gmcp_config_contents_read (
    text, strlen (text), GMCP_CONFIG_FORMAT_JSON, "a.json", "/srv", findings, NULL);
  GmcpServerConfig *server;

  g_test_summary ("of two keys of a name the last one counts, as the finding says, lists too");
  g_assert_cmpuint (contents->servers->len, ==, 1);
  server = g_ptr_array_index (contents->servers, 0);
  g_assert_cmpstrv (gmcp_server_config_get_argv (server), ((const char *[]){ "y", "b", NULL }));
  g_assert_cmpstrv (gmcp_server_config_get_environment (server), ((const char *[]){ "B=2", NULL }));
  g_assert_true (names (findings, "mcpServers.one.args", 1));
}

/* Servers that are read, and what variables they lack. */
static GPtrArray *
find_unset (const char *text, const char *file)
{
  g_autoptr (GPtrArray) read = g_ptr_array_new_with_free_func (g_object_unref);
  GPtrArray *findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpConfigContents) contents = gmcp_config_contents_read (
    text, strlen (text), gmcp_config_format_guess (file), file, "/srv", read, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < contents->servers->len; i++)
    gmcp_config_add_unset (g_ptr_array_index (contents->servers, i), findings);
  return findings;
}

static void
test_unset (void)
{
  static const struct
  {
    const char *file;
    const char *text;
    const char *path;
    guint line;
  } cases[] = {
    { "a.json", "{\"mcpServers\": {\"a\": {\n\"command\": \"${GMCP_UNSET}\"}}}",
      "mcpServers.a.command", 2 },
    { "a.json",
      "{\"mcpServers\": {\"a\": {\"command\": \"x\",\n\"args\": [\"y\", \"${GMCP_UNSET}\"]}}}",
      "mcpServers.a.args[1]", 2 },
    { "a.json", "{\"mcpServers\": {\"a\": {\n\"cmd\": [\"x\", \"${GMCP_UNSET}\"]}}}",
      "mcpServers.a.cmd[1]", 2 },
    { "a.json",
      "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"environment\": {\n\"K\": "
      "\"${env:GMCP_UNSET}\"}}}}",
      "mcpServers.a.environment.K", 2 },
    { "a.json",
      "{\"mcpServers\": {\"a\": {\"httpUrl\": \"http://x\", \"httpHeaders\": {\n\"K\": "
      "\"${GMCP_UNSET}\"}}}}",
      "mcpServers.a.httpHeaders.K", 2 },
    { "a.json", "{\"mcpServers\": {\"a\": {\n\"serverUrl\": \"http://${GMCP_UNSET}\"}}}",
      "mcpServers.a.serverUrl", 2 },
    { "a.json",
      "[\n{\"id\": \"a\", \"command\": \"x\",\n\"working-directory\": \"${GMCP_UNSET}\"}]",
      "[0].working-directory", 3 },
    { "a.toml", "[mcp_servers.a]\ncommand = \"x\"\nenv_vars = [\"GMCP_UNSET\"]\n",
      "mcp_servers.a.env_vars", 3 },
#ifdef HAVE_YAML
    { "a.yaml", "mcp_servers:\n  a:\n    command: npx -y \"${GMCP_UNSET}\"\n",
      "mcp_servers.a.command", 3 },
    { "a.yaml", "mcp_servers:\n  a:\n    command: npx -y\n    args: [b, \"${GMCP_UNSET}\"]\n",
      "mcp_servers.a.args[1]", 4 },
    { "a.yaml",
      "mcp_servers:\n  a:\n    command: x\n    health_check:\n      method: tool_call\n"
      "      tool: ${GMCP_UNSET}\n",
      "mcp_servers.a.health_check.tool", 6 },
#endif
  };
  static const char *const fine[] = {
    "{\"mcpServers\": {\"a\": {\"command\": \"${GMCP_UNSET:-x}\"}}}",
    "{\"mcpServers\": {\"a\": {\"command\": \"${GMCP_UNSET}\", \"disabled\": true}}}",
    "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"$${GMCP_UNSET}\"]}}}",
    "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"${input:x}\", \"${secret:y}\"]}}}",
    "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"${GMCP_SET}\"]}}}",
  };

  g_unsetenv ("GMCP_UNSET");
  g_setenv ("GMCP_SET", "", TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) findings = find_unset (cases[i].text, cases[i].file);
      g_autofree char *name = NULL;
      GmcpConfigFinding *finding;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpuint (findings->len, ==, 1);
      finding = g_ptr_array_index (findings, 0);
      name = g_file_get_basename (gmcp_config_finding_get_file (finding));
      g_assert_cmpstr (name, ==, cases[i].file);
      g_assert_cmpstr (gmcp_config_finding_get_key_path (finding), ==, cases[i].path);
      g_assert_cmpuint (gmcp_config_finding_get_line (finding), ==, cases[i].line);
      g_assert_nonnull (strstr (gmcp_config_finding_get_message (finding), "GMCP_UNSET"));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (fine); i++)
    {
      g_autoptr (GPtrArray) findings = find_unset (fine[i], "a.json");

      g_assert_cmpuint (findings->len, ==, 0);
    }
}

static void
test_reference (void)
{
#ifdef HAVE_YAML
  g_autofree char *path
    = g_test_build_filename (G_TEST_DIST, "data", "config", "reference.yaml", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GmcpConfigContents) contents = NULL;
  g_autoptr (GError) error = NULL;
  GmcpServerConfig *files;
  GmcpServerConfig *tickets;
  gsize length;

  g_test_summary ("the example that the guide shows is read, and nothing is wrong with it");
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  contents = gmcp_config_contents_read (text, length, GMCP_CONFIG_FORMAT_YAML, "reference.yaml",
                                        "/srv", findings, &error);
  g_assert_no_error (error);
  g_assert_false (has_text (findings, ""));
  g_assert_cmpuint (contents->servers->len, ==, 3);
  files = g_ptr_array_index (contents->servers, 0);
  tickets = g_ptr_array_index (contents->servers, 2);
  g_assert_cmpuint (g_strv_length ((char **) gmcp_server_config_get_argv (files)), ==, 4);
  g_assert_cmpint (gmcp_server_config_get_health_method (files), ==, GMCP_HEALTH_METHOD_TOOL_CALL);
  g_assert_cmpuint (gmcp_server_config_get_health_timeout_ms (files), ==, 5000);
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (tickets), ==, 60000);
  g_assert_cmpuint (contents->policy->roles->len, ==, 1);
  g_assert_cmpuint (contents->policy->tools->len, ==, 1);
  g_assert_cmpuint (contents->policy->projects->len, ==, 1);
#else
  g_test_skip ("built without libyaml");
#endif
}

static void
test_page (void)
{
  g_autofree char *path
    = g_test_build_filename (G_TEST_DIST, "..", "data", "docs", "yaml.md", NULL);
  g_autofree char *page = NULL;
  const char *name;

  g_test_summary ("the guide's page has every key");
  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  for (gsize i = 0; (name = gmcp_config_entry_get_key_name (i)) != NULL; i++)
    {
      g_autofree char *key = spell (name, UNDERSCORES);
      g_autofree char *quoted = g_strdup_printf ("`%s`", key);

      g_test_message ("%s", quoted);
      g_assert_nonnull (strstr (page, quoted));
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manager/config-keys/servers", test_servers);
  g_test_add_func ("/manager/config-keys/settings", test_settings);
  g_test_add_func ("/manager/config-keys/roles", test_roles);
  g_test_add_func ("/manager/config-keys/role-restrictions", test_role_restrictions);
  g_test_add_func ("/manager/config-keys/doubled", test_doubled);
  g_test_add_func ("/manager/config-keys/unset", test_unset);
  g_test_add_func ("/manager/config-keys/reference", test_reference);
  g_test_add_func ("/manager/config-keys/page", test_page);
  return g_test_run ();
}
