/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-argument-shapes-private.h"

#include <string.h>

#define REFERENCES_MAX   16u
#define ALTERNATIVES_MAX 64u /* looked at in one list of them */
#define DEPTH_MAX        8u
/* Of a schema whose alternatives multiply. */
#define VISITS_MAX 1000u

typedef struct
{
  GmcpArgumentShapes *shapes;
  guint n_visits;
} Reading;

static const struct
{
  const char *name;
  GmcpArgumentKind kind;
} types[] = {
  { "string", GMCP_ARGUMENT_KIND_STRING },   { "number", GMCP_ARGUMENT_KIND_NUMBER },
  { "integer", GMCP_ARGUMENT_KIND_INTEGER }, { "boolean", GMCP_ARGUMENT_KIND_BOOLEAN },
  { "array", GMCP_ARGUMENT_KIND_ARRAY },     { "object", GMCP_ARGUMENT_KIND_OBJECT },
  { "null", GMCP_ARGUMENT_KIND_NULL },
};

/* Of schemas without a type: what the keyword speaks of. */
static const struct
{
  const char *keyword;
  GmcpArgumentKind kind;
} hints[] = {
  { "properties", GMCP_ARGUMENT_KIND_OBJECT },
  { "additionalProperties", GMCP_ARGUMENT_KIND_OBJECT },
  { "items", GMCP_ARGUMENT_KIND_ARRAY },
  { "prefixItems", GMCP_ARGUMENT_KIND_ARRAY },
  { "pattern", GMCP_ARGUMENT_KIND_STRING },
  { "format", GMCP_ARGUMENT_KIND_STRING },
  { "minLength", GMCP_ARGUMENT_KIND_STRING },
  { "maxLength", GMCP_ARGUMENT_KIND_STRING },
  { "minimum", GMCP_ARGUMENT_KIND_NUMBER },
  { "maximum", GMCP_ARGUMENT_KIND_NUMBER },
};

/* "#" and "#/…", whose pointer may be written with percent signs; an anchor among the definitions. */
static GmcpJsonValue
follow_reference (GmcpJsonValue root, const char *reference)
{
  static const char *const places[] = { "$defs", "definitions" };
  g_autofree char *pointer = NULL;

  if (reference[0] != '#')
    return GMCP_JSON_NONE;
  pointer = g_uri_unescape_string (reference + 1, NULL);
  if (pointer == NULL)
    return GMCP_JSON_NONE;
  if (*pointer == '\0' || *pointer == '/')
    return gmcp_json_value_get_pointer (root, pointer);

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      GmcpJsonIter iter;
      GmcpJsonValue definition;

      gmcp_json_iter_init (&iter, gmcp_json_value_get_member (root, places[i]));
      while (gmcp_json_iter_next (&iter, NULL, &definition))
        if (gmcp_json_value_equals_string (gmcp_json_value_get_member (definition, "$anchor"),
                                           pointer))
          return definition;
    }
  return GMCP_JSON_NONE;
}

/* {"allOf": [ONE]} is how some write a reference with words beside. */
static GmcpJsonValue
unwrap_single (GmcpJsonValue schema)
{
  GmcpJsonValue all = gmcp_json_value_get_member (schema, "allOf");

  if (gmcp_json_value_get_length (all) == 1 && gmcp_json_value_is_array (all)
      && !gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "type"))
      && !gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "properties")))
    return gmcp_json_value_get_element (all, 0);
  return GMCP_JSON_NONE;
}

GmcpJsonValue
gmcp_argument_resolve (GmcpJsonValue root, GmcpJsonValue schema)
{
  for (guint i = 0; i < REFERENCES_MAX; i++)
    {
      g_autofree char *reference
        = gmcp_json_value_dup_string (gmcp_json_value_get_member (schema, "$ref"));
      GmcpJsonValue single = unwrap_single (schema);

      if (reference != NULL)
        schema = follow_reference (root, reference);
      else if (gmcp_json_value_is_present (single))
        schema = single;
      else
        return schema;
    }
  return GMCP_JSON_NONE;
}

