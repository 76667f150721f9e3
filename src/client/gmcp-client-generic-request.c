/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-exchange-private.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "gmcp-call-options-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

/* Methods that this library does not know, with params and results as they are. */

static void
on_answered (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  if (error == NULL)
    {
      g_task_return_pointer (gmcp_exchange_get_task (exchange),
                             gmcp_json_value_copy_to_doc (reply->result),
                             (GDestroyNotify) gmcp_json_doc_unref);
      return;
    }

  if (error->domain == GMCP_RPC_ERROR)
    g_prefix_error (&error, "%s: ", gmcp_session_describe (self));
  g_task_return_error (gmcp_exchange_get_task (exchange), error);
}

/* The members of the caller's _meta that nobody else writes. */
static char *
dup_own_meta (GmcpJsonValue meta, GmcpCallOptions *options)
{
  g_autoptr (GmcpCallOptions) defaults = options == NULL ? gmcp_call_options_new () : NULL;
  g_autoptr (GString) members = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (members);
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  gmcp_json_iter_init (&iter, meta);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!gmcp_call_options_writes_meta (options != NULL ? options : defaults, name))
        gmcp_json_writer_member_value (&writer, name, value);
    }
  return members->len > 0 ? g_string_free (g_steal_pointer (&members), FALSE) : NULL;
}

static void
write_params (GmcpExchange *exchange, GmcpJsonWriter *writer, GmcpJsonValue params)
{
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  gmcp_json_iter_init (&iter, params);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!g_str_equal (name, GMCP_MEMBER_META))
        {
          gmcp_json_writer_member_value (writer, name, value);
          continue;
        }
      if (!gmcp_json_value_is_object (value))
        continue;
      gmcp_exchange_take_own_meta (exchange,
                                   dup_own_meta (value, gmcp_exchange_get_options (exchange)));
    }
}

static void
return_bad_params (GTask *task, const char *method, const char *problem)
{
  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("The parameters of “%s” must be a JSON object: %s"), method, problem);
}

static GTask *
begin_task (GmcpClient *self,
            const char *method,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_client_send_request_async);
  if (!g_task_return_error_if_cancelled (task)
      && gmcp_session_check_open (gmcp_client_get_session (self), task, method))
    return task;

  g_object_unref (task);
  return NULL;
}

static void
send_request (GmcpSession *session,
              GTask *task,
              const char *method,
              GmcpJsonDoc *params,
              GmcpCallOptions *options)
{
  GmcpJsonWriter writer;
  GmcpExchange *exchange
    = gmcp_session_begin_request (session, g_intern_string (method), on_answered,
                                  gmcp_session_get_call_timeout_ms (session), &writer);

  gmcp_exchange_bind (exchange, task, options, method);
  if (params != NULL)
    write_params (exchange, &writer, gmcp_json_doc_get_root (params));
  gmcp_session_end_request (session, exchange, &writer);
}

/**
 * gmcp_client_send_request_async:
 * @self: a client that is open
 * @method: the method's name
 * @params: (nullable): a JSON object, or %NULL for none
 * @options: (nullable): time limits, progress and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Sends a request that this library has no function for, such as one of an extension. The metadata
 * that the server's era demands is added to its `_meta`; what stands there besides stays. In the
 * modern era, input that the server asks for is given as for a call of a tool.
 *
 * It fails as [method@Gmcp.Client.call_tool_async] does; the time limits are the same. It is sent
 * again only where the server has certainly not acted on it, or the method is one that only reads.
 *
 * Spec: MCP 2026-07-28, basic, "Requests".
 *
 * Since: 0.1
 */
