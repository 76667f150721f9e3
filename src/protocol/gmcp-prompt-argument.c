/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-prompt-argument-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpPromptArgument:
 *
 * One argument of a prompt. Immutable; may be used from any thread.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Prompt".
 *
 * Since: 0.1
 */
struct _GmcpPromptArgument
{
  GmcpValue base;
  /* Decoded when asked for. */
  char *name;
  char *title;
  char *description;
};

G_DEFINE_BOXED_TYPE (GmcpPromptArgument,
                     gmcp_prompt_argument,
                     gmcp_prompt_argument_ref,
                     gmcp_prompt_argument_unref)

GmcpPromptArgument *
gmcp_prompt_argument_new_from_value (GmcpJsonValue value)
{
  if (!gmcp_json_value_is_string (gmcp_json_value_get_member (value, "name")))
    return NULL;

  return gmcp_value_new (sizeof (GmcpPromptArgument), value);
}

GmcpJsonValue
gmcp_prompt_argument_get_value (GmcpPromptArgument *self)
{
  return self->base.value;
}

/**
 * gmcp_prompt_argument_new:
 * @name: the argument's name
 * @description: (nullable): what it is for
 * @required: whether the prompt cannot be had without it
 *
 * Makes an argument, for those who provide prompts of their own.
 *
 * Returns: (transfer full): a new argument
 *
 * Since: 0.1
 */
GmcpPromptArgument *
gmcp_prompt_argument_new (const char *name, const char *description, gboolean required)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GString *written;
  GmcpJsonWriter writer;

  g_return_val_if_fail (name != NULL, NULL);

  written = g_string_new (NULL);
  writer = gmcp_json_writer_init (written);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", name);
  if (description != NULL)
    gmcp_json_writer_member_string (&writer, "description", description);
  gmcp_json_writer_member_boolean (&writer, "required", required);
  gmcp_json_writer_end_object (&writer);
  doc = gmcp_protocol_take_written (written);
  return gmcp_prompt_argument_new_from_value (gmcp_json_doc_get_root (doc));
}

/**
 * gmcp_prompt_argument_ref:
 * @self: an argument
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpPromptArgument *
gmcp_prompt_argument_ref (GmcpPromptArgument *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_prompt_argument_unref:
 * @self: (transfer full): an argument
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_prompt_argument_unref (GmcpPromptArgument *self)
{
  g_return_if_fail (self != NULL);

  if (gmcp_value_unref (&self->base))
    {
      g_free (self->name);
      g_free (self->title);
      g_free (self->description);
      g_free (self);
    }
}

/**
 * gmcp_prompt_argument_get_name:
 * @self: an argument
 *
 * Gives the name that a value is given under.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_argument_get_name (GmcpPromptArgument *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->name, gmcp_value_get_member (&self->base, "name"));
}

/**
 * gmcp_prompt_argument_get_title:
 * @self: an argument
 *
 * Gives the name to show to people.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_argument_get_title (GmcpPromptArgument *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->title, gmcp_value_get_member (&self->base, "title"));
}

/**
 * gmcp_prompt_argument_get_description:
 * @self: an argument
 *
 * Gives what the argument is for, in the words of the server.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_argument_get_description (GmcpPromptArgument *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->description,
                                     gmcp_value_get_member (&self->base, "description"));
}

/**
 * gmcp_prompt_argument_is_required:
 * @self: an argument
 *
 * Tells whether the prompt cannot be had without a value.
 *
 * Returns: whether a value has to be given
 *
 * Since: 0.1
 */
gboolean
gmcp_prompt_argument_is_required (GmcpPromptArgument *self)
{
  gboolean required = FALSE;

  g_return_val_if_fail (self != NULL, FALSE);

  gmcp_json_value_get_boolean (gmcp_value_get_member (&self->base, "required"), &required);
  return required;
}

/**
 * gmcp_prompt_argument_dup_json:
 * @self: an argument
 *
 * Gives the whole argument as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_prompt_argument_dup_json (GmcpPromptArgument *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
