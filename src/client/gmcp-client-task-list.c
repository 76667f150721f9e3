/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-era-features-private.h"
#include "gmcp-exchange-private.h"
#include "gmcp-lists-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-task-handle-private.h"

/* All the tasks of a server, page by page. */
typedef struct
{
  GTask *task;
  GPtrArray *handles;
  GHashTable *cursors; /* those followed */
  guint64 n_bytes;     /* of the pages */
} Listing;

static void request_page (GmcpSession *self, Listing *listing, GmcpJsonValue cursor);

static void
listing_free (Listing *listing)
{
  g_object_unref (listing->task);
  g_ptr_array_unref (listing->handles);
  g_hash_table_unref (listing->cursors);
  g_free (listing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Listing, listing_free)

static gboolean
take_tasks (GmcpSession *self, Listing *listing, GmcpJsonValue result, GError **error)
{
  GmcpJsonValue tasks = gmcp_json_value_get_member (result, "tasks");
  GmcpJsonIter iter;
  GmcpJsonValue state;

  listing->n_bytes += gmcp_json_value_get_copy_bytes (result);
  if (listing->n_bytes > GMCP_LIMIT_LIST_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("the list takes more than %u bytes"), GMCP_LIMIT_LIST_BYTES);
      return FALSE;
    }
  if (!gmcp_json_value_is_array (tasks))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL, _ ("there is no list"));
      return FALSE;
    }

  gmcp_json_iter_init (&iter, tasks);
  while (gmcp_json_iter_next (&iter, NULL, &state))
    {
      g_autoptr (GError) reason = NULL;
      GmcpTaskHandle *handle
        = gmcp_task_handle_new_from_value (state, gmcp_session_describe (self), NULL, &reason);

      if (handle == NULL)
        {
          g_debug ("%s: a task was left out: %s", gmcp_session_describe (self), reason->message);
          continue;
        }
      g_ptr_array_add (listing->handles, handle);
      if (listing->handles->len > GMCP_LIMIT_LIST_ITEMS)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, _ ("it has more than %u"),
                       GMCP_LIMIT_LIST_ITEMS);
          return FALSE;
        }
    }
  return TRUE;
}

static void
on_page (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  g_autoptr (Listing) listing = gmcp_exchange_get_data (exchange);
  gboolean repeats = FALSE;
  GmcpJsonValue cursor;

  if (error == NULL && take_tasks (self, listing, reply->result, &error))
    {
      cursor = gmcp_json_value_get_member (reply->result, GMCP_MEMBER_NEXT_CURSOR);
      if (gmcp_lists_follows (self, listing->cursors, cursor, &repeats, &error))
        {
          request_page (self, g_steal_pointer (&listing), cursor);
          return;
        }
    }
  if (error != NULL)
    {
      g_prefix_error (&error, _ ("The tasks of %s could not be listed: "),
                      gmcp_session_describe (self));
      g_task_return_error (listing->task, error);
      return;
    }
  if (repeats)
    gmcp_session_warn (self, g_strdup_printf (_ ("%s gave the same cursor twice when it listed its "
                                                 "tasks; the list ends there"),
                                              gmcp_session_describe (self)));
  g_task_return_pointer (listing->task, g_ptr_array_ref (listing->handles),
                         (GDestroyNotify) g_ptr_array_unref);
}

static void
request_page (GmcpSession *self, Listing *listing, GmcpJsonValue cursor)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange
    = gmcp_session_begin_request (self, gmcp_session_get_era_features (self)->task_list_method,
                                  on_page, gmcp_session_get_call_timeout_ms (self), &params);

  gmcp_exchange_bind (exchange, listing->task, NULL,
                      gmcp_session_get_era_features (self)->task_list_method);
  gmcp_exchange_set_data (exchange, listing);
  if (gmcp_json_value_is_present (cursor))
    gmcp_json_writer_member_value (&params, "cursor", cursor);
  gmcp_session_end_request (self, exchange, &params);
}

/**
 * gmcp_client_list_tasks_async:
 * @self: a client that is open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks the server which tasks of this client's it has, so that they can be waited for with
 * [method@Gmcp.Client.resume_task_async] or cancelled.
 *
 * Only servers of revision 2025-11-25 may have this; with others it fails with
 * [error@Gmcp.Error] `NOT_SUPPORTED`. Other errors: `CLOSED`, `TIMED_OUT`, `PROTOCOL`,
 * `LIMIT_EXCEEDED`, or a [error@Gmcp.RpcError] that the server sent.
 *
 * Spec: MCP 2025-11-25, basic/utilities/tasks, "Listing Tasks".
 *
 * Since: 0.1
 */
void
gmcp_client_list_tasks_async (GmcpClient *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Listing *listing;
  GmcpSession *session;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_list_tasks_async);
  if (g_task_return_error_if_cancelled (task)
      || !gmcp_session_check_open (session, task, _ ("a list of tasks")))
    return;
  if (gmcp_session_get_era_features (session)->task_list_method == NULL
      || !gmcp_capabilities_has (gmcp_session_get_capabilities (session), "tasks/list"))
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                               _ ("%s does not list its tasks"), gmcp_session_describe (session));
      return;
    }

  listing = g_new0 (Listing, 1);
  listing->task = g_steal_pointer (&task);
  listing->handles = g_ptr_array_new_with_free_func (g_object_unref);
  listing->cursors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  request_page (session, listing, GMCP_JSON_NONE);
}

/**
 * gmcp_client_list_tasks_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_tasks_async].
 *
 * Returns: (transfer container) (element-type Gmcp.TaskHandle): the handles of the tasks
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_client_list_tasks_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_list_tasks_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
