/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-sampling-message-private.h"

#include "gmcp-content-private.h"
#include "gmcp-protocol-private.h"

/**
 * GmcpSamplingMessage:
 *
 * One message of what a server wants to put to the host's model. Immutable.
 *
 * Spec: MCP 2026-07-28, client/sampling, "Data Types".
 *
 * Since: 0.1
 */
struct _GmcpSamplingMessage
{
  gatomicrefcount ref_count;
  GmcpJsonValue value;
  GmcpMessageRole role;
  GPtrArray *contents;
};

G_DEFINE_BOXED_TYPE (GmcpSamplingMessage,
                     gmcp_sampling_message,
                     gmcp_sampling_message_ref,
                     gmcp_sampling_message_unref)

GmcpSamplingMessage *
gmcp_sampling_message_new_from_value (GmcpJsonValue value)
{
  GmcpSamplingMessage *self = g_new0 (GmcpSamplingMessage, 1);
  GmcpJsonValue content = gmcp_json_value_get_member (value, "content");
  GmcpJsonIter iter;
  GmcpJsonValue block;

  g_atomic_ref_count_init (&self->ref_count);
  self->value = value;
  if (value.doc != NULL)
    gmcp_json_doc_ref (value.doc);
  self->role = gmcp_protocol_read_role (gmcp_json_value_get_member (value, "role"));
  self->contents = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_content_unref);

  if (gmcp_json_value_is_object (content))
    g_ptr_array_add (self->contents, gmcp_content_new_from_value (content));
  else if (gmcp_json_value_is_array (content))
    {
      gmcp_json_iter_init (&iter, content);
      while (gmcp_json_iter_next (&iter, NULL, &block))
        g_ptr_array_add (self->contents, gmcp_content_new_from_value (block));
    }
  return self;
}

/**
 * gmcp_sampling_message_ref:
 * @self: a message
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpSamplingMessage *
gmcp_sampling_message_ref (GmcpSamplingMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * gmcp_sampling_message_unref:
 * @self: (transfer full): a message
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_sampling_message_unref (GmcpSamplingMessage *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->value.doc != NULL)
    gmcp_json_doc_unref (self->value.doc);
  g_ptr_array_unref (self->contents);
  g_free (self);
}

/**
 * gmcp_sampling_message_get_role:
 * @self: a message
 *
 * Gives whose message it is.
 *
 * Returns: the role; that of the user where the server gave none that is known
 *
 * Since: 0.1
 */
GmcpMessageRole
gmcp_sampling_message_get_role (GmcpSamplingMessage *self)
{
  g_return_val_if_fail (self != NULL, GMCP_MESSAGE_ROLE_USER);

  return self->role;
}

/**
 * gmcp_sampling_message_get_contents:
 * @self: a message
 *
 * Gives what the message consists of: texts, images and sounds. A use of a tool and its result are
 * of an unknown kind, with their JSON in [method@Gmcp.Content.dup_json].
 *
 * Returns: (transfer none) (element-type GmcpContent): the blocks
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_sampling_message_get_contents (GmcpSamplingMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->contents;
}

/**
 * gmcp_sampling_message_dup_json:
 * @self: a message
 *
 * Gives the message as the server sent it.
 *
 * Returns: (transfer full): a JSON value as text
 *
 * Since: 0.1
 */
char *
gmcp_sampling_message_dup_json (GmcpSamplingMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->value);
}
