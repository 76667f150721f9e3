/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-keyword-private.h"

static gboolean
add_type (GmcpSchemaNode *node, GmcpJsonValue name)
{
  static const char *const names[]
    = { "null", "boolean", "integer", "number", "string", "array", "object" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (gmcp_json_value_equals_string (name, names[i]))
      {
        node->types |= 1 << i;
        return TRUE;
      }

  return FALSE;
}

gboolean
gmcp_schema_compile_type (GmcpSchemaCompiler *compiler,
                          GmcpSchemaNode *node,
                          const GmcpSchemaKeyword *keyword,
                          GmcpJsonValue value,
                          const GmcpSchemaPath *path,
                          GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue name;

  if (add_type (node, value))
    return TRUE;

  gmcp_json_iter_init (&iter, value);
  if (gmcp_json_value_is_array (value) && gmcp_json_value_get_length (value) > 0)
    while (gmcp_json_iter_next (&iter, NULL, &name))
      if (!add_type (node, name))
        {
          node->types = 0;
          break;
        }

  return node->types != 0
         || gmcp_schema_keyword_fail (
           path, _ ("must be the name of a JSON type or an array of such"), error);
}

gboolean
gmcp_schema_compile_enum (GmcpSchemaCompiler *compiler,
                          GmcpSchemaNode *node,
                          const GmcpSchemaKeyword *keyword,
                          GmcpJsonValue value,
                          const GmcpSchemaPath *path,
                          GError **error)
{
  GmcpSchemaValueRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_VALUE);
  g_autoptr (GArray) entries = g_array_new (FALSE, TRUE, sizeof (GmcpSchemaEntry));
  GmcpSchemaEntry entry = { 0 };
  GmcpJsonIter iter;

  if (!gmcp_json_value_is_array (value))
    return gmcp_schema_keyword_fail (path, _ ("must be an array"), error);

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &entry.key))
    g_array_append_val (entries, entry);
  gmcp_schema_table_init (&rules->allowed, entries);
  rules->has_enum = TRUE;
  rules->enum_value = value;
  return TRUE;
}

gboolean
gmcp_schema_compile_const (GmcpSchemaCompiler *compiler,
                           GmcpSchemaNode *node,
                           const GmcpSchemaKeyword *keyword,
                           GmcpJsonValue value,
                           const GmcpSchemaPath *path,
                           GError **error)
{
  GmcpSchemaValueRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_VALUE);

  rules->const_value = value;
  return TRUE;
}

gboolean
gmcp_schema_compile_count (GmcpSchemaCompiler *compiler,
                           GmcpSchemaNode *node,
                           const GmcpSchemaKeyword *keyword,
                           GmcpJsonValue value,
                           const GmcpSchemaPath *path,
                           GError **error)
{
  guint64 *slot = gmcp_schema_keyword_slot (node, keyword);
  GmcpSchemaNumber number;

  return (gmcp_schema_number_init (&number, value) && gmcp_schema_number_get_count (&number, slot))
         || gmcp_schema_keyword_fail (path, _ ("must be a whole number from 0 on"), error);
}

gboolean
gmcp_schema_compile_number (GmcpSchemaCompiler *compiler,
                            GmcpSchemaNode *node,
                            const GmcpSchemaKeyword *keyword,
                            GmcpJsonValue value,
                            const GmcpSchemaPath *path,
                            GError **error)
{
  GmcpSchemaNumberRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_NUMBER);
  GmcpSchemaNumber *bound = gmcp_schema_keyword_slot (node, keyword);
  guint index = bound - rules->bounds;

  if (!gmcp_schema_number_init (bound, value))
    return gmcp_schema_keyword_fail (path, _ ("must be a number"), error);
  if ((1u << index) == GMCP_SCHEMA_BOUND_MULTIPLE_OF && gmcp_schema_number_get_sign (bound) <= 0)
    return gmcp_schema_keyword_fail (path, _ ("must be greater than 0"), error);

  rules->values[index] = value;
  rules->set |= 1u << index;
  return TRUE;
}

gboolean
gmcp_schema_compile_pattern (GmcpSchemaCompiler *compiler,
                             GmcpSchemaNode *node,
                             const GmcpSchemaKeyword *keyword,
                             GmcpJsonValue value,
                             const GmcpSchemaPath *path,
                             GError **error)
{
  GmcpSchemaStringRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_STRING);

  rules->pattern_value = value;
  rules->pattern = gmcp_schema_compiler_new_regex (compiler, value, path, error);
  return rules->pattern != NULL;
}

gboolean
gmcp_schema_compile_flag (GmcpSchemaCompiler *compiler,
                          GmcpSchemaNode *node,
                          const GmcpSchemaKeyword *keyword,
                          GmcpJsonValue value,
                          const GmcpSchemaPath *path,
                          GError **error)
{
  gboolean *slot = gmcp_schema_keyword_slot (node, keyword);

  return gmcp_json_value_get_boolean (value, slot)
         || gmcp_schema_keyword_fail (path, _ ("must be true or false"), error);
}

gboolean
gmcp_schema_keyword_check_names (GmcpJsonValue value, const GmcpSchemaPath *path, GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue name;
  gboolean good = gmcp_json_value_is_array (value);

  gmcp_json_iter_init (&iter, value);
  while (good && gmcp_json_iter_next (&iter, NULL, &name))
    good = gmcp_json_value_is_string (name);

  return good || gmcp_schema_keyword_fail (path, _ ("must be an array of strings"), error);
}

gboolean
gmcp_schema_compile_required (GmcpSchemaCompiler *compiler,
                              GmcpSchemaNode *node,
                              const GmcpSchemaKeyword *keyword,
                              GmcpJsonValue value,
                              const GmcpSchemaPath *path,
                              GError **error)
{
  GmcpSchemaObjectRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_OBJECT);
  GmcpSchemaEntry entry = { 0 };
  GmcpJsonIter iter;

  if (!gmcp_schema_keyword_check_names (value, path, error))
    return FALSE;

  rules->required = g_new (GmcpJsonValue, gmcp_json_value_get_length (value));
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &entry.key))
    {
      rules->required[rules->n_required++] = entry.key;
      entry.required = rules->n_required;
      g_array_append_val (rules->entries, entry);
    }

  return TRUE;
}
