/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-prompt-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-definition-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-icon-private.h"
#include "gmcp-prompt-argument-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpPrompt:
 *
 * A prompt that a server offers for its user to choose, with places to be filled in. Immutable: a
 * prompt that changes is another object in the list.
 *
 * [method@Gmcp.Client.get_prompt_async] gives what it says.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Prompt".
 *
 * Since: 0.1
 */
struct _GmcpPrompt
{
  GObject parent_instance;

  GmcpDefinition definition;
  GPtrArray *arguments; /* made when asked for */
};

G_DEFINE_FINAL_TYPE (GmcpPrompt, gmcp_prompt, G_TYPE_OBJECT)

typedef enum
{
  PROP_NAME = 1,
  PROP_TITLE,
  PROP_DESCRIPTION,
} GmcpPromptProperty;

static GParamSpec *properties[PROP_DESCRIPTION + 1];

static void
gmcp_prompt_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpPrompt *self = GMCP_PROMPT (object);

  switch ((GmcpPromptProperty) prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, gmcp_prompt_get_name (self));
      break;
    case PROP_TITLE:
      g_value_set_string (value, gmcp_prompt_get_title (self));
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, gmcp_prompt_get_description (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_prompt_finalize (GObject *object)
{
  GmcpPrompt *self = GMCP_PROMPT (object);

  gmcp_definition_clear (&self->definition);
  g_clear_pointer (&self->arguments, g_ptr_array_unref);

  G_OBJECT_CLASS (gmcp_prompt_parent_class)->finalize (object);
}

static void
gmcp_prompt_class_init (GmcpPromptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = gmcp_prompt_get_property;
  object_class->finalize = gmcp_prompt_finalize;

  /**
   * GmcpPrompt:name: (getter get_name)
   *
   * What the prompt is asked for by.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * GmcpPrompt:title: (getter get_title)
   *
   * A name to show to people.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpPrompt:description: (getter get_description)
   *
   * What the prompt does, in the words of the server.
   *
   * Since: 0.1
   */
  properties[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_prompt_init (GmcpPrompt *self)
{
}

static GmcpPrompt *
new_checked (GmcpJsonValue value, int code, GError **error)
{
  g_autoptr (GmcpPrompt) self = g_object_new (GMCP_TYPE_PROMPT, NULL);

  if (!gmcp_definition_init (&self->definition, value, "name", error, code,
                             _ ("A prompt has to be a JSON object with a name")))
    return NULL;

  return g_steal_pointer (&self);
}

GmcpPrompt *
gmcp_prompt_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
}

GmcpJsonValue
gmcp_prompt_get_value (GmcpPrompt *self)
{
  return self->definition.value;
}

static GPtrArray *
get_arguments (GmcpPrompt *self)
{
  return gmcp_value_cache_array (&self->arguments,
                                 gmcp_definition_get_member (&self->definition, "arguments"),
                                 (GmcpValueMakeFunc) gmcp_prompt_argument_new_from_value,
                                 (GDestroyNotify) gmcp_prompt_argument_unref);
}

/**
 * gmcp_prompt_new:
 * @name: what the prompt is asked for by
 * @description: (nullable): what it does
 * @arguments: (nullable) (element-type Gmcp.PromptArgument): its arguments, or %NULL for none
 *
 * Makes a prompt, for those who provide some of their own.
 * [ctor@Gmcp.Prompt.new_from_json] makes one that has more members.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
GmcpPrompt *
gmcp_prompt_new (const char *name, const char *description, GPtrArray *arguments)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GString *written;
  GmcpJsonWriter writer;

  g_return_val_if_fail (name != NULL && *name != '\0', NULL);

  written = g_string_new (NULL);
  writer = gmcp_json_writer_init (written);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", name);
  if (description != NULL)
    gmcp_json_writer_member_string (&writer, "description", description);
  if (arguments != NULL && arguments->len > 0)
    {
      gmcp_json_writer_key (&writer, "arguments");
      gmcp_json_writer_begin_array (&writer);
      for (guint i = 0; i < arguments->len; i++)
        {
          GmcpPromptArgument *argument = g_ptr_array_index (arguments, i);

          /* GJS hands in arrays of boxed values as arrays of nothing. */
          if (argument != NULL)
            gmcp_json_writer_value (&writer, gmcp_prompt_argument_get_value (argument));
        }
      gmcp_json_writer_end_array (&writer);
    }
  gmcp_json_writer_end_object (&writer);
  doc = gmcp_protocol_take_written (written);
  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, NULL);
}

/**
 * gmcp_prompt_new_from_json:
 * @json: a prompt as JSON text, in the form that servers list them in
 * @error: return location for an error
 *
 * Makes a prompt, for those who provide some of their own.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no object with a string `name`.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
GmcpPrompt *
gmcp_prompt_new_from_json (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, error);
}

/**
 * gmcp_prompt_get_name: (get-property name)
 * @self: a prompt
 *
 * Gives the name that the prompt is asked for by.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_get_name (GmcpPrompt *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT (self), NULL);

  return self->definition.key != NULL ? self->definition.key : "";
}

/**
 * gmcp_prompt_get_title: (get-property title)
 * @self: a prompt
 *
 * Gives the name to show to people.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_get_title (GmcpPrompt *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT (self), NULL);

  return gmcp_definition_get_title (&self->definition);
}

/**
 * gmcp_prompt_get_description: (get-property description)
 * @self: a prompt
 *
 * Gives what it is, in the words of the server.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_get_description (GmcpPrompt *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT (self), NULL);

  return gmcp_definition_get_description (&self->definition);
}

/**
 * gmcp_prompt_get_n_arguments:
 * @self: a prompt
 *
 * Gives the number of arguments that the prompt takes.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_prompt_get_n_arguments (GmcpPrompt *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT (self), 0);

  return get_arguments (self)->len;
}

/**
 * gmcp_prompt_get_argument:
 * @self: a prompt
 * @position: the position, from 0
 *
 * Gives an argument that the prompt takes.
 *
 * Returns: (transfer none) (nullable): the argument, or %NULL where @position is past the last one
 *
 * Since: 0.1
 */
GmcpPromptArgument *
gmcp_prompt_get_argument (GmcpPrompt *self, guint position)
{
  GPtrArray *arguments;

  g_return_val_if_fail (GMCP_IS_PROMPT (self), NULL);

  arguments = get_arguments (self);
  return position < arguments->len ? g_ptr_array_index (arguments, position) : NULL;
}

/**
 * gmcp_prompt_list_icons:
 * @self: a prompt
 *
 * Gives the pictures that the server offers for it.
 *
 * Returns: (transfer container) (element-type Gmcp.Icon): the icons; empty where there are none
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_prompt_list_icons (GmcpPrompt *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT (self), NULL);

  return gmcp_icons_list (self->definition.value);
}

/**
 * gmcp_prompt_dup_meta_json:
 * @self: a prompt
 *
 * Gives its `_meta` as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_prompt_dup_meta_json (GmcpPrompt *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT (self), NULL);

  return gmcp_definition_dup_meta_json (&self->definition);
}

/**
 * gmcp_prompt_dup_json:
 * @self: a prompt
 *
 * Gives the whole of it as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_prompt_dup_json (GmcpPrompt *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT (self), NULL);

  return gmcp_json_value_dup_raw (self->definition.value);
}
