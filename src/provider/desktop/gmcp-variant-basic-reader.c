/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-variant-reader-private.h"

/* JSON as GVariant values: what has no parts. */

gboolean
gmcp_variant_reader_count_bytes (GmcpVariantReader *self, gsize n_bytes, GError **error)
{
  if (n_bytes <= GMCP_LIMIT_VARIANT_BYTES - self->n_bytes)
    {
      self->n_bytes += n_bytes;
      return TRUE;
    }

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("“%s” takes the arguments past %u bytes, which is the limit"), self->path->str,
               GMCP_LIMIT_VARIANT_BYTES);
  return FALSE;
}

static guint
read_hex4 (const char *digits)
{
  guint number = 0;

  for (guint i = 0; i < 4; i++)
    number = number << 4 | (guint) g_ascii_xdigit_value (digits[i]);
  return number;
}

/* Whether a text has an escape that a C string cannot have: U+0000, or half of a pair of surrogates. The escapes are
 * well-formed, as the document was read. */
static gboolean
has_lost_escape (GmcpJsonValue value)
{
  gsize length;
  const char *text = gmcp_json_value_peek_raw (value, &length);
  const char *end = text + length;

  for (const char *p = memchr (text, '\\', length); p != NULL && p < end;
       p = memchr (p, '\\', (gsize) (end - p)))
    {
      guint unit = p[1] == 'u' ? read_hex4 (p + 2) : 'x';
      gboolean has_pair = (unit & 0xfc00) == 0xd800 && p[6] == '\\' && p[7] == 'u'
                          && (read_hex4 (p + 8) & 0xfc00) == 0xdc00;

      if (unit == 0 || ((unit & 0xf800) == 0xd800 && !has_pair))
        return TRUE;
      p += p[1] != 'u' ? 2 : has_pair ? 12 : 6;
    }
  return FALSE;
}

static GVariant *
read_text (GmcpVariantReader *self, GmcpJsonValue value, const GVariantType *type, GError **error)
{
  g_autofree char *text = gmcp_json_value_dup_string (value);

  if (text == NULL || has_lost_escape (value))
    {
      gmcp_variant_reader_set_wrong (self, error,
                                     text == NULL
                                       ? _ ("“%s” has to be a text")
                                       : _ ("“%s” has a character that no text may have"));
      return NULL;
    }
  if (!gmcp_variant_reader_count_bytes (self, strlen (text), error))
    return NULL;

  if (g_variant_type_equal (type, G_VARIANT_TYPE_STRING))
    return g_variant_new_take_string (g_steal_pointer (&text));
  if (g_variant_type_equal (type, G_VARIANT_TYPE_OBJECT_PATH))
    {
      if (g_variant_is_object_path (text))
        return g_variant_new_object_path (text);
      gmcp_variant_reader_set_wrong (
        self, error, _ ("“%s” has to be a D-Bus object path, such as /org/example/One"));
      return NULL;
    }

  if (gmcp_variant_is_dbus_signature (text))
    return g_variant_new_signature (text);
  gmcp_variant_reader_set_wrong (self, error,
                                 _ ("“%s” has to be a D-Bus signature, such as a{sv}"));
  return NULL;
}

static GVariant *
read_boolean (GmcpVariantReader *self, GmcpJsonValue value, GError **error)
{
  gboolean held;

  if (gmcp_json_value_get_boolean (value, &held))
    return g_variant_new_boolean (held);

  gmcp_variant_reader_set_wrong (self, error, _ ("“%s” has to be true or false"));
  return NULL;
}

static GVariant *
read_double (GmcpVariantReader *self, GmcpJsonValue value, GError **error)
{
  double held;

  if (gmcp_json_value_get_double (value, &held) && held >= -G_MAXDOUBLE && held <= G_MAXDOUBLE)
    return g_variant_new_double (held);

  gmcp_variant_reader_set_wrong (self, error, _ ("“%s” has to be a number that a double can hold"));
  return NULL;
}

/* Each whole number as its type has it; the range was checked. */
static GVariant *
new_whole (char type, gint64 number, guint64 large)
{
  switch (type)
    {
    case 'y':
      return g_variant_new_byte ((guint8) number);
    case 'n':
      return g_variant_new_int16 ((gint16) number);
    case 'q':
      return g_variant_new_uint16 ((guint16) number);
    case 'i':
      return g_variant_new_int32 ((gint32) number);
    case 'u':
      return g_variant_new_uint32 ((guint32) number);
    case 'x':
      return g_variant_new_int64 (number);
    default:
      return g_variant_new_uint64 (large);
    }
}

static GVariant *
read_whole (GmcpVariantReader *self, GmcpJsonValue value, const GVariantType *type, GError **error)
{
  gint64 minimum = 0;
  guint64 maximum = 0;
  gint64 number = 0;
  guint64 large = 0;
  gboolean is_small = gmcp_json_value_get_int64 (value, &number);
  gboolean is_large = gmcp_json_value_get_uint64 (value, &large);
  g_autofree char *lowest = NULL;
  g_autofree char *highest = NULL;

  if (!gmcp_variant_find_range (type, &minimum, &maximum))
    {
      gmcp_variant_reader_set_wrong (self, error, _ ("“%s” cannot be given in JSON"));
      return NULL;
    }
  if (is_large ? large <= maximum : is_small && number >= minimum)
    return new_whole (*g_variant_type_peek_string (type), number, large);

  lowest = g_strdup_printf ("%" G_GINT64_FORMAT, minimum);
  highest = g_strdup_printf ("%" G_GUINT64_FORMAT, maximum);
  gmcp_variant_reader_set_wrong (self, error, _ ("“%s” has to be a whole number from %s to %s"),
                                 lowest, highest);
  return NULL;
}

GVariant *
gmcp_variant_reader_read_basic (GmcpVariantReader *self,
                                GmcpJsonValue value,
                                const GVariantType *type,
                                GError **error)
{
  switch (*g_variant_type_peek_string (type))
    {
    case 'b':
      return read_boolean (self, value, error);
    case 'd':
      return read_double (self, value, error);
    case 's':
    case 'o':
    case 'g':
      return read_text (self, value, type, error);
    default:
      return read_whole (self, value, type, error);
    }
}

static GBytes *
read_byte_numbers (GmcpVariantReader *self, GmcpJsonValue value, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  GmcpJsonIter iter;
  GmcpJsonValue item;

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &item))
    {
      guint64 number;
      guint8 byte;

      if (!gmcp_json_value_get_uint64 (item, &number) || number > G_MAXUINT8)
        {
          gmcp_variant_reader_set_wrong (
            self, error, _ ("“%s” has to be bytes: base64, or numbers from 0 to 255"));
          return NULL;
        }
      byte = (guint8) number;
      g_byte_array_append (bytes, &byte, 1);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

GVariant *
gmcp_variant_reader_read_bytes (GmcpVariantReader *self, GmcpJsonValue value, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;

  if (gmcp_json_value_is_array (value))
    {
      bytes = read_byte_numbers (self, value, error);
      if (bytes == NULL)
        return NULL;
    }
  else
    {
      bytes = gmcp_json_value_decode_base64 (value, NULL);
    }

  if (bytes == NULL)
    {
      gmcp_variant_reader_set_wrong (self, error,
                                     _ ("“%s” has to be bytes: base64, or numbers from 0 to 255"));
      return NULL;
    }
  if (!gmcp_variant_reader_count_bytes (self, g_bytes_get_size (bytes), error))
    return NULL;
  return g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE);
}
