/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-tool-private.h"
#include "gmcp-tool-provider-private.h"

static void
write_optional (GmcpJsonWriter *writer, const char *key, GmcpJsonValue value)
{
  if (gmcp_json_value_is_present (value))
    gmcp_json_writer_member_value (writer, key, value);
}

static void
write_optional_string (GmcpJsonWriter *writer, const char *key, const char *string)
{
  if (string != NULL)
    gmcp_json_writer_member_string (writer, key, string);
}

/* Models' services refuse a tool without one. */
static void
write_input_schema (GmcpJsonWriter *writer, const char *key, GmcpTool *tool)
{
  GmcpJsonValue schema = gmcp_tool_get_input_schema_value (tool);

  if (gmcp_json_value_is_present (schema))
    {
      gmcp_json_writer_member_value (writer, key, schema);
      return;
    }

  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "object");
  gmcp_json_writer_end_object (writer);
}

void
gmcp_tool_write_mcp (GmcpJsonWriter *writer, GmcpTool *tool)
{
  GmcpJsonValue value = gmcp_definition_get_value (tool);

  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "name",
                                  gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  write_optional_string (writer, "title", gmcp_definition_get_title (GMCP_DEFINITION (tool)));
  write_optional_string (writer, "description",
                         gmcp_definition_get_description (GMCP_DEFINITION (tool)));
  write_input_schema (writer, "inputSchema", tool);
  write_optional (writer, "outputSchema", gmcp_tool_get_output_schema_value (tool));
  write_optional (writer, "annotations", gmcp_json_value_get_member (value, "annotations"));
  gmcp_json_writer_end_object (writer);
}

static void
write_anthropic (GmcpJsonWriter *writer, GmcpTool *tool)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "name",
                                  gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  write_optional_string (writer, "description",
                         gmcp_definition_get_description (GMCP_DEFINITION (tool)));
  write_input_schema (writer, "input_schema", tool);
  gmcp_json_writer_end_object (writer);
}

static void
write_openai (GmcpJsonWriter *writer, GmcpTool *tool)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "function");
  gmcp_json_writer_key (writer, "function");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "name",
                                  gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  write_optional_string (writer, "description",
                         gmcp_definition_get_description (GMCP_DEFINITION (tool)));
  write_input_schema (writer, "parameters", tool);
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_object (writer);
}

static void (*const formats[]) (GmcpJsonWriter *writer, GmcpTool *tool) = {
  [GMCP_TOOLS_FORMAT_MCP] = gmcp_tool_write_mcp,
  [GMCP_TOOLS_FORMAT_ANTHROPIC] = write_anthropic,
  [GMCP_TOOLS_FORMAT_OPENAI] = write_openai,
};

/**
 * gmcp_tool_provider_dup_tools_json:
 * @self: a provider
 * @format: which form to give the tools in
 *
 * Gives the whole list, as it is now, as one JSON array that can be put into a request to a model.
 * The names are those to call the tools by; the schemas are as the servers wrote them.
 *
 * Returns: (transfer full): a JSON array as text, in one line
 *
 * Since: 0.1
 */
char *
gmcp_tool_provider_dup_tools_json (GmcpToolProvider *self, GmcpToolsFormat format)
{
  GString *out;
  GmcpJsonWriter writer;
  GListModel *tools;
  guint n_tools;

  g_return_val_if_fail (GMCP_IS_TOOL_PROVIDER (self), NULL);
  g_return_val_if_fail ((guint) format < G_N_ELEMENTS (formats), NULL);

  tools = gmcp_tool_provider_get_tools (self);
  n_tools = tools != NULL ? g_list_model_get_n_items (tools) : 0;
  out = g_string_new (NULL);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < n_tools; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      formats[format](&writer, tool);
    }
  gmcp_json_writer_end_array (&writer);
  return g_string_free (out, FALSE);
}
