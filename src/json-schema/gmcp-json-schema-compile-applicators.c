/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-keyword-private.h"

gboolean
gmcp_schema_compile_schema (GmcpSchemaCompiler *compiler,
                            GmcpSchemaNode *node,
                            const GmcpSchemaKeyword *keyword,
                            GmcpJsonValue value,
                            const GmcpSchemaPath *path,
                            GError **error)
{
  GmcpSchemaNode **slot = gmcp_schema_keyword_slot (node, keyword);

  *slot = gmcp_schema_compiler_compile (compiler, value, node, path, error);
  return *slot != NULL;
}

static gboolean
compile_list (GmcpSchemaCompiler *compiler,
              GmcpSchemaNode *node,
              GmcpSchemaNodeList *list,
              GmcpJsonValue value,
              const GmcpSchemaPath *path,
              GError **error)
{
  GmcpSchemaPath step = { .parent = path };
  GmcpJsonIter iter;
  GmcpJsonValue element;

  list->nodes = g_new (GmcpSchemaNode *, gmcp_json_value_get_length (value));
  gmcp_json_iter_init (&iter, value);
  for (; gmcp_json_iter_next (&iter, NULL, &element); step.index++)
    {
      GmcpSchemaNode *child = gmcp_schema_compiler_compile (compiler, element, node, &step, error);

      if (child == NULL)
        return FALSE;
      list->nodes[list->n_nodes++] = child;
    }

  return TRUE;
}

gboolean
gmcp_schema_compile_list (GmcpSchemaCompiler *compiler,
                          GmcpSchemaNode *node,
                          const GmcpSchemaKeyword *keyword,
                          GmcpJsonValue value,
                          const GmcpSchemaPath *path,
                          GError **error)
{
  if (!gmcp_json_value_is_array (value) || gmcp_json_value_get_length (value) == 0)
    return gmcp_schema_keyword_fail (path, _ ("must be an array of schemas, at least one"), error);

  return compile_list (compiler, node, gmcp_schema_keyword_slot (node, keyword), value, path,
                       error);
}

/* The items of 2019-09 and before. */
gboolean
gmcp_schema_compile_schema_or_list (GmcpSchemaCompiler *compiler,
                                    GmcpSchemaNode *node,
                                    const GmcpSchemaKeyword *keyword,
                                    GmcpJsonValue value,
                                    const GmcpSchemaPath *path,
                                    GError **error)
{
  GmcpSchemaArrayRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_ARRAY);

  if (!gmcp_json_value_is_array (value))
    return gmcp_schema_compile_schema (compiler, node, keyword, value, path, error);

  rules->items_is_list = TRUE;
  return compile_list (compiler, node, &rules->prefix, value, path, error);
}

static gboolean
check_map (GmcpJsonValue value, const GmcpSchemaPath *path, GError **error)
{
  return gmcp_json_value_is_object (value)
         || gmcp_schema_keyword_fail (path, _ ("must be an object"), error);
}

gboolean
gmcp_schema_compile_definitions (GmcpSchemaCompiler *compiler,
                                 GmcpSchemaNode *node,
                                 const GmcpSchemaKeyword *keyword,
                                 GmcpJsonValue value,
                                 const GmcpSchemaPath *path,
                                 GError **error)
{
  GmcpSchemaPath step = { .parent = path };
  GmcpJsonIter iter;
  GmcpJsonValue member;

  if (!check_map (value, path, error))
    return FALSE;

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &step.key, &member))
    if (gmcp_schema_compiler_compile (compiler, member, node, &step, error) == NULL)
      return FALSE;

  return TRUE;
}

gboolean
gmcp_schema_compile_properties (GmcpSchemaCompiler *compiler,
                                GmcpSchemaNode *node,
                                const GmcpSchemaKeyword *keyword,
                                GmcpJsonValue value,
                                const GmcpSchemaPath *path,
                                GError **error)
{
  GmcpSchemaObjectRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_OBJECT);
  GmcpSchemaPath step = { .parent = path };
  GmcpSchemaEntry entry = { 0 };
  GmcpJsonIter iter;
  GmcpJsonValue member;

  if (!check_map (value, path, error))
    return FALSE;

  rules->properties = value;
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &step.key, &member))
    {
      entry.key = step.key;
      entry.node = gmcp_schema_compiler_compile (compiler, member, node, &step, error);
      if (entry.node == NULL)
        return FALSE;
      g_array_append_val (rules->entries, entry);
    }

  return TRUE;
}

