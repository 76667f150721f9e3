/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-export-formats-private.h"

/* The keys of a command, its variables, headers and address. */
#define KEYS(command, environment, headers, url)                                                   \
  .command_key = command, .environment_key = environment, .headers_key = headers, .url_key = url

/* clang-format off */
static const GmcpExportFormat formats[] = {
  { .program = "claude-desktop", KEYS ("command", "env", NULL, NULL) },
  { .program = "claude-code", KEYS ("command", "env", "headers", "url"),
    .reference = "${%s}", .default_reference = "${%s:-%s}", .http_type = "http", .sse_type = "sse" },
  { .program = "cursor", KEYS ("command", "env", "headers", "url"),
    .reference = "${env:%s}", .editor_variables = TRUE },
  { .program = "vscode", KEYS ("command", "env", "headers", "url"),
    .reference = "${env:%s}", .asks = TRUE, .editor_variables = TRUE,
    .stdio_type = "stdio", .http_type = "http", .sse_type = "sse" },
  { .program = "zed", KEYS ("command", "env", "headers", "url"), .source = "custom" },
  { .program = "gemini", KEYS ("command", "env", "headers", "httpUrl"),
    .sse_url_key = "url", .reference = "${%s}" },
  { .program = "codex", KEYS ("command", "env", "http_headers", "url"),
    .variables_key = "env_vars", .header_variables_key = "env_http_headers" },
  { .program = "goose", KEYS ("cmd", "envs", "headers", "uri"),
    .variables_key = "env_keys", .name_key = "name", .enabled = TRUE,
    .stdio_type = "stdio", .http_type = "streamable_http", .sse_type = "sse" },
  { .program = "cline", KEYS ("command", "env", "headers", "url"),
    .http_type = "streamableHttp", .sse_type = "sse" },
  { .program = "roo-code", KEYS ("command", "env", "headers", "url"),
    .reference = "${env:%s}", .http_type = "streamable-http", .sse_type = "sse" },
  { .program = "windsurf", KEYS ("command", "env", "headers", "serverUrl"),
    .reference = "${env:%s}" },
  { .program = "opencode", KEYS ("command", "environment", "headers", "url"),
    .reference = "{env:%s}", .command_list = TRUE, .enabled = TRUE,
    .stdio_type = "local", .http_type = "remote", .sse_type = "remote" },
};
/* clang-format on */

const GmcpExportFormat *
gmcp_export_format_look_up (const char *program)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      if (g_str_equal (formats[i].program, program))
        return &formats[i];
    }
  return NULL;
}

/* Also what TOML and YAML take between double quotes; both want U+007F escaped. */
static char *
write_value (JsonNode *node)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autofree char *text = NULL;
  g_autoptr (GString) out = NULL;

  json_generator_set_root (generator, node);
  text = json_generator_to_data (generator, NULL);
  out = g_string_new (text);
  g_string_replace (out, "\x7f", "\\u007f", 0);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
quote_key (const char *key)
{
  g_autoptr (JsonNode) node = NULL;
  gboolean bare = *key != '\0';

  for (const char *c = key; *c != '\0'; c++)
    bare = bare && (g_ascii_isalnum (*c) || *c == '-' || *c == '_');
  /* A number, or a word such as “no”, would be something else in YAML. */
  if (bare && g_ascii_isalpha (*key) && strlen (key) > 4)
    return g_strdup (key);
  node = json_node_init_string (json_node_alloc (), key);
  return write_value (node);
}

static gboolean
is_table (JsonNode *node)
{
  return JSON_NODE_HOLDS_OBJECT (node);
}

/* What is no table comes before the tables below. */
static void
write_toml (GString *out, JsonObject *object, const char *path)
{
  g_autoptr (GList) keys = json_object_get_members (object);
  gboolean has_values = FALSE;

  for (GList *l = keys; l != NULL; l = l->next)
    has_values |= !is_table (json_object_get_member (object, l->data));
  if (*path != '\0' && (has_values || keys == NULL))
    g_string_append_printf (out, "%s[%s]\n", out->len > 0 ? "\n" : "", path);
  for (GList *l = keys; l != NULL; l = l->next)
    {
      JsonNode *node = json_object_get_member (object, l->data);
      g_autofree char *key = quote_key (l->data);
      g_autofree char *value = is_table (node) ? NULL : write_value (node);

      if (value != NULL)
        g_string_append_printf (out, "%s = %s\n", key, value);
    }
  for (GList *l = keys; l != NULL; l = l->next)
    {
      JsonNode *node = json_object_get_member (object, l->data);
      g_autofree char *key = quote_key (l->data);
      g_autofree char *below = g_strdup_printf ("%s%s%s", path, *path != '\0' ? "." : "", key);

      if (is_table (node))
        write_toml (out, json_node_get_object (node), below);
    }
}

static void
write_yaml (GString *out, JsonObject *object, guint depth)
{
  g_autoptr (GList) keys = json_object_get_members (object);

  for (GList *l = keys; l != NULL; l = l->next)
    {
      JsonNode *node = json_object_get_member (object, l->data);
      g_autofree char *key = quote_key (l->data);
      gboolean nested = is_table (node) && json_object_get_size (json_node_get_object (node)) > 0;
      g_autofree char *value = nested ? NULL : write_value (node);

      g_string_append_printf (out, "%*s%s:%s%s\n", (int) depth * 2, "", key, nested ? "" : " ",
                              nested ? "" : value);
      if (nested)
        write_yaml (out, json_node_get_object (node), depth + 1);
    }
}

char *
gmcp_export_write (JsonObject *root, GmcpConfigFormat format)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;

  switch (format)
    {
    case GMCP_CONFIG_FORMAT_TOML:
      write_toml (out, root, "");
      break;
    case GMCP_CONFIG_FORMAT_YAML:
      write_yaml (out, root, 0);
      break;
    case GMCP_CONFIG_FORMAT_JSON:
    default:
      node = json_node_init_object (json_node_alloc (), root);
      text = json_to_string (node, TRUE);
      g_string_append_printf (out, "%s\n", text);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
