/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-argument-shapes-private.h"

#define DEPTH_MAX  12u
#define VALUES_MAX 500u
#define BYTES_MAX  (64u * 1024)
#define ITEMS_MAX  8u

typedef struct
{
  GmcpJsonValue root;
  GmcpJsonWriter writer;
  guint n_values;
} Example;

static void write_example (Example *self, GmcpJsonValue written, guint depth);

static void
write_list (Example *self, GmcpJsonValue schema, guint depth)
{
  GmcpJsonValue tuple = gmcp_json_value_get_member (schema, "prefixItems");
  GmcpJsonValue items = gmcp_json_value_get_member (schema, "items");
  gint64 least = 1, most = ITEMS_MAX;

  if (gmcp_json_value_is_array (items))
    tuple = items;
  gmcp_json_value_get_int64 (gmcp_json_value_get_member (schema, "minItems"), &least);
  gmcp_json_value_get_int64 (gmcp_json_value_get_member (schema, "maxItems"), &most);
  least = CLAMP (least, 1, (gint64) ITEMS_MAX);
  if (gmcp_json_value_is_array (tuple))
    least = MAX (least, MIN (gmcp_json_value_get_length (tuple), ITEMS_MAX));

  gmcp_json_writer_begin_array (&self->writer);
  for (gint64 i = 0; i < MIN (least, most); i++)
    {
      GmcpJsonValue item = gmcp_json_value_get_element (tuple, (guint) i);

      if (!gmcp_json_value_is_present (item) && !gmcp_json_value_is_array (items))
        item = items;
      write_example (self, item, depth + 1);
    }
  gmcp_json_writer_end_array (&self->writer);
}

/* With no more members than it needs. */
static void
write_object (Example *self, GmcpJsonValue schema, guint depth)
{
  GmcpJsonValue properties = gmcp_json_value_get_member (schema, "properties");
  GmcpJsonIter iter;
  GmcpJsonValue name;

  gmcp_json_writer_begin_object (&self->writer);
  gmcp_json_iter_init (&iter, gmcp_json_value_get_member (schema, "required"));
  while (gmcp_json_iter_next (&iter, NULL, &name) && self->n_values < VALUES_MAX)
    {
      g_autofree char *key = gmcp_json_value_dup_string (name);

      if (key == NULL)
        continue;
      gmcp_json_writer_key (&self->writer, key);
      write_example (self, gmcp_json_value_get_member (properties, key), depth + 1);
    }
  gmcp_json_writer_end_object (&self->writer);
}

/* What the server itself would give. */
static GmcpJsonValue
find_own_example (GmcpJsonValue schema)
{
  GmcpJsonValue examples = gmcp_json_value_get_member (schema, "examples");
  GmcpJsonValue value = GMCP_JSON_NONE;

  if (gmcp_json_value_is_array (examples))
    value = gmcp_json_value_get_element (examples, 0);
  if (!gmcp_json_value_is_present (value))
    value = gmcp_json_value_get_member (schema, "example");
  if (!gmcp_json_value_is_present (value))
    value = gmcp_json_value_get_member (schema, "default");
  /* That it may be left out says nothing of what it may be. */
  return gmcp_json_value_get_kind (value) != GMCP_JSON_NULL ? value : GMCP_JSON_NONE;
}

static const GmcpArgumentShape *
choose_shape (const GmcpArgumentShapes *shapes)
{
  for (guint i = 0; i < shapes->n_shapes; i++)
    if (shapes->shapes[i].kind != GMCP_ARGUMENT_KIND_NULL)
      return &shapes->shapes[i];
  return &shapes->shapes[0];
}

static void
write_example (Example *self, GmcpJsonValue written, guint depth)
{
  g_autofree GmcpArgumentShapes *shapes = NULL;
  GmcpJsonValue own = find_own_example (written);
  const GmcpArgumentShape *shape;

  if (!gmcp_json_value_is_present (own))
    own = find_own_example (gmcp_argument_resolve (self->root, written));
  if (gmcp_json_value_is_present (own) && self->writer.out->len < BYTES_MAX)
    {
      gmcp_json_writer_value (&self->writer, own);
      return;
    }
  if (depth > DEPTH_MAX || self->n_values++ >= VALUES_MAX || self->writer.out->len >= BYTES_MAX)
    {
      gmcp_json_writer_null (&self->writer);
      return;
    }

  shapes = g_new (GmcpArgumentShapes, 1);
  gmcp_argument_shapes_read (shapes, self->root, written);
  shape = choose_shape (shapes);
  if (shape->kind == GMCP_ARGUMENT_KIND_ARRAY)
    write_list (self, shape->schema, depth);
  else if (shape->kind == GMCP_ARGUMENT_KIND_OBJECT)
    write_object (self, shape->schema, depth);
  else
    gmcp_argument_write_scalar_example (&self->writer, shape);
}

char *
gmcp_argument_dup_example (GmcpJsonValue root, GmcpJsonValue schema)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Example self = { root, gmcp_json_writer_init (out), 0 };

  write_example (&self, schema, 0);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
