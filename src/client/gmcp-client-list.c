/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include <string.h>

#include "gmcp-client-changes-private.h"
#include "gmcp-client-era-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

/* A list is not read more often than this because of changes, whatever a server sends. */
#define MIN_REFRESH_INTERVAL_MS 250

struct _GmcpListRefresh
{
  GmcpListItems items;
  GHashTable *cursors; /* those followed */
  guint n_pages;
  gboolean requested;
  gboolean cached; /* some of the pages were in the cache */
  gboolean restarted;
  GmcpExchange *page; /* under way */
};

static const GmcpClientListKind *const kinds[GMCP_CLIENT_N_LISTS] = {
  [GMCP_CLIENT_LIST_TOOLS] = &gmcp_client_list_tools,
  [GMCP_CLIENT_LIST_RESOURCES] = &gmcp_client_list_resources,
  [GMCP_CLIENT_LIST_TEMPLATES] = &gmcp_client_list_templates,
  [GMCP_CLIENT_LIST_PROMPTS] = &gmcp_client_list_prompts,
};

static void request_page (GmcpClient *self, GmcpClientList *list, GmcpJsonValue cursor);

void
gmcp_client_lists_init (GmcpClient *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    {
      GmcpClientList *list = &self->lists[i];

      list->kind = kinds[i];
      list->items = gmcp_object_list_new (list->kind->get_type ());
      g_queue_init (&list->waiters);
    }
}

void
gmcp_client_lists_clear (GmcpClient *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    g_clear_object (&self->lists[i].items);
}

void
gmcp_client_lists_forget (GmcpClient *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    {
      GmcpClientList *list = &self->lists[i];

      list->listed = FALSE;
      if (list->timer != NULL)
        g_source_destroy (list->timer);
      g_clear_pointer (&list->timer, g_source_unref);
    }
}

static void
refresh_free (GmcpListRefresh *refresh)
{
  gmcp_list_items_clear (&refresh->items);
  g_hash_table_unref (refresh->cursors);
  g_free (refresh);
}

static GQueue
steal_waiters (GmcpClientList *list)
{
  GQueue waiters = list->waiters;

  g_queue_init (&list->waiters);
  return waiters;
}

static void
return_to_waiters (GmcpClientList *list, GQueue *waiters, const GError *error)
{
  g_autoptr (GmcpObjectList) items = g_object_ref (list->items);
  GTask *task;

  while ((task = g_queue_pop_head (waiters)) != NULL)
    {
      GSource *cancel_source = g_task_get_task_data (task);

      if (cancel_source != NULL)
        g_source_destroy (cancel_source);
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_pointer (task, g_object_ref (items), g_object_unref);
      g_object_unref (task);
    }
}

static void
abandon (GmcpClientList *list, const GError *error)
{
  GQueue waiters = steal_waiters (list);

  g_clear_pointer (&list->refresh, refresh_free);
  list->stale = FALSE;
  return_to_waiters (list, &waiters, error);
}

void
gmcp_client_lists_abandon (GmcpClient *self, const GError *error)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    abandon (&self->lists[i], error);
}

static void
refresh_failed (GmcpClient *self, GmcpClientList *list, GError *error)
{
  g_autoptr (GError) owned = error;

  gmcp_client_list_prefix_error (self, list->kind, &owned);
  g_debug ("%s", owned->message);
  abandon (list, owned);
}

static gboolean
same_text (GmcpJsonValue a, GmcpJsonValue b)
{
  gsize a_length, b_length;
  const char *a_text = gmcp_json_value_peek_raw (a, &a_length);
  const char *b_text = gmcp_json_value_peek_raw (b, &b_length);

  return a_length == b_length && memcmp (a_text, b_text, a_length) == 0;
}

/* An item keeps the message that it came in. Where others stay from messages before, each new one
 * gets a document of its own, or a list that changes often would keep all messages there were. */
static void
detach (const GmcpClientListKind *kind, gpointer *item)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_value_copy_to_doc (kind->get_value (*item));
  gpointer own = doc != NULL ? kind->new_item (gmcp_json_doc_get_root (doc), NULL) : NULL;

  if (own == NULL)
    return;
  g_object_unref (*item);
  *item = own;
}

/* An item that is as it was stays the object that it was, so that whoever shows the list has
 * nothing to do for it. */
