/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-argument-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-tool-private.h"

/**
 * GmcpToolArgument:
 *
 * An argument of a tool, as a person is to be told of it: out of the JSON Schema of the tool, with
 * references resolved and alternatives gathered. A form, a command line or a completion is made of these,
 * and [method@Gmcp.ToolArgument.parse_text] reads what was typed.
 *
 * All texts come from the server. Immutable; may be used from any thread.
 *
 * Since: 0.1
 */
struct _GmcpToolArgument
{
  GObject parent_instance;

  GmcpTool *tool; /* has the document */
  GmcpArgumentShapes *shapes;
  GmcpJsonValue schema; /* as it is written */
  char *name;
  char *title;
  char *description;
  char *type_text;
  char **choices;
  gboolean required;
};

G_DEFINE_FINAL_TYPE (GmcpToolArgument, gmcp_tool_argument, G_TYPE_OBJECT)

typedef enum
{
  PROP_NAME = 1,
  PROP_TITLE,
  PROP_DESCRIPTION,
  PROP_TYPE_TEXT,
  PROP_REQUIRED,
  PROP_LIST,
  PROP_CHOICES,
  PROP_DEFAULT_JSON,
  PROP_EXAMPLE_JSON,
} GmcpToolArgumentProperty;

static GParamSpec *properties[PROP_EXAMPLE_JSON + 1];

