/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-provider-list-private.h"
#include "gmcp-provider-request-private.h"
#include "gmcp-tool-gate-private.h"
#include "gmcp-tool-provider-private.h"

/**
 * GmcpToolProvider:
 *
 * Whatever gives a host tools: a live list of them, and a way to call them.
 *
 * A host gets providers with [func@Gmcp.load_tool_providers], waits for
 * [method@Gmcp.ToolProvider.load_async], gives the model what
 * [method@Gmcp.ToolProvider.dup_tools_json] returns, and calls what the model asks for with
 * [method@Gmcp.ToolProvider.call_tool_json_async].
 *
 * To make a provider, implement the `get_tools` and `call_tool` virtual functions; the others have
 * defaults. No virtual function takes a callback: what takes time is a request object that is completed
 * when the work is done.
 *
 * An object is used in the thread whose main context it was made in; callbacks come in the context
 * that the call was made in.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (GmcpToolProvider, gmcp_tool_provider, G_TYPE_OBJECT)

enum
{
  SIGNAL_INPUT_REQUESTED,
  SIGNAL_CALL_REQUESTED,
  SIGNAL_RULES_CHANGED,
  SIGNAL_INSTRUCTIONS_CHANGED,
  SIGNAL_NOTICE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
gmcp_tool_provider_default_init (GmcpToolProviderInterface *iface)
{
  /**
   * GmcpToolProvider::input-requested:
   * @self: the provider
   * @request: the question: a [class@Gmcp.Elicitation] or a [class@Gmcp.Sampling]
   *
   * A server asks something, in the middle of a call or beside it;
   * [property@Gmcp.InputRequest:server-name] says which. Whoever answers keeps a reference on
   * @request and answers it when the answer is there; a question on which nobody keeps a reference
   * counts as cancelled.
   *
   * Connect before the tools are first loaded: servers are told by that what they may ask. Without a
   * handler questions to the user are declined, and the calls go on.
   *
   * Since: 0.1
   */
  signals[SIGNAL_INPUT_REQUESTED]
    = g_signal_new ("input-requested", GMCP_TYPE_TOOL_PROVIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, GMCP_TYPE_INPUT_REQUEST);

  /**
   * GmcpToolProvider::call-requested:
   * @self: the provider
   * @request: the call, with the rule that wants the question
   *
   * A rule of the user's lets a tool be called only after somebody was asked. Whoever answers keeps a
   * reference on @request and answers it when the answer is there. Without a handler, and where
   * nobody answers, the call is denied.
   *
   * Since: 0.1
   */
  signals[SIGNAL_CALL_REQUESTED]
    = g_signal_new ("call-requested", GMCP_TYPE_TOOL_PROVIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, GMCP_TYPE_CALL_PERMISSION);

  /**
   * GmcpToolProvider::rules-changed:
   * @self: the provider
   *
   * What the user's rules say of tools may be another thing now. The provider's own list has been
   * changed where that is so.
   *
   * Since: 0.1
   */
  signals[SIGNAL_RULES_CHANGED]
    = g_signal_new ("rules-changed", GMCP_TYPE_TOOL_PROVIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 0);

  /**
   * GmcpToolProvider::instructions-changed:
   * @self: the provider
   *
   * [method@Gmcp.ToolProvider.dup_instructions] gives another text now. Who implements a provider whose
   * instructions change emits it.
   *
   * Since: 0.1
   */
  signals[SIGNAL_INSTRUCTIONS_CHANGED]
    = g_signal_new ("instructions-changed", GMCP_TYPE_TOOL_PROVIDER, G_SIGNAL_RUN_LAST, 0, NULL,
                    NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GmcpToolProvider::notice:
   * @self: the provider
   * @server_id: (nullable): the server that it is about
   * @level: how much it matters
   * @message: a sentence for the user, without a secret
   *
   * Emitted for what a user may want to know: a server that starts, ends or fails, a part of the
   * configuration that is left out. A [class@Gmcp.ToolRegistry] passes on those of its providers.
   * It has names that others chose and words that servers printed, as they are:
   * [func@Gmcp.dup_visible_text] is for showing it.
   *
   * Since: 0.1
   */
  signals[SIGNAL_NOTICE]
    = g_signal_new ("notice", GMCP_TYPE_TOOL_PROVIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_STRING, GMCP_TYPE_NOTICE_LEVEL, G_TYPE_STRING);
}

