/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-field-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpElicitationField:
 *
 * One field of the form of a [class@Gmcp.Elicitation]: what can be entered in it, what it is called,
 * and what stands in it at first. Immutable.
 *
 * Spec: MCP 2026-07-28, client/elicitation, "Requested Schema".
 *
 * Since: 0.1
 */

typedef enum
{
  PROP_KIND = 1,
  PROP_NAME,
  PROP_TITLE,
  PROP_DESCRIPTION,
  PROP_FORMAT,
  PROP_PATTERN,
  PROP_REQUIRED,
  PROP_MIN_LENGTH,
  PROP_MAX_LENGTH,
  PROP_OPTION_VALUES,
  PROP_OPTION_TITLES,
} GmcpElicitationFieldProperty;

static GParamSpec *properties[PROP_OPTION_TITLES + 1];

G_DEFINE_FINAL_TYPE (GmcpElicitationField, gmcp_elicitation_field, G_TYPE_OBJECT)

static void
gmcp_elicitation_field_finalize (GObject *object)
{
  GmcpElicitationField *self = GMCP_ELICITATION_FIELD (object);

  g_free (self->name);
  g_free (self->title);
  g_free (self->description);
  g_free (self->format);
  g_free (self->pattern);
  g_strfreev (self->values);
  g_strfreev (self->titles);
  g_clear_pointer (&self->default_doc, gmcp_json_doc_unref);

  G_OBJECT_CLASS (gmcp_elicitation_field_parent_class)->finalize (object);
}

