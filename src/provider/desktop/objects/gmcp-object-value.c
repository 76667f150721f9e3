/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-object-value-private.h"

#include <math.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-variant-json-private.h"

/* JSON is read and written by way of GVariant, whose readers know what is exact and what is not text. */
static const char *const variant_types[] = {
  [GMCP_OBJECT_BOOLEAN] = "b", [GMCP_OBJECT_INT8] = "n",    [GMCP_OBJECT_UINT8] = "y",
  [GMCP_OBJECT_INT16] = "n",   [GMCP_OBJECT_UINT16] = "q",  [GMCP_OBJECT_INT32] = "i",
  [GMCP_OBJECT_UINT32] = "u",  [GMCP_OBJECT_INT64] = "x",   [GMCP_OBJECT_UINT64] = "t",
  [GMCP_OBJECT_FLOAT] = "d",   [GMCP_OBJECT_DOUBLE] = "d",  [GMCP_OBJECT_TEXT] = "s",
  [GMCP_OBJECT_TEXTS] = "as",  [GMCP_OBJECT_VARIANT] = "v", [GMCP_OBJECT_BYTES] = "ay",
  [GMCP_OBJECT_ENUM] = "s",    [GMCP_OBJECT_FLAGS] = "as",
};

static const struct
{
  GITypeTag tag;
  GmcpObjectKind kind;
} basic_kinds[] = {
  { GI_TYPE_TAG_BOOLEAN, GMCP_OBJECT_BOOLEAN }, { GI_TYPE_TAG_INT8, GMCP_OBJECT_INT8 },
  { GI_TYPE_TAG_UINT8, GMCP_OBJECT_UINT8 },     { GI_TYPE_TAG_INT16, GMCP_OBJECT_INT16 },
  { GI_TYPE_TAG_UINT16, GMCP_OBJECT_UINT16 },   { GI_TYPE_TAG_INT32, GMCP_OBJECT_INT32 },
  { GI_TYPE_TAG_UINT32, GMCP_OBJECT_UINT32 },   { GI_TYPE_TAG_INT64, GMCP_OBJECT_INT64 },
  { GI_TYPE_TAG_UINT64, GMCP_OBJECT_UINT64 },   { GI_TYPE_TAG_FLOAT, GMCP_OBJECT_FLOAT },
  { GI_TYPE_TAG_DOUBLE, GMCP_OBJECT_DOUBLE },
};

static const GVariantType *
get_variant_type (const GmcpObjectValue *self)
{
  return G_VARIANT_TYPE (variant_types[self->kind]);
}

static gboolean
is_pointer (const GmcpObjectValue *self)
{
  return self->kind == GMCP_OBJECT_TEXT || self->kind == GMCP_OBJECT_TEXTS
         || self->kind == GMCP_OBJECT_VARIANT || self->kind == GMCP_OBJECT_BYTES
         || self->kind == GMCP_OBJECT_CANCELLABLE;
}

static void
init_choices (GmcpObjectValue *self, const GmcpGirepository *gi, GIEnumInfo *info)
{
  guint n_values = gi->enum_info_get_n_values (info);
  GITypeTag storage = gi->enum_info_get_storage_type (info);

  /* As in C. */
  if (storage != GI_TYPE_TAG_INT32 && storage != GI_TYPE_TAG_UINT32)
    return;

  self->kind
    = gmcp_girepository_get_kind (gi, info) == GMCP_GI_FLAGS ? GMCP_OBJECT_FLAGS : GMCP_OBJECT_ENUM;
  self->is_unsigned = storage == GI_TYPE_TAG_UINT32;
  self->names = g_new0 (char *, n_values + 1);
  self->numbers = g_new0 (gint64, n_values);
  for (guint i = 0; i < n_values; i++)
    {
      GIValueInfo *value = gi->enum_info_get_value (info, i);

      self->names[i]
        = g_strdelimit (g_strdup (gi->base_info_get_name ((GIBaseInfo *) value)), "_", '-');
      self->numbers[i] = gi->value_info_get_value (value);
      gi->base_info_unref ((GIBaseInfo *) value);
    }
}

