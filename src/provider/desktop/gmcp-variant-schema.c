/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-variant-reader-private.h"

/* The JSON Schema of a GVariant type. */

/* Anything but one value and its name. */
#define OBJECT_PATH_PATTERN "^(/|(/[A-Za-z0-9_]+)+)$"
#define WHOLE_PATTERN       "^(0|-?[1-9][0-9]*)$"

/* What a whole number may be: a table of the types that have a range. */
static const struct
{
  const char *type;
  gint64 minimum;
  guint64 maximum;
} ranges[] = {
  { "y", 0, G_MAXUINT8 },          { "n", G_MININT16, G_MAXINT16 }, { "q", 0, G_MAXUINT16 },
  { "i", G_MININT32, G_MAXINT32 }, { "u", 0, G_MAXUINT32 },         { "x", G_MININT64, G_MAXINT64 },
  { "t", 0, G_MAXUINT64 },
};

gboolean
gmcp_variant_find_range (const GVariantType *type, gint64 *minimum, guint64 *maximum)
{
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      if (*g_variant_type_peek_string (type) == *ranges[i].type)
        {
          *minimum = ranges[i].minimum;
          *maximum = ranges[i].maximum;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
write_hinted_member (GmcpJsonWriter *writer, const char *name, GVariant *value)
{
  gsize before = writer->out->len;
  gboolean comma = writer->comma;

  gmcp_json_writer_key (writer, name);
  if (gmcp_variant_write_json (writer, value, NULL))
    return TRUE;

  /* An infinite limit is none. */
  g_string_truncate (writer->out, before);
  writer->comma = comma;
  return FALSE;
}

/* The first and the last value; FALSE where the hint is none of numbers of the type. */
static gboolean
write_hinted_range (GmcpJsonWriter *writer, const GVariantType *type, GVariant *hint)
{
  static const char *const names[] = { "minimum", "maximum" };
  g_autofree char *pair = g_strdup_printf ("(%c%c)", *g_variant_type_peek_string (type),
                                           *g_variant_type_peek_string (type));

  if (hint == NULL || !g_variant_is_of_type (hint, G_VARIANT_TYPE (pair)))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GVariant) limit = g_variant_get_child_value (hint, i);

      write_hinted_member (writer, names[i], limit);
    }
  return TRUE;
}

static void
write_number (GmcpJsonWriter *writer, const GVariantType *type, GVariant *hint)
{
  gint64 minimum;
  guint64 maximum;

  if (!gmcp_variant_find_range (type, &minimum, &maximum))
    {
      gmcp_json_writer_member_string (writer, "type", "number");
      write_hinted_range (writer, type, hint);
      return;
    }

  gmcp_json_writer_member_string (writer, "type", "integer");
  if (write_hinted_range (writer, type, hint))
    return;
  gmcp_json_writer_member_int64 (writer, "minimum", minimum);
  gmcp_json_writer_key (writer, "maximum");
  gmcp_json_writer_uint64 (writer, maximum);
}

/* The values that there are: an array of them, also one of variants. */
static void
write_choices (GmcpJsonWriter *writer, const GVariantType *type, GVariant *hint)
{
  GVariantIter iter;
  gsize before = writer->out->len;
  gboolean comma = writer->comma;
  gboolean fits = FALSE;

  if (hint == NULL || !g_variant_is_of_type (hint, G_VARIANT_TYPE_ARRAY))
    return;

  gmcp_json_writer_key (writer, "enum");
  gmcp_json_writer_begin_array (writer);
  g_variant_iter_init (&iter, hint);
  while (TRUE)
    {
      g_autoptr (GVariant) item = g_variant_iter_next_value (&iter);
      g_autoptr (GVariant) choice = NULL;

      if (item == NULL)
        break;
      choice = g_variant_is_of_type (item, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (item)
                                                                   : g_variant_ref (item);
      fits = g_variant_is_of_type (choice, type) && gmcp_variant_write_json (writer, choice, NULL);
      if (!fits)
        break;
    }
  gmcp_json_writer_end_array (writer);
  if (!fits)
    {
      g_string_truncate (writer->out, before);
      writer->comma = comma;
    }
}

static void
write_schema_member (GmcpJsonWriter *writer, const char *name, const GVariantType *type)
{
  gmcp_json_writer_key (writer, name);
  gmcp_variant_write_schema (writer, type, NULL);
}

static void
write_maybe (GmcpJsonWriter *writer, const GVariantType *element)
{
  if (g_variant_type_is_maybe (element))
    {
      gmcp_json_writer_member_string (writer, "type", "array");
      write_schema_member (writer, "items", element);
      gmcp_json_writer_member_int64 (writer, "maxItems", 1);
      return;
    }

  gmcp_json_writer_key (writer, "anyOf");
  gmcp_json_writer_begin_array (writer);
  gmcp_variant_write_schema (writer, element, NULL);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "null");
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_array (writer);
}