void
gmcp_tool_provider_emit_notice (GmcpToolProvider *self,
                                const char *server_id,
                                GmcpNoticeLevel level,
                                const char *message)
{
  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, server_id, level, message);
}

static GQuark
gate_quark (void)
{
  return g_quark_from_static_string ("gmcp-tool-gate");
}

void
gmcp_tool_provider_set_gate (GmcpToolProvider *self, const GmcpToolGate *gate)
{
  g_object_set_qdata (G_OBJECT (self), gate_quark (), (gpointer) gate);
}

const GmcpToolGate *
gmcp_tool_provider_get_gate (GmcpToolProvider *self)
{
  return g_object_get_qdata (G_OBJECT (self), gate_quark ());
}

void
gmcp_tool_provider_emit_rules_changed (GmcpToolProvider *self)
{
  g_signal_emit (self, signals[SIGNAL_RULES_CHANGED], 0);
}

void
gmcp_tool_provider_emit_instructions_changed (GmcpToolProvider *self)
{
  g_signal_emit (self, signals[SIGNAL_INSTRUCTIONS_CHANGED], 0);
}

gboolean
gmcp_tool_provider_has_input_handler (GmcpToolProvider *self)
{
  return g_signal_has_handler_pending (self, signals[SIGNAL_INPUT_REQUESTED], 0, FALSE);
}

void
gmcp_tool_provider_emit_input_requested (GmcpToolProvider *self, GmcpInputRequest *request)
{
  g_signal_emit (self, signals[SIGNAL_INPUT_REQUESTED], 0, request);
}

gboolean
gmcp_tool_provider_has_call_handler (GmcpToolProvider *self)
{
  return g_signal_has_handler_pending (self, signals[SIGNAL_CALL_REQUESTED], 0, FALSE);
}

void
gmcp_tool_provider_emit_call_requested (GmcpToolProvider *self, GmcpCallPermission *request)
{
  g_signal_emit (self, signals[SIGNAL_CALL_REQUESTED], 0, request);
}

/**
 * gmcp_tool_provider_get_tools:
 * @self: a provider
 *
 * Gives the list of tools. It is always the same object, empty until the tools are loaded, and
 * changes as tools come and go. A list that outlives its provider stays as it was.
 *
 * Where the provider's function gives no list, or one whose item type is another than
 * [class@Gmcp.Tool], that is logged once and the list stays empty.
 *
 * Returns: (transfer none): a list of [class@Gmcp.Tool]
 *
 * Since: 0.1
 */
GListModel *
gmcp_tool_provider_get_tools (GmcpToolProvider *self)
{
  GmcpToolProviderInterface *iface;
  GListModel *list;

  g_return_val_if_fail (GMCP_IS_TOOL_PROVIDER (self), NULL);

  iface = GMCP_TOOL_PROVIDER_GET_IFACE (self);
  list = iface->get_tools != NULL ? iface->get_tools (self) : NULL;
  return gmcp_provider_list_check (self, list, GMCP_TYPE_TOOL, FALSE);
}

/**
 * gmcp_tool_provider_dup_instructions:
 * @self: a provider
 *
 * Gives what the model is to be told beside the list of tools.
 *
 * Returns: (transfer full) (nullable): the text, or %NULL where there is nothing to be told
 *
 * Since: 0.1
 */
char *
gmcp_tool_provider_dup_instructions (GmcpToolProvider *self)
{
  GmcpToolProviderInterface *iface;

  g_return_val_if_fail (GMCP_IS_TOOL_PROVIDER (self), NULL);

  iface = GMCP_TOOL_PROVIDER_GET_IFACE (self);
  return iface->dup_instructions != NULL ? iface->dup_instructions (self) : NULL;
}

