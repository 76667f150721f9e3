/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-variant-reader-private.h"

/* JSON as GVariant values: what has parts. A builder that holds a part takes it, since new values float. */

/* Of a name that a peer chose, in an error. */
#define NAME_CHARS 40

static GVariant *
read_value (GmcpVariantReader *self, GmcpJsonValue value, const GVariantType *type, GError **error);

/* What a part is called, behind what holds it; gives the length to come back to. */
static gsize
enter_member (GmcpVariantReader *self, const char *name)
{
  gsize before = self->path->len;
  g_autofree char *shown = g_utf8_strlen (name, -1) > NAME_CHARS
                             ? g_utf8_substring (name, 0, NAME_CHARS)
                             : g_strdup (name);

  g_string_append_printf (self->path, ".%s", shown);
  return before;
}

static gsize
enter_item (GmcpVariantReader *self, guint position)
{
  gsize before = self->path->len;

  g_string_append_printf (self->path, "[%u]", position);
  return before;
}

/* The value of a part whose place is named; takes the name off again where it could be read. */
static GVariant *
read_part (GmcpVariantReader *self,
           gsize before,
           GmcpJsonValue value,
           const GVariantType *type,
           GError **error)
{
  GVariant *part = read_value (self, value, type, error);

  if (part != NULL)
    g_string_truncate (self->path, before);
  return part;
}

static GVariant *
read_list (GmcpVariantReader *self, GmcpJsonValue value, const GVariantType *type, GError **error)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (type);
  const GVariantType *element = g_variant_type_element (type);
  guint position = 0;
  GmcpJsonIter iter;
  GmcpJsonValue item;

  if (!gmcp_json_value_is_array (value))
    {
      gmcp_variant_reader_set_wrong (self, error, _ ("“%s” has to be an array"));
      return NULL;
    }

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &item))
    {
      GVariant *part = read_part (self, enter_item (self, position++), item, element, error);

      if (part == NULL)
        return NULL;
      g_variant_builder_add_value (&builder, part);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
read_tuple (GmcpVariantReader *self, GmcpJsonValue value, const GVariantType *type, GError **error)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (type);
  guint n_items = (guint) g_variant_type_n_items (type);
  const GVariantType *item_type = g_variant_type_first (type);

  if (!gmcp_json_value_is_array (value) || gmcp_json_value_get_length (value) != n_items)
    {
      gmcp_variant_reader_set_wrong (self, error, _ ("“%s” has to be an array of length %u"),
                                     n_items);
      return NULL;
    }

  for (guint i = 0; i < n_items; i++)
    {
      GVariant *part = read_part (self, enter_item (self, i),
                                  gmcp_json_value_get_element (value, i), item_type, error);

      if (part == NULL)
        return NULL;
      g_variant_builder_add_value (&builder, part);
      item_type = g_variant_type_next (item_type);
    }
  return g_variant_builder_end (&builder);
}

/* A key that is no text stands in one, as its JSON is; there is one way to write each, so that no key stands twice. */
static GVariant *
read_key (GmcpVariantReader *self, GmcpJsonValue key, const GVariantType *type, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GVariant) read = NULL;
  g_autoptr (GString) written = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  if (strchr ("sog", *g_variant_type_peek_string (type)) != NULL)
    return gmcp_variant_reader_read_basic (self, key, type, error);

  text = gmcp_json_value_dup_string (key);
  doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, NULL);
  read = gmcp_variant_reader_read_basic (
    self, doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE, type, error);
  if (read == NULL)
    return NULL;

  g_variant_ref_sink (read);
  if (gmcp_variant_write_json (&writer, read, NULL) && g_str_equal (written->str, text))
    return g_steal_pointer (&read);

  gmcp_variant_reader_set_wrong (self, error, _ ("“%s” has to be written as %s"), written->str);
  return NULL;
}

