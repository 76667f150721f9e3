/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-era-modern-private.h"
#include "gmcp-server-private.h"

/* Subscriptions: requests that go on, and bring what the client has asked to be told of. */

#define NOTIFICATION_ACKNOWLEDGED "notifications/subscriptions/acknowledged"
#define NOTIFICATION_TASKS        "notifications/tasks"
#define FILTER_UPDATES            "resourceSubscriptions"
#define FILTER_TASKS              "taskIds"

static const char *const list_filters[GMCP_SERVER_N_SUBJECTS] = {
  [GMCP_SERVER_SUBJECT_TOOLS] = "toolsListChanged",
  [GMCP_SERVER_SUBJECT_RESOURCES] = "resourcesListChanged",
  [GMCP_SERVER_SUBJECT_PROMPTS] = "promptsListChanged",
};

static const char *const list_notifications[GMCP_SERVER_N_SUBJECTS] = {
  [GMCP_SERVER_SUBJECT_TOOLS] = GMCP_NOTIFICATION_TOOLS_LIST_CHANGED,
  [GMCP_SERVER_SUBJECT_RESOURCES] = GMCP_NOTIFICATION_RESOURCES_LIST_CHANGED,
  [GMCP_SERVER_SUBJECT_PROMPTS] = GMCP_NOTIFICATION_PROMPTS_LIST_CHANGED,
};

/* The set of open subscriptions. */
typedef struct
{
  GPtrArray *subscriptions; /* (element-type Subscription) (owned); NULL before the first */
} Streams;

typedef struct
{
  GmcpServerExchange *exchange; /* owned */
  gboolean lists[GMCP_SERVER_N_SUBJECTS];
  GPtrArray *uris;  /* nullable (element-type utf8): of single resources */
  GPtrArray *tasks; /* nullable (element-type GmcpServerTask) (owned) */
} Subscription;

static GmcpServerCatalog *
get_catalog (const GmcpServerExchange *exchange)
{
  return gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));
}

static void on_task_changed (GmcpServerTask *task, gpointer data);

static void
subscription_free (gpointer data)
{
  Subscription *subscription = data;

  for (guint i = 0; subscription->uris != NULL && i < subscription->uris->len; i++)
    gmcp_server_catalog_unwatch (get_catalog (subscription->exchange),
                                 g_ptr_array_index (subscription->uris, i));
  g_clear_pointer (&subscription->uris, g_ptr_array_unref);
  for (guint i = 0; subscription->tasks != NULL && i < subscription->tasks->len; i++)
    gmcp_server_task_unwatch (g_ptr_array_index (subscription->tasks, i), on_task_changed,
                              subscription);
  g_clear_pointer (&subscription->tasks, g_ptr_array_unref);
  gmcp_server_exchange_free (subscription->exchange);
  g_free (subscription);
}

gpointer
gmcp_server_streams_new (GmcpServerConnection *connection)
{
  return g_new0 (Streams, 1);
}

void
gmcp_server_streams_free (gpointer state)
{
  Streams *streams = state;

  g_clear_pointer (&streams->subscriptions, g_ptr_array_unref);
  g_free (streams);
}

static guint
count_subscriptions (const Streams *streams)
{
  return streams->subscriptions != NULL ? streams->subscriptions->len : 0;
}

static void
on_subscription_ended (GmcpServerExchange *exchange, gpointer data)
{
  Streams *streams = data;

  for (guint i = 0; i < count_subscriptions (streams); i++)
    {
      Subscription *subscription = g_ptr_array_index (streams->subscriptions, i);

      if (subscription->exchange == exchange)
        {
          g_ptr_array_remove_index (streams->subscriptions, i);
          return;
        }
    }
}

gboolean
gmcp_server_streams_has (const GmcpServerExchange *exchange)
{
  return gmcp_server_exchange_ends_by (exchange, on_subscription_ended);
}

/* Up to the members of params that follow _meta. */
static GmcpJsonWriter
begin_notification (Subscription *subscription, const char *method)
{
  GmcpJsonWriter writer = gmcp_server_outbox_begin_notification (
    gmcp_server_exchange_get_outbox (subscription->exchange), method);

  gmcp_json_writer_key (&writer, GMCP_MEMBER_META);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_value (&writer, GMCP_META_SUBSCRIPTION_ID,
                                 gmcp_server_exchange_get_id (subscription->exchange));
  gmcp_json_writer_end_object (&writer);
  return writer;
}

static void
send_notification (Subscription *subscription, GmcpJsonWriter *writer, const char *method)
{
  gmcp_server_outbox_send_notification (gmcp_server_exchange_get_outbox (subscription->exchange),
                                        writer, method,
                                        gmcp_server_exchange_get_id (subscription->exchange));
}