static void
gmcp_elicitation_field_get_property (GObject *object,
                                     guint prop_id,
                                     GValue *value,
                                     GParamSpec *pspec)
{
  GmcpElicitationField *self = GMCP_ELICITATION_FIELD (object);

  switch ((GmcpElicitationFieldProperty) prop_id)
    {
    case PROP_KIND:
      g_value_set_enum (value, gmcp_elicitation_field_get_kind (self));
      break;
    case PROP_NAME:
      g_value_set_string (value, gmcp_elicitation_field_get_name (self));
      break;
    case PROP_TITLE:
      g_value_set_string (value, gmcp_elicitation_field_get_title (self));
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, gmcp_elicitation_field_get_description (self));
      break;
    case PROP_FORMAT:
      g_value_set_string (value, gmcp_elicitation_field_get_format (self));
      break;
    case PROP_PATTERN:
      g_value_set_string (value, gmcp_elicitation_field_get_pattern (self));
      break;
    case PROP_REQUIRED:
      g_value_set_boolean (value, gmcp_elicitation_field_is_required (self));
      break;
    case PROP_MIN_LENGTH:
      g_value_set_int64 (value, gmcp_elicitation_field_get_min_length (self));
      break;
    case PROP_MAX_LENGTH:
      g_value_set_int64 (value, gmcp_elicitation_field_get_max_length (self));
      break;
    case PROP_OPTION_VALUES:
      g_value_set_boxed (value, gmcp_elicitation_field_get_option_values (self));
      break;
    case PROP_OPTION_TITLES:
      g_value_set_boxed (value, gmcp_elicitation_field_get_option_titles (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpElicitationField:kind: (getter get_kind)
   *
   * What can be entered.
   *
   * Since: 0.1
   */
  properties[PROP_KIND] = g_param_spec_enum ("kind", NULL, NULL, GMCP_TYPE_ELICITATION_FIELD_KIND,
                                             GMCP_ELICITATION_FIELD_KIND_UNKNOWN, flags);

  /**
   * GmcpElicitationField:name: (getter get_name)
   *
   * The name that the value is sent by.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitationField:title: (getter get_title)
   *
   * What the field is called to people.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitationField:description: (getter get_description)
   *
   * What the field is for.
   *
   * Since: 0.1
   */
  properties[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitationField:format: (getter get_format)
   *
   * What a text has to be, such as `email` or `uri`; %NULL for any text.
   *
   * Since: 0.1
   */
  properties[PROP_FORMAT] = g_param_spec_string ("format", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitationField:pattern: (getter get_pattern)
   *
   * The regular expression that a text has to match; %NULL for none.
   *
   * Since: 0.1
   */
  properties[PROP_PATTERN] = g_param_spec_string ("pattern", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitationField:required: (getter is_required)
   *
   * Whether the form cannot be sent without a value.
   *
   * Since: 0.1
   */
  properties[PROP_REQUIRED] = g_param_spec_boolean ("required", NULL, NULL, FALSE, flags);

  /**
   * GmcpElicitationField:min-length: (getter get_min_length)
   *
   * The least number of characters or of chosen options; -1 for none.
   *
   * Since: 0.1
   */
  properties[PROP_MIN_LENGTH]
    = g_param_spec_int64 ("min-length", NULL, NULL, -1, G_MAXINT64, -1, flags);

  /**
   * GmcpElicitationField:max-length: (getter get_max_length)
   *
   * The greatest number of characters or of chosen options; -1 for none.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_LENGTH]
    = g_param_spec_int64 ("max-length", NULL, NULL, -1, G_MAXINT64, -1, flags);

  /**
   * GmcpElicitationField:option-values: (getter get_option_values)
   *
   * The values that can be chosen; %NULL where anything can be entered.
   *
   * Since: 0.1
   */
  properties[PROP_OPTION_VALUES]
    = g_param_spec_boxed ("option-values", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpElicitationField:option-titles: (getter get_option_titles)
   *
   * What the options are called to people, in the order of the values.
   *
   * Since: 0.1
   */
  properties[PROP_OPTION_TITLES]
    = g_param_spec_boxed ("option-titles", NULL, NULL, G_TYPE_STRV, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_elicitation_field_class_init (GmcpElicitationFieldClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_elicitation_field_get_property;
  object_class->finalize = gmcp_elicitation_field_finalize;
  install_properties (object_class);
}

static void
gmcp_elicitation_field_init (GmcpElicitationField *self)
{
  self->min_length = -1;
  self->max_length = -1;
}

static gboolean
is_list_of_options (GmcpJsonValue options)
{
  return gmcp_json_value_is_array (options) && gmcp_json_value_get_length (options) > 0
         && gmcp_json_value_get_length (options) <= GMCP_LIMIT_INPUT_OPTIONS;
}

/* Options as an array of strings; names, where they are there, are what people see. */
static gboolean
read_plain_options (GmcpElicitationField *self, GmcpJsonValue options, GmcpJsonValue names)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) titles = g_strv_builder_new ();
  GmcpJsonIter iter, name_iter;
  GmcpJsonValue value, name;

  if (!is_list_of_options (options))
    return FALSE;

  gmcp_json_iter_init (&iter, options);
  gmcp_json_iter_init (&name_iter, names);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      g_autofree char *text = gmcp_json_value_dup_string (value);
      g_autofree char *title = NULL;

      if (text == NULL)
        return FALSE;
      if (gmcp_json_value_is_array (names) && gmcp_json_iter_next (&name_iter, NULL, &name))
        title = gmcp_json_value_dup_string (name);
      g_strv_builder_add (values, text);
      g_strv_builder_add (titles, title != NULL ? title : text);
    }

  self->values = g_strv_builder_end (values);
  self->titles = g_strv_builder_end (titles);
  return TRUE;
}

/* Options as an array of objects with a value and a title. */
static gboolean
read_titled_options (GmcpElicitationField *self, GmcpJsonValue options)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) titles = g_strv_builder_new ();
  GmcpJsonIter iter;
  GmcpJsonValue option;

  if (!is_list_of_options (options))
    return FALSE;

  gmcp_json_iter_init (&iter, options);
  while (gmcp_json_iter_next (&iter, NULL, &option))
    {
      g_autofree char *text
        = gmcp_json_value_dup_string (gmcp_json_value_get_member (option, "const"));
      g_autofree char *title
        = gmcp_json_value_dup_string (gmcp_json_value_get_member (option, "title"));

      if (text == NULL)
        return FALSE;
      g_strv_builder_add (values, text);
      g_strv_builder_add (titles, title != NULL ? title : text);
    }

  self->values = g_strv_builder_end (values);
  self->titles = g_strv_builder_end (titles);
  return TRUE;
}

static gboolean
read_options (GmcpElicitationField *self, GmcpJsonValue schema)
{
  return read_plain_options (self, gmcp_json_value_get_member (schema, "enum"),
                             gmcp_json_value_get_member (schema, "enumNames"))
         || read_titled_options (self, gmcp_json_value_get_member (schema, "oneOf"))
         || read_titled_options (self, gmcp_json_value_get_member (schema, "anyOf"));
}

static gboolean
has_options (GmcpJsonValue schema)
{
  return gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "enum"))
         || gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "oneOf"))
         || gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "anyOf"));
}