static GVariant *
read_entry (GmcpVariantReader *self,
            GmcpJsonValue key,
            GmcpJsonValue value,
            const GVariantType *type,
            GError **error)
{
  g_autofree char *name = gmcp_json_value_dup_string (key);
  gsize before = enter_member (self, name);
  GVariant *entry_key = read_key (self, key, g_variant_type_key (type), error);
  GVariant *entry_value;

  if (entry_key == NULL)
    return NULL;
  g_variant_take_ref (entry_key);
  self->depth++;
  entry_value = read_part (self, before, value, g_variant_type_value (type), error);
  self->depth--;
  if (entry_value == NULL)
    {
      g_variant_unref (entry_key);
      return NULL;
    }
  entry_value = g_variant_new_dict_entry (entry_key, entry_value);
  g_variant_unref (entry_key);
  return entry_value;
}

static GVariant *
read_dictionary (GmcpVariantReader *self,
                 GmcpJsonValue value,
                 const GVariantType *type,
                 GError **error)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (type);
  const GVariantType *entry_type = g_variant_type_element (type);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue member;

  if (!gmcp_json_value_is_object (value))
    {
      gmcp_variant_reader_set_wrong (self, error, _ ("“%s” has to be an object"));
      return NULL;
    }

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &key, &member))
    {
      GVariant *entry = read_entry (self, key, member, entry_type, error);

      if (entry == NULL)
        return NULL;
      g_variant_builder_add_value (&builder, entry);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
read_single_entry (GmcpVariantReader *self,
                   GmcpJsonValue value,
                   const GVariantType *type,
                   GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue member;

  if (!gmcp_json_value_is_object (value) || gmcp_json_value_get_length (value) != 1)
    {
      gmcp_variant_reader_set_wrong (self, error, _ ("“%s” has to be an object with one member"));
      return NULL;
    }

  gmcp_json_iter_init (&iter, value);
  gmcp_json_iter_next (&iter, &key, &member);
  return read_entry (self, key, member, type, error);
}

static GVariant *
read_maybe (GmcpVariantReader *self, GmcpJsonValue value, const GVariantType *type, GError **error)
{
  const GVariantType *element = g_variant_type_element (type);
  GmcpJsonValue held = value;
  GVariant *part;

  /* As null could be either of two, each of them but the innermost is an array. */
  if (g_variant_type_is_maybe (element))
    {
      if (!gmcp_json_value_is_array (value) || gmcp_json_value_get_length (value) > 1)
        {
          gmcp_variant_reader_set_wrong (self, error,
                                         _ ("“%s” has to be an array with one value or none"));
          return NULL;
        }
      if (gmcp_json_value_get_length (value) == 0)
        return g_variant_new_maybe (element, NULL);
      held = gmcp_json_value_get_element (value, 0);
    }
  else if (gmcp_json_value_get_kind (value) == GMCP_JSON_NULL)
    {
      return g_variant_new_maybe (element, NULL);
    }

  part = read_value (self, held, element, error);
  return part != NULL ? g_variant_new_maybe (element, part) : NULL;
}

/* What {"@TYPE": VALUE} has; FALSE for any other object. */
static gboolean
find_typed (GmcpJsonValue object, char **type, GmcpJsonValue *value)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue held;
  g_autofree char *name = NULL;

  if (gmcp_json_value_get_length (object) != 1)
    return FALSE;

  gmcp_json_iter_init (&iter, object);
  gmcp_json_iter_next (&iter, &key, &held);
  name = gmcp_json_value_dup_string (key);
  if (name[0] != '@')
    return FALSE;

  *type = g_strdup (name + 1);
  *value = held;
  return TRUE;
}

static const GVariantType *
guess_number_type (GmcpJsonValue value)
{
  gsize length;
  const char *text = gmcp_json_value_peek_raw (value, &length);
  gint64 number;
  guint64 large;

  for (gsize i = 0; i < length; i++)
    {
      if (strchr ("0123456789-", text[i]) == NULL)
        return G_VARIANT_TYPE_DOUBLE;
    }
  if (gmcp_json_value_get_int64 (value, &number))
    return G_VARIANT_TYPE_INT64;
  return gmcp_json_value_get_uint64 (value, &large) ? G_VARIANT_TYPE_UINT64 : G_VARIANT_TYPE_DOUBLE;
}

