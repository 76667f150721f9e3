/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-private.h"
#include "gmcp-limits.h"
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
gmcp_client_index_outputs (GmcpClient *self)
{
  g_autoptr (GHashTable) before = g_steal_pointer (&self->outputs);
  GmcpObjectList *tools = self->lists[GMCP_CLIENT_LIST_TOOLS].items;
  guint length = gmcp_object_list_get_length (tools);

  for (guint i = 0; i < length; i++)
    {
      GmcpTool *tool = gmcp_object_list_peek (tools, i);
      const char *name = gmcp_tool_get_name (tool);

      if (!gmcp_json_value_is_present (gmcp_tool_get_output_schema_value (tool)))
        continue;
      if (self->outputs == NULL)
        self->outputs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, output_free);
      g_hash_table_insert (
        self->outputs, (gpointer) name,
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
find_problem (GmcpClient *self, Output *output, GmcpJsonValue content)
{
  const char *name = gmcp_tool_get_name (output->tool);
  g_autofree char *shown = gmcp_protocol_shorten (name);
  g_autoptr (GError) error = NULL;

  if (!gmcp_json_value_is_present (content))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                        _ ("%s gave no structured content for “%s”, which its output schema "
                           "promises"),
                        gmcp_client_describe (self), shown);

  if (get_schema (output) == NULL)
    return g_error_new (output->problem->domain, output->problem->code,
                        _ ("The output schema that %s has for “%s” is of no use, so the result "
                           "was not checked: %s"),
                        gmcp_client_describe (self), shown, output->problem->message);

  if (gmcp_json_schema_validate (output->schema, content, &error))
    return NULL;
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                        _ ("What %s gave for “%s” takes too long to be checked against its output "
                           "schema: %s"),
                        gmcp_client_describe (self), shown, error->message);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                      _ ("What %s gave for “%s” does not match its output schema: %s"),
                      gmcp_client_describe (self), shown, error->message);
}

gboolean
gmcp_client_check_output (GmcpClient *self,
                          const char *name,
                          GmcpCallOptions *options,
                          GmcpToolResult *result,
                          GError **error)
{
  Output *output = g_hash_table_lookup (self->outputs, name);
  GmcpJsonValue content;
  GError *problem;

  /* One that failed promises nothing. */
  if (output == NULL || gmcp_tool_result_is_error (result))
    return TRUE;

  content = gmcp_json_value_get_member (gmcp_tool_result_get_value (result), "structuredContent");
  problem = find_problem (self, output, content);
  if (problem == NULL)
    return TRUE;

  if (self->strict_output || (options != NULL && gmcp_call_options_get_strict_output (options)))
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  g_debug ("%s", problem->message);
  gmcp_tool_result_take_schema_error (result, problem);
  return TRUE;
}

/**
 * gmcp_client_get_strict_output:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:strict-output].
 *
 * Returns: the value of [property@Gmcp.Client:strict-output]
 *
 * Since: 0.1
 */
gboolean
gmcp_client_get_strict_output (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), FALSE);

  return self->strict_output;
}

/**
 * gmcp_client_set_strict_output:
 * @self: a client
 * @strict_output: the new value
 *
 * Sets [property@Gmcp.Client:strict-output].
 *
 * Spec: MCP 2026-07-28, server/tools, "Output Schema".
 *
 * Since: 0.1
 */
void
gmcp_client_set_strict_output (GmcpClient *self, gboolean strict_output)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));

  strict_output = !!strict_output;
  if (self->strict_output == strict_output)
    return;

  self->strict_output = strict_output;
  g_object_notify (G_OBJECT (self), "strict-output");
}