static GmcpElicitationFieldKind
read_kind (GmcpElicitationField *self, GmcpJsonValue schema)
{
  static const struct
  {
    const char *type;
    GmcpElicitationFieldKind kind;
  } kinds[] = {
    { "string", GMCP_ELICITATION_FIELD_KIND_STRING },
    { "number", GMCP_ELICITATION_FIELD_KIND_NUMBER },
    { "integer", GMCP_ELICITATION_FIELD_KIND_INTEGER },
    { "boolean", GMCP_ELICITATION_FIELD_KIND_BOOLEAN },
  };
  GmcpJsonValue type = gmcp_json_value_get_member (schema, "type");

  if (gmcp_json_value_equals_string (type, "array"))
    return read_options (self, gmcp_json_value_get_member (schema, "items"))
             ? GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE
             : GMCP_ELICITATION_FIELD_KIND_UNKNOWN;
  if (has_options (schema))
    return read_options (self, schema) ? GMCP_ELICITATION_FIELD_KIND_CHOICE
                                       : GMCP_ELICITATION_FIELD_KIND_UNKNOWN;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (gmcp_json_value_equals_string (type, kinds[i].type))
      return kinds[i].kind;
  return GMCP_ELICITATION_FIELD_KIND_UNKNOWN;
}

static char *
dup_member (GmcpJsonValue schema, const char *name)
{
  return gmcp_json_value_dup_string (gmcp_json_value_get_member (schema, name));
}

static void
read_default (GmcpElicitationField *self, GmcpJsonValue value)
{
  g_autoptr (GError) error = NULL;

  if (!gmcp_json_value_is_present (value))
    return;
  /* A default that could not be sent back is none. */
  if (gmcp_elicitation_field_check_value (self, value, &error))
    self->default_doc = gmcp_json_value_copy_to_doc (value);
  else
    g_debug ("a default was left out: %s", error->message);
}

GmcpElicitationField *
gmcp_elicitation_field_new (const char *name,
                            GmcpJsonValue schema,
                            gboolean required,
                            GmcpElicitationMatchFunc matches)
{
  GmcpElicitationField *self = g_object_new (GMCP_TYPE_ELICITATION_FIELD, NULL);
  gboolean chosen;

  self->name = g_strdup (name);
  self->required = required;
  self->kind = read_kind (self, schema);
  self->title = dup_member (schema, "title");
  self->description = dup_member (schema, "description");
  self->format = dup_member (schema, "format");
  if (matches != NULL)
    self->pattern = dup_member (schema, "pattern");
  self->matches = matches;
  self->has_minimum
    = gmcp_json_value_get_double (gmcp_json_value_get_member (schema, "minimum"), &self->minimum);
  self->has_maximum
    = gmcp_json_value_get_double (gmcp_json_value_get_member (schema, "maximum"), &self->maximum);
  chosen = self->kind == GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE;
  gmcp_json_value_get_int64 (gmcp_json_value_get_member (schema, chosen ? "minItems" : "minLength"),
                             &self->min_length);
  gmcp_json_value_get_int64 (gmcp_json_value_get_member (schema, chosen ? "maxItems" : "maxLength"),
                             &self->max_length);
  read_default (self, gmcp_json_value_get_member (schema, "default"));
  return self;
}

char *
gmcp_elicitation_field_dup_label (GmcpElicitationField *self)
{
  if (self->title == NULL || *self->title == '\0' || g_str_equal (self->title, self->name))
    return g_strdup (self->name);
  return g_strdup_printf ("%s (%s)", self->title, self->name);
}

/**
 * gmcp_elicitation_field_get_kind:
 * @self: a field
 *
 * Gives what can be entered in the field.
 *
 * Returns: the kind
 *
 * Since: 0.1
 */
GmcpElicitationFieldKind
gmcp_elicitation_field_get_kind (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), GMCP_ELICITATION_FIELD_KIND_UNKNOWN);

  return self->kind;
}

