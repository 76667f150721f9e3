/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-map-edit-private.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

#define ENTRY "{\"command\": \"gmcp\", \"args\": [\"gateway\"]}"

typedef struct
{
  GmcpConfigFormat format;
  const char *before;
  const char *after;
  gboolean is_exact; /* what is without the entry again is what was before */
} Case;

static const GmcpMapPlace places[] = {
  [GMCP_CONFIG_FORMAT_JSON] = { GMCP_CONFIG_FORMAT_JSON, "mcpServers", "gmcp" },
  [GMCP_CONFIG_FORMAT_YAML] = { GMCP_CONFIG_FORMAT_YAML, "extensions", "gmcp" },
  [GMCP_CONFIG_FORMAT_TOML] = { GMCP_CONFIG_FORMAT_TOML, "mcp_servers", "gmcp" },
};

static JsonObject *
parse_entry (const char *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);

  return json_node_dup_object (node);
}

/* clang-format off */
static const Case cases[] = {
  { GMCP_CONFIG_FORMAT_JSON, "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n",
    "{\n  \"mcpServers\": {\n    \"a\": {},\n    \"gmcp\": {\n      \"command\": \"gmcp\",\n      \"args\": [\"gateway\"]\n    }\n  }\n}\n", TRUE },
  /* As the file has its indents, and with a comma at the end where there was one. */
  /* The whole of it stands within the line. */
  { GMCP_CONFIG_FORMAT_JSON, "   {}",
    "   {\n     \"mcpServers\": {\n       \"gmcp\": {\n         \"command\": \"gmcp\",\n         \"args\": [\"gateway\"]\n       }\n     }\n   }", FALSE },
  { GMCP_CONFIG_FORMAT_JSON, "{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // first\n\t},\n}",
    "{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // first\n\t\t\"gmcp\": {\n\t\t\t\"command\": \"gmcp\",\n\t\t\t\"args\": [\"gateway\"]\n\t\t},\n\t},\n}", TRUE },
  { GMCP_CONFIG_FORMAT_JSON, "{\"x\": 1}", "{\"x\": 1,\n  \"mcpServers\": {\n    \"gmcp\": {\n      \"command\": \"gmcp\",\n      \"args\": [\"gateway\"]\n    }\n  }\n}", FALSE },
  { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": null}", "{\"mcpServers\": {\n  \"gmcp\": {\n    \"command\": \"gmcp\",\n    \"args\": [\"gateway\"]\n  }\n}}", FALSE },
  { GMCP_CONFIG_FORMAT_JSON, " \n", "{\n  \"mcpServers\": {\n    \"gmcp\": {\n      \"command\": \"gmcp\",\n      \"args\": [\"gateway\"]\n    }\n  }\n}\n", FALSE },
  /* With a byte order mark. */
  { GMCP_CONFIG_FORMAT_JSON, "\xef\xbb\xbf{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n",
    "\xef\xbb\xbf{\n  \"mcpServers\": {\n    \"a\": {},\n    \"gmcp\": {\n      \"command\": \"gmcp\",\n      \"args\": [\"gateway\"]\n    }\n  }\n}\n", TRUE },
#ifdef HAVE_YAML
  { GMCP_CONFIG_FORMAT_YAML, "# mine\nextensions:\n  a: # one\n    cmd: x # two\n\n# of the next\nother: 1\n",
    "# mine\nextensions:\n  a: # one\n    cmd: x # two\n  gmcp:\n    command: \"gmcp\"\n    args: [\"gateway\"]\n\n# of the next\nother: 1\n", TRUE },
  { GMCP_CONFIG_FORMAT_YAML, "other: 1\n", "other: 1\nextensions:\n  gmcp:\n    command: \"gmcp\"\n    args: [\"gateway\"]\n", FALSE },
  { GMCP_CONFIG_FORMAT_YAML, "extensions: {}\n", "extensions: \n  gmcp:\n    command: \"gmcp\"\n    args: [\"gateway\"]\n", FALSE },
  { GMCP_CONFIG_FORMAT_YAML, "extensions:\n    a:\n        cmd: x", "extensions:\n    a:\n        cmd: x\n    gmcp:\n      command: \"gmcp\"\n      args: [\"gateway\"]\n", FALSE },
  { GMCP_CONFIG_FORMAT_YAML, "# nothing yet\n", "# nothing yet\nextensions:\n  gmcp:\n    command: \"gmcp\"\n    args: [\"gateway\"]\n", FALSE },
#endif
  { GMCP_CONFIG_FORMAT_TOML, "model = \"o\" # mine\n\n[mcp_servers.a]\ncommand = 'x'\n\n# of the next\n[projects.\"/home/me\"]\ntrust = true\n",
    "model = \"o\" # mine\n\n[mcp_servers.a]\ncommand = 'x'\n\n# of the next\n[projects.\"/home/me\"]\ntrust = true\n\n[mcp_servers.gmcp]\ncommand = \"gmcp\"\nargs = [\"gateway\"]\n", TRUE },
  { GMCP_CONFIG_FORMAT_TOML, "a = 1\n\n\n", "a = 1\n\n\n\n[mcp_servers.gmcp]\ncommand = \"gmcp\"\nargs = [\"gateway\"]\n", TRUE },
  { GMCP_CONFIG_FORMAT_TOML, "a = 1", "a = 1\n\n[mcp_servers.gmcp]\ncommand = \"gmcp\"\nargs = [\"gateway\"]\n", FALSE },
  { GMCP_CONFIG_FORMAT_TOML, "", "[mcp_servers.gmcp]\ncommand = \"gmcp\"\nargs = [\"gateway\"]\n", TRUE },
};