static void
gmcp_tool_argument_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpToolArgument *self = GMCP_TOOL_ARGUMENT (object);

  switch ((GmcpToolArgumentProperty) prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, self->description);
      break;
    case PROP_TYPE_TEXT:
      g_value_set_string (value, self->type_text);
      break;
    case PROP_REQUIRED:
      g_value_set_boolean (value, self->required);
      break;
    case PROP_LIST:
      g_value_set_boolean (value, gmcp_tool_argument_is_list (self));
      break;
    case PROP_CHOICES:
      g_value_set_boxed (value, self->choices);
      break;
    case PROP_DEFAULT_JSON:
      g_value_take_string (value, gmcp_tool_argument_dup_default_json (self));
      break;
    case PROP_EXAMPLE_JSON:
      g_value_take_string (value, gmcp_tool_argument_dup_example_json (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_tool_argument_finalize (GObject *object)
{
  GmcpToolArgument *self = GMCP_TOOL_ARGUMENT (object);

  g_clear_object (&self->tool);
  g_free (self->shapes);
  g_free (self->name);
  g_free (self->title);
  g_free (self->description);
  g_free (self->type_text);
  g_strfreev (self->choices);

  G_OBJECT_CLASS (gmcp_tool_argument_parent_class)->finalize (object);
}

static void
install_texts (void)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpToolArgument:name: (getter get_name)
   *
   * The name that the value is given under.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * GmcpToolArgument:title: (getter get_title)
   *
   * The name to show to people, where the server gave one.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpToolArgument:description: (getter get_description)
   *
   * What the argument is for, in the words of the server.
   *
   * Since: 0.1
   */
  properties[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL, flags);

  /**
   * GmcpToolArgument:type-text: (getter get_type_text)
   *
   * What the value has to be, in short: `number`, `string[]`, `"a"|"b"`.
   *
   * Since: 0.1
   */
  properties[PROP_TYPE_TEXT] = g_param_spec_string ("type-text", NULL, NULL, NULL, flags);

  /**
   * GmcpToolArgument:default-json:
   *
   * What holds where no value is given, as JSON text, where the server says.
   *
   * Since: 0.1
   */
  properties[PROP_DEFAULT_JSON] = g_param_spec_string ("default-json", NULL, NULL, NULL, flags);

  /**
   * GmcpToolArgument:example-json:
   *
   * A value that may be given, as JSON text.
   *
   * Since: 0.1
   */
  properties[PROP_EXAMPLE_JSON] = g_param_spec_string ("example-json", NULL, NULL, NULL, flags);
}

static void
gmcp_tool_argument_class_init (GmcpToolArgumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = gmcp_tool_argument_get_property;
  object_class->finalize = gmcp_tool_argument_finalize;
  install_texts ();

  /**
   * GmcpToolArgument:required: (getter is_required)
   *
   * Whether the tool cannot be called without a value.
   *
   * Since: 0.1
   */
  properties[PROP_REQUIRED] = g_param_spec_boolean ("required", NULL, NULL, FALSE, flags);

  /**
   * GmcpToolArgument:list: (getter is_list)
   *
   * Whether several values may be given.
   *
   * Since: 0.1
   */
  properties[PROP_LIST] = g_param_spec_boolean ("list", NULL, NULL, FALSE, flags);

  /**
   * GmcpToolArgument:choices: (getter get_choices)
   *
   * The values to choose from, where there are no others.
   *
   * Since: 0.1
   */
  properties[PROP_CHOICES] = g_param_spec_boxed ("choices", NULL, NULL, G_TYPE_STRV, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

/* One that nobody made for a tool takes anything, too. */
static void
gmcp_tool_argument_init (GmcpToolArgument *self)
{
  self->name = g_strdup ("");
  self->shapes = g_new (GmcpArgumentShapes, 1);
  gmcp_argument_shapes_read (self->shapes, GMCP_JSON_NONE, GMCP_JSON_NONE);
  self->type_text = gmcp_argument_describe_type (self->shapes);
}

/* Words beside a reference are of this use of what the reference leads to. */
static GmcpJsonValue
find_member (GmcpToolArgument *self, const char *name)
{
  GmcpJsonValue value = gmcp_json_value_get_member (self->schema, name);
  GmcpJsonValue resolved;

  if (gmcp_json_value_is_present (value))
    return value;
  resolved = gmcp_argument_resolve (self->shapes->root, self->schema);
  return gmcp_json_value_get_member (resolved, name);
}

/* That an argument may be null is no more than that it may be left out. */
static char *
describe_type (GmcpToolArgument *self)
{
  g_autofree GmcpArgumentShapes *shapes = NULL;

  if (self->required)
    return gmcp_argument_describe_type (self->shapes);

  shapes = g_memdup2 (self->shapes, sizeof *shapes);
  shapes->n_shapes = 0;
  for (guint i = 0; i < self->shapes->n_shapes; i++)
    if (self->shapes->shapes[i].kind != GMCP_ARGUMENT_KIND_NULL)
      shapes->shapes[shapes->n_shapes++] = self->shapes->shapes[i];
  return gmcp_argument_describe_type (shapes->n_shapes > 0 ? shapes : self->shapes);
}

GmcpToolArgument *
gmcp_tool_argument_new (GmcpTool *tool, const char *name, GmcpJsonValue schema, gboolean required)
{
  GmcpToolArgument *self = g_object_new (GMCP_TYPE_TOOL_ARGUMENT, NULL);

  self->tool = g_object_ref (tool);
  self->schema = schema;
  self->required = required;
  g_free (self->name);
  self->name = g_strdup (name);
  gmcp_argument_shapes_read (self->shapes, gmcp_tool_get_input_schema_value (tool), schema);
  self->title = gmcp_json_value_dup_string (find_member (self, "title"));
  self->description = gmcp_json_value_dup_string (find_member (self, "description"));
  g_free (self->type_text);
  self->type_text = describe_type (self);
  self->choices = gmcp_argument_list_choices (self->shapes);
  return self;
}

const GmcpArgumentShapes *
gmcp_tool_argument_peek_shapes (GmcpToolArgument *self)
{
  return self->shapes;
}

/**
 * gmcp_tool_argument_get_name:
 * @self: an argument
 *
 * Gives the name that the value is given under.
 *
 * Returns: (transfer none) (not nullable): the name
 *
 * Since: 0.1
 */
const char *
gmcp_tool_argument_get_name (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);

  return self->name;
}

/**
 * gmcp_tool_argument_get_title:
 * @self: an argument
 *
 * Gives the name to show to people.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_tool_argument_get_title (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);

  return self->title;
}

/**
 * gmcp_tool_argument_get_description:
 * @self: an argument
 *
 * Gives what the argument is for, in the words of the server.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_tool_argument_get_description (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);

  return self->description;
}

/**
 * gmcp_tool_argument_get_type_text:
 * @self: an argument
 *
 * Gives what the value has to be, in the short form of type declarations that programmers know:
 * `number`, `string[]`, `"a"|"b"`, `object`, `any`. The text is cut where there are many values to choose
 * from, which [method@Gmcp.ToolArgument.get_choices] has; that an argument which may be left out may be
 * `null`, too, is not said.
 *
 * Returns: (transfer none) (not nullable): the type
 *
 * Since: 0.1
 */
const char *
gmcp_tool_argument_get_type_text (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);

  return self->type_text;
}

/**
 * gmcp_tool_argument_is_required:
 * @self: an argument
 *
 * Tells whether the tool cannot be called without a value.
 *
 * Returns: whether a value has to be given
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_argument_is_required (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), FALSE);

  return self->required;
}

/**
 * gmcp_tool_argument_is_list:
 * @self: an argument
 *
 * Tells whether several values may be given.
 *
 * Returns: whether a list may be given
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_argument_is_list (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), FALSE);

  return gmcp_argument_shapes_have (self->shapes, GMCP_ARGUMENT_KIND_ARRAY);
}

/**
 * gmcp_tool_argument_get_choices:
 * @self: an argument
 *
 * Gives the values to choose from, as texts that [method@Gmcp.ToolArgument.parse_text] takes; for a list
 * those of its items, for a boolean `true` and `false`.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the values, or %NULL where there are
 *   others
 *
 * Since: 0.1
 */
const char *const *
gmcp_tool_argument_get_choices (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);

  return (const char *const *) self->choices;
}