void
gmcp_client_send_request_async (GmcpClient *self,
                                const char *method,
                                JsonNode *params,
                                GmcpCallOptions *options,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (method != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  task = begin_task (self, method, cancellable, callback, user_data);
  if (task == NULL)
    return;
  if (params != NULL && !JSON_NODE_HOLDS_OBJECT (params))
    {
      return_bad_params (task, method, json_node_type_name (params));
      return;
    }
  if (params != NULL)
    doc = gmcp_json_doc_from_node (params, &error);

  if (error != NULL)
    return_bad_params (task, method, error->message);
  else
    send_request (gmcp_client_get_session (self), task, method, doc, options);
}

/**
 * gmcp_client_send_request_json_async:
 * @self: a client that is open
 * @method: the method's name
 * @params_json: (nullable): the text of a JSON object, or %NULL for none
 * @options: (nullable): time limits, progress and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * The same as [method@Gmcp.Client.send_request_async] with JSON text, whose numbers reach the server
 * just as they are written.
 *
 * Spec: MCP 2026-07-28, basic, "Requests".
 *
 * Since: 0.1
 */
void
gmcp_client_send_request_json_async (GmcpClient *self,
                                     const char *method,
                                     const char *params_json,
                                     GmcpCallOptions *options,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (method != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  task = begin_task (self, method, cancellable, callback, user_data);
  if (task == NULL)
    return;
  if (params_json != NULL)
    doc = gmcp_protocol_parse_object (params_json, "params", &error);

  if (error != NULL)
    return_bad_params (task, method, error->message);
  else
    send_request (gmcp_client_get_session (self), task, method, doc, options);
}

static GmcpJsonDoc *
finish_request (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_send_request_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_client_send_request_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.send_request_async].
 *
 * Returns: (transfer full): the result, whatever the method makes of it; sealed
 *
 * Since: 0.1
 */
JsonNode *
gmcp_client_send_request_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = finish_request (self, result, error);

  return doc != NULL ? gmcp_json_value_to_node (gmcp_json_doc_get_root (doc)) : NULL;
}

/**
 * gmcp_client_send_request_json_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.send_request_json_async]. Gives JSON text, as the server sent it.
 *
 * Returns: (transfer full): the result as JSON text
 *
 * Since: 0.1
 */
char *
gmcp_client_send_request_json_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = finish_request (self, result, error);

  return doc != NULL ? gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc)) : NULL;
}

static gboolean
send_notification (GmcpSession *self, const char *method, GmcpJsonDoc *params, GError **error)
{
  GString *out = gmcp_session_begin_message (self);
  GmcpJsonWriter writer;

  gmcp_rpc_write_notification_start (out, method);
  writer = gmcp_json_writer_init (out);
  if (params != NULL)
    gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (params));
  else
    {
      gmcp_json_writer_begin_object (&writer);
      gmcp_json_writer_end_object (&writer);
    }
  g_string_append_c (out, '}');
  if (gmcp_session_send_out (self, 0, g_intern_string (method), error))
    return TRUE;

  g_prefix_error (error, "%s: ", gmcp_session_describe (self));
  return FALSE;
}

static gboolean
check_can_notify (GmcpSession *session, const char *method, GError **error)
{
  if (gmcp_session_is_open (session))
    return TRUE;

  g_propagate_error (error, gmcp_session_new_not_connected_error (session, method));
  return FALSE;
}

/**
 * gmcp_client_send_notification:
 * @self: a client that is open
 * @method: the notification's name
 * @params: (nullable): a JSON object, or %NULL for none
 * @error: return location for an error
 *
 * Sends a notification that this library has no function for. It is queued, and nothing tells
 * whether it arrives.
 *
 * Fails with [error@Gmcp.Error] `CLOSED` or `INVALID_ARGUMENT`, or as the transport says.
 *
 * Spec: MCP 2026-07-28, basic, "Notifications".
 *
 * Returns: whether it was queued
 *
 * Since: 0.1
 */
gboolean
gmcp_client_send_notification (GmcpClient *self,
                               const char *method,
                               JsonNode *params,
                               GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_CLIENT (self), FALSE);
  g_return_val_if_fail (method != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return FALSE;

  if (!check_can_notify (gmcp_client_get_session (self), method, error))
    return FALSE;
  if (params != NULL && !JSON_NODE_HOLDS_OBJECT (params))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The parameters of “%s” must be a JSON object: %s"), method,
                   json_node_type_name (params));
      return FALSE;
    }
  if (params != NULL)
    {
      doc = gmcp_json_doc_from_node (params, error);
      if (doc == NULL)
        return FALSE;
    }
  return send_notification (gmcp_client_get_session (self), method, doc, error);
}

/**
 * gmcp_client_send_notification_json:
 * @self: a client that is open
 * @method: the notification's name
 * @params_json: (nullable): the text of a JSON object, or %NULL for none
 * @error: return location for an error
 *
 * The same as [method@Gmcp.Client.send_notification] with JSON text.
 *
 * Spec: MCP 2026-07-28, basic, "Notifications".
 *
 * Returns: whether it was queued
 *
 * Since: 0.1
 */
gboolean
gmcp_client_send_notification_json (GmcpClient *self,
                                    const char *method,
                                    const char *params_json,
                                    GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_CLIENT (self), FALSE);
  g_return_val_if_fail (method != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return FALSE;

  if (!check_can_notify (gmcp_client_get_session (self), method, error))
    return FALSE;
  if (params_json != NULL)
    {
      doc = gmcp_protocol_parse_object (params_json, "params", error);
      if (doc == NULL)
        return FALSE;
    }
  return send_notification (gmcp_client_get_session (self), method, doc, error);
}