static void
add_shape (Reading *reading, GmcpArgumentKind kind, GmcpJsonValue schema)
{
  GmcpArgumentShapes *self = reading->shapes;

  /* Two objects differ, two strings do not. */
  if (kind != GMCP_ARGUMENT_KIND_ENUM && kind != GMCP_ARGUMENT_KIND_CONST
      && kind != GMCP_ARGUMENT_KIND_ARRAY && gmcp_argument_shapes_have (self, kind))
    return;
  if (self->n_shapes < G_N_ELEMENTS (self->shapes))
    self->shapes[self->n_shapes++] = (GmcpArgumentShape){ kind, schema };
}

static void
add_type (Reading *reading, GmcpJsonValue name, GmcpJsonValue schema)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (gmcp_json_value_equals_string (name, types[i].name))
      {
        add_shape (reading, types[i].kind, schema);
        return;
      }
}

static void
add_types (Reading *reading, GmcpJsonValue type, GmcpJsonValue schema)
{
  guint n = MIN (gmcp_json_value_get_length (type), ALTERNATIVES_MAX);

  if (!gmcp_json_value_is_array (type))
    add_type (reading, type, schema);
  for (guint i = 0; i < n && gmcp_json_value_is_array (type); i++)
    add_type (reading, gmcp_json_value_get_element (type, i), schema);
}

static gboolean
are_choices (const GmcpArgumentShapes *self, guint from)
{
  for (guint i = from; i < self->n_shapes; i++)
    if (self->shapes[i].kind != GMCP_ARGUMENT_KIND_ENUM
        && self->shapes[i].kind != GMCP_ARGUMENT_KIND_CONST
        && self->shapes[i].kind != GMCP_ARGUMENT_KIND_NULL)
      return FALSE;
  return self->n_shapes > from;
}

static void read_schema (Reading *reading, GmcpJsonValue schema, guint depth);

/* FALSE where they say nothing of their own: beside a type, alternatives without one only narrow it. */
static gboolean
read_alternatives (Reading *reading, GmcpJsonValue schema, const char *keyword, guint depth)
{
  GmcpArgumentShapes *self = reading->shapes;
  GmcpJsonValue list = gmcp_json_value_get_member (schema, keyword);
  gboolean has_type = gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "type"));
  guint from = self->n_shapes;
  guint n = MIN (gmcp_json_value_get_length (list), ALTERNATIVES_MAX);

  if (!gmcp_json_value_is_array (list))
    return FALSE;
  for (guint i = 0; i < n; i++)
    read_schema (reading, gmcp_json_value_get_element (list, i), depth + 1);
  if (self->n_shapes > from && (!has_type || are_choices (self, from)))
    return TRUE;

  self->n_shapes = from;
  return FALSE;
}

static gboolean
read_all_of (Reading *reading, GmcpJsonValue schema, guint depth)
{
  GmcpArgumentShapes *self = reading->shapes;
  GmcpJsonValue list = gmcp_json_value_get_member (schema, "allOf");
  guint n = MIN (gmcp_json_value_get_length (list), ALTERNATIVES_MAX);

  for (guint i = 0; i < n && gmcp_json_value_is_array (list); i++)
    {
      guint from = self->n_shapes;

      read_schema (reading, gmcp_json_value_get_element (list, i), depth + 1);
      if (self->n_shapes > from && self->shapes[from].kind != GMCP_ARGUMENT_KIND_ANY)
        return TRUE;
      self->n_shapes = from;
    }
  return FALSE;
}

static void
read_schema (Reading *reading, GmcpJsonValue written, guint depth)
{
  GmcpArgumentShapes *self = reading->shapes;
  GmcpJsonValue schema = gmcp_argument_resolve (self->root, written);
  GmcpJsonValue values = gmcp_json_value_get_member (schema, "enum");
  GmcpJsonValue constant = gmcp_json_value_get_member (schema, "const");
  guint from = self->n_shapes;

  if (depth > DEPTH_MAX || reading->n_visits++ > VISITS_MAX)
    return;
  if (gmcp_json_value_is_array (values))
    add_shape (reading, GMCP_ARGUMENT_KIND_ENUM, values);
  else if (gmcp_json_value_is_present (constant))
    add_shape (reading, GMCP_ARGUMENT_KIND_CONST, constant);
  else if (!read_alternatives (reading, schema, "anyOf", depth)
           && !read_alternatives (reading, schema, "oneOf", depth))
    add_types (reading, gmcp_json_value_get_member (schema, "type"), schema);

  if (self->n_shapes > from || read_all_of (reading, schema, depth))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (hints); i++)
    if (gmcp_json_value_is_present (gmcp_json_value_get_member (schema, hints[i].keyword)))
      {
        add_shape (reading, hints[i].kind, schema);
        return;
      }
  /* A shape that is there already is not added again. */
  if (!gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "type")))
    add_shape (reading, GMCP_ARGUMENT_KIND_ANY, schema);
}