/**
 * gmcp_tool_argument_dup_default_json:
 * @self: an argument
 *
 * Gives the value that holds where none is given.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where the server does not say
 *
 * Since: 0.1
 */
char *
gmcp_tool_argument_dup_default_json (GmcpToolArgument *self)
{
  GmcpJsonValue value;

  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);

  value = find_member (self, "default");
  return gmcp_json_value_is_present (value) ? gmcp_json_value_dup_raw (value) : NULL;
}

/**
 * gmcp_tool_argument_dup_example_json:
 * @self: an argument
 *
 * Gives a value that may be given: the server's own example or default, else one that is made after the
 * schema, and fits it as far as such a value is found.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_tool_argument_dup_example_json (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);

  return gmcp_argument_dup_example (self->shapes->root, self->schema);
}

/**
 * gmcp_tool_argument_dup_schema_json:
 * @self: an argument
 *
 * Gives the JSON Schema of the argument as the server wrote it. References in it lead into the schema of
 * the tool.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_tool_argument_dup_schema_json (GmcpToolArgument *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);

  if (!gmcp_json_value_is_present (self->schema))
    return g_strdup ("true");
  return gmcp_json_value_dup_raw (self->schema);
}

/**
 * gmcp_tool_argument_parse_text:
 * @self: an argument
 * @text: what was typed
 * @error: return location for an error
 *
 * Reads what a person typed, after the argument's type: a number, `true` or `yes`, one of the choices, a
 * text as it stands, JSON for a list or an object. For a list, what is no JSON array is its only item.
 * Where a text and something else may be given, what is JSON of the other type is that.
 *
 * Limits within a type (a length, a least number) are left to
 * [method@Gmcp.Tool.check_arguments_json]. Fails with [error@Gmcp.Error] `INVALID_ARGUMENT`, with a message
 * for people that names the argument.
 *
 * Returns: (transfer full): a JSON value as text
 *
 * Since: 0.1
 */
char *
gmcp_tool_argument_parse_text (GmcpToolArgument *self, const char *text, GError **error)
{
  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return gmcp_argument_parse_text (self->shapes, self->name, self->type_text, text, error);
}

/* The text between the brackets of a JSON array. */
static char *
dup_inside (const char *json)
{
  g_autofree char *plain = g_strstrip (g_strdup (json));
  gsize length = strlen (plain);

  return g_strstrip (g_strndup (plain + 1, length - 2));
}

static gboolean
append_items (GmcpToolArgument *self, const char *text, GString *out, GError **error)
{
  g_autofree char *json = gmcp_tool_argument_parse_text (self, text, error);
  g_autofree char *items = NULL;

  if (json == NULL)
    return FALSE;
  items = json[strspn (json, " \t\r\n")] == '[' ? dup_inside (json) : g_strdup (json);
  if (*items != '\0')
    g_string_append_printf (out, "%s%s", out->len > 1 ? "," : "", items);
  return TRUE;
}

/**
 * gmcp_tool_argument_parse_texts:
 * @self: an argument
 * @texts: (array zero-terminated=1): what was typed, once or several times; none for an empty list
 * @error: return location for an error
 *
 * Reads what a person typed for an argument, as [method@Gmcp.ToolArgument.parse_text] does. Several texts
 * are the items of a list. Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` for several or none where there
 * has to be one, too.
 *
 * Returns: (transfer full): a JSON value as text
 *
 * Since: 0.1
 */
char *
gmcp_tool_argument_parse_texts (GmcpToolArgument *self, const char *const *texts, GError **error)
{
  g_autoptr (GString) out = NULL;

  g_return_val_if_fail (GMCP_IS_TOOL_ARGUMENT (self), NULL);
  g_return_val_if_fail (texts != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (texts[0] == NULL && !gmcp_tool_argument_is_list (self))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, _ ("What is missing: %s"),
                   self->name);
      return NULL;
    }
  if (texts[0] != NULL && texts[1] == NULL)
    return gmcp_tool_argument_parse_text (self, texts[0], error);
  if (!gmcp_tool_argument_is_list (self))
    {
      /* Translators: the name of an argument, and its type */
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is given twice; it is no list but %s"), self->name, self->type_text);
      return NULL;
    }

  out = g_string_new ("[");
  for (guint i = 0; texts[i] != NULL; i++)
    if (!append_items (self, texts[i], out, error))
      return NULL;
  g_string_append_c (out, ']');
  return g_string_free (g_steal_pointer (&out), FALSE);
}
