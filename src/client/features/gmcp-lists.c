/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-lists-private.h"

#include "gmcp-caching-private.h"

#include "gmcp-changes-private.h"
#include "gmcp-era-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"

/* A list is not read more often than this because of changes, whatever a server sends; and less and
 * less often where it cannot be read. */
#define MIN_REFRESH_INTERVAL_MS 250u
#define MAX_REFRESH_INTERVAL_MS 60000u

typedef struct
{
  GmcpListItems items;
  GHashTable *cursors; /* those followed */
  guint64 n_bytes;
  gboolean requested;
  gboolean cached; /* some of the pages were in the cache */
  gboolean stale;  /* some of them are there because the server failed */
  gboolean restarted;
  GmcpExchange *page; /* under way */
} GmcpListRefresh;

/* One live list. */
typedef struct
{
  const GmcpListKind *kind;
  GmcpObjectList *items;
  GHashTable *by_key;       /* the items, borrowed; NULL before there are any */
  GmcpListRefresh *refresh; /* while it is being read */
  GQueue waiters;           /* of GTask */
  gboolean listed;
  gboolean outdated; /* it changed since it was read */
  gboolean stale;    /* it changed while it was read */
  gboolean warned;   /* that its pages do not end, on this connection */
  guint n_failures;  /* to read it since it changed */
  gint64 read_us;    /* when that was last tried */
  GSource *timer;    /* while a change waits to be looked at */
} GmcpLiveList;

struct _GmcpLists
{
  GmcpLiveList lists[GMCP_N_LISTS];
};

/* A task that waits for a list and can be cancelled. */
typedef struct
{
  GmcpSession *session;
  GSource *cancel_source;
} Waiter;

/* The live lists that a change concerns. */
static const struct
{
  GmcpSubscriptionFlags change;
  GmcpListId list;
} concerned_lists[] = {
  { GMCP_SUBSCRIPTION_TOOLS, GMCP_LIST_TOOLS },
  { GMCP_SUBSCRIPTION_PROMPTS, GMCP_LIST_PROMPTS },
  { GMCP_SUBSCRIPTION_RESOURCES, GMCP_LIST_RESOURCES },
  { GMCP_SUBSCRIPTION_RESOURCES, GMCP_LIST_TEMPLATES },
};

static void request_page (GmcpSession *self, GmcpLiveList *list, GmcpJsonValue cursor);
static void start_refresh (GmcpSession *self, GmcpLiveList *list);

GmcpLists *
gmcp_lists_new (void)
{
  GmcpLists *lists = g_new0 (GmcpLists, 1);

  for (guint i = 0; i < G_N_ELEMENTS (lists->lists); i++)
    {
      GmcpLiveList *list = &lists->lists[i];

      list->kind = &gmcp_list_kinds[i];
      list->items = gmcp_object_list_new (list->kind->get_type ());
      g_queue_init (&list->waiters);
    }
  return lists;
}

void
gmcp_lists_free (GmcpLists *lists)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists->lists); i++)
    {
      g_clear_pointer (&lists->lists[i].by_key, g_hash_table_unref);
      g_clear_object (&lists->lists[i].items);
    }
  g_free (lists);
}

static GmcpLists *
lists_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->lists;
}

GmcpObjectList *
gmcp_lists_get_items (GmcpSession *self, GmcpListId id)
{
  return lists_of (self)->lists[id].items;
}

gboolean
gmcp_lists_is_listed (GmcpSession *self, GmcpListId id)
{
  return lists_of (self)->lists[id].listed;
}

static void
clear_timer (GmcpLiveList *list)
{
  if (list->timer != NULL)
    g_source_destroy (list->timer);
  g_clear_pointer (&list->timer, g_source_unref);
}

