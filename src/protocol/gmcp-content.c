/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-annotations-private.h"
#include "gmcp-content-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

typedef enum
{
  STRING_TEXT,
  STRING_MIME_TYPE,
  STRING_URI,
  STRING_NAME,
  STRING_TITLE,
  STRING_DESCRIPTION,
} ContentString;

static const char *const string_members[]
  = { "text", "mimeType", "uri", "name", "title", "description" };

static const struct
{
  const char *type;
  GmcpContentKind kind;
} kinds[] = {
  { "text", GMCP_CONTENT_KIND_TEXT },
  { "image", GMCP_CONTENT_KIND_IMAGE },
  { "audio", GMCP_CONTENT_KIND_AUDIO },
  { "resource", GMCP_CONTENT_KIND_RESOURCE },
  { "resource_link", GMCP_CONTENT_KIND_RESOURCE_LINK },
};

/**
 * GmcpContent:
 *
 * One block of what a tool gave back: a text, an image, a sound, a resource or a link to one.
 * Immutable; may be used from any thread.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool Result".
 *
 * Since: 0.1
 */
struct _GmcpContent
{
  gatomicrefcount ref_count;
  GmcpContentKind kind;
  GmcpJsonValue value;
  char *strings[G_N_ELEMENTS (string_members)]; /* decoded when asked for */
};

G_DEFINE_BOXED_TYPE (GmcpContent, gmcp_content, gmcp_content_ref, gmcp_content_unref)

GmcpContentKind
gmcp_content_value_get_kind (GmcpJsonValue block)
{
  GmcpJsonValue type = gmcp_json_value_get_member (block, "type");

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (gmcp_json_value_equals_string (type, kinds[i].type))
      return kinds[i].kind;

  return GMCP_CONTENT_KIND_UNKNOWN;
}

GmcpContent *
gmcp_content_new_from_value (GmcpJsonValue value)
{
  GmcpContent *self = g_new0 (GmcpContent, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = gmcp_content_value_get_kind (value);
  self->value = value;
  if (value.doc != NULL)
    gmcp_json_doc_ref (value.doc);
  return self;
}

GmcpJsonValue
gmcp_content_get_value (GmcpContent *self)
{
  return self->value;
}

/**
 * gmcp_content_new_from_json:
 * @json: a content block as JSON text
 * @error: return location for an error
 *
 * Makes a content block of any kind, also of one that this library does not know.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no object with a `type`.
 *
 * Returns: (transfer full): a new content block
 *
 * Since: 0.1
 */
GmcpContent *
gmcp_content_new_from_json (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue root;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  root = gmcp_json_doc_get_root (doc);
  if (!gmcp_json_value_is_string (gmcp_json_value_get_member (root, "type")))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("A content block has to be a JSON object with a type"));
      return NULL;
    }

  return gmcp_content_new_from_value (root);
}

/**
 * gmcp_content_ref:
 * @self: a content block
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpContent *
gmcp_content_ref (GmcpContent *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * gmcp_content_unref:
 * @self: (transfer full): a content block
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_content_unref (GmcpContent *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (self->strings); i++)
    g_free (self->strings[i]);
  g_clear_pointer (&self->value.doc, gmcp_json_doc_unref);
  g_free (self);
}

/**
 * gmcp_content_get_kind:
 * @self: a content block
 *
 * Gives what kind of block it is.
 *
 * Returns: the kind
 *
 * Since: 0.1
 */
GmcpContentKind
gmcp_content_get_kind (GmcpContent *self)
{
  g_return_val_if_fail (self != NULL, GMCP_CONTENT_KIND_UNKNOWN);

  return self->kind;
}

/* Where the block keeps its data: an embedded resource is an object of its own. */
static GmcpJsonValue
get_holder (GmcpContent *self)
{
  if (self->kind == GMCP_CONTENT_KIND_RESOURCE)
    return gmcp_json_value_get_member (self->value, "resource");

  return self->value;
}

static const char *
get_string (GmcpContent *self, ContentString string)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (
    &self->strings[string], gmcp_json_value_get_member (get_holder (self), string_members[string]));
}