static void
init_interface (GmcpObjectValue *self, const GmcpGirepository *gi, GITypeInfo *type)
{
  GIBaseInfo *info = gi->type_info_get_interface (type);
  GmcpGiKind kind = gmcp_girepository_get_kind (gi, info);
  GType registered = kind == GMCP_GI_OBJECT || kind == GMCP_GI_STRUCT
                       ? gi->registered_type_info_get_g_type ((GIRegisteredTypeInfo *) info)
                       : G_TYPE_NONE;

  if ((kind == GMCP_GI_ENUM || kind == GMCP_GI_FLAGS) && !gi->type_info_is_pointer (type))
    init_choices (self, gi, (GIEnumInfo *) info);
  else if (registered == G_TYPE_CANCELLABLE)
    self->kind = GMCP_OBJECT_CANCELLABLE;
  else if (registered == G_TYPE_VARIANT)
    self->kind = GMCP_OBJECT_VARIANT;
  else if (registered == G_TYPE_BYTES)
    self->kind = GMCP_OBJECT_BYTES;
  gi->base_info_unref (info);
}

static void
init_array (GmcpObjectValue *self, const GmcpGirepository *gi, GITypeInfo *type)
{
  GITypeInfo *element = gi->type_info_get_param_type (type, 0);

  if (gi->type_info_get_array_type (type) == GI_ARRAY_TYPE_C
      && gi->type_info_is_zero_terminated (type) && !gmcp_girepository_has_length (gi, type)
      && (gi->type_info_get_tag (element) == GI_TYPE_TAG_UTF8
          || gi->type_info_get_tag (element) == GI_TYPE_TAG_FILENAME))
    self->kind = GMCP_OBJECT_TEXTS;
  gi->base_info_unref ((GIBaseInfo *) element);
}

static void
init_basic (GmcpObjectValue *self, const GmcpGirepository *gi, GITypeInfo *type)
{
  GITypeTag tag = gi->type_info_get_tag (type);

  if (gi->type_info_is_pointer (type))
    {
      if (tag == GI_TYPE_TAG_UTF8 || tag == GI_TYPE_TAG_FILENAME)
        self->kind = GMCP_OBJECT_TEXT;
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (basic_kinds); i++)
    if (basic_kinds[i].tag == tag)
      self->kind = basic_kinds[i].kind;
}

static char *
dup_type_name (const GmcpGirepository *gi, GITypeInfo *type)
{
  GITypeTag tag = gi->type_info_get_tag (type);
  GIBaseInfo *info;
  char *name;

  if (tag != GI_TYPE_TAG_INTERFACE)
    return g_strdup (gi->type_tag_to_string (tag));

  info = gi->type_info_get_interface (type);
  name
    = g_strdup_printf ("%s.%s", gi->base_info_get_namespace (info), gi->base_info_get_name (info));
  gi->base_info_unref (info);
  return name;
}

gboolean
gmcp_object_value_init (GmcpObjectValue *self,
                        const GmcpGirepository *gi,
                        GITypeInfo *type,
                        GITransfer transfer,
                        gboolean is_nullable,
                        GError **error)
{
  GITypeTag tag = gi->type_info_get_tag (type);

  *self = (GmcpObjectValue){ .transfer = transfer };
  if (tag == GI_TYPE_TAG_VOID && !gi->type_info_is_pointer (type))
    return TRUE;

  if (tag == GI_TYPE_TAG_INTERFACE)
    init_interface (self, gi, type);
  else if (tag == GI_TYPE_TAG_ARRAY)
    init_array (self, gi, type);
  else
    init_basic (self, gi, type);

  if (self->kind == GMCP_OBJECT_NOTHING)
    {
      g_autofree char *name = dup_type_name (gi, type);

      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, _ ("JSON has no form for %s"),
                   name);
      return FALSE;
    }
  self->is_nullable = is_nullable && is_pointer (self);
  return TRUE;
}

void
gmcp_object_value_clear (GmcpObjectValue *self)
{
  g_clear_pointer (&self->names, g_strfreev);
  g_clear_pointer (&self->numbers, g_free);
}

/* Schemas */

gboolean
gmcp_object_value_is_signed (const GmcpObjectValue *self)
{
  return self->kind == GMCP_OBJECT_INT8 || self->kind == GMCP_OBJECT_INT16
         || self->kind == GMCP_OBJECT_INT32 || self->kind == GMCP_OBJECT_INT64;
}

