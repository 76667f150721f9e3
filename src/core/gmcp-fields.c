/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-fields-private.h"

#define STRING_OF(field, data)  G_STRUCT_MEMBER (char *, data, (field)->offset)
#define STRV_OF(field, data)    G_STRUCT_MEMBER (GStrv, data, (field)->offset)
#define INTEGER_OF(field, data) G_STRUCT_MEMBER (int, data, (field)->offset)
#define OBJECT_OF(field, data)  G_STRUCT_MEMBER (GObject *, data, (field)->offset)

void
gmcp_field_clear (const GmcpField *field, gpointer data)
{
  switch (field->kind)
    {
    case GMCP_FIELD_STRING:
    case GMCP_FIELD_TEXT:
      g_clear_pointer (&STRING_OF (field, data), g_free);
      break;
    case GMCP_FIELD_STRV:
      g_clear_pointer (&STRV_OF (field, data), g_strfreev);
      break;
    case GMCP_FIELD_OBJECT:
      g_clear_object (&OBJECT_OF (field, data));
      break;
    case GMCP_FIELD_BOOLEAN:
    case GMCP_FIELD_UINT:
    case GMCP_FIELD_ENUM:
    default:
      INTEGER_OF (field, data) = 0;
    }
}

void
gmcp_fields_clear (const GmcpField *fields, gpointer data)
{
  for (const GmcpField *field = fields; field->name != NULL; field++)
    gmcp_field_clear (field, data);
}

static const char *const *
peek_strv (const GmcpField *field, gconstpointer data)
{
  static const char *const none[] = { NULL };
  GStrv list = STRV_OF (field, data);

  return list != NULL ? (const char *const *) list : none;
}

gboolean
gmcp_field_equal (const GmcpField *field, gconstpointer a, gconstpointer b)
{
  switch (field->kind)
    {
    case GMCP_FIELD_STRING:
    case GMCP_FIELD_TEXT:
      return g_strcmp0 (STRING_OF (field, a), STRING_OF (field, b)) == 0;
    case GMCP_FIELD_STRV:
      return g_strv_equal (peek_strv (field, a), peek_strv (field, b));
    case GMCP_FIELD_OBJECT:
      return OBJECT_OF (field, a) == OBJECT_OF (field, b);
    case GMCP_FIELD_BOOLEAN:
    case GMCP_FIELD_UINT:
    case GMCP_FIELD_ENUM:
    default:
      return INTEGER_OF (field, a) == INTEGER_OF (field, b);
    }
}

gboolean
gmcp_fields_equal (const GmcpField *fields, gconstpointer a, gconstpointer b)
{
  for (const GmcpField *field = fields; field->name != NULL; field++)
    {
      if (!gmcp_field_equal (field, a, b))
        return FALSE;
    }
  return TRUE;
}

void
gmcp_field_get_value (const GmcpField *field, gconstpointer data, GValue *value)
{
  switch (field->kind)
    {
    case GMCP_FIELD_STRING:
    case GMCP_FIELD_TEXT:
      g_value_set_string (value, STRING_OF (field, data));
      break;
    case GMCP_FIELD_STRV:
      g_value_set_boxed (value, peek_strv (field, data));
      break;
    case GMCP_FIELD_BOOLEAN:
      g_value_set_boolean (value, INTEGER_OF (field, data));
      break;
    case GMCP_FIELD_UINT:
      g_value_set_uint (value, (guint) INTEGER_OF (field, data));
      break;
    case GMCP_FIELD_ENUM:
      g_value_set_enum (value, INTEGER_OF (field, data));
      break;
    case GMCP_FIELD_OBJECT:
    default:
      g_value_set_object (value, OBJECT_OF (field, data));
    }
}

void
gmcp_field_set_value (const GmcpField *field, gpointer data, const GValue *value)
{
  const char *text = G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : NULL;

  gmcp_field_clear (field, data);
  switch (field->kind)
    {
    case GMCP_FIELD_STRING:
      STRING_OF (field, data) = g_strdup (text != NULL ? text : "");
      break;
    case GMCP_FIELD_TEXT:
      STRING_OF (field, data) = text != NULL && *text != '\0' ? g_strdup (text) : NULL;
      break;
    case GMCP_FIELD_STRV:
      STRV_OF (field, data) = g_value_dup_boxed (value);
      if (STRV_OF (field, data) == NULL)
        STRV_OF (field, data) = g_new0 (char *, 1);
      break;
    case GMCP_FIELD_BOOLEAN:
      INTEGER_OF (field, data) = g_value_get_boolean (value);
      break;
    case GMCP_FIELD_UINT:
      INTEGER_OF (field, data) = (int) g_value_get_uint (value);
      break;
    case GMCP_FIELD_ENUM:
      INTEGER_OF (field, data) = g_value_get_enum (value);
      break;
    case GMCP_FIELD_OBJECT:
    default:
      OBJECT_OF (field, data) = g_value_dup_object (value);
    }
}

