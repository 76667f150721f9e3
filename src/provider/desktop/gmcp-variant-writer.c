/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-variant-json-private.h"

/* GVariant values as JSON. */

static gboolean write_value (GmcpJsonWriter *writer, GVariant *value, GError **error);

static gboolean
write_double (GmcpJsonWriter *writer, double number, GError **error)
{
  if (!(number >= -G_MAXDOUBLE && number <= G_MAXDOUBLE))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                           _ ("A value is infinite or not a number, which JSON cannot hold"));
      return FALSE;
    }

  gmcp_json_writer_double (writer, number);
  return TRUE;
}

static gboolean
write_basic (GmcpJsonWriter *writer, GVariant *value, GError **error)
{
  switch (g_variant_classify (value))
    {
    case G_VARIANT_CLASS_BOOLEAN:
      gmcp_json_writer_boolean (writer, g_variant_get_boolean (value));
      break;
    case G_VARIANT_CLASS_BYTE:
      gmcp_json_writer_int64 (writer, g_variant_get_byte (value));
      break;
    case G_VARIANT_CLASS_INT16:
      gmcp_json_writer_int64 (writer, g_variant_get_int16 (value));
      break;
    case G_VARIANT_CLASS_UINT16:
      gmcp_json_writer_int64 (writer, g_variant_get_uint16 (value));
      break;
    case G_VARIANT_CLASS_INT32:
      gmcp_json_writer_int64 (writer, g_variant_get_int32 (value));
      break;
    case G_VARIANT_CLASS_UINT32:
      gmcp_json_writer_int64 (writer, g_variant_get_uint32 (value));
      break;
    case G_VARIANT_CLASS_INT64:
      gmcp_json_writer_int64 (writer, g_variant_get_int64 (value));
      break;
    case G_VARIANT_CLASS_UINT64:
      gmcp_json_writer_uint64 (writer, g_variant_get_uint64 (value));
      break;
    case G_VARIANT_CLASS_HANDLE:
      gmcp_json_writer_int64 (writer, g_variant_get_handle (value));
      break;
    case G_VARIANT_CLASS_DOUBLE:
      return write_double (writer, g_variant_get_double (value), error);
    default:
      gmcp_json_writer_string (writer, g_variant_get_string (value, NULL));
    }
  return TRUE;
}

static gboolean
write_items (GmcpJsonWriter *writer, GVariant *value, GError **error)
{
  GVariantIter iter;

  gmcp_json_writer_begin_array (writer);
  g_variant_iter_init (&iter, value);
  while (TRUE)
    {
      g_autoptr (GVariant) item = g_variant_iter_next_value (&iter);

      if (item == NULL)
        break;
      if (!write_value (writer, item, error))
        return FALSE;
    }
  gmcp_json_writer_end_array (writer);
  return TRUE;
}

static gboolean
write_member (GmcpJsonWriter *writer, GVariant *entry, GError **error)
{
  g_autoptr (GVariant) key = g_variant_get_child_value (entry, 0);
  g_autoptr (GVariant) value = g_variant_get_child_value (entry, 1);

  if (g_variant_is_of_type (key, G_VARIANT_TYPE_STRING)
      || g_variant_is_of_type (key, G_VARIANT_TYPE_OBJECT_PATH)
      || g_variant_is_of_type (key, G_VARIANT_TYPE_SIGNATURE))
    {
      gmcp_json_writer_key (writer, g_variant_get_string (key, NULL));
    }
  else
    {
      /* A key that is no text is written as its JSON is. */
      g_autoptr (GString) text = g_string_new (NULL);
      GmcpJsonWriter key_writer = gmcp_json_writer_init (text);

      if (!write_basic (&key_writer, key, error))
        return FALSE;
      gmcp_json_writer_key (writer, text->str);
    }
  return write_value (writer, value, error);
}

static gboolean
write_dictionary (GmcpJsonWriter *writer, GVariant *value, GError **error)
{
  gsize n_entries = g_variant_n_children (value);

  gmcp_json_writer_begin_object (writer);
  for (gsize i = 0; i < n_entries; i++)
    {
      g_autoptr (GVariant) entry = g_variant_get_child_value (value, i);

      if (!write_member (writer, entry, error))
        return FALSE;
    }
  gmcp_json_writer_end_object (writer);
  return TRUE;
}

static gboolean
write_maybe (GmcpJsonWriter *writer, GVariant *value, GError **error)
{
  const GVariantType *element = g_variant_type_element (g_variant_get_type (value));
  g_autoptr (GVariant) held = g_variant_get_maybe (value);

  /* null could be either of the two. */
  if (g_variant_type_is_maybe (element))
    return write_items (writer, value, error);
  if (held != NULL)
    return write_value (writer, held, error);

  gmcp_json_writer_null (writer);
  return TRUE;
}

static gboolean
write_array (GmcpJsonWriter *writer, GVariant *value, GError **error)
{
  const GVariantType *element = g_variant_type_element (g_variant_get_type (value));

  if (g_variant_type_equal (element, G_VARIANT_TYPE_BYTE))
    {
      gsize length;
      const guint8 *bytes = g_variant_get_fixed_array (value, &length, 1);

      gmcp_json_writer_base64 (writer, bytes, length);
      return TRUE;
    }
  if (g_variant_type_is_dict_entry (element))
    return write_dictionary (writer, value, error);
  return write_items (writer, value, error);
}

static gboolean
write_value (GmcpJsonWriter *writer, GVariant *value, GError **error)
{
  g_autoptr (GVariant) held = NULL;

  switch (g_variant_classify (value))
    {
    case G_VARIANT_CLASS_VARIANT:
      held = g_variant_get_variant (value);
      return write_value (writer, held, error);
    case G_VARIANT_CLASS_MAYBE:
      return write_maybe (writer, value, error);
    case G_VARIANT_CLASS_ARRAY:
      return write_array (writer, value, error);
    case G_VARIANT_CLASS_TUPLE:
      return write_items (writer, value, error);
    case G_VARIANT_CLASS_DICT_ENTRY:
      gmcp_json_writer_begin_object (writer);
      if (!write_member (writer, value, error))
        return FALSE;
      gmcp_json_writer_end_object (writer);
      return TRUE;
    default:
      return write_basic (writer, value, error);
    }
}

gboolean
gmcp_variant_write_json (GmcpJsonWriter *writer, GVariant *value, GError **error)
{
  if (g_variant_get_size (value) > GMCP_LIMIT_VARIANT_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("A value has more than %u bytes, which is the limit"),
                   GMCP_LIMIT_VARIANT_BYTES);
      return FALSE;
    }
  return write_value (writer, value, error);
}