void
gmcp_lists_forget (GmcpSession *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists_of (self)->lists); i++)
    {
      GmcpLiveList *list = &lists_of (self)->lists[i];

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

static void
waiter_free (gpointer data)
{
  Waiter *waiter = data;

  g_source_unref (waiter->cancel_source);
  g_free (waiter);
}

static GQueue
steal_waiters (GmcpLiveList *list)
{
  GQueue waiters = list->waiters;

  g_queue_init (&list->waiters);
  return waiters;
}

static void
return_to_waiters (GmcpLiveList *list, GQueue *waiters, const GError *error)
{
  g_autoptr (GmcpObjectList) items = g_object_ref (list->items);
  GTask *task;

  while ((task = g_queue_pop_head (waiters)) != NULL)
    {
      Waiter *waiter = g_task_get_task_data (task);

      if (waiter != NULL)
        g_source_destroy (waiter->cancel_source);
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_pointer (task, g_object_ref (items), g_object_unref);
      g_object_unref (task);
    }
}

static void
abandon_list (GmcpLiveList *list, const GError *error)
{
  GQueue waiters = steal_waiters (list);

  g_clear_pointer (&list->refresh, refresh_free);
  list->stale = FALSE;
  return_to_waiters (list, &waiters, error);
}

void
gmcp_lists_abandon (GmcpSession *self, const GError *error)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists_of (self)->lists); i++)
    abandon_list (&lists_of (self)->lists[i], error);
}

static GmcpLiveList *
find_timer (GmcpSession *self, GSource *timer)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists_of (self)->lists); i++)
    if (lists_of (self)->lists[i].timer == timer)
      return &lists_of (self)->lists[i];

  return NULL;
}

static gboolean
on_timer (gpointer user_data)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (user_data);
  GmcpLiveList *list = find_timer (self, g_main_current_source ());

  g_clear_pointer (&list->timer, g_source_unref);
  if (gmcp_session_is_open (self) && list->refresh == NULL)
    start_refresh (self, list);
  return G_SOURCE_REMOVE;
}

/* What is shown is known to be outdated: it is read again, but not at the pace of a server that
 * tells of changes and then does not give the list. */
static void
refresh_later (GmcpSession *self, GmcpLiveList *list)
{
  gint64 delay_ms
    = MIN (MIN_REFRESH_INTERVAL_MS << MIN (list->n_failures, 16u), MAX_REFRESH_INTERVAL_MS);

  if (list->timer != NULL || !gmcp_session_is_open (self))
    return;

  list->timer = g_timeout_source_new (0);
  g_source_set_ready_time (list->timer, list->read_us + delay_ms * 1000);
  g_source_set_static_name (list->timer, "[gmcp] list changed");
  g_source_set_callback (list->timer, on_timer, self, NULL);
  g_source_attach (list->timer, gmcp_session_get_context (self));
}

static void
refresh_failed (GmcpSession *self, GmcpLiveList *list, GError *error)
{
  g_autoptr (GError) owned = error;

  gmcp_lists_prefix_error (self, list->kind, &owned);
  g_debug ("%s", owned->message);
  list->read_us = g_get_monotonic_time ();
  if (list->outdated)
    {
      list->n_failures++;
      refresh_later (self, list);
    }
  abandon_list (list, owned);
}

static void
refresh_done (GmcpSession *self, GmcpLiveList *list)
{
  GmcpListRefresh *refresh = g_steal_pointer (&list->refresh);
  GPtrArray *items = refresh->items.items;
  g_autoptr (GHashTable) by_key G_GNUC_UNUSED = NULL;
  /* Before the list changes: who looks at the change may ask for the list anew. */
  GQueue waiters = steal_waiters (list);
  gboolean again = list->stale || (refresh->stale && list->outdated);

  if (refresh->items.n_skipped > 0)
    g_info ("%s: %u of what %s gave are malformed and were left out", gmcp_session_describe (self),
            refresh->items.n_skipped, list->kind->method);

  list->listed = TRUE;
  list->stale = FALSE;
  list->outdated = again;
  list->n_failures = refresh->stale ? list->n_failures + 1 : 0;
  list->read_us = g_get_monotonic_time ();
  if (again)
    refresh_later (self, list);
  gmcp_list_items_keep_unchanged (&refresh->items, list->kind, list->by_key);
  by_key = g_steal_pointer (&list->by_key);
  list->by_key = g_steal_pointer (&refresh->items.by_key);
  gmcp_object_list_set_items (list->items, (gpointer const *) items->pdata, items->len);
  refresh_free (refresh);
  return_to_waiters (list, &waiters, NULL);
}

