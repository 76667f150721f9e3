/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-prompt-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-definition-private.h"
#include "gmcp-i18n-private.h"
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
  GmcpDefinition parent_instance;

  GPtrArray *arguments; /* made when asked for */
};

G_DEFINE_FINAL_TYPE (GmcpPrompt, gmcp_prompt, GMCP_TYPE_DEFINITION)

static void
gmcp_prompt_finalize (GObject *object)
{
  GmcpPrompt *self = GMCP_PROMPT (object);

  g_clear_pointer (&self->arguments, g_ptr_array_unref);

  G_OBJECT_CLASS (gmcp_prompt_parent_class)->finalize (object);
}

static void
gmcp_prompt_class_init (GmcpPromptClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_prompt_finalize;
  GMCP_DEFINITION_CLASS (klass)->has_name_as_key = TRUE;
}

static void
gmcp_prompt_init (GmcpPrompt *self)
{
}

static GmcpPrompt *
new_checked (GmcpJsonValue value, int code, GError **error)
{
  return gmcp_definition_new (GMCP_TYPE_PROMPT, value, "name", error, code,
                              _ ("A prompt has to be a JSON object with a name"));
}

GmcpPrompt *
gmcp_prompt_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
}

static GPtrArray *
get_arguments (GmcpPrompt *self)
{
  return gmcp_value_cache_array (&self->arguments, gmcp_definition_get_member (self, "arguments"),
                                 (GmcpValueMakeFunc) gmcp_prompt_argument_new_from_value,
                                 (GDestroyNotify) gmcp_prompt_argument_unref);
}

GmcpPrompt *
gmcp_prompt_new_of_parts (const char *name,
                          const char *title,
                          const char *description,
                          GPtrArray *arguments,
                          GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GString *written = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", name);
  if (title != NULL)
    gmcp_json_writer_member_string (&writer, "title", title);
  if (description != NULL)
    gmcp_json_writer_member_string (&writer, "description", description);
  if (arguments != NULL && arguments->len > 0)
    {
      gmcp_json_writer_key (&writer, "arguments");
      gmcp_json_writer_begin_array (&writer);
      for (guint i = 0; i < arguments->len; i++)
        gmcp_json_writer_value (&writer,
                                gmcp_prompt_argument_get_value (g_ptr_array_index (arguments, i)));
      gmcp_json_writer_end_array (&writer);
    }
  gmcp_json_writer_end_object (&writer);
  doc = gmcp_protocol_take_written (written);
  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, error);
}

/**
 * gmcp_prompt_new:
 * @name: what the prompt is asked for by
 * @description: (nullable): what it does
 * @arguments: (nullable) (element-type Gmcp.PromptArgument): its arguments, or %NULL for none
 *
 * Makes a prompt, for those who provide some of their own. GJS has no arrays of arguments:
 * [class@Gmcp.PromptBuilder] takes them one by one. [ctor@Gmcp.Prompt.new_from_json] makes a prompt
 * that has more members.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
GmcpPrompt *
gmcp_prompt_new (const char *name, const char *description, GPtrArray *arguments)
{
  g_return_val_if_fail (name != NULL && *name != '\0', NULL);
  g_return_val_if_fail (arguments == NULL || !gmcp_value_array_has_null (arguments), NULL);

  return gmcp_prompt_new_of_parts (name, NULL, description, arguments, NULL);
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