/* What the entry is taken out of, and what is left. */
static const Case removed[] = {
  { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": {\"gmcp\": {}, \"a\": {}}}", "{\"mcpServers\": { \"a\": {}}}", TRUE },
  { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": {\n  // of gmcp\n  \"gmcp\": {}, // its own\n  \"a\": {}}}", "{\"mcpServers\": {\n  // of gmcp\n  \"a\": {}}}", TRUE },
#ifdef HAVE_YAML
  { GMCP_CONFIG_FORMAT_YAML, "extensions:\n  gmcp:\n    cmd: gmcp\n  # of the next\n  a:\n    cmd: x\n", "extensions:\n  # of the next\n  a:\n    cmd: x\n", TRUE },
  { GMCP_CONFIG_FORMAT_YAML, "extensions: # all\n  \"gmcp\":\n    cmd: gmcp\nb: 1\n", "extensions: {} # all\nb: 1\n", TRUE },
#endif
  { GMCP_CONFIG_FORMAT_TOML, "[mcp_servers.gmcp]\ncommand = 'gmcp'\nargs = [ # all\n  'gateway',\n]\n\n[mcp_servers.gmcp.env]\nA = 'b'\n\n# of the next\n[x]\ny = 1\n",
    "# of the next\n[x]\ny = 1\n", TRUE },
  { GMCP_CONFIG_FORMAT_TOML, "[mcp_servers]\na = {command = 'x'}\ngmcp = {command = 'gmcp', args = ['gateway']} # ours\nb.command = 'y'\n",
    "[mcp_servers]\na = {command = 'x'}\nb.command = 'y'\n", TRUE },
  { GMCP_CONFIG_FORMAT_TOML, "mcp_servers.gmcp.command = 'gmcp'\nmcp_servers.gmcp.args = ['gateway']\nz = 1\n", "z = 1\n", TRUE },
  { GMCP_CONFIG_FORMAT_TOML, "[mcp_servers.gmcp]\ncommand = 'gmcp'\n[x]\ny = 1\n\n[mcp_servers.gmcp.env]\nA = 'b'\n\n[z]\n",
    "[x]\ny = 1\n\n[z]\n", TRUE },
};
/* clang-format on */

static void
test_added (void)
{
  g_autoptr (JsonObject) entry = parse_entry (ENTRY);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *one = &cases[i];
      const GmcpMapPlace *place = &places[one->format];
      g_autoptr (GError) error = NULL;
      g_autofree char *after
        = gmcp_map_edit_set (place, one->before, strlen (one->before), entry, &error);
      g_autofree char *again = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (after, ==, one->after);
      again = gmcp_map_edit_remove (place, after, strlen (after), &error);
      g_assert_no_error (error);
      if (one->is_exact)
        g_assert_cmpstr (again, ==, one->before);
      /* Once more is the same as once. */
      g_free (again);
      again = gmcp_map_edit_set (place, after, strlen (after), entry, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (again, ==, one->after);
    }
}

static void
test_removed (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (removed); i++)
    {
      const Case *one = &removed[i];
      g_autoptr (GError) error = NULL;
      g_autofree char *after
        = gmcp_map_edit_remove (&places[one->format], one->before, strlen (one->before), &error);

      g_assert_no_error (error);
      g_assert_cmpstr (after, ==, one->after);
    }
}