static void
keep_unchanged (GmcpClientList *list, GPtrArray *items)
{
  guint length = gmcp_object_list_get_length (list->items);
  g_autoptr (GHashTable) present = NULL;
  g_autofree gboolean *kept = NULL;
  guint n_kept = 0;

  if (length == 0)
    return;

  present = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < length; i++)
    {
      gpointer item = gmcp_object_list_peek (list->items, i);

      g_hash_table_insert (present, (gpointer) list->kind->get_key (item), item);
    }

  kept = g_new0 (gboolean, items->len);
  for (guint i = 0; i < items->len; i++)
    {
      gpointer *item = &g_ptr_array_index (items, i);
      gpointer other = g_hash_table_lookup (present, list->kind->get_key (*item));

      if (other == NULL
          || !same_text (list->kind->get_value (*item), list->kind->get_value (other)))
        continue;
      kept[i] = TRUE;
      n_kept++;
      g_object_unref (*item);
      *item = g_object_ref (other);
    }
  for (guint i = 0; n_kept > 0 && i < items->len; i++)
    if (!kept[i])
      detach (list->kind, &g_ptr_array_index (items, i));
}

static void
refresh_done (GmcpClient *self, GmcpClientList *list)
{
  GmcpListRefresh *refresh = g_steal_pointer (&list->refresh);
  GPtrArray *items = refresh->items.items;
  /* Before the list changes: who looks at the change may ask for the list anew. */
  GQueue waiters = steal_waiters (list);
  gboolean again = list->stale;

  if (refresh->items.n_skipped > 0)
    g_info ("%s: %u of what %s gave are malformed and were left out", gmcp_client_describe (self),
            refresh->items.n_skipped, list->kind->method);

  list->listed = TRUE;
  list->stale = FALSE;
  list->read_us = g_get_monotonic_time ();
  keep_unchanged (list, items);
  gmcp_object_list_set_items (list->items, (gpointer const *) items->pdata, items->len);
  refresh_free (refresh);
  return_to_waiters (list, &waiters, NULL);
  if (again)
    gmcp_client_list_changed (self, (GmcpClientListId) (list - self->lists));
}

/* Whether there is another page; an error where the pages do not end. */
static gboolean
check_cursor (GmcpClient *self, GmcpListRefresh *refresh, GmcpJsonValue cursor, GError **error)
{
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

/* The list whose page that is; NULL for one of a refresh that was given up. */
static GmcpClientList *
find_list (GmcpClient *self, GmcpExchange *page)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    if (self->lists[i].refresh != NULL && self->lists[i].refresh->page == page)
      return &self->lists[i];

  return NULL;
}

/* A page that was kept named the next one, which the server has no longer. */
static void
restart (GmcpClient *self, GmcpClientList *list)
{
  GmcpListRefresh *refresh = list->refresh;

  gmcp_list_items_clear (&refresh->items);
  gmcp_list_items_init (&refresh->items);
  g_hash_table_remove_all (refresh->cursors);
  refresh->n_pages = 0;
  refresh->restarted = TRUE;
  request_page (self, list, GMCP_JSON_NONE);
}

static void
on_page (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpClientList *list = find_list (self, exchange);
  GmcpListRefresh *refresh;
  GmcpJsonValue cursor;

  if (list == NULL)
    {
      g_clear_error (&error);
      return;
    }

  refresh = list->refresh;
  refresh->page = NULL;
  if (gmcp_client_list_is_lacking (self, list->kind, error))
    {
      g_error_free (error);
      refresh_done (self, list);
      return;
    }
  if (error != NULL && refresh->cached && !refresh->restarted && error->domain == GMCP_RPC_ERROR)
    {
      g_debug ("%s does not know a cursor that was kept: %s", gmcp_client_describe (self),
               error->message);
      g_error_free (error);
      restart (self, list);
      return;
    }
  if (error != NULL)
    {
      refresh_failed (self, list, error);
      return;
    }

  refresh->cached = refresh->cached || exchange->cached;
  cursor = gmcp_json_value_get_member (reply->result, GMCP_MEMBER_NEXT_CURSOR);
  refresh->n_pages++;
  if (gmcp_list_items_take (&refresh->items, self, list->kind, reply->result, &error)
      && check_cursor (self, refresh, cursor, &error))
    {
      request_page (self, list, cursor);
      return;
    }

  if (error != NULL)
    refresh_failed (self, list, error);
  else
    refresh_done (self, list);
}