/* What the keys of a dictionary look like, which are texts in JSON. */
static void
write_key_schema (GmcpJsonWriter *writer, const GVariantType *key)
{
  const char *pattern = NULL;
  gint64 minimum;
  guint64 maximum;

  if (g_variant_type_equal (key, G_VARIANT_TYPE_OBJECT_PATH))
    pattern = OBJECT_PATH_PATTERN;
  else if (g_variant_type_equal (key, G_VARIANT_TYPE_BOOLEAN))
    pattern = "^(true|false)$";
  else if (gmcp_variant_find_range (key, &minimum, &maximum))
    pattern = WHOLE_PATTERN;
  if (pattern == NULL)
    return;

  gmcp_json_writer_key (writer, "propertyNames");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "pattern", pattern);
  gmcp_json_writer_end_object (writer);
}

static void
write_dictionary (GmcpJsonWriter *writer, const GVariantType *entry)
{
  gmcp_json_writer_member_string (writer, "type", "object");
  write_key_schema (writer, g_variant_type_key (entry));
  write_schema_member (writer, "additionalProperties", g_variant_type_value (entry));
}

static void
write_tuple (GmcpJsonWriter *writer, const GVariantType *type)
{
  gint64 n_items = (gint64) g_variant_type_n_items (type);

  gmcp_json_writer_member_string (writer, "type", "array");
  if (n_items > 0)
    {
      gmcp_json_writer_key (writer, "prefixItems");
      gmcp_json_writer_begin_array (writer);
      for (const GVariantType *item = g_variant_type_first (type); item != NULL;
           item = g_variant_type_next (item))
        gmcp_variant_write_schema (writer, item, NULL);
      gmcp_json_writer_end_array (writer);
    }
  gmcp_json_writer_member_int64 (writer, "minItems", n_items);
  gmcp_json_writer_member_int64 (writer, "maxItems", n_items);
}

static void
write_text (GmcpJsonWriter *writer, const GVariantType *type)
{
  gmcp_json_writer_member_string (writer, "type", "string");
  if (g_variant_type_equal (type, G_VARIANT_TYPE_OBJECT_PATH))
    gmcp_json_writer_member_string (writer, "pattern", OBJECT_PATH_PATTERN);
  else if (g_variant_type_equal (type, G_VARIANT_TYPE_SIGNATURE))
    gmcp_json_writer_member_string (writer, "description", "A D-Bus signature, such as a{sv}");
}

static void
write_container (GmcpJsonWriter *writer, const GVariantType *type)
{
  if (g_variant_type_equal (type, G_VARIANT_TYPE_BYTESTRING))
    {
      gmcp_json_writer_member_string (writer, "type", "string");
      gmcp_json_writer_member_string (writer, "contentEncoding", "base64");
      gmcp_json_writer_member_string (writer, "description", "Bytes, as base64");
    }
  else if (g_variant_type_is_maybe (type))
    {
      write_maybe (writer, g_variant_type_element (type));
    }
  else if (g_variant_type_is_dict_entry (type))
    {
      write_dictionary (writer, type);
      gmcp_json_writer_member_int64 (writer, "minProperties", 1);
      gmcp_json_writer_member_int64 (writer, "maxProperties", 1);
    }
  else if (!g_variant_type_is_array (type))
    {
      write_tuple (writer, type);
    }
  else if (g_variant_type_is_dict_entry (g_variant_type_element (type)))
    {
      write_dictionary (writer, g_variant_type_element (type));
    }
  else
    {
      gmcp_json_writer_member_string (writer, "type", "array");
      write_schema_member (writer, "items", g_variant_type_element (type));
    }
}

void
gmcp_variant_write_schema (GmcpJsonWriter *writer, const GVariantType *type, GVariant *state_hint)
{
  gmcp_json_writer_begin_object (writer);
  if (g_variant_type_is_variant (type))
    {
      gmcp_json_writer_member_string (writer, "description",
                                      "Any value but null; {\"@TYPE\": VALUE} gives it a GVariant "
                                      "type, as {\"@u\": 5}");
    }
  else if (g_variant_type_is_container (type))
    {
      write_container (writer, type);
    }
  else if (g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN))
    {
      gmcp_json_writer_member_string (writer, "type", "boolean");
    }
  else if (*g_variant_type_peek_string (type) == 's' || *g_variant_type_peek_string (type) == 'o'
           || *g_variant_type_peek_string (type) == 'g')
    {
      write_text (writer, type);
    }
  else
    {
      write_number (writer, type, state_hint);
    }
  write_choices (writer, type, state_hint);
  gmcp_json_writer_end_object (writer);
}