static void
test_replaced (void)
{
  static const Case replaced[] = {
    { GMCP_CONFIG_FORMAT_JSON,
      "{\n  \"mcpServers\": {\n    \"gmcp\": {\"old\": 1}, // why\n    \"a\": {}\n  }\n}\n",
      "{\n  \"mcpServers\": {\n    \"gmcp\": {\n      \"command\": \"gmcp\",\n      \"args\": "
      "[\"gateway\"]\n    }, // why\n    \"a\": {}\n  }\n}\n" },
#ifdef HAVE_YAML
    { GMCP_CONFIG_FORMAT_YAML, "extensions:\n   gmcp: {cmd: old}\n   a: {cmd: x}\n",
      "extensions:\n   gmcp:\n     command: \"gmcp\"\n     args: [\"gateway\"]\n   a: {cmd: x}\n" },
#endif
    { GMCP_CONFIG_FORMAT_TOML,
      "[mcp_servers.gmcp]\ncommand = 'old'\n\n[mcp_servers.gmcp.env]\nA = '1'\n\n[b]\nc = 1\n",
      "[mcp_servers.gmcp]\ncommand = \"gmcp\"\nargs = [\"gateway\"]\n\n[b]\nc = 1\n" },
  };
  g_autoptr (JsonObject) entry = parse_entry (ENTRY);

  for (gsize i = 0; i < G_N_ELEMENTS (replaced); i++)
    {
      const Case *one = &replaced[i];
      g_autoptr (GError) error = NULL;
      g_autofree char *after = gmcp_map_edit_set (&places[one->format], one->before,
                                                  strlen (one->before), entry, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (after, ==, one->after);
    }
}

/* Nothing is done where something else would get lost, or where it cannot be read. */
static void
test_refused (void)
{
  static const Case refused[] = {
    { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": {\"gmcp\": {/* mine */}}}", "comments" },
    { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": [1]}", "mcpServers" },
    { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": {", "line 1" },
    { GMCP_CONFIG_FORMAT_JSON, "[]", "mcpServers" },
    { GMCP_CONFIG_FORMAT_JSON, "null", "mcpServers" },
#ifdef HAVE_YAML
    { GMCP_CONFIG_FORMAT_YAML, "extensions: {a: {cmd: x}}\n", "lines of its own" },
    { GMCP_CONFIG_FORMAT_YAML, "extensions:\n  gmcp:\n    cmd: x # mine\n", "comments" },
    { GMCP_CONFIG_FORMAT_YAML, "extensions:\n  - a\n", "extensions" },
    { GMCP_CONFIG_FORMAT_YAML, "a: 1\n...\n", "" },
    { GMCP_CONFIG_FORMAT_YAML, "a: [\n", "line " },
#endif
    { GMCP_CONFIG_FORMAT_TOML, "mcp_servers = {a = {command = 'x'}}\n", "" },
    { GMCP_CONFIG_FORMAT_TOML, "[mcp_servers]\ngmcp = {command = 'x'}\nb = {}\n", "lines" },
    { GMCP_CONFIG_FORMAT_TOML, "[mcp_servers.gmcp]\ncommand = 'x' # mine\n", "comments" },
    { GMCP_CONFIG_FORMAT_TOML, "[[mcp_servers]]\nname = 'x'\n", "mcp_servers" },
    { GMCP_CONFIG_FORMAT_TOML, "a = \n", "line 1" },
  };
  g_autoptr (JsonObject) entry = parse_entry (ENTRY);

  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      const Case *one = &refused[i];
      g_autoptr (GError) error = NULL;
      g_autofree char *after = gmcp_map_edit_set (&places[one->format], one->before,
                                                  strlen (one->before), entry, &error);

      if (after != NULL)
        g_test_message ("%s became %s", one->before, after);
      g_assert_null (after);
      g_assert_nonnull (error);
      if (strstr (error->message, one->after) == NULL)
        g_error ("%s: %s", one->before, error->message);
    }
}

/* What stands within a line with others is not taken out. */
static void
test_not_removed (void)
{
  static const char inline_map[] = "mcp_servers = {gmcp = {command = 'gmcp'}, a = {}}\n";
  g_autoptr (GError) error = NULL;
  g_autofree char *after = gmcp_map_edit_remove (&places[GMCP_CONFIG_FORMAT_TOML], inline_map,
                                                 strlen (inline_map), &error);

  g_assert_null (after);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config/map-edit/added", test_added);
  g_test_add_func ("/config/map-edit/removed", test_removed);
  g_test_add_func ("/config/map-edit/replaced", test_replaced);
  g_test_add_func ("/config/map-edit/refused", test_refused);
  g_test_add_func ("/config/map-edit/not-removed", test_not_removed);
  return g_test_run ();
}
