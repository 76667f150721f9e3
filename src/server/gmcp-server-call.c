/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-catalog-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-name-search-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-task-call-private.h"
#include "gmcp-server-tools-private.h"
#include "gmcp-tool-provider-private.h"
#include "gmcp-tool-result-private.h"

/* The way of a call: its arguments are checked, the provider carries it out, and what comes back is
 * checked, too. */

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

void
gmcp_server_tools_write_result (GmcpServerExchange *exchange,
                                GmcpJsonWriter *writer,
                                GmcpToolResult *result)
{
  GmcpJsonKind structured = gmcp_tool_result_get_structured_kind (result);

  if (gmcp_server_exchange_get_era (exchange)->structured_is_object
      && structured != GMCP_JSON_ABSENT && structured != GMCP_JSON_OBJECT)
    write_members_but_structured (result, writer);
  else
    gmcp_tool_result_write_members (result, writer);
}

static void
reply_result (GmcpServerExchange *exchange, GmcpToolResult *result)
{
  GmcpJsonWriter writer
    = gmcp_server_exchange_begin_result (exchange, gmcp_tool_result_get_meta (result));

  gmcp_server_tools_write_result (exchange, &writer, result);
  gmcp_server_exchange_end_result (exchange, &writer);
}

static gboolean
check_output (GmcpServerItem *tool, GmcpToolResult *result, GError **error)
{
  GmcpServerToolSchemas *schemas = tool->detail;
  GmcpJsonValue structured;

  if (schemas->output == NULL || gmcp_tool_result_is_error (result))
    return TRUE;

  structured = get_structured (result);
  if (!gmcp_json_value_is_present (structured))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           "there is no structured content");
      return FALSE;
    }

  return gmcp_json_schema_validate (schemas->output, structured, error);
}

static char *
describe_wrong_output (GmcpServerItem *tool, const GError *error)
{
  return g_strdup_printf ("Internal error: the result of %s does not match the tool's output "
                          "schema: %s",
                          tool->key, error->message);
}

static void
reply_checked (GmcpServerExchange *exchange, GmcpServerItem *tool, GmcpToolResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (gmcp_server_exchange_is_closed (exchange))
    return;

  if (check_output (tool, result, &error))
    {
      reply_result (exchange, result);
      return;
    }

  message = describe_wrong_output (tool, error);
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INTERNAL, message, NULL);
}

/* The answer that the era has for arguments that do not match. */
static void
refuse_as_era (GmcpServerExchange *exchange, GmcpServerItem *tool, const GError *error)
{
  g_autofree char *message = NULL;

  if (gmcp_server_exchange_get_era (exchange)->bad_arguments_are_results (exchange))
    {
      g_autoptr (GmcpToolResult) result = NULL;

      message = g_strdup_printf ("The arguments of %s do not match its input schema: %s", tool->key,
                                 error->message);
      result = gmcp_tool_result_new_error (message);
      reply_result (exchange, result);
      return;
    }

  message = g_strdup_printf ("Invalid params: the arguments of %s do not match its input schema: "
                             "%s",
                             tool->key, error->message);
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS, message, NULL);
}

/* TRUE: the application has given the answer. A handler may end the server or the connection. */
static gboolean
refuse_as_application (GmcpServerExchange *exchange, GmcpServerItem *tool, const GError *error)
{
  g_autoptr (GmcpServerConnection) connection
    = gmcp_server_connection_ref (gmcp_server_exchange_get_connection (exchange));
  g_autoptr (GmcpServer) server = g_object_ref (gmcp_server_connection_get_server (connection));
  g_autoptr (GmcpToolResult) result = gmcp_server_request_refusal (server, tool->object, error);

  if (result == NULL)
    return FALSE;

  if (!gmcp_server_connection_is_closed (connection))
    reply_result (exchange, result);
  return TRUE;
}

