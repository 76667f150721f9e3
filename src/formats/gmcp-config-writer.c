/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-writer-private.h"

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
quote_text (const char *key)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), key);

  return write_value (node);
}

static gboolean
is_bare (const char *key)
{
  gboolean bare = *key != '\0';

  for (const char *c = key; *c != '\0'; c++)
    bare = bare && (g_ascii_isalnum (*c) || *c == '-' || *c == '_');
  return bare;
}

static char *
dup_toml_key (const char *key)
{
  return is_bare (key) ? g_strdup (key) : quote_text (key);
}

/* A number, or a word such as “no”, would be something else to some who read YAML. */
char *
gmcp_config_dup_yaml_key (const char *key)
{
  static const char *const words[]
    = { "true", "false", "yes", "no", "on", "off", "null", "y", "n", NULL };
  g_autofree char *lower = g_ascii_strdown (key, -1);

  return is_bare (key) && g_ascii_isalpha (*key) && !g_strv_contains (words, lower)
           ? g_strdup (key)
           : quote_text (key);
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
      g_autofree char *key = dup_toml_key (l->data);
      g_autofree char *value = is_table (node) ? NULL : write_value (node);

      if (value != NULL)
        g_string_append_printf (out, "%s = %s\n", key, value);
    }
  for (GList *l = keys; l != NULL; l = l->next)
    {
      JsonNode *node = json_object_get_member (object, l->data);
      g_autofree char *key = dup_toml_key (l->data);
      g_autofree char *below = g_strdup_printf ("%s%s%s", path, *path != '\0' ? "." : "", key);

      if (is_table (node))
        write_toml (out, json_node_get_object (node), below);
    }
}

void
gmcp_config_append_yaml (GString *out, JsonObject *object, guint indent)
{
  g_autoptr (GList) keys = json_object_get_members (object);

  for (GList *l = keys; l != NULL; l = l->next)
    {
      JsonNode *node = json_object_get_member (object, l->data);
      g_autofree char *key = gmcp_config_dup_yaml_key (l->data);
      gboolean nested = is_table (node) && json_object_get_size (json_node_get_object (node)) > 0;
      g_autofree char *value = nested ? NULL : write_value (node);

      g_string_append_printf (out, "%*s%s:%s%s\n", (int) indent, "", key, nested ? "" : " ",
                              nested ? "" : value);
      if (nested)
        gmcp_config_append_yaml (out, json_node_get_object (node), indent + 2);
    }
}

char *
gmcp_config_write_object (JsonObject *root, GmcpConfigFormat format)
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
      gmcp_config_append_yaml (out, root, 0);
      break;
    case GMCP_CONFIG_FORMAT_JSON:
    default:
      node = json_node_init_object (json_node_alloc (), root);
      text = json_to_string (node, TRUE);
      g_string_append_printf (out, "%s\n", text);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
