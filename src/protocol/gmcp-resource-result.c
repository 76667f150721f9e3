/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-resource-result-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-content-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-resource-contents-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpResourceResult:
 *
 * What reading a resource gave: its contents, one or several. Immutable; may be used from any
 * thread.
 *
 * Spec: MCP 2026-07-28, server/resources, "Reading Resources".
 *
 * Since: 0.1
 */
struct _GmcpResourceResult
{
  GmcpValue base;
  GPtrArray *contents; /* made when asked for */
  gint64 ttl_ms;       /* -1 where the server does not say */
  GmcpCacheScope cache_scope;
  gboolean is_cached;
  gboolean is_stale;
};

G_DEFINE_BOXED_TYPE (GmcpResourceResult,
                     gmcp_resource_result,
                     gmcp_resource_result_ref,
                     gmcp_resource_result_unref)

/* What is of no use stands for the careful choice: stale at once, and private. */
static void
read_hints (GmcpResourceResult *self)
{
  GmcpJsonValue ttl = gmcp_value_get_member (&self->base, "ttlMs");
  double number = 0;

  self->ttl_ms = gmcp_json_value_is_present (ttl) ? 0 : -1;
  if (gmcp_json_value_get_double (ttl, &number))
    self->ttl_ms = (gint64) CLAMP (number, 0, G_MAXUINT);
  if (gmcp_json_value_equals_string (gmcp_value_get_member (&self->base, "cacheScope"), "public"))
    self->cache_scope = GMCP_CACHE_SCOPE_PUBLIC;
}

static GmcpResourceResult *
new_checked (GmcpJsonValue value, int code, GError **error)
{
  GmcpResourceResult *self;

  if (!gmcp_json_value_is_array (gmcp_json_value_get_member (value, "contents")))
    {
      g_set_error_literal (error, GMCP_ERROR, code, _ ("the answer has no array “contents”"));
      return NULL;
    }

  self = gmcp_value_new (sizeof (GmcpResourceResult), value);
  read_hints (self);
  return self;
}

GmcpResourceResult *
gmcp_resource_result_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
}

GmcpJsonValue
gmcp_resource_result_get_value (GmcpResourceResult *self)
{
  return self->base.value;
}

void
gmcp_resource_result_set_cached (GmcpResourceResult *self, guint left_ms)
{
  self->is_cached = TRUE;
  self->is_stale = left_ms == 0;
  self->ttl_ms = left_ms;
}

GmcpResourceResult *
gmcp_resource_result_copy_with_hints (GmcpResourceResult *self, gint64 ttl_ms, GmcpCacheScope scope)
{
  GmcpResourceResult *copy = gmcp_value_new (sizeof (GmcpResourceResult), self->base.value);

  copy->is_cached = self->is_cached;
  copy->is_stale = self->is_stale;
  copy->ttl_ms = ttl_ms;
  copy->cache_scope = scope;
  return copy;
}

static GPtrArray *
list_contents (GmcpResourceResult *self)
{
  return gmcp_value_cache_array (&self->contents, gmcp_value_get_member (&self->base, "contents"),
                                 (GmcpValueMakeFunc) gmcp_resource_contents_new_from_value,
                                 (GDestroyNotify) gmcp_resource_contents_unref);
}

static GmcpResourceResult *
new_of_one (const char *uri, const char *mime_type, const char *text, GBytes *bytes)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GString *written = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "contents");
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "uri", uri);
  if (mime_type != NULL)
    gmcp_json_writer_member_string (&writer, "mimeType", mime_type);
  if (text != NULL)
    {
      gmcp_json_writer_member_string (&writer, "text", text);
    }
  else
    {
      gsize length;
      const guint8 *data = g_bytes_get_data (bytes, &length);

      gmcp_json_writer_key (&writer, "blob");
      gmcp_json_writer_base64 (&writer, data, length);
    }
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);
  doc = gmcp_protocol_take_written (written);
  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, NULL);
}

