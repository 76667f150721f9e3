/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-import-formats-private.h"

static gsize
name_length (const char *text)
{
  gsize length = 0;

  if (!g_ascii_isalpha (*text) && *text != '_')
    return 0;
  while (g_ascii_isalnum (text[length]) || text[length] == '_')
    length++;
  return length;
}

/* For programs that know no variables. */
static char *
keep_literally (const char *text)
{
  g_autoptr (GString) out = g_string_new (text);

  g_string_replace (out, "${", "$${", 0);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* `$VAR` and `${VAR}`; one that is not set is empty. */
static char *
translate_shell (const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);

  while (*text != '\0')
    {
      gboolean braced = g_str_has_prefix (text, "${");
      gsize length = *text == '$' ? name_length (text + (braced ? 2 : 1)) : 0;

      if (length > 0 && (!braced || text[length + 2] == '}'))
        {
          g_string_append_printf (out, "${%.*s:-}", (int) length, text + (braced ? 2 : 1));
          text += length + (braced ? 3 : 1);
          continue;
        }
      if (braced)
        g_string_append_c (out, '$');
      g_string_append_c (out, *text++);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* `{env:VAR}`, which is empty where it is not set; `{file:PATH}` is more than a text can hold here. */
static char *
translate_braces (const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);

  while (*text != '\0')
    {
      gsize length = g_str_has_prefix (text, "{env:") ? name_length (text + 5) : 0;

      if (g_str_has_prefix (text, "{file:"))
        return NULL;
      if (length > 0 && text[length + 5] == '}')
        {
          g_string_append_printf (out, "${%.*s:-}", (int) length, text + 5);
          text += length + 6;
          continue;
        }
      if (g_str_has_prefix (text, "${"))
        g_string_append_c (out, '$');
      g_string_append_c (out, *text++);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

#define RULES .start = GMCP_SERVER_START_ON_DEMAND, .unknown_key = GMCP_NOTICE_LEVEL_INFO

static const GmcpConfigForeign programs[] = {
  {
    .name = "claude-desktop",
    .title = "Claude Desktop",
    .key = "mcpServers",
    .config = { "Claude/claude_desktop_config.json" },
    .rules = { RULES, .translate = keep_literally },
  },
  {
    .name = "claude-code",
    .title = "Claude Code",
    .key = "mcpServers",
    .home = { ".claude.json" },
    .mark = ".claude",
    .workspace = { ".mcp.json" },
    .rules = { RULES },
  },
  {
    .name = "cursor",
    .title = "Cursor",
    .key = "mcpServers",
    .home = { ".cursor/mcp.json" },
    .workspace = { ".cursor/mcp.json" },
    .rules = { RULES },
  },
  {
    .name = "vscode",
    .title = "Visual Studio Code",
    .key = "servers",
    .config = { "Code/User/mcp.json", "VSCodium/User/mcp.json" },
    .workspace = { ".vscode/mcp.json" },
    .rules = { RULES },
  },
  {
    .name = "zed",
    .title = "Zed",
    .key = "context_servers",
    .config = { "zed/settings.json" },
    .workspace = { ".zed/settings.json" },
    .rules = { RULES, .translate = keep_literally, .command_object = TRUE },
  },
  {
    .name = "gemini",
    .title = "Gemini CLI",
    .key = "mcpServers",
    .home = { ".gemini/settings.json" },
    .workspace = { ".gemini/settings.json" },
    .rules = { RULES, .translate = translate_shell, .main_url = "httpUrl", .sse_url = TRUE },
  },
  {
    .name = "codex",
    .title = "Codex",
    .format = GMCP_CONFIG_FORMAT_TOML,
    .key = "mcp_servers",
    .home = { ".codex/config.toml" },
    .workspace = { ".codex/config.toml" },
    .rules = { RULES, .translate = keep_literally, .loose_scalars = TRUE },
  },
  {
    .name = "goose",
    .title = "goose",
    .format = GMCP_CONFIG_FORMAT_YAML,
    .key = "extensions",
    .config = { "goose/config.yaml" },
    .rules = { RULES, .translate = keep_literally, .loose_scalars = TRUE, .seconds = TRUE },
  },
  {
    .name = "cline",
    .title = "Cline",
    .key = "mcpServers",
    .config
    = { "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "VSCodium/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json" },
    .rules = { RULES, .translate = keep_literally, .seconds = TRUE },
  },
  {
    .name = "roo-code",
    .title = "Roo Code",
    .key = "mcpServers",
    .config
    = { "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        "VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json" },
    .workspace = { ".roo/mcp.json" },
    .rules = { RULES, .seconds = TRUE },
  },
  {
    .name = "windsurf",
    .title = "Windsurf",
    .key = "mcpServers",
    .home = { ".codeium/windsurf/mcp_config.json" },
    .rules = { RULES },
  },
  {
    .name = "opencode",
    .title = "opencode",
    .key = "mcp",
    .config = { "opencode/opencode.json", "opencode/opencode.jsonc" },
    .workspace = { "opencode.json" },
    .rules = { RULES, .translate = translate_braces, .timeout_is_of_start = TRUE },
  },
};

const GmcpConfigForeign *
gmcp_config_foreign_get_all (gsize *n_programs)
{
  *n_programs = G_N_ELEMENTS (programs);
  return programs;
}

const GmcpConfigForeign *
gmcp_config_foreign_look_up (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      if (g_str_equal (programs[i].name, name))
        return &programs[i];
    }
  return NULL;
}

/* The places are the same below a home that is not this user's. */
static gboolean
ends_with_place (const char *path, const char *const *places, gsize n_places)
{
  for (gsize i = 0; i < n_places && places[i] != NULL; i++)
    {
      gsize length = strlen (path) - MIN (strlen (path), strlen (places[i]));

      if (g_str_has_suffix (path, places[i]) && (length == 0 || path[length - 1] == '/'))
        return TRUE;
    }
  return FALSE;
}

const GmcpConfigForeign *
gmcp_config_foreign_guess (const char *path)
{
  for (gsize i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      const GmcpConfigForeign *program = &programs[i];

      if (ends_with_place (path, program->home, G_N_ELEMENTS (program->home))
          || ends_with_place (path, program->config, G_N_ELEMENTS (program->config))
          || ends_with_place (path, program->workspace, G_N_ELEMENTS (program->workspace)))
        return program;
    }
  return NULL;
}

/* “mcp” may also hold servers in a way of our own. */
static gboolean
is_typed_map (GmcpJsonValue map)
{
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, map);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      GmcpJsonValue type = gmcp_json_value_get_member (value, "type");

      if (gmcp_json_value_equals_string (type, "local")
          || gmcp_json_value_equals_string (type, "remote"))
        return TRUE;
    }
  return FALSE;
}

const GmcpConfigForeign *
gmcp_config_foreign_recognize (GmcpConfigDocument *document)
{
  static const char *const telling[] = { "zed", "goose" };
  GmcpJsonValue root = gmcp_json_doc_get_root (document->json);

  for (gsize i = 0; i < G_N_ELEMENTS (telling); i++)
    {
      const GmcpConfigForeign *program = gmcp_config_foreign_look_up (telling[i]);

      if (gmcp_json_value_is_object (gmcp_json_value_get_member (root, program->key)))
        return program;
    }
  if (is_typed_map (gmcp_json_value_get_member (root, "mcp")))
    return gmcp_config_foreign_look_up ("opencode");
  return NULL;
}
