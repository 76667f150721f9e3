/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-calls-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-lists-private.h"
#include "gmcp-logging-private.h"
#include "gmcp-outputs-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tasks-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-result-private.h"

/* A call that waits for the list of tools, which says how the tool is to be called, and whether it
 * is the one that the caller expects. */
typedef struct
{
  GmcpSession *session; /* which the listing keeps */
  char *name;
  GmcpJsonDoc *arguments;
  GmcpCallOptions *options;
  GCancellable *cancellable;
  GmcpClientCallFunc func;
  gpointer data;
} DeferredCall;

static void
deferred_call_free (DeferredCall *call)
{
  g_free (call->name);
  g_clear_pointer (&call->arguments, gmcp_json_doc_unref);
  g_clear_object (&call->options);
  g_clear_object (&call->cancellable);
  g_free (call);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DeferredCall, deferred_call_free)

static void
prefix_rpc_error (GmcpSession *self, GError **error)
{
  if ((*error)->domain == GMCP_RPC_ERROR)
    g_prefix_error (error, "%s: ", gmcp_session_describe (self));
}

static GmcpToolResult *
read_result (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError **error)
{
  GmcpToolResult *result = NULL;

  if (*error == NULL)
    {
      result = gmcp_tool_result_new_from_value (reply->result, error);
      if (result == NULL)
        g_prefix_error (error, _ ("%s answered the call of “%s” with no result: "),
                        gmcp_session_describe (self), gmcp_exchange_get_subject (exchange));
      else if (!gmcp_outputs_check (self, gmcp_exchange_get_subject (exchange),
                                    gmcp_exchange_get_options (exchange), result, error))
        g_clear_pointer (&result, gmcp_tool_result_unref);
    }
  if (result == NULL)
    prefix_rpc_error (self, error);

  return result;
}

void
gmcp_tool_calls_answered (GmcpSession *self,
                          GmcpExchange *exchange,
                          const GmcpRpcMessage *reply,
                          GError *error)
{
  GmcpToolResult *result = read_result (self, exchange, reply, &error);

  gmcp_exchange_end_call (exchange, result, error);
}

static void
write_name (GmcpSession *self, GmcpJsonWriter *params, const char *name, GmcpCallOptions *options)
{
  gmcp_json_writer_plain_key (params, "name");
  gmcp_json_writer_string (params, name);
  if (gmcp_tasks_are_offered (self))
    gmcp_tasks_write_request (self, params, name, options);
  gmcp_json_writer_plain_key (params, "arguments");
}

static GmcpExchange *
begin_call (GmcpSession *self,
            const char *name,
            GmcpCallOptions *options,
            GCancellable *cancellable,
            GmcpClientCallFunc func,
            gpointer data,
            GmcpJsonWriter *params)
{
  GmcpExchange *exchange;

  gmcp_logging_ask_for (self, options);
  exchange = gmcp_session_begin_request (self, GMCP_METHOD_TOOLS_CALL, gmcp_tool_calls_answered,
                                         gmcp_session_get_call_timeout_ms (self), params);
  gmcp_exchange_bind_direct (exchange, func, data, cancellable, options, name);
  write_name (self, params, name, options);
  return exchange;
}

static void
write_empty_object (GmcpJsonWriter *params)
{
  gmcp_json_writer_begin_object (params);
  gmcp_json_writer_end_object (params);
}

static void
send_call (GmcpSession *self,
           const char *name,
           GmcpJsonDoc *arguments,
           GmcpCallOptions *options,
           GCancellable *cancellable,
           GmcpClientCallFunc func,
           gpointer data)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange = begin_call (self, name, options, cancellable, func, data, &params);

  if (arguments != NULL)
    gmcp_json_writer_value (&params, gmcp_json_doc_get_root (arguments));
  else
    write_empty_object (&params);
  gmcp_session_end_request (self, exchange, &params);
}

static gboolean
check_expected (GmcpSession *self, const char *name, GmcpTool *expected, GError **error)
{
  GmcpTool *tool = gmcp_lists_peek_tool (self, name);

  if (tool == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED,
                 _ ("%s no longer has the tool “%s”; nothing was sent"),
                 gmcp_session_describe (self), name);
  else if (gmcp_tool_same_definition (tool, expected))
    return TRUE;
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED,
                 _ ("%s changed the definition of “%s” since it was read; nothing was sent. Look "
                    "at the tool again before it is called"),
                 gmcp_session_describe (self), name);
  return FALSE;
}

static GmcpTool *
get_expected (GmcpCallOptions *options)
{
  return options != NULL ? gmcp_call_options_get_expected_tool (options) : NULL;
}

/* Which tools have to be called as tasks is said where they are listed. */
static gboolean
needs_list (GmcpSession *self)
{
  return gmcp_tasks_are_offered (self) && !gmcp_lists_is_listed (self, GMCP_LIST_TOOLS);
}