gboolean
gmcp_schema_compile_patterns (GmcpSchemaCompiler *compiler,
                              GmcpSchemaNode *node,
                              const GmcpSchemaKeyword *keyword,
                              GmcpJsonValue value,
                              const GmcpSchemaPath *path,
                              GError **error)
{
  GmcpSchemaObjectRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_OBJECT);
  GmcpSchemaPath step = { .parent = path };
  GmcpJsonIter iter;
  GmcpJsonValue member;

  if (!check_map (value, path, error))
    return FALSE;

  rules->patterns = g_new0 (GmcpSchemaPatternMember, gmcp_json_value_get_length (value));
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &step.key, &member))
    {
      GmcpSchemaPatternMember *pattern = &rules->patterns[rules->n_patterns];

      pattern->pattern = gmcp_schema_compiler_new_regex (compiler, step.key, &step, error);
      if (pattern->pattern == NULL)
        return FALSE;
      rules->n_patterns++;
      pattern->node = gmcp_schema_compiler_compile (compiler, member, node, &step, error);
      if (pattern->node == NULL)
        return FALSE;
    }

  return TRUE;
}

/* dependencies has both kinds of members, dependentSchemas (a map of schemas) and dependentRequired
 * one each. */
gboolean
gmcp_schema_compile_dependencies (GmcpSchemaCompiler *compiler,
                                  GmcpSchemaNode *node,
                                  const GmcpSchemaKeyword *keyword,
                                  GmcpJsonValue value,
                                  const GmcpSchemaPath *path,
                                  GError **error)
{
  GmcpSchemaObjectRules *rules = gmcp_schema_node_ensure_rules (node, GMCP_SCHEMA_RULES_OBJECT);
  gboolean names_only = keyword->shape == GMCP_SCHEMA_SHAPE_VALUE;
  gboolean schemas_only = !names_only && g_str_has_prefix (keyword->name, "dependent");
  GmcpSchemaPath step = { .parent = path };
  GmcpJsonIter iter, names;
  GmcpJsonValue member, name;

  if (!check_map (value, path, error))
    return FALSE;

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &step.key, &member))
    {
      GmcpSchemaDependency dependency = { .trigger = step.key };

      if (names_only || (!schemas_only && gmcp_json_value_is_array (member)))
        {
          if (!gmcp_schema_keyword_check_names (member, &step, error))
            return FALSE;
          dependency.required = g_new (GmcpJsonValue, gmcp_json_value_get_length (member));
          gmcp_json_iter_init (&names, member);
          while (gmcp_json_iter_next (&names, NULL, &name))
            dependency.required[dependency.n_required++] = name;
        }
      else
        {
          dependency.node = gmcp_schema_compiler_compile (compiler, member, node, &step, error);
          if (dependency.node == NULL)
            return FALSE;
        }
      g_array_append_val (rules->dependencies, dependency);
    }

  return TRUE;
}

gboolean
gmcp_schema_compile_string (GmcpSchemaCompiler *compiler,
                            GmcpSchemaNode *node,
                            const GmcpSchemaKeyword *keyword,
                            GmcpJsonValue value,
                            const GmcpSchemaPath *path,
                            GError **error)
{
  return gmcp_json_value_is_string (value)
         || gmcp_schema_keyword_fail (path, _ ("must be a string"), error);
}

gboolean
gmcp_schema_compile_reference (GmcpSchemaCompiler *compiler,
                               GmcpSchemaNode *node,
                               const GmcpSchemaKeyword *keyword,
                               GmcpJsonValue value,
                               const GmcpSchemaPath *path,
                               GError **error)
{
  GmcpSchemaNode **slot = gmcp_schema_keyword_slot (node, keyword);

  if (!gmcp_schema_compile_string (compiler, node, keyword, value, path, error))
    return FALSE;

  gmcp_schema_compiler_add_reference (compiler, node, slot, value, path);
  return TRUE;
}
