/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-compile-private.h"
#include "gmcp-json-schema-keyword-private.h"
#include "gmcp-json-schema-resource-private.h"
#include "gmcp-limits.h"

typedef struct
{
  GmcpSchemaNode *node;
  GmcpSchemaNode **slot;
  char *reference;
  char *where;
} Reference;

struct _GmcpSchemaCompiler
{
  GmcpSchemaRegistry registry;
  /* Grows while it is worked off, since a reference may lead to what has references again. */
  GArray *references;
  guint n_resolved;
  guint instructions;
  gboolean has_new_nodes;
};

static void
clear_reference (gpointer data)
{
  Reference *reference = data;

  g_free (reference->reference);
  g_free (reference->where);
}

void
gmcp_schema_compiler_add_reference (GmcpSchemaCompiler *compiler,
                                    GmcpSchemaNode *node,
                                    GmcpSchemaNode **slot,
                                    GmcpJsonValue reference,
                                    const GmcpSchemaPath *path)
{
  Reference pending = {
    .node = node,
    .slot = slot,
    .reference = gmcp_json_value_dup_string (reference),
    .where = gmcp_schema_path_to_string (path),
  };

  g_array_append_val (compiler->references, pending);
}

GmcpSchemaRegex *
gmcp_schema_compiler_new_regex (GmcpSchemaCompiler *compiler,
                                GmcpJsonValue pattern,
                                const GmcpSchemaPath *path,
                                GError **error)
{
  g_autoptr (GBytes) bytes = gmcp_json_value_dup_string_bytes (pattern);
  g_autofree char *where = NULL;
  GmcpSchemaRegex *regex;
  const char *text;
  gsize length;

  if (bytes == NULL)
    {
      gmcp_schema_keyword_fail (path, _ ("must be a string"), error);
      return NULL;
    }

  text = g_bytes_get_data (bytes, &length);
  regex = gmcp_schema_regex_new (text, length, &compiler->instructions, error);
  if (regex == NULL)
    {
      where = gmcp_schema_path_to_string (path);
      g_prefix_error (error, _ ("The JSON Schema has an invalid regular expression at %s: "),
                      where);
    }

  return regex;
}

/* Each name in "required" counts once. */
static void
finish_object (GmcpSchemaObjectRules *rules)
{
  guint n = 0;

  gmcp_schema_table_init (&rules->members, rules->entries);
  for (guint i = 0; i < rules->n_required; i++)
    {
      GmcpSchemaEntry *entry
        = (GmcpSchemaEntry *) gmcp_schema_table_find (&rules->members, rules->required[i]);

      if (entry->required != i + 1)
        continue;
      rules->required[n++] = rules->required[i];
      entry->required = n;
    }
  rules->n_required = n;
}

static void
finish_array (GmcpSchemaArrayRules *rules)
{
  if (rules->items_is_list)
    rules->items = rules->additional;
}

static gboolean
compile_keyword (GmcpSchemaCompiler *compiler,
                 GmcpSchemaNode *node,
                 GmcpJsonValue value,
                 const GmcpSchemaPath *path,
                 GError **error)
{
  guint position;
  const GmcpSchemaKeyword *keyword
    = gmcp_schema_keyword_find (path->key, &node->resource->dialect, &position);

  if (keyword == NULL)
    return TRUE;
  if (node->seen_keywords & (G_GUINT64_CONSTANT (1) << position))
    return gmcp_schema_keyword_fail (path, _ ("is there more than once"), error);

  node->seen_keywords |= G_GUINT64_CONSTANT (1) << position;
  return keyword->compile (compiler, node, keyword, value, path, error);
}

static gboolean
compile_object (GmcpSchemaCompiler *compiler,
                GmcpSchemaNode *node,
                const GmcpSchemaPath *path,
                GError **error)
{
  gboolean only_ref
    = gmcp_schema_dialect_is_old (&node->resource->dialect)
      && gmcp_json_value_is_string (gmcp_json_value_get_member (node->location, "$ref"));
  GmcpSchemaPath step = { .parent = path };
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, node->location);
  while (gmcp_json_iter_next (&iter, &step.key, &value))
    {
      /* In the old drafts nothing beside a reference counts. */
      if (only_ref && !gmcp_json_value_equals_string (step.key, "$ref"))
        continue;
      if (!compile_keyword (compiler, node, value, &step, error))
        return FALSE;
    }

  if (node->object != NULL)
    finish_object (node->object);
  if (node->array != NULL)
    finish_array (node->array);
  return TRUE;
}