static void
write_choice_schema (const GmcpObjectValue *self, GmcpJsonWriter *writer)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "string");
  gmcp_json_writer_key (writer, "enum");
  gmcp_json_writer_begin_array (writer);
  for (guint i = 0; self->names[i] != NULL; i++)
    if (self->kind == GMCP_OBJECT_ENUM || self->numbers[i] != 0)
      gmcp_json_writer_string (writer, self->names[i]);
  gmcp_json_writer_end_array (writer);
  gmcp_json_writer_end_object (writer);
}

static void
write_value_schema (const GmcpObjectValue *self, GmcpJsonWriter *writer)
{
  g_autoptr (GVariant) range = NULL;

  switch (self->kind)
    {
    case GMCP_OBJECT_ENUM:
      write_choice_schema (self, writer);
      break;

    case GMCP_OBJECT_FLAGS:
      gmcp_json_writer_begin_object (writer);
      gmcp_json_writer_member_string (writer, "type", "array");
      gmcp_json_writer_key (writer, "items");
      write_choice_schema (self, writer);
      gmcp_json_writer_end_object (writer);
      break;

    default:
      if (self->kind == GMCP_OBJECT_INT8)
        range = g_variant_ref_sink (g_variant_new ("(nn)", G_MININT8, G_MAXINT8));
      gmcp_variant_write_schema (writer, get_variant_type (self), range);
      break;
    }
}

void
gmcp_object_value_write_schema (const GmcpObjectValue *self,
                                GmcpJsonWriter *writer,
                                gboolean is_given)
{
  const char *other = NULL;

  if (self->is_nullable || (is_given && is_pointer (self)))
    other = "null";
  else if (is_given && self->names != NULL)
    other = "integer";
  if (other == NULL)
    {
      write_value_schema (self, writer);
      return;
    }

  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_key (writer, "anyOf");
  gmcp_json_writer_begin_array (writer);
  write_value_schema (self, writer);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", other);
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_array (writer);
  gmcp_json_writer_end_object (writer);
}

/* Arguments */

static gboolean
find_number (const GmcpObjectValue *self, const char *chosen, gint64 *number)
{
  for (guint i = 0; self->names[i] != NULL; i++)
    if (g_str_equal (self->names[i], chosen))
      {
        *number = self->numbers[i];
        return TRUE;
      }
  return FALSE;
}

static gboolean
refuse_argument (const char *name, const char *reason, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, _ ("The argument “%s”: %s"), name,
               reason);
  return FALSE;
}

static void
set_choice (const GmcpObjectValue *self, gint64 number, GIArgument *argument)
{
  if (self->is_unsigned)
    argument->v_uint32 = (guint32) number;
  else
    argument->v_int32 = (gint32) number;
}

static gboolean
read_choices (const GmcpObjectValue *self,
              const char *const *chosen,
              const char *name,
              GIArgument *argument,
              GError **error)
{
  gint64 all = 0;

  for (guint i = 0; chosen[i] != NULL; i++)
    {
      gint64 number;

      if (!find_number (self, chosen[i], &number))
        {
          g_autofree char *names = g_strjoinv (", ", self->names);
          g_autofree char *reason = g_strdup_printf (_ ("“%s” is none of: %s"), chosen[i], names);

          return refuse_argument (name, reason, error);
        }
      all |= number;
    }
  set_choice (self, all, argument);
  return TRUE;
}

static gboolean
read_float (GVariant *value, const char *name, GIArgument *argument, GError **error)
{
  argument->v_float = (float) g_variant_get_double (value);
  return isfinite (argument->v_float) ? TRUE : refuse_argument (name, _ ("it is too large"), error);
}

static gboolean
read_int8 (GVariant *value, const char *name, GIArgument *argument, GError **error)
{
  gint16 number = g_variant_get_int16 (value);

  argument->v_int8 = (gint8) number;
  return argument->v_int8 == number ? TRUE
                                    : refuse_argument (name, _ ("it is out of range"), error);
}

