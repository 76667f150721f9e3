/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-content-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-result-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpToolResult:
 *
 * What a tool gave back. A tool that failed gives a result too, with
 * [method@Gmcp.ToolResult.is_error] set and a text that says why: it is meant for the model, which
 * can do better at the next try. Immutable; may be used from any thread.
 *
 * [method@Gmcp.ToolResult.dup_text] is all that most hosts need.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool Result".
 *
 * Since: 0.1
 */
struct _GmcpToolResult
{
  gatomicrefcount ref_count;
  /* One of the two is there from the start: what came from a peer is a document, what is made here
   * is the text to be sent, and read back only when asked for. */
  GmcpJsonDoc *doc;
  guint32 index;
  GBytes *written;
  GmcpJsonKind structured_kind; /* of what is in written */
  /* Decoded when asked for. */
  char *text;
  GPtrArray *contents;
  JsonNode *structured;
  GError *schema_error;
};

G_DEFINE_BOXED_TYPE (GmcpToolResult, gmcp_tool_result, gmcp_tool_result_ref, gmcp_tool_result_unref)

static GmcpToolResult *
new_empty (void)
{
  GmcpToolResult *self = g_new (GmcpToolResult, 1);

  *self = (GmcpToolResult){ 0 };
  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

static GmcpToolResult *
new_checked (GmcpJsonValue result, GmcpError code, GError **error)
{
  GmcpToolResult *self;
  GmcpJsonValue content;

  if (!gmcp_json_value_is_object (result))
    {
      g_set_error_literal (error, GMCP_ERROR, code, _ ("A tool's result has to be a JSON object"));
      return NULL;
    }

  content = gmcp_json_value_get_member (result, "content");
  if (gmcp_json_value_is_present (content) && !gmcp_json_value_is_array (content))
    {
      g_set_error_literal (error, GMCP_ERROR, code,
                           _ ("The content of a tool's result has to be a JSON array"));
      return NULL;
    }

  self = new_empty ();
  self->doc = gmcp_json_doc_ref (result.doc);
  self->index = result.index;
  return self;
}

GmcpToolResult *
gmcp_tool_result_new_from_value (GmcpJsonValue result, GError **error)
{
  return new_checked (result, GMCP_ERROR_PROTOCOL, error);
}

GmcpToolResult *
gmcp_tool_result_new_written (GString *written, GmcpJsonKind structured_kind)
{
  GmcpToolResult *self = new_empty ();

  self->written = gmcp_json_text_to_bytes (written);
  self->structured_kind = structured_kind;
  return self;
}

GmcpJsonValue
gmcp_tool_result_get_value (GmcpToolResult *self)
{
  GmcpJsonDoc *doc = g_atomic_pointer_get (&self->doc);

  if (self->written == NULL)
    return (GmcpJsonValue){ doc, self->index };
  if (doc != NULL)
    return gmcp_json_doc_get_root (doc);

  doc = gmcp_json_doc_parse (g_bytes_get_data (self->written, NULL),
                             g_bytes_get_size (self->written), self->written, 0, NULL);
  if (!g_atomic_pointer_compare_and_exchange (&self->doc, NULL, doc))
    {
      g_clear_pointer (&doc, gmcp_json_doc_unref);
      doc = g_atomic_pointer_get (&self->doc);
    }

  /* Nothing where the text is larger than a document can be. */
  return doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;
}

gsize
gmcp_tool_result_get_kept_bytes (GmcpToolResult *self)
{
  return self->written != NULL ? g_bytes_get_size (self->written)
                               : gmcp_json_value_get_copy_bytes (gmcp_tool_result_get_value (self));
}

static GmcpJsonValue
get_member (GmcpToolResult *self, const char *name)
{
  return gmcp_json_value_get_member (gmcp_tool_result_get_value (self), name);
}

GmcpJsonValue
gmcp_tool_result_get_meta (GmcpToolResult *self)
{
  /* What is written here has none. */
  if (self->written != NULL)
    return GMCP_JSON_NONE;

  return get_member (self, GMCP_MEMBER_META);
}

void
gmcp_tool_result_write (GmcpToolResult *self, GmcpJsonWriter *writer)
{
  if (self->written != NULL)
    gmcp_json_writer_raw_bytes (writer, self->written, 0, g_bytes_get_size (self->written));
  else
    gmcp_json_writer_value (writer, gmcp_tool_result_get_value (self));
}

void
gmcp_tool_result_write_members (GmcpToolResult *self, GmcpJsonWriter *writer)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  if (self->written != NULL)
    {
      gmcp_json_writer_raw_bytes (writer, self->written, 1, g_bytes_get_size (self->written) - 2);
      return;
    }

  gmcp_json_iter_init (&iter, gmcp_tool_result_get_value (self));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = NULL;

      if (gmcp_json_value_equals_string (key, GMCP_MEMBER_RESULT_TYPE)
          || gmcp_json_value_equals_string (key, GMCP_MEMBER_META))
        continue;

      name = gmcp_json_value_dup_string (key);
      gmcp_json_writer_member_value (writer, name, value);
    }

  /* Which no result is without. */
  if (!gmcp_json_value_is_present (get_member (self, "content")))
    {
      gmcp_json_writer_key (writer, "content");
      gmcp_json_writer_begin_array (writer);
      gmcp_json_writer_end_array (writer);
    }
}