static gboolean
compile_node (GmcpSchemaCompiler *compiler,
              GmcpSchemaNode *node,
              const GmcpSchemaPath *path,
              GError **error)
{
  if (node->is_compiled)
    return TRUE;

  compiler->has_new_nodes = TRUE;
  node->resource->is_used = TRUE;
  node->is_compiled = TRUE;
  node->is_never = gmcp_json_value_get_kind (node->location) == GMCP_JSON_FALSE;
  return !gmcp_json_value_is_object (node->location)
         || compile_object (compiler, node, path, error);
}

GmcpSchemaNode *
gmcp_schema_compiler_compile (GmcpSchemaCompiler *compiler,
                              GmcpJsonValue value,
                              GmcpSchemaNode *parent,
                              const GmcpSchemaPath *path,
                              GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GmcpSchemaNode *node
    = gmcp_schema_registry_ensure_node (&compiler->registry, value, parent->resource, &local_error);

  if (node != NULL)
    return compile_node (compiler, node, path, error) ? node : NULL;

  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    gmcp_schema_keyword_fail (path, _ ("must be a schema, which is an object, true or false"),
                              error);
  return NULL;
}

static gboolean
resolve_reference (GmcpSchemaCompiler *compiler, Reference *reference, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GmcpSchemaPath root = { .prefix = reference->reference };
  const char *dynamic_anchor;
  GmcpSchemaNode *target
    = gmcp_schema_registry_resolve (&compiler->registry, reference->node->resource,
                                    reference->reference, &dynamic_anchor, &local_error);

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (target == NULL)
    {
      g_autofree char *shown = gmcp_schema_shorten (reference->reference);

      g_set_error (
        error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
        _ (
          "The JSON Schema refers at %s to “%s”, which is not in it; schemas elsewhere are not fetched"),
        reference->where, shown);
      return FALSE;
    }

  *reference->slot = target;
  if (reference->slot == &reference->node->logic->dynamic_ref)
    {
      reference->node->logic->dynamic_anchor = dynamic_anchor;
      reference->node->logic->dynamic_anchor_length
        = dynamic_anchor != NULL ? strlen (dynamic_anchor) : 0;
    }
  return compile_node (compiler, target, &root, error);
}

static gboolean
resolve_references (GmcpSchemaCompiler *compiler, GError **error)
{
  while (compiler->n_resolved < compiler->references->len)
    {
      /* A copy, since the array may grow meanwhile. */
      Reference reference = g_array_index (compiler->references, Reference, compiler->n_resolved++);

      if (!resolve_reference (compiler, &reference, error))
        return FALSE;
    }

  return TRUE;
}

/* The nodes of dynamic anchors, any of which a dynamic reference may come to. */
static gboolean
compile_dynamic_anchors (GmcpSchemaCompiler *compiler, GError **error)
{
  GPtrArray *resources = compiler->registry.schema->resources;

  for (guint i = 0; i < resources->len; i++)
    {
      GmcpSchemaResource *resource = resources->pdata[i];
      GHashTableIter iter;
      gpointer name, node;

      if (!resource->is_used)
        continue;

      g_hash_table_iter_init (&iter, resource->dynamic_anchors);
      while (g_hash_table_iter_next (&iter, &name, &node))
        {
          GmcpSchemaPath root = { .prefix = name };

          if (node != NULL)
            continue;
          node = gmcp_schema_registry_ensure_node (
            &compiler->registry, *(GmcpJsonValue *) g_hash_table_lookup (resource->anchors, name),
            resource, error);
          g_hash_table_iter_replace (&iter, node);
          if (!compile_node (compiler, node, &root, error))
            return FALSE;
        }
    }

  return TRUE;
}

gboolean
gmcp_schema_compile (GmcpJsonSchema *schema,
                     GmcpJsonValue document,
                     const GmcpJsonSchemaOptions *options,
                     GError **error)
{
  GmcpSchemaCompiler compiler = { .instructions = GMCP_LIMIT_SCHEMA_INSTRUCTIONS };
  GmcpSchemaPath root = { .prefix = "#" };
  gboolean done;

  gmcp_schema_registry_init (&compiler.registry, schema, options);
  compiler.references = g_array_new (FALSE, FALSE, sizeof (Reference));
  g_array_set_clear_func (compiler.references, clear_reference);

  done = gmcp_schema_registry_add_document (&compiler.registry, document, NULL, error) != NULL;
  if (done)
    {
      schema->root = g_hash_table_lookup (compiler.registry.nodes, &document);
      done = compile_node (&compiler, schema->root, &root, error);
    }

  while (done && compiler.has_new_nodes)
    {
      compiler.has_new_nodes = FALSE;
      done = resolve_references (&compiler, error) && compile_dynamic_anchors (&compiler, error);
    }

  g_array_unref (compiler.references);
  gmcp_schema_registry_clear (&compiler.registry);
  return done;
}
