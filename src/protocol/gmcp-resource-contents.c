/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-resource-contents-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpResourceContents:
 *
 * What is in a resource, or in one part of it: a text or bytes. Immutable; may be used from any
 * thread.
 *
 * Spec: MCP 2026-07-28, server/resources, "Resource Contents".
 *
 * Since: 0.1
 */
struct _GmcpResourceContents
{
  GmcpValue base;
  /* Decoded when asked for. */
  char *uri;
  char *mime_type;
  char *text;
  GBytes *bytes;
};

G_DEFINE_BOXED_TYPE (GmcpResourceContents,
                     gmcp_resource_contents,
                     gmcp_resource_contents_ref,
                     gmcp_resource_contents_unref)

GmcpResourceContents *
gmcp_resource_contents_new_from_value (GmcpJsonValue value)
{
  if (!gmcp_json_value_is_object (value))
    return NULL;

  return gmcp_value_new (sizeof (GmcpResourceContents), value);
}

GmcpJsonValue
gmcp_resource_contents_get_value (GmcpResourceContents *self)
{
  return self->base.value;
}

/**
 * gmcp_resource_contents_ref:
 * @self: contents of a resource
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpResourceContents *
gmcp_resource_contents_ref (GmcpResourceContents *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_resource_contents_unref:
 * @self: (transfer full): contents of a resource
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_resource_contents_unref (GmcpResourceContents *self)
{
  g_return_if_fail (self != NULL);

  if (gmcp_value_unref (&self->base))
    {
      g_free (self->uri);
      g_free (self->mime_type);
      g_free (self->text);
      g_clear_pointer (&self->bytes, g_bytes_unref);
      g_free (self);
    }
}

/**
 * gmcp_resource_contents_get_uri:
 * @self: contents of a resource
 *
 * Gives the URI that these contents are of. Of a resource that has parts, such as a folder, it is
 * that of the part.
 *
 * Returns: (transfer none) (nullable): the URI, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_resource_contents_get_uri (GmcpResourceContents *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->uri, gmcp_value_get_member (&self->base, "uri"));
}

/**
 * gmcp_resource_contents_get_mime_type:
 * @self: contents of a resource
 *
 * Gives the media type.
 *
 * Returns: (transfer none) (nullable): the media type, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_resource_contents_get_mime_type (GmcpResourceContents *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->mime_type,
                                     gmcp_value_get_member (&self->base, "mimeType"));
}

/**
 * gmcp_resource_contents_is_text:
 * @self: contents of a resource
 *
 * Tells whether the contents are a text.
 *
 * Returns: %TRUE for a text, %FALSE for bytes
 *
 * Since: 0.1
 */
gboolean
gmcp_resource_contents_is_text (GmcpResourceContents *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return gmcp_json_value_is_string (gmcp_value_get_member (&self->base, "text"));
}

/**
 * gmcp_resource_contents_get_text:
 * @self: contents of a resource
 *
 * Gives the text of contents that are a text. A U+0000 in it comes as U+FFFD;
 * [method@Gmcp.ResourceContents.get_bytes] gives it as it is in all else.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL where the contents are bytes
 *
 * Since: 0.1
 */
const char *
gmcp_resource_contents_get_text (GmcpResourceContents *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->text, gmcp_value_get_member (&self->base, "text"));
}

/**
 * gmcp_resource_contents_get_bytes:
 * @self: contents of a resource
 * @error: return location for an error
 *
 * Gives the contents as bytes: those of a text are its UTF-8. They are decoded at the first call,
 * straight from the message, and kept.
 *
 * Fails with [error@Gmcp.Error] `PROTOCOL` or `INVALID_JSON` where the server did not send them as
 * it should.
 *
 * Returns: (transfer none): the bytes
 *
 * Since: 0.1
 */
GBytes *
gmcp_resource_contents_get_bytes (GmcpResourceContents *self, GError **error)
{
  GmcpJsonValue text, blob;
  GBytes *bytes;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  bytes = g_atomic_pointer_get (&self->bytes);
  if (bytes != NULL)
    return bytes;

  text = gmcp_value_get_member (&self->base, "text");
  blob = gmcp_value_get_member (&self->base, "blob");
  if (gmcp_json_value_is_string (text))
    bytes = gmcp_json_value_dup_string_bytes (text);
  else if (gmcp_json_value_is_string (blob))
    bytes = gmcp_json_value_decode_base64 (blob, error);
  else
    g_set_error_literal (
      error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
      _ ("The server sent contents of a resource that have no text and no bytes"));
  if (bytes == NULL)
    return NULL;

  if (!g_atomic_pointer_compare_and_exchange (&self->bytes, NULL, bytes))
    {
      g_bytes_unref (bytes);
      bytes = g_atomic_pointer_get (&self->bytes);
    }
  return bytes;
}

/**
 * gmcp_resource_contents_dup_meta_json:
 * @self: contents of a resource
 *
 * Gives the contents's `_meta` as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_resource_contents_dup_meta_json (GmcpResourceContents *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (gmcp_value_get_member (&self->base, GMCP_MEMBER_META));
}

/**
 * gmcp_resource_contents_dup_json:
 * @self: contents of a resource
 *
 * Gives the whole of it as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_resource_contents_dup_json (GmcpResourceContents *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