void
gmcp_field_copy (const GmcpField *field, gconstpointer from, gpointer to)
{
  gmcp_field_clear (field, to);
  switch (field->kind)
    {
    case GMCP_FIELD_STRING:
    case GMCP_FIELD_TEXT:
      STRING_OF (field, to) = g_strdup (STRING_OF (field, from));
      break;
    case GMCP_FIELD_STRV:
      STRV_OF (field, to) = g_strdupv (STRV_OF (field, from));
      break;
    case GMCP_FIELD_OBJECT:
      g_set_object (&OBJECT_OF (field, to), OBJECT_OF (field, from));
      break;
    case GMCP_FIELD_BOOLEAN:
    case GMCP_FIELD_UINT:
    case GMCP_FIELD_ENUM:
    default:
      INTEGER_OF (field, to) = INTEGER_OF (field, from);
    }
}

gpointer
gmcp_fields_make_object (const GmcpField *fields, GType type, gconstpointer data)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, TRUE, sizeof (GValue));

  g_array_set_clear_func (values, (GDestroyNotify) g_value_unset);
  for (const GmcpField *field = fields; field->name != NULL; field++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (klass), field->name);

      g_ptr_array_add (names, (gpointer) field->name);
      g_array_set_size (values, names->len);
      g_value_init (&g_array_index (values, GValue, names->len - 1), pspec->value_type);
      gmcp_field_get_value (field, data, &g_array_index (values, GValue, names->len - 1));
    }
  return g_object_new_with_properties (type, names->len, (const char **) names->pdata,
                                       (gconstpointer) values->data);
}

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("gmcp-fields");
}

static const GmcpField *
get_fields (GObject *object)
{
  return g_type_get_qdata (G_OBJECT_TYPE (object), get_quark ());
}

/* The id of a property is its place among the fields, and one more. */
static void
get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  gmcp_field_get_value (&get_fields (object)[prop_id - 1], object, value);
}

static void
set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  gmcp_field_set_value (&get_fields (object)[prop_id - 1], object, value);
}

void
gmcp_fields_finalize (GObject *object)
{
  GTypeClass *parent = g_type_class_peek (g_type_parent (G_OBJECT_TYPE (object)));

  gmcp_fields_clear (get_fields (object), object);
  G_OBJECT_CLASS (parent)->finalize (object);
}

static int
get_first (GType type)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (type);

  return klass->values[0].value;
}

static GParamSpec *
make_property (const GmcpField *field, GParamFlags flags)
{
  switch (field->kind)
    {
    case GMCP_FIELD_STRING:
      return g_param_spec_string (field->name, NULL, NULL, "", flags);
    case GMCP_FIELD_TEXT:
      return g_param_spec_string (field->name, NULL, NULL, NULL, flags);
    case GMCP_FIELD_STRV:
      return g_param_spec_boxed (field->name, NULL, NULL, G_TYPE_STRV, flags);
    case GMCP_FIELD_BOOLEAN:
      return g_param_spec_boolean (field->name, NULL, NULL, FALSE, flags);
    case GMCP_FIELD_UINT:
      return g_param_spec_uint (field->name, NULL, NULL, 0, G_MAXUINT, 0, flags);
    case GMCP_FIELD_ENUM:
      return g_param_spec_enum (field->name, NULL, NULL, field->get_type (),
                                get_first (field->get_type ()), flags);
    case GMCP_FIELD_OBJECT:
    default:
      return g_param_spec_object (field->name, NULL, NULL, field->get_type (), flags);
    }
}

void
gmcp_fields_install (GObjectClass *klass, const GmcpField *fields, GParamFlags flags)
{
  g_type_set_qdata (G_OBJECT_CLASS_TYPE (klass), get_quark (), (gpointer) fields);
  klass->get_property = get_property;
  klass->set_property = set_property;
  klass->finalize = gmcp_fields_finalize;
  for (const GmcpField *field = fields; field->name != NULL; field++)
    g_object_class_install_property (klass, (guint) (field - fields) + 1,
                                     make_property (field, flags));
}