/* The items keep the pages that they came in. */
static gboolean
check_size (GmcpSession *self, GmcpListRefresh *refresh, GError **error)
{
  guint64 message_bytes = gmcp_transport_get_max_message_bytes (gmcp_session_get_transport (self));
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
static GmcpLiveList *
find_list (GmcpSession *self, GmcpExchange *page)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists_of (self)->lists); i++)
    if (lists_of (self)->lists[i].refresh != NULL
        && lists_of (self)->lists[i].refresh->page == page)
      return &lists_of (self)->lists[i];

  return NULL;
}

/* A page that was kept named the next one, which the server has no longer: none that is kept is of
 * any use. */
static void
restart_refresh (GmcpSession *self, GmcpLiveList *list)
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
warn_of_repeated_cursor (GmcpSession *self, GmcpLiveList *list)
{
  if (list->warned)
    return;

  list->warned = TRUE;
  gmcp_session_warn (self,
                     /* Translators: a server, and a method such as “tools/list” */
                     g_strdup_printf (_ ("%s gave the same cursor twice in answer to %s, so its "
                                         "pages would not end: what it listed until then is used, "
                                         "and there may be more"),
                                      gmcp_session_describe (self), list->kind->method));
}

static void
on_page (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  g_autoptr (GmcpSession) alive G_GNUC_UNUSED = gmcp_session_ref (self);
  GmcpLiveList *list = find_list (self, exchange);
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
  if (gmcp_lists_is_lacking (self, list->kind, error))
    {
      g_error_free (error);
      refresh_done (self, list);
      return;
    }
  if (error != NULL && refresh->cached && !refresh->restarted && error->domain == GMCP_RPC_ERROR)
    {
      g_debug ("%s does not know a cursor that was kept: %s", gmcp_session_describe (self),
               error->message);
      g_error_free (error);
      gmcp_caching_drop_answer (exchange);
      restart_refresh (self, list);
      return;
    }
  if (error != NULL)
    {
      refresh_failed (self, list, error);
      return;
    }

  refresh->cached = refresh->cached || gmcp_exchange_is_cached (exchange);
  refresh->stale = refresh->stale || gmcp_exchange_is_stale (exchange);
  cursor = gmcp_json_value_get_member (reply->result, GMCP_MEMBER_NEXT_CURSOR);
  refresh->n_bytes += gmcp_json_value_get_copy_bytes (reply->result);
  if (check_size (self, refresh, &error)
      && gmcp_list_items_take (&refresh->items, self, list->kind, reply->result, &error)
      && gmcp_lists_follows (self, refresh->cursors, cursor, &repeats, &error))
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
request_page (GmcpSession *self, GmcpLiveList *list, GmcpJsonValue cursor)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  exchange = gmcp_session_begin_request (self, list->kind->method, on_page,
                                         gmcp_session_get_call_timeout_ms (self), &params);
  list->refresh->page = exchange;
  gmcp_exchange_set_subject (exchange, list->kind->method);
  if (gmcp_json_value_is_present (cursor))
    gmcp_json_writer_member_value (&params, "cursor", cursor);
  gmcp_session_end_request (self, exchange, &params);
}

void
gmcp_lists_watched (GmcpSession *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists_of (self)->lists); i++)
    {
      GmcpLiveList *list = &lists_of (self)->lists[i];

      if (list->refresh == NULL || list->refresh->requested)
        continue;
      list->refresh->requested = TRUE;
      request_page (self, list, GMCP_JSON_NONE);
    }
}

