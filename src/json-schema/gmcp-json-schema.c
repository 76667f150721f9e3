/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-compile-private.h"
#include "gmcp-json-schema-resource-private.h"
#include "gmcp-limits.h"

static guint
limit_or_default (guint limit, guint fallback)
{
  return limit != 0 ? limit : fallback;
}

GmcpJsonSchema *
gmcp_json_schema_compile (GmcpJsonValue schema,
                          const GmcpJsonSchemaOptions *options,
                          GError **error)
{
  static const GmcpJsonSchemaOptions no_options = { 0 };
  g_autoptr (GmcpJsonSchema) self = NULL;
  GmcpJsonKind kind = gmcp_json_value_get_kind (schema);

  if (options == NULL)
    options = &no_options;

  if (kind != GMCP_JSON_OBJECT && kind != GMCP_JSON_TRUE && kind != GMCP_JSON_FALSE)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("A JSON Schema must be an object, true or false"));
      return NULL;
    }

  self = g_new0 (GmcpJsonSchema, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_schema_node_free);
  self->resources = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_schema_resource_free);
  self->docs = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_json_doc_unref);
  self->limits = (GmcpJsonSchemaLimits){
    .depth = limit_or_default (options->limits.depth, GMCP_LIMIT_SCHEMA_DEPTH),
    .subschemas = limit_or_default (options->limits.subschemas, GMCP_LIMIT_SCHEMA_SUBSCHEMAS),
    .steps = limit_or_default (options->limits.steps, GMCP_LIMIT_SCHEMA_STEPS),
  };

  if (!gmcp_schema_compile (self, schema, options, error))
    return NULL;

  return g_steal_pointer (&self);
}

GmcpJsonSchema *
gmcp_json_schema_ref (GmcpJsonSchema *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_json_schema_unref (GmcpJsonSchema *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->resources);
  g_ptr_array_unref (self->docs);
  g_free (self);
}