/**
 * gmcp_content_get_text:
 * @self: a content block
 *
 * Gives the text of a text block, or of an embedded resource that is text.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL where the block has none
 *
 * Since: 0.1
 */
const char *
gmcp_content_get_text (GmcpContent *self)
{
  return get_string (self, STRING_TEXT);
}

/**
 * gmcp_content_dup_data:
 * @self: a content block
 * @error: return location for an error
 *
 * Gives the bytes of an image, of a sound, or of an embedded resource that is not text. They are
 * decoded at each call.
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where the block is of a kind that has no bytes, and
 * `PROTOCOL` or `INVALID_JSON` where the server did not send them as it should.
 *
 * Returns: (transfer full): the bytes
 *
 * Since: 0.1
 */
GBytes *
gmcp_content_dup_data (GmcpContent *self, GError **error)
{
  GmcpJsonValue holder;
  GmcpJsonValue data;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  holder = get_holder (self);
  if (self->kind == GMCP_CONTENT_KIND_RESOURCE)
    data = gmcp_json_value_get_member (holder, "blob");
  else
    data = gmcp_json_value_get_member (holder, "data");

  if (self->kind == GMCP_CONTENT_KIND_TEXT || self->kind == GMCP_CONTENT_KIND_RESOURCE_LINK
      || (self->kind == GMCP_CONTENT_KIND_RESOURCE && !gmcp_json_value_is_present (data)))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                           _ ("This content block has text or a link, no bytes"));
      return NULL;
    }

  if (!gmcp_json_value_is_string (data))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("The server sent a content block without the bytes it should have"));
      return NULL;
    }

  return gmcp_json_value_decode_base64 (data, error);
}

/**
 * gmcp_content_get_mime_type:
 * @self: a content block
 *
 * Gives the media type of an image, a sound or a resource.
 *
 * Returns: (transfer none) (nullable): the media type, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_content_get_mime_type (GmcpContent *self)
{
  return get_string (self, STRING_MIME_TYPE);
}

/**
 * gmcp_content_get_uri:
 * @self: a content block
 *
 * Gives the URI of a resource or of a link to one.
 *
 * Returns: (transfer none) (nullable): the URI, or %NULL where the block has none
 *
 * Since: 0.1
 */
const char *
gmcp_content_get_uri (GmcpContent *self)
{
  return get_string (self, STRING_URI);
}

/**
 * gmcp_content_get_name:
 * @self: a content block
 *
 * Gives the name of the resource that a link leads to.
 *
 * Returns: (transfer none) (nullable): the name, or %NULL where the block has none
 *
 * Since: 0.1
 */
const char *
gmcp_content_get_name (GmcpContent *self)
{
  return get_string (self, STRING_NAME);
}

/**
 * gmcp_content_get_title:
 * @self: a content block
 *
 * Gives the title, to show to people, of the resource that a link leads to.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL where the block has none
 *
 * Since: 0.1
 */
const char *
gmcp_content_get_title (GmcpContent *self)
{
  return get_string (self, STRING_TITLE);
}

/**
 * gmcp_content_get_description:
 * @self: a content block
 *
 * Gives the description of the resource that a link leads to.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL where the block has none
 *
 * Since: 0.1
 */
const char *
gmcp_content_get_description (GmcpContent *self)
{
  return get_string (self, STRING_DESCRIPTION);
}

/**
 * gmcp_content_dup_annotations:
 * @self: a content block
 *
 * Gives whom the block is for and how much it matters.
 *
 * Returns: (transfer full) (nullable): the annotations, or %NULL where there are none
 *
 * Since: 0.1
 */
GmcpAnnotations *
gmcp_content_dup_annotations (GmcpContent *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_annotations_new_from_owner (self->value);
}

/**
 * gmcp_content_dup_annotations_json:
 * @self: a content block
 *
 * Gives the block's annotations, such as whom it is meant for, as the server wrote them.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there are none
 *
 * Since: 0.1
 */
char *
gmcp_content_dup_annotations_json (GmcpContent *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (gmcp_json_value_get_member (self->value, "annotations"));
}

/**
 * gmcp_content_dup_json:
 * @self: a content block
 *
 * Gives the whole block as the server wrote it.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_content_dup_json (GmcpContent *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->value);
}
