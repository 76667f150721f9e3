/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/protocol/gmcp-tool-result-builder.h>

#include <string.h>

#include "gmcp-protocol-private.h"
#include "gmcp-tool-result-private.h"

/**
 * GmcpToolResultBuilder:
 *
 * Makes a [struct@Gmcp.ToolResult] out of its parts, in every language: add what the tool gives back,
 * then [method@Gmcp.ToolResultBuilder.build] it. [ctor@Gmcp.ToolResult.new_text] and
 * [ctor@Gmcp.ToolResult.new_error] are shorter for one text,
 * [ctor@Gmcp.ToolResult.new_structured] for data alone.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool Result".
 *
 * Since: 0.1
 */
struct _GmcpToolResultBuilder
{
  GObject parent_instance;

  GPtrArray *contents; /* of GmcpContent */
  char *structured_json;
  char *meta_json;
  gboolean is_error;
};

G_DEFINE_FINAL_TYPE (GmcpToolResultBuilder, gmcp_tool_result_builder, G_TYPE_OBJECT)

static void
gmcp_tool_result_builder_finalize (GObject *object)
{
  GmcpToolResultBuilder *self = GMCP_TOOL_RESULT_BUILDER (object);

  g_ptr_array_unref (self->contents);
  g_free (self->structured_json);
  g_free (self->meta_json);

  G_OBJECT_CLASS (gmcp_tool_result_builder_parent_class)->finalize (object);
}

static void
gmcp_tool_result_builder_class_init (GmcpToolResultBuilderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_tool_result_builder_finalize;
}

static void
gmcp_tool_result_builder_init (GmcpToolResultBuilder *self)
{
  self->contents = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_content_unref);
}

/**
 * gmcp_tool_result_builder_new:
 *
 * Makes a builder for a result that has nothing in it yet.
 *
 * Returns: (transfer full): a new builder
 *
 * Since: 0.1
 */
GmcpToolResultBuilder *
gmcp_tool_result_builder_new (void)
{
  return g_object_new (GMCP_TYPE_TOOL_RESULT_BUILDER, NULL);
}

/**
 * gmcp_tool_result_builder_add_content:
 * @self: a builder
 * @content: a block
 *
 * Adds a block of any kind, after those that are there.
 *
 * Since: 0.1
 */
void
gmcp_tool_result_builder_add_content (GmcpToolResultBuilder *self, GmcpContent *content)
{
  g_return_if_fail (GMCP_IS_TOOL_RESULT_BUILDER (self));
  g_return_if_fail (content != NULL);

  g_ptr_array_add (self->contents, gmcp_content_ref (content));
}

/**
 * gmcp_tool_result_builder_add_text:
 * @self: a builder
 * @text: any text
 *
 * Adds a block of text, after those that are there.
 *
 * Since: 0.1
 */
void
gmcp_tool_result_builder_add_text (GmcpToolResultBuilder *self, const char *text)
{
  g_return_if_fail (GMCP_IS_TOOL_RESULT_BUILDER (self));
  g_return_if_fail (text != NULL);

  g_ptr_array_add (self->contents, gmcp_content_new_text (text));
}

/**
 * gmcp_tool_result_builder_set_structured_json:
 * @self: a builder
 * @structured_json: (nullable): any JSON value as text, or %NULL for none; it has to match the tool's
 *   output schema, where the tool has one
 *
 * Sets the data that the tool gives back. Where no block is added, the result has the same JSON as a
 * text block too, for models and hosts that read text only.
 *
 * Spec: MCP 2026-07-28, server/tools, "Structured Content".
 *
 * Since: 0.1
 */
void
gmcp_tool_result_builder_set_structured_json (GmcpToolResultBuilder *self,
                                              const char *structured_json)
{
  char *copy = g_strdup (structured_json);

  g_return_if_fail (GMCP_IS_TOOL_RESULT_BUILDER (self));

  g_free (self->structured_json);
  self->structured_json = copy;
}

/**
 * gmcp_tool_result_builder_set_is_error:
 * @self: a builder
 * @is_error: whether the tool failed
 *
 * Sets whether the tool failed; the blocks tell the model what went wrong then. Where this is not
 * called it did not.
 *
 * Spec: MCP 2026-07-28, server/tools, "Error Handling".
 *
 * Since: 0.1
 */
void
gmcp_tool_result_builder_set_is_error (GmcpToolResultBuilder *self, gboolean is_error)
{
  g_return_if_fail (GMCP_IS_TOOL_RESULT_BUILDER (self));

  self->is_error = is_error != FALSE;
}

/**
 * gmcp_tool_result_builder_set_meta_json:
 * @self: a builder
 * @meta_json: (nullable): a JSON object as text, or %NULL for none
 *
 * Sets what stands in the result's `_meta`.
 *
 * Since: 0.1
 */
void
gmcp_tool_result_builder_set_meta_json (GmcpToolResultBuilder *self, const char *meta_json)
{
  char *copy = g_strdup (meta_json);

  g_return_if_fail (GMCP_IS_TOOL_RESULT_BUILDER (self));

  g_free (self->meta_json);
  self->meta_json = copy;
}

/**
 * gmcp_tool_result_builder_build:
 * @self: a builder
 * @error: return location for an error
 *
 * Makes the result. The builder may be changed and used again.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where the structured content or the metadata is no
 * JSON, and `INVALID_ARGUMENT` where the metadata is no object.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_result_builder_build (GmcpToolResultBuilder *self, GError **error)
{
  g_autoptr (GmcpJsonDoc) structured = NULL;
  g_autoptr (GmcpJsonDoc) meta = NULL;
  GmcpToolResultParts parts = { NULL };

  g_return_val_if_fail (GMCP_IS_TOOL_RESULT_BUILDER (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  parts.contents = self->contents;
  parts.is_error = self->is_error;
  if (self->structured_json != NULL)
    {
      structured = gmcp_json_doc_parse (self->structured_json, strlen (self->structured_json), NULL,
                                        0, error);
      if (structured == NULL)
        {
          g_prefix_error (error, "structuredContent: ");
          return NULL;
        }
      parts.structured = gmcp_json_doc_get_root (structured);
    }
  if (self->meta_json != NULL)
    {
      meta = gmcp_protocol_parse_object (self->meta_json, GMCP_MEMBER_META, error);
      if (meta == NULL)
        return NULL;
      parts.meta = gmcp_json_doc_get_root (meta);
    }
  return gmcp_tool_result_new_of_parts (&parts, error);
}