void
gmcp_argument_shapes_read (GmcpArgumentShapes *self, GmcpJsonValue root, GmcpJsonValue schema)
{
  Reading reading = { self, 0 };

  self->root = root;
  self->n_shapes = 0;
  read_schema (&reading, schema, 0);
  if (self->n_shapes == 0)
    add_shape (&reading, GMCP_ARGUMENT_KIND_ANY, schema);
}

gboolean
gmcp_argument_shapes_find (const GmcpArgumentShapes *self,
                           GmcpArgumentKind kind,
                           GmcpJsonValue *schema)
{
  for (guint i = 0; i < self->n_shapes; i++)
    if (self->shapes[i].kind == kind)
      {
        *schema = self->shapes[i].schema;
        return TRUE;
      }
  return FALSE;
}

gboolean
gmcp_argument_shapes_have (const GmcpArgumentShapes *self, GmcpArgumentKind kind)
{
  GmcpJsonValue schema;

  return gmcp_argument_shapes_find (self, kind, &schema);
}

gboolean
gmcp_argument_shapes_read_items (const GmcpArgumentShapes *self, GmcpArgumentShapes *items)
{
  GmcpJsonValue list;

  if (!gmcp_argument_shapes_find (self, GMCP_ARGUMENT_KIND_ARRAY, &list))
    return FALSE;
  gmcp_argument_shapes_read (items, self->root, gmcp_json_value_get_member (list, "items"));
  return TRUE;
}

void
gmcp_argument_shapes_foreach_choice (const GmcpArgumentShapes *self,
                                     GmcpArgumentChoiceFunc func,
                                     gpointer data)
{
  for (guint i = 0; i < self->n_shapes; i++)
    {
      const GmcpArgumentShape *shape = &self->shapes[i];
      GmcpJsonIter iter;
      GmcpJsonValue value;

      if (shape->kind == GMCP_ARGUMENT_KIND_CONST)
        func (shape->schema, data);
      if (shape->kind != GMCP_ARGUMENT_KIND_ENUM)
        continue;
      gmcp_json_iter_init (&iter, shape->schema);
      while (gmcp_json_iter_next (&iter, NULL, &value))
        func (value, data);
    }
}

typedef struct
{
  GmcpJsonValue value;
  gboolean found;
} Search;

static void
compare_choice (GmcpJsonValue choice, gpointer data)
{
  Search *search = data;

  search->found = search->found || gmcp_json_value_equal (choice, search->value);
}

static gboolean
is_of_kind (GmcpJsonKind json, GmcpArgumentKind kind)
{
  switch (json)
    {
    case GMCP_JSON_NULL:
      return kind == GMCP_ARGUMENT_KIND_NULL;
    case GMCP_JSON_TRUE:
    case GMCP_JSON_FALSE:
      return kind == GMCP_ARGUMENT_KIND_BOOLEAN;
    case GMCP_JSON_NUMBER:
      return kind == GMCP_ARGUMENT_KIND_NUMBER || kind == GMCP_ARGUMENT_KIND_INTEGER;
    case GMCP_JSON_STRING:
      return kind == GMCP_ARGUMENT_KIND_STRING;
    case GMCP_JSON_ARRAY:
      return kind == GMCP_ARGUMENT_KIND_ARRAY;
    case GMCP_JSON_OBJECT:
      return kind == GMCP_ARGUMENT_KIND_OBJECT;
    case GMCP_JSON_ABSENT:
    default:
      return FALSE;
    }
}

gboolean
gmcp_argument_shapes_admit (const GmcpArgumentShapes *self, GmcpJsonValue value)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (value);
  Search search = { value, FALSE };

  for (guint i = 0; i < self->n_shapes; i++)
    if (self->shapes[i].kind == GMCP_ARGUMENT_KIND_ANY || is_of_kind (kind, self->shapes[i].kind))
      return TRUE;
  gmcp_argument_shapes_foreach_choice (self, compare_choice, &search);
  return search.found;
}
