/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/provider/gmcp-tool-match.h>

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-provider-private.h"

/**
 * GmcpToolMatch:
 *
 * A tool that a search found, and how well it fits. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpToolMatch
{
  GObject parent_instance;

  GmcpTool *tool;
  double score;
  GmcpToolDetail detail;
};

G_DEFINE_FINAL_TYPE (GmcpToolMatch, gmcp_tool_match, G_TYPE_OBJECT)

static void
gmcp_tool_match_finalize (GObject *object)
{
  g_clear_object (&GMCP_TOOL_MATCH (object)->tool);

  G_OBJECT_CLASS (gmcp_tool_match_parent_class)->finalize (object);
}

static void
gmcp_tool_match_class_init (GmcpToolMatchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_tool_match_finalize;
}

static void
gmcp_tool_match_init (GmcpToolMatch *self)
{
}

/**
 * gmcp_tool_match_new:
 * @tool: the tool, as it is listed
 * @score: how well it fits; the higher, the better
 * @detail: how much [method@Gmcp.ToolMatch.dup_json] tells of it
 *
 * Makes a match, for providers that search their tools themselves.
 *
 * Returns: (transfer full): a new match
 *
 * Since: 0.1
 */
GmcpToolMatch *
gmcp_tool_match_new (GmcpTool *tool, double score, GmcpToolDetail detail)
{
  GmcpToolMatch *self;

  g_return_val_if_fail (GMCP_IS_TOOL (tool), NULL);
  g_return_val_if_fail (detail <= GMCP_TOOL_DETAIL_FULL, NULL);

  self = g_object_new (GMCP_TYPE_TOOL_MATCH, NULL);
  self->tool = g_object_ref (tool);
  self->score = score;
  self->detail = detail;
  return self;
}

/**
 * gmcp_tool_match_get_tool:
 * @self: a match
 *
 * Gives the tool.
 *
 * Returns: (transfer none): the tool, as it was listed when it was found
 *
 * Since: 0.1
 */
GmcpTool *
gmcp_tool_match_get_tool (GmcpToolMatch *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_MATCH (self), NULL);

  return self->tool;
}

/**
 * gmcp_tool_match_get_score:
 * @self: a match
 *
 * Gives a number without a unit that says how well the tool fits; the higher, the better. It can only
 * be compared within one search.
 *
 * Returns: the score
 *
 * Since: 0.1
 */
double
gmcp_tool_match_get_score (GmcpToolMatch *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_MATCH (self), 0);

  return self->score;
}

/* The first paragraph, cut where it is long. */
static char *
dup_summary (const char *text)
{
  const char *start = text + strspn (text, " \t\r\n");
  const char *end = strstr (start, "\n\n");
  g_autofree char *first = end != NULL ? g_strndup (start, end - start) : g_strdup (start);
  g_autofree char *cut = NULL;

  if (g_utf8_strlen (first, -1) <= GMCP_LIMIT_SEARCH_SUMMARY_CHARS)
    return g_steal_pointer (&first);

  cut = g_utf8_substring (first, 0, GMCP_LIMIT_SEARCH_SUMMARY_CHARS);
  return g_strconcat (cut, "…", NULL);
}

static void
write_name (GmcpJsonWriter *writer, GmcpTool *tool)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "name",
                                  gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  gmcp_json_writer_end_object (writer);
}

static void
write_argument_names (GmcpJsonWriter *writer, GmcpTool *tool)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;

  gmcp_json_writer_key (writer, "arguments");
  gmcp_json_writer_begin_array (writer);
  gmcp_json_iter_init (
    &iter, gmcp_json_value_get_member (gmcp_tool_get_input_schema_value (tool), "properties"));
  while (gmcp_json_iter_next (&iter, &key, NULL))
    if (gmcp_json_value_is_string (key))
      gmcp_json_writer_value (writer, key);
  gmcp_json_writer_end_array (writer);
}

static void
write_brief (GmcpJsonWriter *writer, GmcpTool *tool)
{
  const char *title = gmcp_definition_get_title (GMCP_DEFINITION (tool));
  const char *description = gmcp_definition_get_description (GMCP_DEFINITION (tool));

  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "name",
                                  gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  if (title != NULL)
    gmcp_json_writer_member_string (writer, "title", title);
  if (description != NULL)
    {
      g_autofree char *summary = dup_summary (description);

      gmcp_json_writer_member_string (writer, "description", summary);
    }
  write_argument_names (writer, tool);
  gmcp_json_writer_end_object (writer);
}

/**
 * gmcp_tool_match_dup_json:
 * @self: a match
 *
 * Gives what a model is to be told of the tool, in the detail that the search asked for, under the
 * name that it is called by.
 *
 * Returns: (transfer full): a JSON object as text, in one line
 *
 * Since: 0.1
 */
char *
gmcp_tool_match_dup_json (GmcpToolMatch *self)
{
  static void (*const details[]) (GmcpJsonWriter * writer, GmcpTool * tool) = {
    [GMCP_TOOL_DETAIL_NAME] = write_name,
    [GMCP_TOOL_DETAIL_BRIEF] = write_brief,
    [GMCP_TOOL_DETAIL_FULL] = gmcp_tool_write_mcp,
  };
  GString *out;
  GmcpJsonWriter writer;

  g_return_val_if_fail (GMCP_IS_TOOL_MATCH (self), NULL);

  out = g_string_new (NULL);
  writer = gmcp_json_writer_init (out);
  if (self->tool != NULL)
    details[self->detail](&writer, self->tool);
  else
    gmcp_json_writer_null (&writer);
  return g_string_free (out, FALSE);
}
