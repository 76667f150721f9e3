/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-prompt-result-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-prompt-message-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpPromptResult:
 *
 * What a server made of a prompt and the arguments for it: messages to be put before the model.
 * Immutable; may be used from any thread.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Getting a Prompt".
 *
 * Since: 0.1
 */
struct _GmcpPromptResult
{
  GmcpValue base;
  /* Decoded when asked for. */
  char *description;
  GPtrArray *messages;
};

G_DEFINE_BOXED_TYPE (GmcpPromptResult,
                     gmcp_prompt_result,
                     gmcp_prompt_result_ref,
                     gmcp_prompt_result_unref)

static GmcpPromptResult *
new_checked (GmcpJsonValue value, int code, GError **error)
{
  if (!gmcp_json_value_is_array (gmcp_json_value_get_member (value, "messages")))
    {
      g_set_error_literal (error, GMCP_ERROR, code, _ ("the answer has no array “messages”"));
      return NULL;
    }

  return gmcp_value_new (sizeof (GmcpPromptResult), value);
}

GmcpPromptResult *
gmcp_prompt_result_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
}

GmcpJsonValue
gmcp_prompt_result_get_value (GmcpPromptResult *self)
{
  return self->base.value;
}

static GPtrArray *
get_messages (GmcpPromptResult *self)
{
  return gmcp_value_cache_array (&self->messages, gmcp_value_get_member (&self->base, "messages"),
                                 (GmcpValueMakeFunc) gmcp_prompt_message_new_from_value,
                                 (GDestroyNotify) gmcp_prompt_message_unref);
}

/**
 * gmcp_prompt_result_new_text:
 * @description: (nullable): what the prompt does
 * @text: what is put before the model
 *
 * Makes the result of a prompt that is one text of the user's.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpPromptResult *
gmcp_prompt_result_new_text (const char *description, const char *text)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GString *written;
  GmcpJsonWriter writer;

  g_return_val_if_fail (text != NULL, NULL);

  written = g_string_new (NULL);
  writer = gmcp_json_writer_init (written);
  gmcp_json_writer_begin_object (&writer);
  if (description != NULL)
    gmcp_json_writer_member_string (&writer, "description", description);
  gmcp_json_writer_key (&writer, "messages");
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "role", "user");
  gmcp_json_writer_key (&writer, "content");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", "text");
  gmcp_json_writer_member_string (&writer, "text", text);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);
  doc = gmcp_protocol_take_written (written);
  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, NULL);
}

/**
 * gmcp_prompt_result_new_from_json:
 * @json: the result as JSON text, in the form that servers give it in
 * @error: return location for an error
 *
 * Makes a result, for those who provide prompts of their own.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no such result.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpPromptResult *
gmcp_prompt_result_new_from_json (const char *json, GError **error)
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
 * gmcp_prompt_result_ref:
 * @self: a result
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpPromptResult *
gmcp_prompt_result_ref (GmcpPromptResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_prompt_result_unref:
 * @self: (transfer full): a result
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_prompt_result_unref (GmcpPromptResult *self)
{
  g_return_if_fail (self != NULL);

  if (gmcp_value_unref (&self->base))
    {
      g_free (self->description);
      g_clear_pointer (&self->messages, g_ptr_array_unref);
      g_free (self);
    }
}

/**
 * gmcp_prompt_result_get_description:
 * @self: a result
 *
 * Gives what the prompt does, in the words of the server.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_result_get_description (GmcpPromptResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->description,
                                     gmcp_value_get_member (&self->base, "description"));
}

/**
 * gmcp_prompt_result_get_n_messages:
 * @self: a result
 *
 * Gives the number of messages.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_prompt_result_get_n_messages (GmcpPromptResult *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return get_messages (self)->len;
}

/**
 * gmcp_prompt_result_get_message:
 * @self: a result
 * @position: the position, from 0
 *
 * Gives a message.
 *
 * Returns: (transfer none) (nullable): the message, or %NULL where @position is past the last one
 *
 * Since: 0.1
 */
GmcpPromptMessage *
gmcp_prompt_result_get_message (GmcpPromptResult *self, guint position)
{
  GPtrArray *messages;

  g_return_val_if_fail (self != NULL, NULL);

  messages = get_messages (self);
  return position < messages->len ? g_ptr_array_index (messages, position) : NULL;
}

/**
 * gmcp_prompt_result_dup_meta_json:
 * @self: a result
 *
 * Gives the result's `_meta` as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_prompt_result_dup_meta_json (GmcpPromptResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (gmcp_value_get_member (&self->base, GMCP_MEMBER_META));
}

/**
 * gmcp_prompt_result_dup_json:
 * @self: a result
 *
 * Gives the whole result as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_prompt_result_dup_json (GmcpPromptResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
