/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-derived-tool-private.h"

#include <string.h>

#include "gmcp-tool-private.h"

static const struct
{
  const char *annotation;
  const char *hint;
} hint_names[] = {
  { "org.gmcp.Tool.ReadOnly", "readOnlyHint" },
  { "org.gmcp.Tool.Destructive", "destructiveHint" },
  { "org.gmcp.Tool.Idempotent", "idempotentHint" },
  { "org.gmcp.Tool.OpenWorld", "openWorldHint" },
};

/* The members of one object, in the place of those of another: what only the other has stays. */
static void
write_merged (GmcpJsonWriter *writer, GmcpJsonValue derived, GmcpJsonValue given, guint depth)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_begin_object (writer);
  gmcp_json_iter_init (&iter, derived);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      GmcpJsonValue instead = gmcp_json_value_get_member (given, name);

      gmcp_json_writer_key (writer, name);
      if (depth == 0 && g_str_equal (name, "annotations") && gmcp_json_value_is_object (instead))
        write_merged (writer, value, instead, 1);
      else
        gmcp_json_writer_value (writer, gmcp_json_value_is_present (instead) ? instead : value);
    }
  gmcp_json_iter_init (&iter, given);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!gmcp_json_value_is_present (gmcp_json_value_get_member (derived, name)))
        gmcp_json_writer_member_value (writer, name, value);
    }
  gmcp_json_writer_end_object (writer);
}

GmcpTool *
gmcp_derived_tool_new (const char *derived_json, GmcpTool *given, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  GmcpJsonValue said = given != NULL ? gmcp_definition_get_value (given) : GMCP_JSON_NONE;

  if (given == NULL)
    return gmcp_tool_new_from_json (derived_json, error);
  /* A tool that was made of nothing has no name, and there is nothing in its place. */
  if (!gmcp_json_value_is_present (said))
    return g_object_ref (given);

  doc = gmcp_json_doc_parse (derived_json, strlen (derived_json), NULL, 0, error);
  if (doc == NULL)
    return NULL;
  write_merged (&writer, gmcp_json_doc_get_root (doc), said, 0);
  return gmcp_tool_new_from_json (json->str, error);
}

char *
gmcp_derived_tool_dup_argument (GmcpTool *tool)
{
  GmcpJsonValue schema = gmcp_tool_get_input_schema_value (tool);
  GmcpJsonValue arguments = gmcp_json_value_get_member (schema, "properties");
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  if (!gmcp_json_value_is_object (arguments) || gmcp_json_value_get_length (arguments) != 1)
    return NULL;

  gmcp_json_iter_init (&iter, arguments);
  gmcp_json_iter_next (&iter, &key, &value);
  return gmcp_json_value_dup_string (key);
}

void
gmcp_derived_tool_write_hints (GmcpJsonWriter *writer,
                               const char *(*find) (gconstpointer data, const char *name),
                               gconstpointer data,
                               gboolean with_read_only)
{
  for (guint i = with_read_only ? 0 : 1; i < G_N_ELEMENTS (hint_names); i++)
    {
      const char *said = find (data, hint_names[i].annotation);

      if (g_strcmp0 (said, "true") == 0 || g_strcmp0 (said, "false") == 0)
        gmcp_json_writer_member_boolean (writer, hint_names[i].hint, g_str_equal (said, "true"));
    }
}

void
gmcp_derived_tool_return_failure (GmcpToolCall *call, const char *message)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_error (message);

  gmcp_tool_call_return_result (call, result);
}

void
gmcp_derived_tool_return_object (GmcpToolCall *call, const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_structured (json, FALSE, &error);

  if (result != NULL)
    gmcp_tool_call_return_result (call, result);
  else
    gmcp_tool_call_return_error (call, error);
}
