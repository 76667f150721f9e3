/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-connection-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-request-private.h"
#include "gmcp-tool-result-private.h"

static GmcpJsonValue
get_structured (GmcpToolResult *result)
{
  return gmcp_json_value_get_member (gmcp_tool_result_get_value (result), "structuredContent");
}

static void
write_members_but_structured (GmcpToolResult *result, GmcpJsonWriter *writer)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, gmcp_tool_result_get_value (result));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      if (gmcp_json_value_equals_string (key, "content")
          || gmcp_json_value_equals_string (key, "isError"))
        {
          g_autofree char *name = gmcp_json_value_dup_string (key);

          gmcp_json_writer_member_value (writer, name, value);
        }
    }
}

static void
reply_result (GmcpServerExchange *exchange, GmcpToolResult *result)
{
  GmcpJsonKind structured = gmcp_tool_result_get_structured_kind (result);
  GmcpJsonWriter writer
    = gmcp_server_exchange_begin_result (exchange, gmcp_tool_result_get_meta (result));

  if (exchange->era->structured_is_object && structured != GMCP_JSON_ABSENT
      && structured != GMCP_JSON_OBJECT)
    write_members_but_structured (result, &writer);
  else
    gmcp_tool_result_write_members (result, &writer);
  gmcp_server_exchange_end_result (exchange, &writer);
}

static gboolean
check_output (GmcpServerTool *tool, GmcpToolResult *result, GError **error)
{
  GmcpJsonValue structured;

  if (tool->output == NULL || gmcp_tool_result_is_error (result))
    return TRUE;

  structured = get_structured (result);
  if (!gmcp_json_value_is_present (structured))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           "there is no structured content");
      return FALSE;
    }

  return gmcp_json_schema_validate (tool->output, structured, error);
}

void
gmcp_server_tools_reply (GmcpServerExchange *exchange, GmcpServerTool *tool, GmcpToolResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (exchange->closed)
    return;

  if (check_output (tool, result, &error))
    {
      reply_result (exchange, result);
      return;
    }

  message = g_strdup_printf ("Internal error: the result of %s does not match the tool's output "
                             "schema: %s",
                             tool->name, error->message);
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INTERNAL, message, NULL);
}

/* The answer that the era has for arguments that do not match. */
static void
refuse_as_era (GmcpServerExchange *exchange, GmcpServerTool *tool, const GError *error)
{
  g_autofree char *message = NULL;

  if (exchange->era->bad_arguments_are_results (exchange))
    {
      g_autoptr (GmcpToolResult) result = NULL;

      message = g_strdup_printf ("The arguments of %s do not match its input schema: %s",
                                 tool->name, error->message);
      result = gmcp_tool_result_new_error (message);
      reply_result (exchange, result);
      return;
    }

  message = g_strdup_printf ("Invalid params: the arguments of %s do not match its input schema: "
                             "%s",
                             tool->name, error->message);
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS, message, NULL);
}

/* TRUE: the application has given the answer. A handler may end the server or the connection. */
static gboolean
refuse_as_application (GmcpServerExchange *exchange, GmcpServerTool *tool, const GError *error)
{
  g_autoptr (GmcpServerConnection) connection = gmcp_server_connection_ref (exchange->connection);
  g_autoptr (GmcpServer) server = g_object_ref (connection->server);
  g_autoptr (GmcpToolResult) result = gmcp_server_request_refusal (server, tool->tool, error);

  if (result == NULL)
    return FALSE;

  if (!connection->closed)
    reply_result (exchange, result);
  return TRUE;
}

/* FALSE: the call has been answered. */
static gboolean
check_call (GmcpServerExchange *exchange, GmcpServerTool *tool, GmcpJsonValue *arguments)
{
  g_autoptr (GmcpJsonDoc) empty = NULL;
  GmcpJsonValue checked = *arguments;
  g_autoptr (GError) error = NULL;

  switch (gmcp_json_value_get_kind (*arguments))
    {
    case GMCP_JSON_OBJECT:
      break;

    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
      empty = gmcp_json_doc_parse ("{}", 2, NULL, 0, NULL);
      checked = gmcp_json_doc_get_root (empty);
      *arguments = GMCP_JSON_NONE;
      break;

    default:
      g_set_error_literal (&error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           "arguments has to be an object");
      if (!refuse_as_application (exchange, tool, error))
        gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                          "Invalid params: arguments has to be an object", NULL);
      return FALSE;
    }

  if (gmcp_json_schema_validate (tool->input, checked, &error))
    return TRUE;

  if (!refuse_as_application (exchange, tool, error))
    refuse_as_era (exchange, tool, error);
  return FALSE;
}

void
gmcp_server_tools_handle_call (GmcpServerExchange *exchange)
{
  GmcpServer *server = exchange->connection->server;
  GmcpJsonValue name = gmcp_json_value_get_member (exchange->params, "name");
  GmcpJsonValue arguments = gmcp_json_value_get_member (exchange->params, "arguments");
  g_autoptr (GmcpServer) alive = NULL;
  g_autoptr (GmcpServerTool) tool = NULL;
  g_autoptr (GmcpServerRequest) request = NULL;

  if (!gmcp_json_value_is_string (name))
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: name is missing or no string", NULL);
      return;
    }

  tool = gmcp_server_tools_find (gmcp_server_get_tools (server), name);
  if (tool == NULL)
    {
      g_autofree char *text = gmcp_server_quote (name);
      g_autofree char *message = g_strdup_printf ("Unknown tool: %s", text);

      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS, message, NULL);
      return;
    }

  gmcp_server_tool_ref (tool);
  if (!check_call (exchange, tool, &arguments))
    return;

  request = gmcp_server_request_new (exchange, tool, arguments);
  if (request == NULL)
    return;

  alive = g_object_ref (server);
  tool->func (server, request, tool->user_data);
}