static GmcpTool *
find_by_provider (GmcpToolProvider *self, const char *name, GError **error)
{
  GError *reason = NULL;
  GmcpTool *tool = GMCP_TOOL_PROVIDER_GET_IFACE (self)->find_tool (self, name, &reason);

  if (tool != NULL)
    g_clear_error (&reason);
  else if (reason != NULL)
    g_propagate_error (error, reason);
  else
    gmcp_tool_provider_set_unknown (gmcp_tool_provider_get_tools (self), name, error);
  return tool;
}

/**
 * gmcp_tool_provider_find_tool:
 * @self: a provider
 * @name: a tool's name
 * @error: return location for an error
 *
 * Finds a tool by, in this order: the name it is listed under; `SERVER.TOOL`; the name it would have
 * in another style, where the provider has styles; the server's own name.
 *
 * Fails with [error@Gmcp.Error] `UNKNOWN_TOOL` where there is none of that name, and
 * `AMBIGUOUS_TOOL`, with the ones that it may mean, where there are several.
 *
 * Returns: (transfer full): the tool
 *
 * Since: 0.1
 */
GmcpTool *
gmcp_tool_provider_find_tool (GmcpToolProvider *self, const char *name, GError **error)
{
  GmcpToolProviderInterface *iface;

  g_return_val_if_fail (GMCP_IS_TOOL_PROVIDER (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  iface = GMCP_TOOL_PROVIDER_GET_IFACE (self);
  if (iface->find_tool != NULL)
    return find_by_provider (self, name, error);

  return gmcp_tool_provider_search_list (gmcp_tool_provider_get_tools (self), name, error);
}

static void
succeed_at_once (gpointer provider, gpointer request)
{
  gmcp_provider_request_return_success (request);
}

/**
 * gmcp_tool_provider_load_async:
 * @self: a provider
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Brings the list of tools up to date; it starts the servers that it needs for that. Nothing
 * configured is no error: the list is empty then. Servers that cannot be reached are left out.
 *
 * Since: 0.1
 */
void
gmcp_tool_provider_load_async (GmcpToolProvider *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GmcpToolProviderInterface *iface;

  g_return_if_fail (GMCP_IS_TOOL_PROVIDER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  iface = GMCP_TOOL_PROVIDER_GET_IFACE (self);
  gmcp_provider_request_send (
    g_object_new (GMCP_TYPE_TOOL_LOAD, NULL), self,
    iface->load != NULL ? (GmcpProviderRequestFunc) iface->load : succeed_at_once,
    gmcp_tool_provider_load_async, NULL, cancellable, callback, user_data);
}

/**
 * gmcp_tool_provider_load_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes [method@Gmcp.ToolProvider.load_async].
 *
 * Returns: whether the list is up to date as far as it can be
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_provider_load_finish (GmcpToolProvider *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_tool_provider_load_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_tool_provider_close_async:
 * @self: a provider
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Ends what the provider keeps running, such as servers. A host calls it when it is done with the
 * provider, and waits for the end of it before the process ends.
 *
 * Since: 0.1
 */
void
gmcp_tool_provider_close_async (GmcpToolProvider *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GmcpToolProviderInterface *iface;

  g_return_if_fail (GMCP_IS_TOOL_PROVIDER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  iface = GMCP_TOOL_PROVIDER_GET_IFACE (self);
  gmcp_provider_request_send (
    g_object_new (GMCP_TYPE_PROVIDER_CLOSE, NULL), self,
    iface->close != NULL ? (GmcpProviderRequestFunc) iface->close : succeed_at_once,
    gmcp_tool_provider_close_async, NULL, cancellable, callback, user_data);
}

/**
 * gmcp_tool_provider_close_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes [method@Gmcp.ToolProvider.close_async].
 *
 * Returns: whether all has ended
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_provider_close_finish (GmcpToolProvider *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_tool_provider_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