static void
acknowledge_subscription (Subscription *subscription)
{
  GmcpJsonWriter writer = begin_notification (subscription, NOTIFICATION_ACKNOWLEDGED);

  gmcp_json_writer_key (&writer, "notifications");
  gmcp_json_writer_begin_object (&writer);
  for (guint i = 0; i < GMCP_SERVER_N_SUBJECTS; i++)
    if (subscription->lists[i])
      gmcp_json_writer_member_boolean (&writer, list_filters[i], TRUE);
  if (subscription->uris != NULL)
    {
      gmcp_json_writer_key (&writer, FILTER_UPDATES);
      gmcp_json_writer_begin_array (&writer);
      for (guint i = 0; i < subscription->uris->len; i++)
        gmcp_json_writer_string (&writer, g_ptr_array_index (subscription->uris, i));
      gmcp_json_writer_end_array (&writer);
    }
  if (subscription->tasks != NULL)
    {
      gmcp_json_writer_key (&writer, FILTER_TASKS);
      gmcp_json_writer_begin_array (&writer);
      for (guint i = 0; i < subscription->tasks->len; i++)
        gmcp_json_writer_string (
          &writer, gmcp_server_task_get_id (g_ptr_array_index (subscription->tasks, i)));
      gmcp_json_writer_end_array (&writer);
    }
  gmcp_json_writer_end_object (&writer);
  send_notification (subscription, &writer, NOTIFICATION_ACKNOWLEDGED);
}

/* FALSE where what is asked for has a wrong form. What the provider does not have is left out. */
static gboolean
read_lists (Subscription *wanted, GmcpServerCatalog *catalog, GmcpJsonValue filter)
{
  for (guint i = 0; i < GMCP_SERVER_N_SUBJECTS; i++)
    {
      GmcpJsonValue member;

      if (list_filters[i] == NULL)
        continue;
      member = gmcp_json_value_get_member (filter, list_filters[i]);
      if (gmcp_json_value_is_present (member)
          && !gmcp_json_value_get_boolean (member, &wanted->lists[i]))
        return FALSE;
      wanted->lists[i] &= gmcp_server_catalog_has (catalog, i);
    }

  return TRUE;
}

static gboolean
read_uris (Subscription *wanted, GmcpServerCatalog *catalog, GmcpJsonValue filter)
{
  GmcpJsonValue uris = gmcp_json_value_get_member (filter, FILTER_UPDATES);
  GmcpJsonIter iter;
  GmcpJsonValue uri;

  if (!gmcp_json_value_is_present (uris))
    return TRUE;
  if (!gmcp_json_value_is_array (uris)
      || gmcp_json_value_get_length (uris) > GMCP_LIMIT_SERVER_SUBSCRIBED)
    return FALSE;

  if (gmcp_server_catalog_has (catalog, GMCP_SERVER_SUBJECT_UPDATES))
    wanted->uris = g_ptr_array_new_with_free_func (g_free);
  gmcp_json_iter_init (&iter, uris);
  while (gmcp_json_iter_next (&iter, NULL, &uri))
    {
      if (!gmcp_json_value_is_string (uri))
        return FALSE;
      if (wanted->uris != NULL)
        g_ptr_array_add (wanted->uris, gmcp_json_value_dup_string (uri));
    }
  return TRUE;
}

static void
on_task_changed (GmcpServerTask *task, gpointer data)
{
  Subscription *subscription = data;
  GmcpJsonWriter writer = begin_notification (subscription, NOTIFICATION_TASKS);

  gmcp_server_era_modern_write_task (&writer, task);
  /* Nothing more comes of it, and what is kept of it is not kept by this. */
  if (gmcp_server_task_is_final (task))
    {
      gmcp_server_task_unwatch (task, on_task_changed, subscription);
      g_ptr_array_remove_fast (subscription->tasks, task);
    }
  send_notification (subscription, &writer, NOTIFICATION_TASKS);
}

/* Tasks that the client does not have are left out. */
static gboolean
read_tasks (Subscription *wanted, GmcpServerExchange *exchange, GmcpJsonValue ids)
{
  GmcpServerTasks *tasks = gmcp_server_get_tasks (gmcp_server_exchange_get_server (exchange));
  GmcpJsonIter iter;
  GmcpJsonValue id;

  if (!gmcp_json_value_is_present (ids))
    return TRUE;
  if (!gmcp_json_value_is_array (ids)
      || gmcp_json_value_get_length (ids) > GMCP_LIMIT_SERVER_SUBSCRIBED)
    return FALSE;

  wanted->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_server_task_unref);
  gmcp_json_iter_init (&iter, ids);
  while (gmcp_json_iter_next (&iter, NULL, &id))
    {
      g_autofree char *text = gmcp_json_value_dup_string (id);
      GmcpServerTask *task;

      if (text == NULL)
        return FALSE;
      task = gmcp_server_tasks_find (tasks, gmcp_server_exchange_get_owner (exchange), text);
      if (task != NULL && !g_ptr_array_find (wanted->tasks, task, NULL))
        g_ptr_array_add (wanted->tasks, gmcp_server_task_ref (task));
    }
  return TRUE;
}