/* FALSE: the call has been answered. */
static gboolean
check_call (GmcpServerExchange *exchange, GmcpServerItem *tool, GmcpJsonValue *arguments)
{
  GmcpServerToolSchemas *schemas = tool->detail;
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

  if (schemas->input == NULL || gmcp_json_schema_validate (schemas->input, checked, &error))
    return TRUE;

  if (!refuse_as_application (exchange, tool, error))
    refuse_as_era (exchange, tool, error);
  return FALSE;
}

/* Errors that say something about the request are the protocol's; the others are for the model. */
static void
reply_failure (GmcpServerCaller *caller, const GError *error)
{
  g_autoptr (GmcpToolResult) result = NULL;

  if (gmcp_server_caller_reply_missing (caller, error))
    return;
  if (error->domain == GMCP_RPC_ERROR)
    {
      gmcp_server_caller_reply_error (caller, error);
      return;
    }

  result = gmcp_tool_result_new_error (error->message);
  reply_checked (gmcp_server_caller_get_exchange (caller), gmcp_server_caller_get_item (caller),
                 result);
}

static void
complete_checked (GmcpServerTask *task, GmcpServerItem *tool, GmcpToolResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (check_output (tool, result, &error))
    {
      gmcp_server_task_complete (task, result);
      return;
    }

  message = describe_wrong_output (tool, error);
  gmcp_server_task_fail (task, GMCP_RPC_ERROR_INTERNAL, message, NULL);
}

/* A task ends as the call would have been answered. */
static void
end_task (GmcpServerTask *task, GmcpServerItem *tool, GmcpToolResult *result, const GError *error)
{
  g_autofree char *data_json = NULL;

  if (result != NULL)
    {
      complete_checked (task, tool, result);
    }
  else if (error->domain == GMCP_RPC_ERROR)
    {
      int code = gmcp_server_caller_read_error (error, &data_json);

      gmcp_server_task_fail (task, code, error->message, data_json);
    }
  else
    {
      g_autoptr (GmcpToolResult) failure = gmcp_tool_result_new_error (error->message);

      complete_checked (task, tool, failure);
    }
}

static void
reply_outcome (GmcpServerCaller *caller, GmcpToolResult *result, const GError *error)
{
  GmcpServerExchange *exchange = gmcp_server_caller_get_exchange (caller);

  if (gmcp_server_exchange_is_closed (exchange))
    return;

  if (result != NULL)
    reply_checked (exchange, gmcp_server_caller_get_item (caller), result);
  else
    reply_failure (caller, error);
}

static void
on_called (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpServerCaller) caller = data;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpServerTask *task;

  result = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (source), async_result, &error);
  gmcp_server_caller_end (caller);
  task = gmcp_server_caller_take_outcome (caller);
  if (task != NULL)
    end_task (task, gmcp_server_caller_get_item (caller), result, error);
  else
    reply_outcome (caller, result, error);
}

/* A call that is to become a task may end before there is one, so that its answer waits for a turn of the main
 * loop. */
static void
call_as_task (GmcpToolProvider *provider, GmcpServerCaller *caller, GmcpJsonValue arguments)
{
  g_autoptr (GmcpCallOptions) options = NULL;
  g_autofree char *arguments_json = NULL;
  GCancellable *cancellable;

  gmcp_server_caller_become_task (caller);
  options = gmcp_server_caller_make_options (caller);
  cancellable = gmcp_server_caller_get_cancellable (caller);
  if (gmcp_json_value_is_present (arguments))
    arguments_json = gmcp_json_value_dup_raw (arguments);
  gmcp_tool_provider_call_tool_json_async (provider, gmcp_server_caller_get_item (caller)->key,
                                           arguments_json, options, cancellable, on_called,
                                           gmcp_server_caller_ref (caller));
  gmcp_server_caller_start (caller);
}

/* Any other call is answered as soon as the provider does, if it can be before the provider returns. */