/* NULL for null, which nothing stands for. */
static const GVariantType *
guess_type (GmcpJsonValue value)
{
  switch (gmcp_json_value_get_kind (value))
    {
    case GMCP_JSON_TRUE:
    case GMCP_JSON_FALSE:
      return G_VARIANT_TYPE_BOOLEAN;
    case GMCP_JSON_NUMBER:
      return guess_number_type (value);
    case GMCP_JSON_STRING:
      return G_VARIANT_TYPE_STRING;
    case GMCP_JSON_ARRAY:
      return G_VARIANT_TYPE ("av");
    case GMCP_JSON_OBJECT:
      return G_VARIANT_TYPE_VARDICT;
    default:
      return NULL;
    }
}

static GVariant *
read_variant (GmcpVariantReader *self, GmcpJsonValue value, GError **error)
{
  const GVariantType *type = guess_type (value);
  g_autofree char *given = NULL;
  GmcpJsonValue held = value;
  GVariant *part;

  if (type == NULL)
    {
      gmcp_variant_reader_set_wrong (self, error, _ ("“%s” cannot be null"));
      return NULL;
    }
  if (gmcp_json_value_is_object (value) && find_typed (value, &given, &held))
    {
      if (!gmcp_variant_is_dbus_signature (given) || !g_variant_type_string_is_valid (given)
          || !gmcp_variant_check_type (G_VARIANT_TYPE (given), NULL))
        {
          gmcp_variant_reader_set_wrong (
            self, error,
            _ ("“%s” has to have one D-Bus type behind the @, without file descriptors"));
          return NULL;
        }
      type = G_VARIANT_TYPE (given);
    }

  part = read_value (self, held, type, error);
  return part != NULL ? g_variant_new_variant (part) : NULL;
}

static GVariant *
read_container (GmcpVariantReader *self,
                GmcpJsonValue value,
                const GVariantType *type,
                GError **error)
{
  if (g_variant_type_is_variant (type))
    return read_variant (self, value, error);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_BYTESTRING))
    return gmcp_variant_reader_read_bytes (self, value, error);
  if (g_variant_type_is_maybe (type))
    return read_maybe (self, value, type, error);
  if (g_variant_type_is_dict_entry (type))
    return read_single_entry (self, value, type, error);
  if (!g_variant_type_is_array (type))
    return read_tuple (self, value, type, error);
  if (g_variant_type_is_dict_entry (g_variant_type_element (type)))
    return read_dictionary (self, value, type, error);
  return read_list (self, value, type, error);
}

static GVariant *
read_value (GmcpVariantReader *self, GmcpJsonValue value, const GVariantType *type, GError **error)
{
  GVariant *read;

  if (++self->n_values > GMCP_LIMIT_VARIANT_VALUES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("“%s” takes the arguments past %u values, which is the limit"),
                   self->path->str, GMCP_LIMIT_VARIANT_VALUES);
      return NULL;
    }
  if (!g_variant_type_is_container (type))
    return gmcp_variant_reader_read_basic (self, value, type, error);
  if (self->depth >= GMCP_LIMIT_VARIANT_DEPTH)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("“%s” is nested deeper than %u, which is the limit"), self->path->str,
                   GMCP_LIMIT_VARIANT_DEPTH);
      return NULL;
    }

  self->depth++;
  read = read_container (self, value, type, error);
  self->depth--;
  return read;
}

GVariant *
gmcp_variant_read_json (GmcpJsonValue value,
                        const GVariantType *type,
                        const char *name,
                        GError **error)
{
  g_autoptr (GString) path = g_string_new (name);
  GmcpVariantReader reader = { .path = path };
  GVariant *read = read_value (&reader, value, type, error);

  return read != NULL ? g_variant_ref_sink (read) : NULL;
}
