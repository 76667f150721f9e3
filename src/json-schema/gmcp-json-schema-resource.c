/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-keyword-private.h"
#include "gmcp-json-schema-resource-private.h"

/* What a long document adds to the steps, in terms of those there are for all. */
#define MAX_MORE_STEPS 10

static gboolean scan_schema (GmcpSchemaRegistry *self,
                             GmcpJsonValue value,
                             GmcpSchemaResource *resource,
                             guint depth,
                             GError **error);

static guint
location_hash (gconstpointer key)
{
  const GmcpJsonValue *location = key;

  return g_direct_hash (location->doc) ^ (location->index * 2654435761u);
}

static gboolean
location_equal (gconstpointer a, gconstpointer b)
{
  const GmcpJsonValue *x = a, *y = b;

  return x->doc == y->doc && x->index == y->index;
}

void
gmcp_schema_resource_free (GmcpSchemaResource *self)
{
  g_hash_table_unref (self->anchors);
  g_hash_table_unref (self->dynamic_anchors);
  g_free (self->uri);
  g_free (self);
}

void
gmcp_schema_registry_init (GmcpSchemaRegistry *self,
                           GmcpJsonSchema *schema,
                           const GmcpJsonSchemaOptions *options)
{
  *self = (GmcpSchemaRegistry){
    .options = options,
    .schema = schema,
    .by_uri = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .resources = g_hash_table_new (location_hash, location_equal),
    .nodes = g_hash_table_new (location_hash, location_equal),
    .steps = schema->limits.steps,
  };
}

void
gmcp_schema_registry_clear (GmcpSchemaRegistry *self)
{
  g_clear_pointer (&self->by_uri, g_hash_table_unref);
  g_clear_pointer (&self->resources, g_hash_table_unref);
  g_clear_pointer (&self->nodes, g_hash_table_unref);
}

static char *
dup_string_member (GmcpJsonValue object, const char *name)
{
  return gmcp_json_value_dup_string (gmcp_json_value_get_member (object, name));
}

static GmcpSchemaResource *
add_resource (GmcpSchemaRegistry *self,
              GmcpJsonValue location,
              char *uri,
              GmcpSchemaDialect dialect)
{
  GmcpSchemaResource *resource = g_new0 (GmcpSchemaResource, 1);

  resource->location = location;
  resource->uri = uri;
  resource->dialect = dialect;
  resource->anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  resource->dynamic_anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_ptr_array_add (self->schema->resources, resource);
  g_hash_table_insert (self->resources, &resource->location, resource);
  if (g_hash_table_lookup (self->by_uri, uri) == NULL)
    g_hash_table_insert (self->by_uri, g_strdup (uri), resource);

  return resource;
}

static void
add_anchor (GmcpSchemaResource *resource, const char *name, GmcpJsonValue location)
{
  if (g_hash_table_lookup (resource->anchors, name) == NULL)
    g_hash_table_insert (resource->anchors, g_strdup (name),
                         g_memdup2 (&location, sizeof location));
}

static gboolean
fail_uri (const char *keyword, const char *uri, GError **error)
{
  g_autofree char *shown = gmcp_schema_shorten (uri);

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("The JSON Schema is malformed: “%s” holds “%s”, which is no URI that fits there"),
               keyword, shown);
  return FALSE;
}

/* A new resource where the schema has $id. In the old drafts one that is a fragment only is an
 * anchor, and one beside $ref is nothing. */