static void
on_call_ended (gpointer waiter, GmcpToolResult *result, const GError *error)
{
  GmcpServerCaller *caller = waiter;

  gmcp_server_caller_set_call (caller, NULL);
  gmcp_server_caller_end (caller);
  reply_outcome (caller, result, error);
}

static void
on_handed_to (gpointer waiter, GmcpToolCall *call)
{
  gmcp_server_caller_set_call (waiter, call);
}

static GmcpCallOptions *
make_options (gpointer waiter)
{
  return gmcp_server_caller_make_options (waiter);
}

static GCancellable *
get_cancellable (gpointer waiter)
{
  return gmcp_server_caller_get_cancellable (waiter);
}

static void
release_caller (gpointer waiter)
{
  gmcp_server_caller_unref (waiter);
}

static const GmcpToolCallWaiterFuncs waiter_funcs = {
  .ended = on_call_ended,
  .handed_to = on_handed_to,
  .make_options = make_options,
  .get_cancellable = get_cancellable,
  .release = release_caller,
};

static void
hand_to_provider (GmcpServerExchange *exchange,
                  GmcpServerItem *tool,
                  GmcpJsonValue arguments,
                  gboolean as_task)
{
  GmcpServerToolSchemas *schemas = tool->detail;
  g_autoptr (GmcpToolProvider) provider = g_object_ref (gmcp_server_catalog_get_provider (
    gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange))));
  g_autoptr (GmcpServerCaller) caller = gmcp_server_caller_new (exchange, tool);
  GmcpToolCallWaiter waiter = { .funcs = &waiter_funcs };

  if (caller == NULL)
    return;

  if (as_task)
    {
      call_as_task (provider, caller, arguments);
      return;
    }

  waiter.timeout_ms = gmcp_server_caller_get_timeout_ms (caller);
  waiter.data = g_steal_pointer (&caller);
  gmcp_tool_provider_call_waited (provider, tool->key, arguments,
                                  schemas->input != NULL ? tool->object : NULL, &waiter);
}

static GmcpServerItem *
dup_called (GmcpServerExchange *exchange, GmcpServerList *tools, const char *key)
{
  GmcpServerItem *listed = gmcp_server_list_find (tools, key);
  GmcpTool *unlisted = gmcp_server_search_get_unlisted (exchange);

  if (listed != NULL)
    return gmcp_server_item_ref (listed);
  return unlisted != NULL ? gmcp_server_list_make_item (tools, unlisted, key) : NULL;
}

void
gmcp_server_tools_handle_call (GmcpServerExchange *exchange)
{
  GmcpServerCatalog *catalog = gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));
  GmcpJsonValue name
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "name");
  GmcpJsonValue arguments
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "arguments");
  const GmcpServerEra *era = gmcp_server_exchange_get_era (exchange);
  g_autofree char *key = gmcp_json_value_dup_string (name);
  g_autoptr (GmcpServerItem) tool = NULL;
  GmcpServerTaskWish wish;

  if (key == NULL)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: name is missing or no string", NULL);
      return;
    }

  tool = dup_called (exchange, gmcp_server_catalog_get_tools (catalog), key);
  if (tool == NULL)
    {
      if (!gmcp_server_search_name (exchange, GMCP_LATE_TOOL, key))
        gmcp_server_reply_unknown (exchange, "tool", name);
      return;
    }

  if (era->check_headers != NULL
      && !era->check_headers (exchange, ((GmcpServerToolSchemas *) tool->detail)->headers,
                              arguments))
    return;
  wish = era->tasks->wish (
    gmcp_server_connection_get_state (gmcp_server_exchange_get_connection (exchange), era),
    exchange, ((GmcpServerToolSchemas *) tool->detail)->task_support);
  if (wish != GMCP_SERVER_TASK_REFUSED && check_call (exchange, tool, &arguments))
    hand_to_provider (exchange, tool, arguments, wish == GMCP_SERVER_TASK_YES);
}
