/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-lists-private.h"

#include "gmcp-caching-private.h"

#include "gmcp-era-features-private.h"
#include "gmcp-protocol-private.h"

typedef struct
{
  GPtrArray *items;
  char *next_cursor;
} Page;

static void
page_free (Page *page)
{
  g_ptr_array_unref (page->items);
  g_free (page->next_cursor);
  g_free (page);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Page, page_free)

/* Without one there is no further page. */
static char *
read_cursor (GmcpSession *self, GmcpJsonValue result)
{
  g_autofree char *cursor
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (result, GMCP_MEMBER_NEXT_CURSOR));

  if (cursor != NULL && *cursor == '\0' && gmcp_session_get_era (self)->features->empty_cursor_ends)
    return NULL;
  return g_steal_pointer (&cursor);
}

static Page *
page_new (GPtrArray *items)
{
  Page *page = g_new0 (Page, 1);

  page->items = items;
  return page;
}

static void
on_page (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  const GmcpListKind *kind = gmcp_exchange_get_data (exchange);
  GmcpListItems items;
  g_autoptr (Page) page = NULL;

  gmcp_list_items_init (&items);
  if (gmcp_lists_is_lacking (self, kind, error))
    g_clear_error (&error);
  else if (error == NULL)
    gmcp_list_items_take (&items, self, kind, reply->result, &error);

  page = page_new (g_steal_pointer (&items.items));
  gmcp_list_items_clear (&items);
  if (error != NULL)
    {
      gmcp_lists_prefix_error (self, kind, &error);
      g_task_return_error (gmcp_exchange_get_task (exchange), error);
      return;
    }

  if (reply != NULL)
    page->next_cursor = read_cursor (self, reply->result);
  g_task_return_pointer (gmcp_exchange_get_task (exchange), g_steal_pointer (&page),
                         (GDestroyNotify) page_free);
}

void
gmcp_lists_page_async (GmcpSession *self,
                       GmcpListId id,
                       gpointer tag,
                       const char *cursor,
                       GmcpCallOptions *options,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  const GmcpListKind *kind = &gmcp_list_kinds[id];
  g_autoptr (GTask) task
    = g_task_new (gmcp_session_get_owner (self), cancellable, callback, user_data);
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  g_task_set_source_tag (task, tag);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (!gmcp_session_is_open (self) && !gmcp_caching_may_answer_stale (self, options))
    {
      g_task_return_error (task, gmcp_lists_not_connected (self, kind));
      return;
    }

  if (gmcp_lists_lacks (self, kind))
    {
      g_task_return_pointer (task, page_new (g_ptr_array_new_with_free_func (g_object_unref)),
                             (GDestroyNotify) page_free);
      return;
    }

  exchange = gmcp_session_begin_request (self, kind->method, on_page,
                                         gmcp_session_get_call_timeout_ms (self), &params);
  gmcp_exchange_bind (exchange, task, options, kind->method);
  gmcp_exchange_set_data (exchange, (gpointer) kind);
  if (cursor != NULL)
    gmcp_json_writer_member_string (&params, "cursor", cursor);
  gmcp_session_end_request (self, exchange, &params);
}

GPtrArray *
gmcp_lists_page_finish (gpointer owner,
                        gpointer tag,
                        GAsyncResult *result,
                        char **next_cursor,
                        GError **error)
{
  g_autoptr (Page) page = NULL;

  if (next_cursor != NULL)
    *next_cursor = NULL;
  g_return_val_if_fail (g_task_is_valid (result, owner), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, tag), NULL);

  page = g_task_propagate_pointer (G_TASK (result), error);
  if (page == NULL)
    return NULL;

  if (next_cursor != NULL)
    *next_cursor = g_steal_pointer (&page->next_cursor);
  return g_ptr_array_ref (page->items);
}
