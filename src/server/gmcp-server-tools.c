/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-visible-text.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-tools-private.h"
#include "gmcp-tool-private.h"

#define NAME_CHARACTERS   G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-."
#define ANY_OBJECT_SCHEMA "{\"type\":\"object\"}"

static gboolean
check_name (const char *name, GError **error)
{
  gsize length = strspn (name, NAME_CHARACTERS);

  if (length > 0 && length <= GMCP_LIMIT_SERVER_TOOL_NAME_LENGTH && name[length] == '\0')
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("“%s” cannot be a tool's name: it has to be 1 to %u letters, digits, “_”, “-” "
                  "and “.”"),
               name, GMCP_LIMIT_SERVER_TOOL_NAME_LENGTH);
  return FALSE;
}

static gboolean
is_object_schema (GmcpJsonValue schema)
{
  return gmcp_json_value_equals_string (gmcp_json_value_get_member (schema, "type"), "object");
}

static void
schemas_free (gpointer data)
{
  GmcpServerToolSchemas *schemas = data;

  g_clear_pointer (&schemas->input, gmcp_json_schema_unref);
  g_clear_pointer (&schemas->output, gmcp_json_schema_unref);
  g_clear_pointer (&schemas->headers, gmcp_tool_headers_free);
  g_free (schemas);
}

static gboolean
compile_input (GmcpServerToolSchemas *schemas, GmcpTool *tool, GError **error)
{
  GmcpJsonValue input = gmcp_tool_get_input_schema_value (tool);

  if (!gmcp_json_value_is_present (input))
    return TRUE;

  if (!is_object_schema (input))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The input schema of the tool “%s” has to be of the type “object”"),
                   gmcp_definition_get_name (GMCP_DEFINITION (tool)));
      return FALSE;
    }

  schemas->input = gmcp_json_schema_compile (input, NULL, error);
  if (schemas->input == NULL)
    g_prefix_error (error, _ ("The input schema of the tool “%s”: "),
                    gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  return schemas->input != NULL;
}

static gboolean
compile_output (GmcpServerToolSchemas *schemas, GmcpTool *tool, GError **error)
{
  GmcpJsonValue output = gmcp_tool_get_output_schema_value (tool);

  if (!gmcp_json_value_is_present (output))
    return TRUE;

  schemas->output = gmcp_json_schema_compile (output, NULL, error);
  if (schemas->output == NULL)
    g_prefix_error (error, _ ("The output schema of the tool “%s”: "),
                    gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  return schemas->output != NULL;
}

/* FALSE where a mark is wrong: clients over HTTP leave such a tool out. */
static gboolean
read_headers (GmcpServerToolSchemas *schemas, GmcpTool *tool, GError **error)
{
  g_autoptr (GError) reason = NULL;

  schemas->headers = gmcp_tool_headers_new (gmcp_tool_get_input_schema_value (tool), &reason);
  if (reason == NULL)
    return TRUE;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, reason->message);
  g_prefix_error (error, _ ("The input schema of the tool “%s”: "),
                  gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  return FALSE;
}

gboolean
gmcp_server_tool_check (GmcpTool *tool, GError **error)
{
  GmcpServerToolSchemas *schemas;
  gboolean good;

  if (!check_name (gmcp_definition_get_name (GMCP_DEFINITION (tool)), error))
    return FALSE;

  schemas = g_new0 (GmcpServerToolSchemas, 1);
  good = compile_input (schemas, tool, error) && compile_output (schemas, tool, error)
         && read_headers (schemas, tool, error);
  schemas_free (schemas);
  return good;
}

/* Clients of old revisions may refuse a whole list for one output schema that is not of an object. */
static char *
write_json (GmcpTool *tool, gboolean plain)
{
  GString *out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_iter_init (&iter, gmcp_definition_get_value (tool));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (strcmp (name, "name") == 0)
        gmcp_json_writer_member_string (&writer, name,
                                        gmcp_definition_get_name (GMCP_DEFINITION (tool)));
      else if (!plain || strcmp (name, "outputSchema") != 0 || is_object_schema (value))
        gmcp_json_writer_member_value (&writer, name, value);
    }
  if (!gmcp_json_value_is_present (gmcp_tool_get_input_schema_value (tool)))
    {
      gmcp_json_writer_key (&writer, "inputSchema");
      gmcp_json_writer_raw (&writer, ANY_OBJECT_SCHEMA, -1);
    }
  gmcp_json_writer_end_object (&writer);
  return g_string_free (out, FALSE);
}

/* The list is read anew with each change of it; a tool is told of once. Of a gateway the name is another server's, which
 * could write lines of its own with it. */
static void
log_wrong_tool (GmcpTool *tool, const char *outcome, const GError *error)
{
  GQuark quark = g_quark_from_static_string ("gmcp-server-tool-is-wrong");
  g_autofree char *name = NULL;
  g_autofree char *reason = NULL;

  if (g_object_get_qdata (G_OBJECT (tool), quark) != NULL)
    return;

  g_object_set_qdata (G_OBJECT (tool), quark, GINT_TO_POINTER (TRUE));
  name = gmcp_dup_visible_line (gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                                GMCP_LIMIT_SERVER_TOOL_NAME_LENGTH);
  reason = gmcp_dup_visible_line (error->message, 0);
  g_message ("The tool %s is %s: %s", name, outcome, reason);
}

/* A schema in a dialect that is not known is for others to check; one that is wrong could make a
 * client refuse the whole list. */
static gboolean
is_served (GmcpServerToolSchemas *schemas, GmcpTool *tool)
{
  g_autoptr (GError) error = NULL;

  if (check_name (gmcp_definition_get_name (GMCP_DEFINITION (tool)), &error)
      && (compile_input (schemas, tool, &error)
          || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED)))
    {
      g_clear_error (&error);
      if (compile_output (schemas, tool, &error)
          || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED))
        return TRUE;
    }

  log_wrong_tool (tool, "not served", error);
  return FALSE;
}

static gboolean
read_tool (GmcpServerItem *item)
{
  GmcpTool *tool = item->object;
  GmcpServerToolSchemas *schemas = g_new0 (GmcpServerToolSchemas, 1);
  g_autoptr (GError) error = NULL;

  item->detail = schemas;
  if (!is_served (schemas, tool))
    return FALSE;

  schemas->task_support = gmcp_tool_get_task_support (tool);
  if (!read_headers (schemas, tool, &error))
    log_wrong_tool (tool, "served, but left out by clients over HTTP", error);

  item->key = g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (tool)));
  item->json = write_json (tool, FALSE);
  item->plain_json = write_json (tool, TRUE);
  return TRUE;
}

const GmcpServerListKind gmcp_server_tool_kind = { "tools", 't', read_tool, schemas_free };

void
gmcp_server_tools_handle_list (GmcpServerExchange *exchange)
{
  GmcpServerCatalog *catalog = gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));

  gmcp_server_list_reply (gmcp_server_catalog_get_tools (catalog), exchange);
}
