/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-keyword-private.h"

#define ALL           GMCP_SCHEMA_IN_ALL
#define NEW           GMCP_SCHEMA_IN_NEW
#define OLD           GMCP_SCHEMA_IN_OLD
#define FROM_07       (NEW | GMCP_SCHEMA_IN_DRAFT_07)
#define ONLY_2020_12  GMCP_SCHEMA_IN_2020_12
#define ONLY_2019_09  GMCP_SCHEMA_IN_2019_09
#define UP_TO_2019_09 (OLD | GMCP_SCHEMA_IN_2019_09)

#define PLAIN(name, dialects, vocabulary, shape, func)                                             \
  {                                                                                                \
    name, dialects, GMCP_SCHEMA_VOCABULARY_##vocabulary, GMCP_SCHEMA_SHAPE_##shape,                \
      gmcp_schema_compile_##func, GMCP_SCHEMA_RULES_NONE, 0                                        \
  }
#define IN_RULES(name, dialects, vocabulary, shape, func, kind, type, member)                      \
  {                                                                                                \
    name, dialects, GMCP_SCHEMA_VOCABULARY_##vocabulary, GMCP_SCHEMA_SHAPE_##shape,                \
      gmcp_schema_compile_##func, GMCP_SCHEMA_RULES_##kind,                                        \
      G_STRUCT_OFFSET (GmcpSchema##type##Rules, member)                                            \
  }

/* clang-format off */
static const GmcpSchemaKeyword keywords[] = {
  PLAIN ("type", ALL, VALIDATION, VALUE, type),
  PLAIN ("enum", ALL, VALIDATION, VALUE, enum),
  PLAIN ("const", ALL, VALIDATION, VALUE, const),

  IN_RULES ("minimum", ALL, VALIDATION, VALUE, number, NUMBER, Number, bounds[0]),
  IN_RULES ("maximum", ALL, VALIDATION, VALUE, number, NUMBER, Number, bounds[1]),
  IN_RULES ("exclusiveMinimum", ALL, VALIDATION, VALUE, number, NUMBER, Number, bounds[2]),
  IN_RULES ("exclusiveMaximum", ALL, VALIDATION, VALUE, number, NUMBER, Number, bounds[3]),
  IN_RULES ("multipleOf", ALL, VALIDATION, VALUE, number, NUMBER, Number, bounds[4]),

  IN_RULES ("minLength", ALL, VALIDATION, VALUE, count, STRING, String, min_length),
  IN_RULES ("maxLength", ALL, VALIDATION, VALUE, count, STRING, String, max_length),
  PLAIN ("pattern", ALL, VALIDATION, VALUE, pattern),

  IN_RULES ("minItems", ALL, VALIDATION, VALUE, count, ARRAY, Array, min_items),
  IN_RULES ("maxItems", ALL, VALIDATION, VALUE, count, ARRAY, Array, max_items),
  IN_RULES ("minContains", NEW, VALIDATION, VALUE, count, ARRAY, Array, min_contains),
  IN_RULES ("maxContains", NEW, VALIDATION, VALUE, count, ARRAY, Array, max_contains),
  IN_RULES ("uniqueItems", ALL, VALIDATION, VALUE, flag, ARRAY, Array, unique),
  IN_RULES ("prefixItems", ONLY_2020_12, APPLICATOR, LIST, list, ARRAY, Array, prefix),
  IN_RULES ("items", ONLY_2020_12, APPLICATOR, SCHEMA, schema, ARRAY, Array, items),
  IN_RULES ("items", UP_TO_2019_09, APPLICATOR, SCHEMA_OR_LIST, schema_or_list, ARRAY, Array, items),
  IN_RULES ("additionalItems", UP_TO_2019_09, APPLICATOR, SCHEMA, schema, ARRAY, Array, additional),
  IN_RULES ("contains", ALL, APPLICATOR, SCHEMA, schema, ARRAY, Array, contains),
  IN_RULES ("unevaluatedItems", NEW, UNEVALUATED, SCHEMA, schema, ARRAY, Array, unevaluated),

  IN_RULES ("minProperties", ALL, VALIDATION, VALUE, count, OBJECT, Object, min_members),
  IN_RULES ("maxProperties", ALL, VALIDATION, VALUE, count, OBJECT, Object, max_members),
  PLAIN ("required", ALL, VALIDATION, VALUE, required),
  IN_RULES ("properties", ALL, APPLICATOR, MAP, properties, OBJECT, Object, entries),
  IN_RULES ("patternProperties", ALL, APPLICATOR, MAP, patterns, OBJECT, Object, patterns),
  IN_RULES ("additionalProperties", ALL, APPLICATOR, SCHEMA, schema, OBJECT, Object, additional),
  IN_RULES ("propertyNames", ALL, APPLICATOR, SCHEMA, schema, OBJECT, Object, names),
  IN_RULES ("unevaluatedProperties", NEW, UNEVALUATED, SCHEMA, schema, OBJECT, Object, unevaluated),
  IN_RULES ("dependencies", ALL, CORE, MAP, dependencies, OBJECT, Object, dependencies),
  IN_RULES ("dependentSchemas", NEW, APPLICATOR, MAP, dependencies, OBJECT, Object, dependencies),
  IN_RULES ("dependentRequired", NEW, VALIDATION, VALUE, dependencies, OBJECT, Object, dependencies),

  IN_RULES ("allOf", ALL, APPLICATOR, LIST, list, LOGIC, Logic, all_of),
  IN_RULES ("anyOf", ALL, APPLICATOR, LIST, list, LOGIC, Logic, any_of),
  IN_RULES ("oneOf", ALL, APPLICATOR, LIST, list, LOGIC, Logic, one_of),
  IN_RULES ("not", ALL, APPLICATOR, SCHEMA, schema, LOGIC, Logic, not_schema),
  IN_RULES ("if", FROM_07, APPLICATOR, SCHEMA, schema, LOGIC, Logic, if_schema),
  IN_RULES ("then", FROM_07, APPLICATOR, SCHEMA, schema, LOGIC, Logic, then_schema),
  IN_RULES ("else", FROM_07, APPLICATOR, SCHEMA, schema, LOGIC, Logic, else_schema),
  IN_RULES ("$ref", ALL, CORE, VALUE, reference, LOGIC, Logic, ref),
  IN_RULES ("$dynamicRef", ONLY_2020_12, CORE, VALUE, reference, LOGIC, Logic, dynamic_ref),
  IN_RULES ("$recursiveRef", ONLY_2019_09, CORE, VALUE, reference, LOGIC, Logic, dynamic_ref),

  PLAIN ("$defs", NEW, CORE, MAP, definitions),
  PLAIN ("definitions", ALL, CORE, MAP, definitions),
  PLAIN ("$id", ALL, CORE, VALUE, string),
  PLAIN ("$schema", ALL, CORE, VALUE, string),
  PLAIN ("$anchor", NEW, CORE, VALUE, string),
  PLAIN ("$dynamicAnchor", ONLY_2020_12, CORE, VALUE, string),
};
/* clang-format on */

G_STATIC_ASSERT (G_N_ELEMENTS (keywords) <= 64);

const GmcpSchemaKeyword *
gmcp_schema_keyword_find (GmcpJsonValue name, const GmcpSchemaDialect *dialect, guint *position)
{
  g_autofree char *to_free = NULL;
  gsize length;
  const char *text = gmcp_json_value_peek_plain (name, &length);

  if (text == NULL)
    {
      text = to_free = gmcp_json_value_dup_string (name);
      length = strlen (text);
    }

  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    {
      const GmcpSchemaKeyword *keyword = &keywords[i];

      if ((keyword->dialects & (1u << dialect->draft)) == 0
          || (keyword->vocabulary & dialect->vocabularies) == 0
          || strncmp (keyword->name, text, length) != 0 || keyword->name[length] != '\0')
        continue;
      if (position != NULL)
        *position = i;
      return keyword;
    }

  return NULL;
}

gboolean
gmcp_schema_keyword_fail (const GmcpSchemaPath *path, const char *what, GError **error)
{
  g_autofree char *where = gmcp_schema_path_to_string (path);

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("The JSON Schema is malformed at %s: %s"), where, what);
  return FALSE;
}