/* Where too many watch a task, it is none of those that the subscription has. */
static void
watch_tasks (Subscription *subscription)
{
  guint i = 0;

  while (subscription->tasks != NULL && i < subscription->tasks->len)
    {
      if (gmcp_server_task_watch (g_ptr_array_index (subscription->tasks, i), on_task_changed,
                                  subscription))
        i++;
      else
        g_ptr_array_remove_index (subscription->tasks, i);
    }
}

static void
start_subscription (GmcpServerExchange *exchange, Streams *streams, Subscription *wanted)
{
  GmcpServerCatalog *catalog = get_catalog (exchange);
  Subscription *subscription;

  wanted->exchange = gmcp_server_exchange_keep (exchange, on_subscription_ended, streams);
  if (wanted->exchange == NULL)
    return;

  subscription = g_new0 (Subscription, 1);
  *subscription = *wanted;
  wanted->uris = NULL;
  wanted->tasks = NULL;
  for (guint i = 0; subscription->uris != NULL && i < subscription->uris->len; i++)
    gmcp_server_catalog_watch (catalog, g_ptr_array_index (subscription->uris, i));
  watch_tasks (subscription);
  if (streams->subscriptions == NULL)
    streams->subscriptions = g_ptr_array_new_with_free_func (subscription_free);
  g_ptr_array_add (streams->subscriptions, subscription);
  acknowledge_subscription (subscription);
}

void
gmcp_server_streams_handle_listen (GmcpServerExchange *exchange)
{
  Streams *streams = gmcp_server_connection_get_state (
    gmcp_server_exchange_get_connection (exchange), &gmcp_server_era_modern);
  GmcpServerCatalog *catalog = get_catalog (exchange);
  GmcpJsonValue filter
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "notifications");
  GmcpJsonValue ids = gmcp_json_value_get_member (filter, FILTER_TASKS);
  Subscription wanted = { 0 };

  if (gmcp_json_value_is_present (ids) && !gmcp_server_era_modern_check_tasks (exchange))
    return;

  if (gmcp_json_value_is_object (filter) && read_lists (&wanted, catalog, filter)
      && read_uris (&wanted, catalog, filter) && read_tasks (&wanted, exchange, ids))
    start_subscription (exchange, streams, &wanted);
  else
    gmcp_server_exchange_reply_error (
      exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
      "Invalid params: notifications has to be an object of what to listen to", NULL);
  g_clear_pointer (&wanted.uris, g_ptr_array_unref);
  g_clear_pointer (&wanted.tasks, g_ptr_array_unref);
}

void
gmcp_server_streams_list_changed (gpointer state,
                                  GmcpServerConnection *connection,
                                  GmcpServerSubject subject)
{
  Streams *streams = state;

  for (guint i = 0; i < count_subscriptions (streams); i++)
    {
      Subscription *subscription = g_ptr_array_index (streams->subscriptions, i);
      GmcpJsonWriter writer;

      if (!subscription->lists[subject])
        continue;

      writer = begin_notification (subscription, list_notifications[subject]);
      send_notification (subscription, &writer, list_notifications[subject]);
    }
}

void
gmcp_server_streams_resource_updated (gpointer state,
                                      GmcpServerConnection *connection,
                                      const char *uri)
{
  Streams *streams = state;

  for (guint i = 0; i < count_subscriptions (streams); i++)
    {
      Subscription *subscription = g_ptr_array_index (streams->subscriptions, i);
      GmcpJsonWriter writer;

      if (subscription->uris == NULL
          || !g_ptr_array_find_with_equal_func (subscription->uris, uri, g_str_equal, NULL))
        continue;

      writer = begin_notification (subscription, GMCP_NOTIFICATION_RESOURCES_UPDATED);
      gmcp_json_writer_member_string (&writer, "uri", uri);
      send_notification (subscription, &writer, GMCP_NOTIFICATION_RESOURCES_UPDATED);
    }
}

/* The specification's page on subscriptions wants the result, the one on cancellation also a
 * notification, which may only be about what is still in progress. */
static void
end_subscription (Subscription *subscription)
{
  GmcpServerExchange *exchange = subscription->exchange;
  GmcpJsonWriter writer = begin_notification (subscription, GMCP_NOTIFICATION_CANCELLED);

  gmcp_json_writer_member_value (&writer, "requestId", gmcp_server_exchange_get_id (exchange));
  send_notification (subscription, &writer, GMCP_NOTIFICATION_CANCELLED);

  writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);
  gmcp_server_exchange_end_result (exchange, &writer);
}

void
gmcp_server_streams_stop (gpointer state)
{
  Streams *streams = state;
  g_autoptr (GPtrArray) subscriptions = g_steal_pointer (&streams->subscriptions);

  for (guint i = 0; subscriptions != NULL && i < subscriptions->len; i++)
    end_subscription (g_ptr_array_index (subscriptions, i));
}