static gboolean
read_variant (const GmcpObjectValue *self,
              GVariant *value,
              const char *name,
              GIArgument *argument,
              GError **error)
{
  const char *one[] = { NULL, NULL };
  g_autofree const char **several = NULL;

  switch (self->kind)
    {
    case GMCP_OBJECT_BOOLEAN:
      argument->v_boolean = g_variant_get_boolean (value);
      break;
    case GMCP_OBJECT_INT8:
      return read_int8 (value, name, argument, error);
    case GMCP_OBJECT_UINT8:
      argument->v_uint8 = g_variant_get_byte (value);
      break;
    case GMCP_OBJECT_INT16:
      argument->v_int16 = g_variant_get_int16 (value);
      break;
    case GMCP_OBJECT_UINT16:
      argument->v_uint16 = g_variant_get_uint16 (value);
      break;
    case GMCP_OBJECT_INT32:
      argument->v_int32 = g_variant_get_int32 (value);
      break;
    case GMCP_OBJECT_UINT32:
      argument->v_uint32 = g_variant_get_uint32 (value);
      break;
    case GMCP_OBJECT_INT64:
      argument->v_int64 = g_variant_get_int64 (value);
      break;
    case GMCP_OBJECT_UINT64:
      argument->v_uint64 = g_variant_get_uint64 (value);
      break;
    case GMCP_OBJECT_FLOAT:
      return read_float (value, name, argument, error);
    case GMCP_OBJECT_DOUBLE:
      argument->v_double = g_variant_get_double (value);
      break;
    case GMCP_OBJECT_TEXT:
      argument->v_string = g_variant_dup_string (value, NULL);
      break;
    case GMCP_OBJECT_TEXTS:
      argument->v_pointer = g_variant_dup_strv (value, NULL);
      break;
    case GMCP_OBJECT_VARIANT:
      argument->v_pointer = g_variant_get_variant (value);
      break;
    case GMCP_OBJECT_BYTES:
      argument->v_pointer = g_variant_get_data_as_bytes (value);
      break;
    case GMCP_OBJECT_ENUM:
      one[0] = g_variant_get_string (value, NULL);
      return read_choices (self, one, name, argument, error);
    case GMCP_OBJECT_FLAGS:
      several = g_variant_get_strv (value, NULL);
      return read_choices (self, several, name, argument, error);
    case GMCP_OBJECT_NOTHING:
    case GMCP_OBJECT_CANCELLABLE:
    case GMCP_OBJECT_LENGTH:
    default:
      g_return_val_if_reached (FALSE);
    }
  return TRUE;
}

gboolean
gmcp_object_value_read (const GmcpObjectValue *self,
                        GmcpJsonValue json,
                        const char *name,
                        GIArgument *argument,
                        GError **error)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (json);
  g_autoptr (GVariant) value = NULL;

  if (self->is_nullable && (kind == GMCP_JSON_ABSENT || kind == GMCP_JSON_NULL))
    {
      argument->v_pointer = NULL;
      return TRUE;
    }
  if (kind == GMCP_JSON_ABSENT)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The argument “%s” is missing"), name);
      return FALSE;
    }

  value = gmcp_variant_read_json (json, get_variant_type (self), name, error);
  return value != NULL && read_variant (self, value, name, argument, error);
}

static void
free_pointer (const GmcpObjectValue *self, gpointer pointer, gboolean with_elements)
{
  if (pointer == NULL)
    return;

  switch (self->kind)
    {
    case GMCP_OBJECT_TEXT:
      g_free (pointer);
      break;
    case GMCP_OBJECT_TEXTS:
      if (with_elements)
        g_strfreev (pointer);
      else
        g_free (pointer);
      break;
    case GMCP_OBJECT_VARIANT:
      g_variant_unref (pointer);
      break;
    case GMCP_OBJECT_BYTES:
      g_bytes_unref (pointer);
      break;
    default:
      break;
    }
}

void
gmcp_object_value_free_argument (const GmcpObjectValue *self, GIArgument *argument)
{
  if (is_pointer (self))
    free_pointer (self, argument->v_pointer, TRUE);
}

/* What is given */

/* A name of a file need not be UTF-8. */
static GVariant *
new_text (const char *text)
{
  return g_variant_new_take_string (g_utf8_make_valid (text, -1));
}

static GVariant *
new_texts (const char *const *texts)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);

  for (guint i = 0; texts[i] != NULL; i++)
    g_variant_builder_add_value (&builder, new_text (texts[i]));
  return g_variant_builder_end (&builder);
}