static void
on_listed_for_call (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DeferredCall) call = user_data;
  GmcpSession *self = call->session;
  g_autoptr (GListModel) tools = NULL;
  GmcpTool *expected = get_expected (call->options);
  GError *error = NULL;

  tools
    = gmcp_lists_read_finish (gmcp_session_get_owner (self), gmcp_tool_calls_send, result, &error);
  if (tools != NULL && expected != NULL)
    check_expected (self, call->name, expected, &error);
  /* A caller that expects nothing may do with a list that cannot be read. */
  else if (expected == NULL && error != NULL
           && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_clear_error (&error);
  if (error == NULL && !gmcp_session_is_open (self))
    error = gmcp_session_new_not_connected_error (self, call->name);

  if (error != NULL)
    call->func (NULL, error, call->data);
  else
    send_call (self, call->name, call->arguments, call->options, call->cancellable, call->func,
               call->data);
}

static gboolean
depends_on_list (GmcpSession *self, GmcpCallOptions *options)
{
  return get_expected (options) != NULL || needs_list (self);
}

/* Sends the call when the list that it depends on has been read, and the tool is what the caller
 * expects. */
static void
send_dependent_call (GmcpSession *self,
                     const char *name,
                     GmcpJsonDoc *arguments,
                     GmcpCallOptions *options,
                     GCancellable *cancellable,
                     GmcpClientCallFunc func,
                     gpointer data)
{
  GmcpTool *expected = get_expected (options);
  GError *error = NULL;
  DeferredCall *call;

  if (expected != NULL && gmcp_lists_is_fresh (self, GMCP_LIST_TOOLS))
    {
      if (check_expected (self, name, expected, &error))
        send_call (self, name, arguments, options, cancellable, func, data);
      else
        func (NULL, error, data);
      return;
    }

  call = g_new (DeferredCall, 1);
  call->session = self;
  call->name = g_strdup (name);
  call->arguments = arguments != NULL ? gmcp_json_doc_ref (arguments) : NULL;
  call->options = options != NULL ? g_object_ref (options) : NULL;
  call->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  call->func = func;
  call->data = data;
  gmcp_lists_read_async (self, GMCP_LIST_TOOLS, gmcp_tool_calls_send, cancellable,
                         on_listed_for_call, call);
}

void
gmcp_tool_calls_send (GmcpSession *self,
                      const char *name,
                      GmcpJsonDoc *arguments,
                      GmcpCallOptions *options,
                      GCancellable *cancellable,
                      GmcpClientCallFunc func,
                      gpointer data)
{
  if (depends_on_list (self, options))
    send_dependent_call (self, name, arguments, options, cancellable, func, data);
  else
    send_call (self, name, arguments, options, cancellable, func, data);
}

/* Straight from the node into the message. */
static gboolean
send_node_call (GmcpSession *self,
                const char *name,
                JsonNode *arguments,
                GmcpCallOptions *options,
                GCancellable *cancellable,
                GmcpClientCallFunc func,
                gpointer data,
                GError **error)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange = begin_call (self, name, options, cancellable, func, data, &params);

  if (arguments == NULL)
    write_empty_object (&params);
  else if (!gmcp_json_writer_node (&params, arguments, error))
    {
      gmcp_session_drop_exchange (self, exchange);
      return FALSE;
    }
  gmcp_session_end_request (self, exchange, &params);
  return TRUE;
}

gboolean
gmcp_tool_calls_send_node (GmcpSession *self,
                           const char *name,
                           JsonNode *arguments,
                           GmcpCallOptions *options,
                           GCancellable *cancellable,
                           GmcpClientCallFunc func,
                           gpointer data,
                           GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  if (arguments != NULL && !JSON_NODE_HOLDS_OBJECT (arguments))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           json_node_type_name (arguments));
      return FALSE;
    }
  if (!depends_on_list (self, options))
    return send_node_call (self, name, arguments, options, cancellable, func, data, error);

  if (arguments != NULL && (doc = gmcp_json_doc_from_node (arguments, error)) == NULL)
    return FALSE;
  send_dependent_call (self, name, doc, options, cancellable, func, data);
  return TRUE;
}

void
gmcp_tool_calls_resume (GmcpSession *self,
                        GmcpTaskHandle *handle,
                        const char *subject,
                        GmcpCallOptions *options,
                        GCancellable *cancellable,
                        GmcpClientCallFunc func,
                        gpointer data)
{
  GmcpJsonWriter unused;
  GmcpExchange *exchange = gmcp_session_begin_request (self, GMCP_METHOD_TOOLS_CALL,
                                                       gmcp_tool_calls_answered, 0, &unused);

  gmcp_exchange_bind_direct (exchange, func, data, cancellable, options, subject);
  gmcp_exchange_take (exchange);
  gmcp_tasks_follow (self, exchange, handle);
}
