/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-client-era-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"

/* The list is not read more often than this because of changes, whatever a server sends. */
#define MIN_REFRESH_INTERVAL_MS 250

struct _GmcpToolsRefresh
{
  GPtrArray *tools;
  GHashTable *names;   /* borrowed from the tools */
  GHashTable *cursors; /* those followed */
  guint n_pages;
  guint n_skipped;
  gboolean requested;
  GmcpExchange *page; /* under way */
};

static void request_page (GmcpClient *self, GmcpJsonValue cursor);
static void start_refresh (GmcpClient *self);

static void
refresh_free (GmcpToolsRefresh *refresh)
{
  g_hash_table_unref (refresh->names);
  g_hash_table_unref (refresh->cursors);
  g_ptr_array_unref (refresh->tools);
  g_free (refresh);
}

static GQueue
steal_waiters (GmcpClient *self)
{
  GQueue waiters = self->refresh_waiters;

  g_queue_init (&self->refresh_waiters);
  return waiters;
}

static void
return_to_waiters (GmcpClient *self, GQueue *waiters, const GError *error)
{
  g_autoptr (GmcpObjectList) tools = g_object_ref (self->tools);
  GTask *task;

  while ((task = g_queue_pop_head (waiters)) != NULL)
    {
      GSource *cancel_source = g_task_get_task_data (task);

      if (cancel_source != NULL)
        g_source_destroy (cancel_source);
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_pointer (task, g_object_ref (tools), g_object_unref);
      g_object_unref (task);
    }
}

void
gmcp_client_abandon_refresh (GmcpClient *self, const GError *error)
{
  GQueue waiters = steal_waiters (self);

  g_clear_pointer (&self->refresh, refresh_free);
  self->tools_stale = FALSE;
  return_to_waiters (self, &waiters, error);
}

static void
refresh_failed (GmcpClient *self, GError *error)
{
  g_autoptr (GError) owned = error;

  g_prefix_error (&owned, _ ("The tools of %s could not be listed: "), gmcp_client_describe (self));
  g_debug ("%s", owned->message);
  gmcp_client_abandon_refresh (self, owned);
}

static void
refresh_done (GmcpClient *self)
{
  GmcpToolsRefresh *refresh = g_steal_pointer (&self->refresh);
  /* Before the list changes: who looks at the change may ask for the list anew. */
  GQueue waiters = steal_waiters (self);
  gboolean again = self->tools_stale;

  if (refresh->n_skipped > 0)
    g_info ("%s: %u of its tools are malformed and were left out", gmcp_client_describe (self),
            refresh->n_skipped);

  self->tools_listed = TRUE;
  self->tools_stale = FALSE;
  self->tools_read_us = g_get_monotonic_time ();
  gmcp_object_list_set_items (self->tools, (gpointer const *) refresh->tools->pdata,
                              refresh->tools->len);
  refresh_free (refresh);
  return_to_waiters (self, &waiters, NULL);
  if (again)
    gmcp_client_tools_changed (self);
}

static gboolean
take_tools (GmcpClient *self, GmcpJsonValue tools, GError **error)
{
  GmcpToolsRefresh *refresh = self->refresh;
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, tools);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      g_autoptr (GError) reason = NULL;
      GmcpTool *tool = gmcp_tool_new_from_value (value, &reason);

      if (tool == NULL)
        {
          refresh->n_skipped++;
          g_debug ("%s: a tool was left out: %s", gmcp_client_describe (self), reason->message);
          continue;
        }
      if (!g_hash_table_add (refresh->names, (gpointer) gmcp_tool_get_name (tool)))
        {
          refresh->n_skipped++;
          g_debug ("%s: the tool “%s” is there twice", gmcp_client_describe (self),
                   gmcp_tool_get_name (tool));
          g_object_unref (tool);
          continue;
        }
      g_ptr_array_add (refresh->tools, tool);
      if (refresh->tools->len > GMCP_LIMIT_LIST_ITEMS)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, _ ("it has more than %u"),
                       GMCP_LIMIT_LIST_ITEMS);
          return FALSE;
        }
    }

  return TRUE;
}

/* Whether there is another page; an error where the pages do not end. */
static gboolean
check_cursor (GmcpClient *self, GmcpJsonValue cursor, GError **error)
{
  GmcpToolsRefresh *refresh = self->refresh;
  gsize length;
  gboolean empty;
  g_autofree char *text = NULL;

  if (!gmcp_json_value_is_string (cursor))
    return FALSE;
  empty = gmcp_json_value_peek_plain (cursor, &length) != NULL && length == 0;
  if (empty && self->era->empty_cursor_ends)
    return FALSE;

  text = gmcp_json_value_dup_raw (cursor);
  if (!g_hash_table_add (refresh->cursors, g_steal_pointer (&text)))
    {
      /* A server that marks the end so, which the protocol forbids; it has given all it has. */
      if (empty)
        return FALSE;
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("the server gave the same cursor twice, so its pages would not end"));
      return FALSE;
    }
  if (refresh->n_pages >= GMCP_LIMIT_LIST_PAGES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("the list has more than %u pages"), GMCP_LIMIT_LIST_PAGES);
      return FALSE;
    }
  return TRUE;
}