static gboolean
enter_id (GmcpSchemaRegistry *self,
          GmcpJsonValue schema,
          GmcpSchemaResource **resource,
          GError **error)
{
  g_autofree char *id = dup_string_member (schema, "$id");
  char *uri, *fragment;
  GmcpSchemaDialect dialect = (*resource)->dialect;

  if (id == NULL)
    return TRUE;
  if (!gmcp_schema_dialect_read (self->options, schema, &dialect, error))
    return FALSE;
  if (gmcp_schema_dialect_is_old (&dialect)
      && gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "$ref")))
    return TRUE;

  fragment = strchr (id, '#');
  if (fragment != NULL)
    *fragment++ = '\0';
  if (fragment != NULL && *fragment != '\0' && !gmcp_schema_dialect_is_old (&dialect))
    {
      fragment[-1] = '#';
      return fail_uri ("$id", id, error);
    }

  if (*id != '\0')
    {
      g_autoptr (GError) reason = NULL;

      uri = gmcp_schema_registry_resolve_uri (self, *resource, id, &reason);
      if (reason != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&reason));
          return FALSE;
        }
      if (uri == NULL)
        return fail_uri ("$id", id, error);
      if (location_equal (&(*resource)->location, &schema))
        {
          /* A document says itself what it is called. */
          g_free ((*resource)->uri);
          (*resource)->uri = uri;
          if (g_hash_table_lookup (self->by_uri, uri) == NULL)
            g_hash_table_insert (self->by_uri, g_strdup (uri), *resource);
        }
      else
        *resource = add_resource (self, schema, uri, dialect);
    }
  if (fragment != NULL && *fragment != '\0')
    add_anchor (*resource, fragment, schema);

  return TRUE;
}

static void
add_dynamic_anchor (GmcpSchemaResource *resource, const char *name, GmcpJsonValue location)
{
  add_anchor (resource, name, location);
  if (!g_hash_table_contains (resource->dynamic_anchors, name))
    g_hash_table_insert (resource->dynamic_anchors, g_strdup (name), NULL);
}

static void
read_anchors (GmcpJsonValue schema, GmcpSchemaResource *resource)
{
  g_autofree char *anchor = NULL;
  g_autofree char *dynamic = NULL;
  gboolean recursive = FALSE;

  if (gmcp_schema_dialect_is_old (&resource->dialect))
    return;

  anchor = dup_string_member (schema, "$anchor");
  if (anchor != NULL)
    add_anchor (resource, anchor, schema);

  if (resource->dialect.draft == GMCP_JSON_SCHEMA_DIALECT_2020_12)
    {
      dynamic = dup_string_member (schema, "$dynamicAnchor");
      if (dynamic != NULL && *dynamic != '\0')
        add_dynamic_anchor (resource, dynamic, schema);
    }
  else if (location_equal (&resource->location, &schema)
           && gmcp_json_value_get_boolean (gmcp_json_value_get_member (schema, "$recursiveAnchor"),
                                           &recursive)
           && recursive)
    add_dynamic_anchor (resource, GMCP_SCHEMA_RECURSIVE_ANCHOR, schema);
}

static gboolean
scan_container (GmcpSchemaRegistry *self,
                GmcpJsonValue container,
                GmcpSchemaResource *resource,
                guint depth,
                GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, container);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    if (!scan_schema (self, value, resource, depth, error))
      return FALSE;

  return TRUE;
}

static gboolean
scan_keyword (GmcpSchemaRegistry *self,
              const GmcpSchemaKeyword *keyword,
              GmcpJsonValue value,
              GmcpSchemaResource *resource,
              guint depth,
              GError **error)
{
  gboolean is_array = gmcp_json_value_is_array (value);

  switch (keyword->shape)
    {
    case GMCP_SCHEMA_SHAPE_SCHEMA:
      return scan_schema (self, value, resource, depth, error);
    case GMCP_SCHEMA_SHAPE_SCHEMA_OR_LIST:
      if (!is_array)
        return scan_schema (self, value, resource, depth, error);
      return scan_container (self, value, resource, depth, error);
    case GMCP_SCHEMA_SHAPE_LIST:
      return !is_array || scan_container (self, value, resource, depth, error);
    case GMCP_SCHEMA_SHAPE_MAP:
      return !gmcp_json_value_is_object (value)
             || scan_container (self, value, resource, depth, error);
    case GMCP_SCHEMA_SHAPE_VALUE:
      break;
    }

  return TRUE;
}