GmcpJsonKind
gmcp_tool_result_get_structured_kind (GmcpToolResult *self)
{
  if (self->written != NULL)
    return self->structured_kind;

  return gmcp_json_value_get_kind (get_member (self, "structuredContent"));
}

/**
 * gmcp_tool_result_new_from_json:
 * @json: a result as JSON text, in the form that servers send it in
 * @error: return location for an error
 *
 * Makes a result from JSON, with all that is in it.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no object or its `content` no array.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_result_new_from_json (const char *json, GError **error)
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
 * gmcp_tool_result_ref:
 * @self: a result
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_result_ref (GmcpToolResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * gmcp_tool_result_unref:
 * @self: (transfer full): a result
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_tool_result_unref (GmcpToolResult *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->doc, gmcp_json_doc_unref);
  if (self->written != NULL)
    g_bytes_unref (self->written);
  g_free (self->text);
  g_clear_pointer (&self->contents, g_ptr_array_unref);
  g_clear_pointer (&self->structured, json_node_unref);
  g_clear_error (&self->schema_error);
  g_free (self);
}

/**
 * gmcp_tool_result_is_error:
 * @self: a result
 *
 * Tells whether the tool failed. The result then says why.
 *
 * Returns: whether the tool failed
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_result_is_error (GmcpToolResult *self)
{
  gboolean is_error = FALSE;

  g_return_val_if_fail (self != NULL, FALSE);

  gmcp_json_value_get_boolean (get_member (self, "isError"), &is_error);
  return is_error;
}

/**
 * gmcp_tool_result_get_n_contents:
 * @self: a result
 *
 * Gives the number of content blocks.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_tool_result_get_n_contents (GmcpToolResult *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return gmcp_json_value_get_length (get_member (self, "content"));
}

static GPtrArray *
get_contents (GmcpToolResult *self)
{
  return gmcp_value_cache_array (&self->contents, get_member (self, "content"),
                                 (GmcpValueMakeFunc) gmcp_content_new_from_value,
                                 (GDestroyNotify) gmcp_content_unref);
}

/**
 * gmcp_tool_result_get_content:
 * @self: a result
 * @position: the position, from 0
 *
 * Gives a content block.
 *
 * Returns: (transfer none) (nullable): the block, or %NULL where @position is past the last one
 *
 * Since: 0.1
 */
GmcpContent *
gmcp_tool_result_get_content (GmcpToolResult *self, guint position)
{
  GPtrArray *contents;

  g_return_val_if_fail (self != NULL, NULL);

  contents = get_contents (self);
  return position < contents->len ? g_ptr_array_index (contents, position) : NULL;
}

/**
 * gmcp_tool_result_get_text:
 * @self: a result
 *
 * Gives the text of a result that is one text block, as most are. [method@Gmcp.ToolResult.dup_text]
 * gives any result as text.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL where the result is anything else than
 *   one text block
 *
 * Since: 0.1
 */
const char *
gmcp_tool_result_get_text (GmcpToolResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->text, gmcp_tool_result_get_only_text (self));
}

/**
 * gmcp_tool_result_get_structured_content:
 * @self: a result
 *
 * Gives the data that the tool gave back. It is any JSON value, and an object where the server
 * speaks a revision before 2026-07-28.
 *
 * Returns: (transfer none) (nullable): a sealed node, or %NULL where there is none
 *
 * Since: 0.1
 */
JsonNode *
gmcp_tool_result_get_structured_content (GmcpToolResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_node (&self->structured, get_member (self, "structuredContent"));
}

/**
 * gmcp_tool_result_dup_structured_content_json:
 * @self: a result
 *
 * Gives the data that the tool gave back, as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_tool_result_dup_structured_content_json (GmcpToolResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (get_member (self, "structuredContent"));
}

void
gmcp_tool_result_take_schema_error (GmcpToolResult *self, GError *error)
{
  g_clear_error (&self->schema_error);
  self->schema_error = error;
}

/**
 * gmcp_tool_result_get_schema_error:
 * @self: a result
 *
 * Tells what is wrong with the structured content of a result that does not match the output schema
 * that its tool declares, or has none in spite of it. A client looks at that where it has listed the
 * tools; at the results of tools that failed it does not.
 *
 * The code is [error@Gmcp.Error] `PROTOCOL` for a mismatch. With any other the content could not be
 * checked: the schema is malformed or of a dialect that is not known, or it took too long.
 *
 * Spec: MCP 2026-07-28, server/tools, "Output Schema".
 *
 * Returns: (transfer none) (nullable): the error, or %NULL where nothing is known to be wrong
 *
 * Since: 0.1
 */
const GError *
gmcp_tool_result_get_schema_error (GmcpToolResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->schema_error;
}

/**
 * gmcp_tool_result_dup_meta_json:
 * @self: a result
 *
 * Gives the result's `_meta` as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_tool_result_dup_meta_json (GmcpToolResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (gmcp_tool_result_get_meta (self));
}

/**
 * gmcp_tool_result_dup_json:
 * @self: a result
 *
 * Gives the whole result as the server wrote it.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_tool_result_dup_json (GmcpToolResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->written != NULL)
    return g_strndup (g_bytes_get_data (self->written, NULL), g_bytes_get_size (self->written));

  return gmcp_json_value_dup_raw (gmcp_tool_result_get_value (self));
}
