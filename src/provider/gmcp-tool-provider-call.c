/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-provider-private.h"

/* The ways to call a tool of a provider. */

void
gmcp_tool_provider_take_call (GmcpToolProvider *self, GmcpToolCall *call)
{
  GmcpToolProviderInterface *iface = GMCP_TOOL_PROVIDER_GET_IFACE (self);

  if (iface->call_tool == NULL)
    {
      g_autoptr (GError) error = g_error_new_literal (
        GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, _ ("The provider lists tools but cannot call them"));

      gmcp_tool_call_return_error (call, error);
      return;
    }

  if (!iface->keeps_time)
    gmcp_tool_call_guard (call);
  iface->call_tool (self, call);
}

/* Takes the arguments, or why they cannot be read. Either finish function serves both ways to call. */
static void
start_call (GmcpToolProvider *self,
            const char *name,
            GmcpJsonDoc *arguments,
            GError *error,
            GmcpCallOptions *options,
            const GmcpToolCarrier *carrier,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  g_autoptr (GTask) end = g_task_new (self, cancellable, callback, user_data);

  /* The macro would copy a name for each call. */
  (g_task_set_source_tag) (end, gmcp_tool_provider_call_tool_async);
  if (error == NULL && !g_cancellable_set_error_if_cancelled (cancellable, &error))
    {
      g_autoptr (GmcpToolCall) call
        = gmcp_tool_call_new_take (g_steal_pointer (&end), name, arguments, options);

      if (carrier != NULL)
        carrier->take (self, call, carrier->data);
      else
        gmcp_tool_provider_take_call (self, call);
    }
  else
    {
      g_clear_pointer (&arguments, gmcp_json_doc_unref);
      g_task_return_error (end, error);
    }
}

void
gmcp_tool_provider_call_waited (GmcpToolProvider *self,
                                const char *name,
                                GmcpJsonValue arguments,
                                GmcpTool *checked_for,
                                const GmcpToolCallWaiter *waiter)
{
  g_autoptr (GmcpToolCall) call
    = gmcp_tool_call_new_waited (waiter, name, arguments, checked_for, self);
  g_autoptr (GError) error = NULL;

  if (gmcp_json_value_is_present (arguments) && !gmcp_tool_call_check_arguments (arguments, &error))
    gmcp_tool_call_return_error (call, error);
  else
    gmcp_tool_provider_take_call (self, call);
}

void
gmcp_tool_provider_repeat_call_async (GmcpToolProvider *self,
                                      GmcpToolCall *call,
                                      const char *name,
                                      GmcpCallOptions *options,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  GmcpJsonDoc *arguments = gmcp_tool_call_peek_arguments (call);

  start_call (self, name != NULL ? name : gmcp_tool_call_get_name (call),
              arguments != NULL ? gmcp_json_doc_ref (arguments) : NULL, NULL, options, NULL,
              cancellable, callback, user_data);
}

void
gmcp_tool_provider_carry_call_async (GmcpToolProvider *self,
                                     const char *name,
                                     const char *arguments_json,
                                     GmcpCallOptions *options,
                                     const GmcpToolCarrier *carrier,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  GmcpJsonDoc *doc;
  GError *error = NULL;

  gmcp_tool_call_read_arguments_json (arguments_json, &doc, &error);
  start_call (self, name, doc, error, options, carrier, cancellable, callback, user_data);
}

/**
 * gmcp_tool_provider_call_tool_async:
 * @self: a provider
 * @name: the tool's name, as listed; any name that [method@Gmcp.ToolProvider.find_tool] understands
 * @arguments: (nullable): a JSON object, or %NULL for none
 * @options: (nullable): time-outs (in milliseconds), progress and more, for this call only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Calls a tool. A tool that fails gives a result that says so
 * ([method@Gmcp.ToolResult.is_error]), no error.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where @arguments are no JSON object,
 * `UNKNOWN_TOOL`, `AMBIGUOUS_TOOL`, `TOOL_CHANGED`, `TIMED_OUT` and others; with a
 * [error@Gmcp.RpcError] that the server sent; or with %G_IO_ERROR_CANCELLED.
 *
 * Spec: MCP 2026-07-28, server/tools, "Calling Tools".
 *
 * Since: 0.1
 */
void
gmcp_tool_provider_call_tool_async (GmcpToolProvider *self,
                                    const char *name,
                                    JsonNode *arguments,
                                    GmcpCallOptions *options,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  GmcpJsonDoc *doc;
  GError *error = NULL;

  g_return_if_fail (GMCP_IS_TOOL_PROVIDER (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  gmcp_tool_call_read_arguments_node (arguments, &doc, &error);
  start_call (self, name, doc, error, options, NULL, cancellable, callback, user_data);
}

/**
 * gmcp_tool_provider_call_tool_json_async:
 * @self: a provider
 * @name: the tool's name, as listed; any name that [method@Gmcp.ToolProvider.find_tool] understands
 * @arguments_json: (nullable): a JSON object as text, or %NULL for none
 * @options: (nullable): time-outs (in milliseconds), progress and more, for this call only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Calls a tool with arguments as a model gives them, in JSON text. Finished with
 * [method@Gmcp.ToolProvider.call_tool_json_finish]; otherwise the same as
 * [method@Gmcp.ToolProvider.call_tool_async]. Text in which a name stands twice in one object fails
 * with [error@Gmcp.Error] `INVALID_ARGUMENT`, since a server may read it in another way than whoever
 * was asked.
 *
 * Since: 0.1
 */
void
gmcp_tool_provider_call_tool_json_async (GmcpToolProvider *self,
                                         const char *name,
                                         const char *arguments_json,
                                         GmcpCallOptions *options,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data)
{
  GmcpJsonDoc *doc;
  GError *error = NULL;

  g_return_if_fail (GMCP_IS_TOOL_PROVIDER (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  gmcp_tool_call_read_arguments_json (arguments_json, &doc, &error);
  start_call (self, name, doc, error, options, NULL, cancellable, callback, user_data);
}

/**
 * gmcp_tool_provider_call_tool_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes [method@Gmcp.ToolProvider.call_tool_async].
 *
 * Returns: (transfer full): what the tool gave back
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_provider_call_tool_finish (GmcpToolProvider *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (
    g_task_get_source_tag (G_TASK (result)) == gmcp_tool_provider_call_tool_async, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_tool_provider_call_tool_json_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes [method@Gmcp.ToolProvider.call_tool_json_async].
 *
 * Returns: (transfer full): what the tool gave back
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_provider_call_tool_json_finish (GmcpToolProvider *self,
                                          GAsyncResult *result,
                                          GError **error)
{
  return gmcp_tool_provider_call_tool_finish (self, result, error);
}