static gint64
get_choice (const GmcpObjectValue *self, const GIArgument *given)
{
  return self->is_unsigned ? (gint64) given->v_uint32 : (gint64) given->v_int32;
}

static GVariant *
new_enum (const GmcpObjectValue *self, gint64 number)
{
  for (guint i = 0; self->names[i] != NULL; i++)
    if (self->numbers[i] == number)
      return g_variant_new_string (self->names[i]);
  return g_variant_new_int64 (number);
}

/* The names whose bits are all set; the number where some have no name. */
static GVariant *
new_flags (const GmcpObjectValue *self, gint64 number)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);
  g_autoptr (GVariant) names = NULL;
  gint64 named = 0;

  for (guint i = 0; self->names[i] != NULL; i++)
    if (self->numbers[i] != 0 && (number & self->numbers[i]) == self->numbers[i])
      {
        g_variant_builder_add (&builder, "s", self->names[i]);
        named |= self->numbers[i];
      }
  names = g_variant_ref_sink (g_variant_builder_end (&builder));
  return named == number ? g_steal_pointer (&names) : g_variant_new_int64 (number);
}

static GVariant *
new_variant (const GmcpObjectValue *self, const GIArgument *given)
{
  switch (self->kind)
    {
    case GMCP_OBJECT_BOOLEAN:
      return g_variant_new_boolean (given->v_boolean);
    case GMCP_OBJECT_INT8:
      return g_variant_new_int16 (given->v_int8);
    case GMCP_OBJECT_UINT8:
      return g_variant_new_byte (given->v_uint8);
    case GMCP_OBJECT_INT16:
      return g_variant_new_int16 (given->v_int16);
    case GMCP_OBJECT_UINT16:
      return g_variant_new_uint16 (given->v_uint16);
    case GMCP_OBJECT_INT32:
      return g_variant_new_int32 (given->v_int32);
    case GMCP_OBJECT_UINT32:
      return g_variant_new_uint32 (given->v_uint32);
    case GMCP_OBJECT_INT64:
      return g_variant_new_int64 (given->v_int64);
    case GMCP_OBJECT_UINT64:
      return g_variant_new_uint64 (given->v_uint64);
    case GMCP_OBJECT_FLOAT:
      return g_variant_new_double (given->v_float);
    case GMCP_OBJECT_DOUBLE:
      return g_variant_new_double (given->v_double);
    case GMCP_OBJECT_TEXT:
      return new_text (given->v_string);
    case GMCP_OBJECT_TEXTS:
      return new_texts (given->v_pointer);
    case GMCP_OBJECT_VARIANT:
      return g_variant_new_variant (given->v_pointer);
    case GMCP_OBJECT_BYTES:
      return g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, given->v_pointer, TRUE);
    case GMCP_OBJECT_ENUM:
      return new_enum (self, get_choice (self, given));
    case GMCP_OBJECT_FLAGS:
      return new_flags (self, get_choice (self, given));
    case GMCP_OBJECT_NOTHING:
    case GMCP_OBJECT_CANCELLABLE:
    case GMCP_OBJECT_LENGTH:
    default:
      g_return_val_if_reached (NULL);
    }
}

gboolean
gmcp_object_value_write (const GmcpObjectValue *self,
                         const GIArgument *given,
                         GmcpJsonWriter *writer,
                         GError **error)
{
  g_autoptr (GVariant) value = NULL;

  /* Libraries often do not say that it may be. */
  if (is_pointer (self) && given->v_pointer == NULL)
    {
      gmcp_json_writer_null (writer);
      return TRUE;
    }

  /* A new one may be floating, and is put into another. */
  if (self->kind == GMCP_OBJECT_VARIANT && self->transfer != GI_TRANSFER_NOTHING)
    g_variant_take_ref (given->v_pointer);
  value = g_variant_take_ref (new_variant (self, given));
  return gmcp_variant_write_json (writer, value, error);
}

void
gmcp_object_value_free_given (const GmcpObjectValue *self, GIArgument *given)
{
  if (self->transfer != GI_TRANSFER_NOTHING && is_pointer (self))
    free_pointer (self, given->v_pointer, self->transfer == GI_TRANSFER_EVERYTHING);
}