static gboolean
add_node (GmcpSchemaRegistry *self,
          GmcpJsonValue location,
          GmcpSchemaResource *resource,
          GError **error)
{
  GmcpSchemaNode *node;

  if (self->schema->nodes->len >= self->schema->limits.subschemas)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("The JSON Schema has more than %u subschemas"),
                   self->schema->limits.subschemas);
      return FALSE;
    }

  node = gmcp_schema_node_new (location, resource);
  g_ptr_array_add (self->schema->nodes, node);
  g_hash_table_insert (self->nodes, &node->location, node);
  return TRUE;
}

/* Makes the nodes of a schema and of all in it. What is no schema is left for the compiler to say. */
static gboolean
scan_schema (GmcpSchemaRegistry *self,
             GmcpJsonValue value,
             GmcpSchemaResource *resource,
             guint depth,
             GError **error)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (value);
  GmcpJsonValue key, member;
  GmcpJsonIter iter;

  if (kind != GMCP_JSON_OBJECT && kind != GMCP_JSON_TRUE && kind != GMCP_JSON_FALSE)
    return TRUE;
  if (g_hash_table_lookup (self->nodes, &value) != NULL)
    return TRUE;
  if (depth >= self->schema->limits.depth)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("The JSON Schema is nested more than %u deep"), self->schema->limits.depth);
      return FALSE;
    }

  if (kind == GMCP_JSON_OBJECT && !enter_id (self, value, &resource, error))
    return FALSE;
  if (!add_node (self, value, resource, error))
    return FALSE;
  if (kind != GMCP_JSON_OBJECT)
    return TRUE;

  read_anchors (value, resource);
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &key, &member))
    {
      const GmcpSchemaKeyword *keyword = gmcp_schema_keyword_find (key, &resource->dialect, NULL);

      if (keyword != NULL && !scan_keyword (self, keyword, member, resource, depth + 1, error))
        return FALSE;
    }

  return TRUE;
}

GmcpSchemaResource *
gmcp_schema_registry_add_document (GmcpSchemaRegistry *self,
                                   GmcpJsonValue document,
                                   const char *uri,
                                   GError **error)
{
  GmcpSchemaDialect dialect
    = { .draft = self->options->default_dialect, .vocabularies = GMCP_SCHEMA_VOCABULARY_ALL };
  GmcpSchemaResource *resource;
  gsize n_bytes;
  char *base;

  resource = g_hash_table_lookup (self->resources, &document);
  if (resource != NULL)
    return resource;
  if (!gmcp_schema_dialect_read (self->options, document, &dialect, error))
    return NULL;

  base = gmcp_schema_resolve_uri (GMCP_SCHEMA_DEFAULT_BASE_URI, uri != NULL ? uri : "");
  if (base == NULL)
    {
      fail_uri ("$ref", uri, error);
      return NULL;
    }

  gmcp_json_value_peek_raw (document, &n_bytes);
  self->steps += MIN (n_bytes, MAX_MORE_STEPS * (guint64) self->schema->limits.steps);
  g_ptr_array_add (self->schema->docs, gmcp_json_doc_ref (document.doc));
  resource = add_resource (self, document, base, dialect);
  return scan_schema (self, document, resource, 0, error) ? resource : NULL;
}

GmcpSchemaNode *
gmcp_schema_registry_ensure_node (GmcpSchemaRegistry *self,
                                  GmcpJsonValue location,
                                  GmcpSchemaResource *resource,
                                  GError **error)
{
  GmcpSchemaNode *node = g_hash_table_lookup (self->nodes, &location);

  if (node != NULL)
    return node;
  if (!scan_schema (self, location, resource, 0, error))
    return NULL;

  return g_hash_table_lookup (self->nodes, &location);
}