static void
request_page (GmcpClient *self, GmcpClientList *list, GmcpJsonValue cursor)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  exchange
    = gmcp_client_begin_request (self, list->kind->method, on_page, self->call_timeout_ms, &params);
  list->refresh->page = exchange;
  exchange->subject = g_strdup (list->kind->method);
  if (gmcp_json_value_is_present (cursor))
    gmcp_json_writer_member_value (&params, "cursor", cursor);
  gmcp_client_end_request (self, exchange, &params);
}

void
gmcp_client_lists_watched (GmcpClient *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    {
      GmcpClientList *list = &self->lists[i];

      if (list->refresh == NULL || list->refresh->requested)
        continue;
      list->refresh->requested = TRUE;
      request_page (self, list, GMCP_JSON_NONE);
    }
}

static void
start_refresh (GmcpClient *self, GmcpClientList *list)
{
  list->refresh = g_new0 (GmcpListRefresh, 1);
  gmcp_list_items_init (&list->refresh->items);
  list->refresh->cursors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gmcp_client_watch_lists (self);
}

static GmcpClientList *
find_timer (GmcpClient *self, GSource *timer)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    if (self->lists[i].timer == timer)
      return &self->lists[i];

  return NULL;
}

static gboolean
on_timer (gpointer user_data)
{
  g_autoptr (GmcpClient) self = g_object_ref (user_data);
  GmcpClientList *list = find_timer (self, g_main_current_source ());

  g_clear_pointer (&list->timer, g_source_unref);
  if (self->state == GMCP_CLIENT_OPEN && list->refresh == NULL)
    start_refresh (self, list);
  return G_SOURCE_REMOVE;
}

void
gmcp_client_list_changed (GmcpClient *self, GmcpClientListId id)
{
  GmcpClientList *list = &self->lists[id];

  if (list->refresh != NULL)
    {
      /* Before the request was sent, its answer will show the change. */
      list->stale = list->refresh->requested;
      return;
    }
  if (!list->listed || list->timer != NULL || self->state != GMCP_CLIENT_OPEN)
    return;

  list->timer = g_timeout_source_new (0);
  g_source_set_ready_time (list->timer, list->read_us + MIN_REFRESH_INTERVAL_MS * 1000);
  g_source_set_static_name (list->timer, "[gmcp] list changed");
  g_source_set_callback (list->timer, on_timer, self, NULL);
  g_source_attach (list->timer, self->context);
}

void
gmcp_client_lists_changed (GmcpClient *self)
{
  gmcp_client_expire_cached_lists (self, GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_PROMPTS
                                           | GMCP_SUBSCRIPTION_RESOURCES);
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    gmcp_client_list_changed (self, (GmcpClientListId) i);
}

gboolean
gmcp_client_list_is_fresh (GmcpClient *self, GmcpClientListId id)
{
  GmcpClientList *list = &self->lists[id];

  return list->listed && list->refresh == NULL && list->timer == NULL;
}

static gboolean
on_list_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;
  GmcpClient *self = g_task_get_source_object (task);

  /* The list is read to its end all the same: it is good for the next who asks. */
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    {
      if (!g_queue_remove (&self->lists[i].waiters, task))
        continue;
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               _ ("Operation was cancelled"));
      g_object_unref (task);
      break;
    }
  return G_SOURCE_REMOVE;
}

void
gmcp_client_list_async (GmcpClient *self,
                        GmcpClientListId id,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GmcpClientList *list = &self->lists[id];
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, list->kind->list_tag);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->state != GMCP_CLIENT_OPEN)
    {
      g_task_return_error (task, gmcp_client_list_not_connected (self, list->kind));
      return;
    }

  if (cancellable != NULL)
    {
      GSource *source = g_cancellable_source_new (cancellable);

      g_source_set_static_name (source, "[gmcp] listing cancelled");
      g_task_set_task_data (task, source, (GDestroyNotify) g_source_unref);
      g_task_attach_source (task, source, (GSourceFunc) G_CALLBACK (on_list_cancelled));
    }
  g_queue_push_tail (&list->waiters, g_steal_pointer (&task));
  if (list->refresh == NULL)
    start_refresh (self, list);
}

GListModel *
gmcp_client_list_finish (GmcpClient *self,
                         GmcpClientListId id,
                         GAsyncResult *result,
                         GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, self->lists[id].kind->list_tag), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