/**
 * gmcp_resource_result_new_text:
 * @uri: the address that was read
 * @mime_type: (nullable): the media type, or %NULL where it is not known
 * @text: what is there
 *
 * Makes the result of reading a resource that is one text.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpResourceResult *
gmcp_resource_result_new_text (const char *uri, const char *mime_type, const char *text)
{
  g_return_val_if_fail (uri != NULL, NULL);
  g_return_val_if_fail (text != NULL, NULL);

  return new_of_one (uri, mime_type, text, NULL);
}

/**
 * gmcp_resource_result_new_bytes:
 * @uri: the address that was read
 * @mime_type: (nullable): the media type, or %NULL where it is not known
 * @bytes: what is there
 *
 * Makes the result of reading a resource that is no text.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpResourceResult *
gmcp_resource_result_new_bytes (const char *uri, const char *mime_type, GBytes *bytes)
{
  g_return_val_if_fail (uri != NULL, NULL);
  g_return_val_if_fail (bytes != NULL, NULL);

  return new_of_one (uri, mime_type, NULL, bytes);
}

/**
 * gmcp_resource_result_new_from_json:
 * @json: the result as JSON text, in the form that servers give it in
 * @error: return location for an error
 *
 * Makes a result, for those who provide resources of their own.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no such result.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpResourceResult *
gmcp_resource_result_new_from_json (const char *json, GError **error)
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
 * gmcp_resource_result_ref:
 * @self: a result
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpResourceResult *
gmcp_resource_result_ref (GmcpResourceResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_resource_result_unref:
 * @self: (transfer full): a result
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_resource_result_unref (GmcpResourceResult *self)
{
  g_return_if_fail (self != NULL);

  if (gmcp_value_unref (&self->base))
    {
      g_clear_pointer (&self->contents, g_ptr_array_unref);
      g_free (self);
    }
}

/**
 * gmcp_resource_result_get_n_contents:
 * @self: a result
 *
 * Gives the number of contents: 1, or more where the resource has parts.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_resource_result_get_n_contents (GmcpResourceResult *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return list_contents (self)->len;
}

/**
 * gmcp_resource_result_get_contents:
 * @self: a result
 * @position: the position, from 0
 *
 * Gives one of the contents.
 *
 * Returns: (transfer none) (nullable): the contents, or %NULL where @position is past the last one
 *
 * Since: 0.1
 */
GmcpResourceContents *
gmcp_resource_result_get_contents (GmcpResourceResult *self, guint position)
{
  GPtrArray *contents;

  g_return_val_if_fail (self != NULL, NULL);

  contents = list_contents (self);
  return position < contents->len ? g_ptr_array_index (contents, position) : NULL;
}

/**
 * gmcp_resource_result_dup_text:
 * @self: a result
 *
 * Gives all contents as text for a model, one after another; in place of bytes a mark such as
 * `[resource: file:///a.png, image/png, 12345 bytes]`.
 *
 * Returns: (transfer full): the text
 *
 * Since: 0.1
 */
char *
gmcp_resource_result_dup_text (GmcpResourceResult *self)
{
  g_autoptr (GString) text = NULL;
  GPtrArray *contents;

  g_return_val_if_fail (self != NULL, NULL);

  contents = list_contents (self);
  text = g_string_new (NULL);
  for (guint i = 0; i < contents->len; i++)
    {
      GmcpResourceContents *part = g_ptr_array_index (contents, i);

      if (i > 0)
        g_string_append_c (text, '\n');
      gmcp_content_resource_append_text (gmcp_resource_contents_get_value (part), text);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * gmcp_resource_result_is_cached:
 * @self: a result
 *
 * Tells whether the server was not asked for this: it had answered so before, and the answer was
 * kept in a [class@Gmcp.ResponseCache].
 *
 * Returns: whether it comes from a cache
 *
 * Since: 0.1
 */
gboolean
gmcp_resource_result_is_cached (GmcpResourceResult *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_cached;
}

/**
 * gmcp_resource_result_is_stale:
 * @self: a result
 *
 * Tells whether it comes from a cache and its time has passed: the server could not be asked, and
 * [property@Gmcp.CallOptions:stale-on-error] took an old answer for better than none.
 *
 * Returns: whether it may be out of date
 *
 * Since: 0.1
 */
gboolean
gmcp_resource_result_is_stale (GmcpResourceResult *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_stale;
}

/**
 * gmcp_resource_result_get_ttl_ms:
 * @self: a result
 *
 * Gives how long the result may be taken as fresh, in milliseconds: as the server says, or what was left
 * of that when the result was taken from a cache.
 *
 * Spec: MCP 2026-07-28, server/utilities/caching, "Time-to-Live (TTL) Field".
 *
 * Returns: the time, or -1 where the server does not say
 *
 * Since: 0.1
 */
gint64
gmcp_resource_result_get_ttl_ms (GmcpResourceResult *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->ttl_ms;
}

/**
 * gmcp_resource_result_get_cache_scope:
 * @self: a result
 *
 * Gives whom the result may be shown to by one who keeps it. A server that does not say means
 * %GMCP_CACHE_SCOPE_PRIVATE.
 *
 * Returns: the scope
 *
 * Since: 0.1
 */
GmcpCacheScope
gmcp_resource_result_get_cache_scope (GmcpResourceResult *self)
{
  g_return_val_if_fail (self != NULL, GMCP_CACHE_SCOPE_PRIVATE);

  return self->cache_scope;
}

/**
 * gmcp_resource_result_dup_meta_json:
 * @self: a result
 *
 * Gives the result's `_meta` as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_resource_result_dup_meta_json (GmcpResourceResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (gmcp_value_get_member (&self->base, GMCP_MEMBER_META));
}

/**
 * gmcp_resource_result_dup_json:
 * @self: a result
 *
 * Gives the whole result as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_resource_result_dup_json (GmcpResourceResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