static void
start_refresh (GmcpSession *self, GmcpLiveList *list)
{
  clear_timer (list);
  list->refresh = g_new0 (GmcpListRefresh, 1);
  gmcp_list_items_init (&list->refresh->items);
  list->refresh->cursors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (gmcp_lists_lacks (self, list->kind))
    refresh_done (self, list);
  else
    gmcp_changes_watch_lists (self);
}

/* The server says that the list has changed. It is read again where it was read before. */
static void
mark_changed (GmcpSession *self, GmcpListId id)
{
  GmcpLiveList *list = &lists_of (self)->lists[id];

  list->outdated = list->listed;
  /* Before the request was sent, its answer will show the change. */
  if (list->refresh != NULL)
    list->stale = list->refresh->requested;
  else if (list->listed)
    refresh_later (self, list);
}

void
gmcp_lists_all_changed (GmcpSession *self)
{
  gmcp_caching_expire_lists (self, GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_PROMPTS
                                     | GMCP_SUBSCRIPTION_RESOURCES);
  for (guint i = 0; i < G_N_ELEMENTS (lists_of (self)->lists); i++)
    mark_changed (self, (GmcpListId) i);
}

gboolean
gmcp_lists_is_fresh (GmcpSession *self, GmcpListId id)
{
  GmcpLiveList *list = &lists_of (self)->lists[id];

  return list->listed && list->refresh == NULL && !list->outdated;
}

static gboolean
on_list_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;
  Waiter *waiter = g_task_get_task_data (task);
  GmcpSession *self = waiter->session;

  /* The list is read to its end all the same: it is good for the next who asks. */
  for (guint i = 0; i < G_N_ELEMENTS (lists_of (self)->lists); i++)
    {
      if (!g_queue_remove (&lists_of (self)->lists[i].waiters, task))
        continue;
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               _ ("Operation was cancelled"));
      g_object_unref (task);
      break;
    }
  return G_SOURCE_REMOVE;
}

void
gmcp_lists_read_async (GmcpSession *self,
                       GmcpListId id,
                       gpointer tag,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  GmcpLiveList *list = &lists_of (self)->lists[id];
  g_autoptr (GTask) task
    = g_task_new (gmcp_session_get_owner (self), cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (!gmcp_session_is_open (self))
    {
      g_task_return_error (task, gmcp_lists_not_connected (self, list->kind));
      return;
    }

  if (cancellable != NULL)
    {
      Waiter *waiter = g_new (Waiter, 1);

      waiter->session = self;
      waiter->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_static_name (waiter->cancel_source, "[gmcp] listing cancelled");
      g_task_set_task_data (task, waiter, waiter_free);
      g_task_attach_source (task, waiter->cancel_source,
                            (GSourceFunc) G_CALLBACK (on_list_cancelled));
    }
  g_queue_push_tail (&list->waiters, g_steal_pointer (&task));
  if (list->refresh == NULL)
    start_refresh (self, list);
}

GListModel *
gmcp_lists_read_finish (gpointer owner, gpointer tag, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, owner), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, tag), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

GmcpTool *
gmcp_lists_peek_tool (GmcpSession *self, const char *name)
{
  GHashTable *by_key = lists_of (self)->lists[GMCP_LIST_TOOLS].by_key;

  return by_key != NULL ? g_hash_table_lookup (by_key, name) : NULL;
}

const GmcpToolHeaders *
gmcp_lists_peek_tool_headers (GmcpSession *self, const char *name)
{
  GmcpTool *tool = gmcp_lists_peek_tool (self, name);

  return tool != NULL ? gmcp_tool_peek_headers (tool, NULL) : NULL;
}

void
gmcp_lists_note_changes (GmcpSession *self, GmcpSubscriptionFlags changes)
{
  for (guint i = 0; i < G_N_ELEMENTS (concerned_lists); i++)
    if ((changes & concerned_lists[i].change) != 0)
      mark_changed (self, concerned_lists[i].list);
}
