/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-prompt-message-private.h"

#include "gmcp-protocol-private.h"
#include "gmcp-content-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpPromptMessage:
 *
 * One message of a prompt, to be put before the model. Immutable; may be used from any thread.
 *
 * Its text comes from the server: it is worth as much as the server is trusted.
 *
 * Spec: MCP 2026-07-28, server/prompts, "PromptMessage".
 *
 * Since: 0.1
 */
struct _GmcpPromptMessage
{
  GmcpValue base;
  GPtrArray *contents; /* made when asked for */
};

G_DEFINE_BOXED_TYPE (GmcpPromptMessage,
                     gmcp_prompt_message,
                     gmcp_prompt_message_ref,
                     gmcp_prompt_message_unref)

GmcpPromptMessage *
gmcp_prompt_message_new_from_value (GmcpJsonValue value)
{
  if (!gmcp_json_value_is_object (value))
    return NULL;

  return gmcp_value_new (sizeof (GmcpPromptMessage), value);
}

/* The protocol has one block here; some servers give a list of them. */
static GPtrArray *
get_contents (GmcpPromptMessage *self)
{
  GmcpJsonValue content = gmcp_value_get_member (&self->base, "content");
  GPtrArray *contents = g_atomic_pointer_get (&self->contents);

  if (contents != NULL || !gmcp_json_value_is_object (content))
    return gmcp_value_cache_array (&self->contents, content,
                                   (GmcpValueMakeFunc) gmcp_content_new_from_value,
                                   (GDestroyNotify) gmcp_content_unref);

  contents = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_content_unref);
  g_ptr_array_add (contents, gmcp_content_new_from_value (content));
  if (!g_atomic_pointer_compare_and_exchange (&self->contents, NULL, contents))
    {
      g_ptr_array_unref (contents);
      contents = g_atomic_pointer_get (&self->contents);
    }
  return contents;
}

/**
 * gmcp_prompt_message_ref:
 * @self: a message
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpPromptMessage *
gmcp_prompt_message_ref (GmcpPromptMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_prompt_message_unref:
 * @self: (transfer full): a message
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_prompt_message_unref (GmcpPromptMessage *self)
{
  g_return_if_fail (self != NULL);

  if (gmcp_value_unref (&self->base))
    {
      g_clear_pointer (&self->contents, g_ptr_array_unref);
      g_free (self);
    }
}

/**
 * gmcp_prompt_message_get_role:
 * @self: a message
 *
 * Gives whose words the message holds.
 *
 * Returns: the role; that of the user where the server gave none that is known
 *
 * Since: 0.1
 */
GmcpMessageRole
gmcp_prompt_message_get_role (GmcpPromptMessage *self)
{
  g_return_val_if_fail (self != NULL, GMCP_MESSAGE_ROLE_USER);

  return gmcp_protocol_read_role (gmcp_value_get_member (&self->base, "role"));
}

/**
 * gmcp_prompt_message_get_n_contents:
 * @self: a message
 *
 * Gives the number of content blocks; with servers that keep to the protocol it is 1.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_prompt_message_get_n_contents (GmcpPromptMessage *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return get_contents (self)->len;
}

/**
 * gmcp_prompt_message_get_content:
 * @self: a message
 * @position: the position, from 0
 *
 * Gives a content block.
 *
 * Returns: (transfer none) (nullable): the block, or %NULL where @position is past the last one
 *
 * Since: 0.1
 */
GmcpContent *
gmcp_prompt_message_get_content (GmcpPromptMessage *self, guint position)
{
  GPtrArray *contents;

  g_return_val_if_fail (self != NULL, NULL);

  contents = get_contents (self);
  return position < contents->len ? g_ptr_array_index (contents, position) : NULL;
}

/**
 * gmcp_prompt_message_dup_text:
 * @self: a message
 *
 * Gives the message as text for a model; what is no text is named in square brackets, such as
 * `[image: image/png, 12345 bytes]`.
 *
 * Returns: (transfer full): the text
 *
 * Since: 0.1
 */
char *
gmcp_prompt_message_dup_text (GmcpPromptMessage *self)
{
  g_autoptr (GString) text = NULL;
  GPtrArray *contents;

  g_return_val_if_fail (self != NULL, NULL);

  contents = get_contents (self);
  text = g_string_new (NULL);
  for (guint i = 0; i < contents->len; i++)
    {
      if (i > 0)
        g_string_append_c (text, '\n');
      gmcp_content_value_append_text (gmcp_content_get_value (g_ptr_array_index (contents, i)),
                                      text);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * gmcp_prompt_message_dup_json:
 * @self: a message
 *
 * Gives the whole message as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_prompt_message_dup_json (GmcpPromptMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