/**
 * gmcp_elicitation_field_get_name:
 * @self: a field
 *
 * Gives the name of the member that holds the field's value in an answer.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_field_get_name (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  return self->name;
}

/**
 * gmcp_elicitation_field_get_title:
 * @self: a field
 *
 * Gives what the field is called for people.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL where there is only the name
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_field_get_title (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  return self->title;
}

/**
 * gmcp_elicitation_field_get_description:
 * @self: a field
 *
 * Gives what is to be entered, for people.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_field_get_description (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  return self->description;
}

/**
 * gmcp_elicitation_field_get_format:
 * @self: a field
 *
 * Gives what a text has to be: `email`, `uri`, `date` (`2026-07-28`) or `date-time` (as in RFC 3339).
 * Of other formats nothing is checked.
 *
 * Returns: (transfer none) (nullable): the format, or %NULL where any text will do
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_field_get_format (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  return self->format;
}

/**
 * gmcp_elicitation_field_get_pattern:
 * @self: a field
 *
 * Gives the regular expression, in the dialect of ECMAScript, that a text has to match somewhere.
 *
 * Spec: MCP 2025-11-25, client/elicitation, "Supported Schema Types".
 *
 * Returns: (transfer none) (nullable): the pattern, or %NULL where there is none
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_field_get_pattern (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  return self->pattern;
}

/**
 * gmcp_elicitation_field_is_required:
 * @self: a field
 *
 * Tells whether the form cannot be accepted without the field.
 *
 * Returns: whether it is required
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_field_is_required (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), FALSE);

  return self->required;
}

/**
 * gmcp_elicitation_field_get_min_length:
 * @self: a field
 *
 * Gives how many characters a text must have at least, or how many options must be chosen.
 *
 * Returns: the number, or -1 for none
 *
 * Since: 0.1
 */
gint64
gmcp_elicitation_field_get_min_length (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), -1);

  return self->min_length;
}

/**
 * gmcp_elicitation_field_get_max_length:
 * @self: a field
 *
 * Gives how many characters a text may have, or how many options may be chosen.
 *
 * Returns: the number, or -1 for no limit
 *
 * Since: 0.1
 */
gint64
gmcp_elicitation_field_get_max_length (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), -1);

  return self->max_length;
}

/**
 * gmcp_elicitation_field_get_minimum:
 * @self: a field
 * @minimum: (out) (optional): the smallest number that may be entered
 *
 * Gives the lower end of what may be entered.
 *
 * Returns: whether there is one
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_field_get_minimum (GmcpElicitationField *self, double *minimum)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), FALSE);

  if (minimum != NULL)
    *minimum = self->minimum;
  return self->has_minimum;
}

/**
 * gmcp_elicitation_field_get_maximum:
 * @self: a field
 * @maximum: (out) (optional): the largest number that may be entered
 *
 * Gives the upper end of what may be entered.
 *
 * Returns: whether there is one
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_field_get_maximum (GmcpElicitationField *self, double *maximum)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), FALSE);

  if (maximum != NULL)
    *maximum = self->maximum;
  return self->has_maximum;
}

/**
 * gmcp_elicitation_field_get_option_values:
 * @self: a field
 *
 * Gives the options of a choice, as they are sent to the server.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the options, or %NULL where
 *   anything can be entered
 *
 * Since: 0.1
 */
const char *const *
gmcp_elicitation_field_get_option_values (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  return (const char *const *) self->values;
}

/**
 * gmcp_elicitation_field_get_option_titles:
 * @self: a field
 *
 * Gives the options of a choice as people are to see them, in the order of
 * [method@Gmcp.ElicitationField.get_option_values]. Where the server has no title for one, it is the
 * option itself.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the titles, or %NULL where
 *   anything can be entered
 *
 * Since: 0.1
 */
const char *const *
gmcp_elicitation_field_get_option_titles (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  return (const char *const *) self->titles;
}

/**
 * gmcp_elicitation_field_dup_default:
 * @self: a field
 *
 * Gives what should stand in the field at first, and is sent where nothing else is entered.
 *
 * Returns: (transfer full) (nullable): a sealed node, or %NULL where there is no default
 *
 * Since: 0.1
 */
JsonNode *
gmcp_elicitation_field_dup_default (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  if (self->default_doc == NULL)
    return NULL;
  return gmcp_json_value_to_node (gmcp_json_doc_get_root (self->default_doc));
}

/**
 * gmcp_elicitation_field_dup_default_json:
 * @self: a field
 *
 * Gives what should stand in the field at first, as JSON text.
 *
 * Returns: (transfer full) (nullable): a JSON value as text, or %NULL where there is no default
 *
 * Since: 0.1
 */
char *
gmcp_elicitation_field_dup_default_json (GmcpElicitationField *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);

  if (self->default_doc == NULL)
    return NULL;
  return gmcp_json_value_dup_raw (gmcp_json_doc_get_root (self->default_doc));
}
