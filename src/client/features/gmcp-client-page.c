/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-era-private.h"
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

static const GmcpClientListKind *
find_kind (GmcpClient *self, GTask *task)
{
  gpointer tag = g_task_get_source_tag (task);
  guint id = 0;

  while (self->lists[id].kind->page_tag != tag)
    id++;
  return self->lists[id].kind;
}

/* Without one there is no further page. */
static char *
read_cursor (GmcpClient *self, GmcpJsonValue result)
{
  g_autofree char *cursor
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (result, GMCP_MEMBER_NEXT_CURSOR));

  if (cursor != NULL && *cursor == '\0' && self->era->empty_cursor_ends)
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
on_page (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  const GmcpClientListKind *kind = find_kind (self, exchange->task);
  GmcpListItems items;
  g_autoptr (Page) page = NULL;

  gmcp_list_items_init (&items);
  if (gmcp_client_list_is_lacking (self, kind, error))
    g_clear_error (&error);
  else if (error == NULL)
    gmcp_list_items_take (&items, self, kind, reply->result, &error);

  page = page_new (g_steal_pointer (&items.items));
  gmcp_list_items_clear (&items);
  if (error != NULL)
    {
      gmcp_client_list_prefix_error (self, kind, &error);
      g_task_return_error (exchange->task, error);
      return;
    }

  if (reply != NULL)
    page->next_cursor = read_cursor (self, reply->result);
  g_task_return_pointer (exchange->task, g_steal_pointer (&page), (GDestroyNotify) page_free);
}

void
gmcp_client_page_async (GmcpClient *self,
                        GmcpClientListId id,
                        const char *cursor,
                        GmcpCallOptions *options,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  const GmcpClientListKind *kind = self->lists[id].kind;
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  g_task_set_source_tag (task, kind->page_tag);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->state != GMCP_CLIENT_OPEN && !gmcp_client_may_answer_stale (self, options))
    {
      g_task_return_error (task, gmcp_client_list_not_connected (self, kind));
      return;
    }

  if (gmcp_client_lacks_list (self, kind))
    {
      g_task_return_pointer (task, page_new (g_ptr_array_new_with_free_func (g_object_unref)),
                             (GDestroyNotify) page_free);
      return;
    }

  exchange
    = gmcp_client_begin_request (self, kind->method, on_page, self->call_timeout_ms, &params);
  gmcp_exchange_bind (exchange, task, options, kind->method);
  if (cursor != NULL)
    gmcp_json_writer_member_string (&params, "cursor", cursor);
  gmcp_client_end_request (self, exchange, &params);
}

GPtrArray *
gmcp_client_page_finish (GmcpClient *self,
                         GmcpClientListId id,
                         GAsyncResult *result,
                         char **next_cursor,
                         GError **error)
{
  g_autoptr (Page) page = NULL;

  if (next_cursor != NULL)
    *next_cursor = NULL;
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, self->lists[id].kind->page_tag), NULL);

  page = g_task_propagate_pointer (G_TASK (result), error);
  if (page == NULL)
    return NULL;

  if (next_cursor != NULL)
    *next_cursor = g_steal_pointer (&page->next_cursor);
  return g_ptr_array_ref (page->items);
}
