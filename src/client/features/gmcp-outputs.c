/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-outputs-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-private.h"
#include "gmcp-limits.h"
#include "gmcp-lists-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-result-private.h"

/* The structured content of results against the output schemas of tools. There is a table of the
 * tools that have one, so that a call of any other costs one look-up in it, and none where it is
 * empty. */

typedef struct
{
  GmcpTool *tool;
  GmcpJsonSchema *schema; /* compiled when first needed */
  GError *problem;        /* why it could not be */
} Output;

struct _GmcpOutputs
{
  GHashTable *by_tool; /* of the tools that have an output schema; NULL where none has */
  gboolean strict;
};

static GmcpOutputs *
outputs_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->outputs;
}

GmcpOutputs *
gmcp_outputs_new (void)
{
  return g_new0 (GmcpOutputs, 1);
}

void
gmcp_outputs_free (GmcpOutputs *outputs)
{
  g_clear_pointer (&outputs->by_tool, g_hash_table_unref);
  g_free (outputs);
}

gboolean
gmcp_outputs_is_strict (GmcpSession *self)
{
  return outputs_of (self)->strict;
}

gboolean
gmcp_outputs_set_strict (GmcpSession *self, gboolean strict)
{
  if (outputs_of (self)->strict == !!strict)
    return FALSE;

  outputs_of (self)->strict = !!strict;
  return TRUE;
}

guint
gmcp_outputs_get_length (GmcpSession *self)
{
  GHashTable *by_tool = outputs_of (self)->by_tool;

  return by_tool != NULL ? g_hash_table_size (by_tool) : 0;
}

static void
output_free (gpointer data)
{
  Output *output = data;

  g_object_unref (output->tool);
  g_clear_pointer (&output->schema, gmcp_json_schema_unref);
  g_clear_error (&output->problem);
  g_free (output);
}

/* For a list that was read anew: what was compiled stays so where the schema is the same. */
static Output *
output_new (GmcpTool *tool, Output *before)
{
  Output *output = g_new0 (Output, 1);

  output->tool = g_object_ref (tool);
  if (before != NULL
      && gmcp_json_value_same_raw (gmcp_tool_get_output_schema_value (before->tool),
                                   gmcp_tool_get_output_schema_value (tool)))
    {
      output->schema = g_steal_pointer (&before->schema);
      output->problem = g_steal_pointer (&before->problem);
    }
  return output;
}

void
gmcp_outputs_index (GmcpSession *self)
{
  g_autoptr (GHashTable) before = g_steal_pointer (&outputs_of (self)->by_tool);
  GmcpObjectList *tools = gmcp_lists_get_items (self, GMCP_LIST_TOOLS);
  guint length = gmcp_object_list_get_length (tools);

  for (guint i = 0; i < length; i++)
    {
      GmcpTool *tool = gmcp_object_list_peek (tools, i);
      const char *name = gmcp_definition_get_name (GMCP_DEFINITION (tool));

      if (!gmcp_json_value_is_present (gmcp_tool_get_output_schema_value (tool)))
        continue;
      if (outputs_of (self)->by_tool == NULL)
        outputs_of (self)->by_tool
          = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, output_free);
      g_hash_table_insert (
        outputs_of (self)->by_tool, (gpointer) name,
        output_new (tool, before != NULL ? g_hash_table_lookup (before, name) : NULL));
    }
}

static GmcpJsonSchema *
get_schema (Output *output)
{
  const GmcpJsonSchemaOptions options = {
    .limits = { .subschemas = GMCP_LIMIT_OUTPUT_SUBSCHEMAS, .steps = GMCP_LIMIT_OUTPUT_STEPS },
  };

  if (output->schema == NULL && output->problem == NULL)
    output->schema = gmcp_json_schema_compile (gmcp_tool_get_output_schema_value (output->tool),
                                               &options, &output->problem);
  return output->schema;
}

/* NULL where all is well. */
static GError *
find_problem (GmcpSession *self, Output *output, GmcpJsonValue content)
{
  const char *name = gmcp_definition_get_name (GMCP_DEFINITION (output->tool));
  g_autofree char *shown = gmcp_protocol_shorten (name);
  g_autoptr (GError) error = NULL;

  if (!gmcp_json_value_is_present (content))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                        _ ("%s gave no structured content for “%s”, which its output schema "
                           "promises"),
                        gmcp_session_describe (self), shown);

  if (get_schema (output) == NULL)
    return g_error_new (output->problem->domain, output->problem->code,
                        _ ("The output schema that %s has for “%s” is of no use, so the result "
                           "was not checked: %s"),
                        gmcp_session_describe (self), shown, output->problem->message);

  if (gmcp_json_schema_validate (output->schema, content, &error))
    return NULL;
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                        _ ("What %s gave for “%s” takes too long to be checked against its output "
                           "schema: %s"),
                        gmcp_session_describe (self), shown, error->message);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                      _ ("What %s gave for “%s” does not match its output schema: %s"),
                      gmcp_session_describe (self), shown, error->message);
}

gboolean
gmcp_outputs_check (GmcpSession *self,
                    const char *name,
                    GmcpCallOptions *options,
                    GmcpToolResult *result,
                    GError **error)
{
  GHashTable *by_tool = outputs_of (self)->by_tool;
  GmcpJsonValue content;
  GError *problem;
  Output *output;

  if (by_tool == NULL)
    return TRUE;
  output = g_hash_table_lookup (by_tool, name);
  /* A result that failed promises nothing. */
  if (output == NULL || gmcp_tool_result_is_error (result))
    return TRUE;

  content = gmcp_json_value_get_member (gmcp_tool_result_get_value (result), "structuredContent");
  problem = find_problem (self, output, content);
  if (problem == NULL)
    return TRUE;

  if (outputs_of (self)->strict
      || (options != NULL && gmcp_call_options_get_strict_output (options)))
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  g_debug ("%s", problem->message);
  gmcp_tool_result_take_schema_error (result, problem);
  return TRUE;
}