static void
on_page (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpJsonValue tools, cursor;

  if (self->refresh == NULL || self->refresh->page != exchange)
    {
      g_clear_error (&error);
      return;
    }

  self->refresh->page = NULL;
  if (g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND)
      && !gmcp_capabilities_has (self->server_capabilities, "tools"))
    {
      g_error_free (error);
      refresh_done (self);
      return;
    }
  if (error != NULL)
    {
      refresh_failed (self, error);
      return;
    }

  tools = gmcp_json_value_get_member (reply->result, "tools");
  cursor = gmcp_json_value_get_member (reply->result, GMCP_MEMBER_NEXT_CURSOR);
  self->refresh->n_pages++;
  if (!gmcp_json_value_is_array (tools))
    error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                                 _ ("the answer has no array “tools”"));
  else if (take_tools (self, tools, &error) && check_cursor (self, cursor, &error))
    {
      request_page (self, cursor);
      return;
    }

  if (error != NULL)
    refresh_failed (self, error);
  else
    refresh_done (self);
}

static void
request_page (GmcpClient *self, GmcpJsonValue cursor)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  exchange = gmcp_client_begin_request (self, GMCP_METHOD_TOOLS_LIST, on_page,
                                        self->call_timeout_ms, &params);
  self->refresh->page = exchange;
  exchange->subject = g_strdup (GMCP_METHOD_TOOLS_LIST);
  if (gmcp_json_value_is_present (cursor))
    gmcp_json_writer_member_value (&params, "cursor", cursor);
  gmcp_client_end_request (self, exchange, &params);
}

void
gmcp_client_tools_watched (GmcpClient *self)
{
  if (self->refresh == NULL || self->refresh->requested)
    return;

  self->refresh->requested = TRUE;
  request_page (self, GMCP_JSON_NONE);
}

static void
start_refresh (GmcpClient *self)
{
  self->refresh = g_new0 (GmcpToolsRefresh, 1);
  self->refresh->tools = g_ptr_array_new_with_free_func (g_object_unref);
  self->refresh->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->refresh->cursors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->era->watch_tools (self);
}

static gboolean
on_tools_timer (gpointer user_data)
{
  g_autoptr (GmcpClient) self = g_object_ref (user_data);

  g_clear_pointer (&self->tools_timer, g_source_unref);
  if (self->state == GMCP_CLIENT_OPEN && self->refresh == NULL)
    start_refresh (self);
  return G_SOURCE_REMOVE;
}

void
gmcp_client_tools_changed (GmcpClient *self)
{
  gint64 due;

  if (self->refresh != NULL)
    {
      /* Before the request was sent, its answer will show the change. */
      self->tools_stale = self->refresh->requested;
      return;
    }
  if (!self->tools_listed || self->tools_timer != NULL || self->state != GMCP_CLIENT_OPEN)
    return;

  due = self->tools_read_us + MIN_REFRESH_INTERVAL_MS * 1000;
  self->tools_timer = g_timeout_source_new (0);
  g_source_set_ready_time (self->tools_timer, due);
  g_source_set_static_name (self->tools_timer, "[gmcp] tools changed");
  g_source_set_callback (self->tools_timer, on_tools_timer, self, NULL);
  g_source_attach (self->tools_timer, self->context);
}

static gboolean
on_list_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;
  GmcpClient *self = g_task_get_source_object (task);

  /* The list is read to its end all the same: it is good for the next who asks. */
  if (g_queue_remove (&self->refresh_waiters, task))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               _ ("Operation was cancelled"));
      g_object_unref (task);
    }
  return G_SOURCE_REMOVE;
}

/**
 * gmcp_client_list_tools_async:
 * @self: a client that is open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the list of tools, all pages of it, and brings [property@Gmcp.Client:tools] up to date. A
 * malformed tool is left out and does not hide the others.
 *
 * It fails with [error@Gmcp.Error] `CLOSED`, `TIMED_OUT` (each page has
 * [property@Gmcp.Client:call-timeout-ms]), `PROTOCOL` or `LIMIT_EXCEEDED`, or with a
 * [error@Gmcp.RpcError]; the list that was there before stays.
 *
 * Spec: MCP 2026-07-28, server/tools, "Listing Tools".
 *
 * Since: 0.1
 */
void
gmcp_client_list_tools_async (GmcpClient *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_list_tools_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->state != GMCP_CLIENT_OPEN)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_CLOSED,
                               _ ("The tools of %s cannot be listed: it is not connected"),
                               gmcp_client_describe (self));
      return;
    }

  if (cancellable != NULL)
    {
      GSource *source = g_cancellable_source_new (cancellable);

      g_source_set_static_name (source, "[gmcp] listing cancelled");
      g_task_set_task_data (task, source, (GDestroyNotify) g_source_unref);
      g_task_attach_source (task, source, (GSourceFunc) G_CALLBACK (on_list_cancelled));
    }
  g_queue_push_tail (&self->refresh_waiters, g_steal_pointer (&task));
  if (self->refresh == NULL)
    start_refresh (self);
}

/**
 * gmcp_client_list_tools_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_tools_async].
 *
 * Returns: (transfer full): the client's live list of [class@Gmcp.Tool], which is
 *   [property@Gmcp.Client:tools]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_list_tools_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_list_tools_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
