/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-client-changes-private.h"
#include "gmcp-era-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

/* A list is not read more often than this because of changes, whatever a server sends; and less and
 * less often where it cannot be read. */
#define MIN_REFRESH_INTERVAL_MS 250u
#define MAX_REFRESH_INTERVAL_MS 60000u

struct _GmcpListRefresh
{
  GmcpListItems items;
  GHashTable *cursors; /* those followed */
  guint64 n_bytes;
  gboolean requested;
  gboolean cached; /* some of the pages were in the cache */
  gboolean stale;  /* some of them are there because the server failed */
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
static void start_refresh (GmcpClient *self, GmcpClientList *list);

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
    {
      g_clear_pointer (&self->lists[i].by_key, g_hash_table_unref);
      g_clear_object (&self->lists[i].items);
    }
}

static void
clear_timer (GmcpClientList *list)
{
  if (list->timer != NULL)
    g_source_destroy (list->timer);
  g_clear_pointer (&list->timer, g_source_unref);
}

void
gmcp_client_lists_forget (GmcpClient *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    {
      GmcpClientList *list = &self->lists[i];

      list->listed = FALSE;
      list->outdated = FALSE;
      list->warned = FALSE;
      list->n_failures = 0;
      clear_timer (list);
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

/* What is shown is known to be outdated: it is read again, but not at the pace of a server that
 * tells of changes and then does not give the list. */
static void
refresh_later (GmcpClient *self, GmcpClientList *list)
{
  gint64 delay_ms
    = MIN (MIN_REFRESH_INTERVAL_MS << MIN (list->n_failures, 16u), MAX_REFRESH_INTERVAL_MS);

  if (list->timer != NULL || self->state != GMCP_CLIENT_OPEN)
    return;

  list->timer = g_timeout_source_new (0);
  g_source_set_ready_time (list->timer, list->read_us + delay_ms * 1000);
  g_source_set_static_name (list->timer, "[gmcp] list changed");
  g_source_set_callback (list->timer, on_timer, self, NULL);
  g_source_attach (list->timer, self->context);
}

static void
refresh_failed (GmcpClient *self, GmcpClientList *list, GError *error)
{
  g_autoptr (GError) owned = error;

  gmcp_client_list_prefix_error (self, list->kind, &owned);
  g_debug ("%s", owned->message);
  list->read_us = g_get_monotonic_time ();
  if (list->outdated)
    {
      list->n_failures++;
      refresh_later (self, list);
    }
  abandon (list, owned);
}

static void
refresh_done (GmcpClient *self, GmcpClientList *list)
{
  GmcpListRefresh *refresh = g_steal_pointer (&list->refresh);
  GPtrArray *items = refresh->items.items;
  g_autoptr (GHashTable) by_key G_GNUC_UNUSED = NULL;
  /* Before the list changes: who looks at the change may ask for the list anew. */
  GQueue waiters = steal_waiters (list);
  gboolean again = list->stale || (refresh->stale && list->outdated);

  if (refresh->items.n_skipped > 0)
    g_info ("%s: %u of what %s gave are malformed and were left out", gmcp_client_describe (self),
            refresh->items.n_skipped, list->kind->method);

  list->listed = TRUE;
  list->stale = FALSE;
  list->outdated = again;
  list->n_failures = refresh->stale ? list->n_failures + 1 : 0;
  list->read_us = g_get_monotonic_time ();
  if (again)
    refresh_later (self, list);
  gmcp_list_items_keep_unchanged (&refresh->items, list);
  by_key = g_steal_pointer (&list->by_key);
  list->by_key = g_steal_pointer (&refresh->items.by_key);
  gmcp_object_list_set_items (list->items, (gpointer const *) items->pdata, items->len);
  refresh_free (refresh);
  return_to_waiters (list, &waiters, NULL);
}

/* The items keep the pages that they came in. */
static gboolean
check_size (GmcpClient *self, GmcpListRefresh *refresh, GError **error)
{
  guint64 message_bytes = gmcp_transport_get_max_message_bytes (self->transport);
  guint64 max_bytes = MAX (GMCP_LIMIT_LIST_BYTES, 2 * MIN (message_bytes, G_MAXUINT64 / 2));
  g_autofree char *number = NULL;

  if (refresh->n_bytes <= max_bytes)
    return TRUE;

  number = g_strdup_printf ("%" G_GUINT64_FORMAT, max_bytes);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("the list takes more than %s bytes"), number);
  return FALSE;
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

/* A page that was kept named the next one, which the server has no longer: none that is kept is of
 * any use. */
static void
restart (GmcpClient *self, GmcpClientList *list)
{
  GmcpListRefresh *refresh = list->refresh;

  gmcp_list_items_clear (&refresh->items);
  gmcp_list_items_init (&refresh->items);
  g_hash_table_remove_all (refresh->cursors);
  refresh->n_bytes = 0;
  refresh->restarted = TRUE;
  request_page (self, list, GMCP_JSON_NONE);
}

/* Once a connection, however often the list is read. */
static void
warn_of_repeated_cursor (GmcpClient *self, GmcpClientList *list)
{
  if (list->warned)
    return;

  list->warned = TRUE;
  gmcp_client_warn (self,
                    /* Translators: a server, and a method such as “tools/list” */
                    g_strdup_printf (_ ("%s gave the same cursor twice in answer to %s, so its "
                                        "pages would not end: what it listed until then is used, "
                                        "and there may be more"),
                                     gmcp_client_describe (self), list->kind->method));
}

static void
on_page (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  g_autoptr (GmcpClient) alive G_GNUC_UNUSED = g_object_ref (self);
  GmcpClientList *list = find_list (self, exchange);
  gboolean repeats = FALSE;
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
      if (exchange->query != NULL)
        gmcp_cache_query_drop (exchange->query);
      restart (self, list);
      return;
    }
  if (error != NULL)
    {
      refresh_failed (self, list, error);
      return;
    }

  refresh->cached = refresh->cached || exchange->cached;
  refresh->stale = refresh->stale || exchange->stale;
  cursor = gmcp_json_value_get_member (reply->result, GMCP_MEMBER_NEXT_CURSOR);
  refresh->n_bytes += gmcp_json_value_get_copy_bytes (reply->result);
  if (check_size (self, refresh, &error)
      && gmcp_list_items_take (&refresh->items, self, list->kind, reply->result, &error)
      && gmcp_client_list_follows (self, refresh->cursors, cursor, &repeats, &error))
    {
      request_page (self, list, cursor);
      return;
    }

  if (error != NULL)
    {
      refresh_failed (self, list, error);
      return;
    }
  refresh_done (self, list);
  if (repeats)
    warn_of_repeated_cursor (self, list);
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
  clear_timer (list);
  list->refresh = g_new0 (GmcpListRefresh, 1);
  gmcp_list_items_init (&list->refresh->items);
  list->refresh->cursors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (gmcp_client_lacks_list (self, list->kind))
    refresh_done (self, list);
  else
    gmcp_client_watch_lists (self);
}

void
gmcp_client_list_changed (GmcpClient *self, GmcpClientListId id)
{
  GmcpClientList *list = &self->lists[id];

  list->outdated = list->listed;
  /* Before the request was sent, its answer will show the change. */
  if (list->refresh != NULL)
    list->stale = list->refresh->requested;
  else if (list->listed)
    refresh_later (self, list);
}

void
gmcp_client_lists_changed (GmcpClient *self)
{
  gmcp_client_expire_cached_lists (self, GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_PROMPTS
                                           | GMCP_SUBSCRIPTION_RESOURCES);
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    gmcp_client_list_changed (self, (GmcpClientListId) i);
}

gpointer
gmcp_client_list_peek (GmcpClient *self, GmcpClientListId id, const char *key)
{
  GHashTable *by_key = self->lists[id].by_key;

  return by_key != NULL ? g_hash_table_lookup (by_key, key) : NULL;
}

gboolean
gmcp_client_list_is_fresh (GmcpClient *self, GmcpClientListId id)
{
  GmcpClientList *list = &self->lists[id];

  return list->listed && list->refresh == NULL && !list->outdated;
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
