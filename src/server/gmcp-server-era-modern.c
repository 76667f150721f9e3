/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-protocol-private.h"
#include "gmcp-limits.h"
#include "gmcp-log-message-private.h"
#include "gmcp-server-caller-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-headers-private.h"
#include "gmcp-server-private.h"

/* Revision 2026-07-28 and later: each request says in _meta what it is of, and nothing is kept from
 * one to the next but the subscriptions that are open. */

#define METHOD_DISCOVER           "server/discover"
#define METHOD_LISTEN             "subscriptions/listen"
#define NOTIFICATION_ACKNOWLEDGED "notifications/subscriptions/acknowledged"
#define FILTER_UPDATES            "resourceSubscriptions"

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
  GPtrArray *subscriptions; /* (element-type Subscription) (owned) */
} Streams;

typedef struct
{
  GmcpServerExchange *exchange; /* owned */
  gboolean lists[GMCP_SERVER_N_SUBJECTS];
  GPtrArray *uris; /* nullable (element-type utf8): of single resources */
} Subscription;

static GmcpServerCatalog *
get_catalog (const GmcpServerExchange *exchange)
{
  return gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));
}

static void
subscription_free (gpointer data)
{
  Subscription *subscription = data;

  for (guint i = 0; subscription->uris != NULL && i < subscription->uris->len; i++)
    gmcp_server_catalog_unwatch (get_catalog (subscription->exchange),
                                 g_ptr_array_index (subscription->uris, i));
  g_clear_pointer (&subscription->uris, g_ptr_array_unref);
  gmcp_server_exchange_free (subscription->exchange);
  g_free (subscription);
}

static gpointer
streams_new (GmcpServerConnection *connection)
{
  Streams *streams = g_new0 (Streams, 1);

  streams->subscriptions = g_ptr_array_new_with_free_func (subscription_free);
  return streams;
}

static void
streams_free (gpointer state)
{
  Streams *streams = state;

  g_ptr_array_unref (streams->subscriptions);
  g_free (streams);
}

static void
on_subscription_ended (GmcpServerExchange *exchange, gpointer data)
{
  Streams *streams = data;

  for (guint i = 0; i < streams->subscriptions->len; i++)
    {
      Subscription *subscription = g_ptr_array_index (streams->subscriptions, i);

      if (subscription->exchange == exchange)
        {
          g_ptr_array_remove_index (streams->subscriptions, i);
          return;
        }
    }
}

/* Requests */

static void
refuse_version (GmcpServerExchange *exchange, GmcpJsonValue requested)
{
  g_autofree char *text = gmcp_server_quote (requested);
  /* A client that asks for a legacy revision in the modern way would only ask again if it were
   * offered. */
  gboolean name_all = gmcp_protocol_get_era (text) != GMCP_ERA_LEGACY;
  g_autoptr (GString) data = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (data);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "supported");
  gmcp_server_write_versions (&writer, name_all ? GMCP_ERA_AUTO : GMCP_ERA_MODERN);
  gmcp_json_writer_member_string (&writer, "requested", text);
  gmcp_json_writer_end_object (&writer);
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION,
                                    "Unsupported protocol version", data->str);
}

static gboolean
check_log_level (GmcpServerExchange *exchange, GmcpJsonValue meta)
{
  GmcpJsonValue level = gmcp_json_value_get_member (meta, GMCP_META_LOG_LEVEL);

  if (!gmcp_json_value_is_present (level) || gmcp_log_level_read (level) != GMCP_LOG_LEVEL_UNSET)
    return TRUE;

  gmcp_server_exchange_reply_error (
    exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
    "Invalid params: " GMCP_META_LOG_LEVEL " is none of the log levels", NULL);
  return FALSE;
}

static gboolean
accept_request (gpointer state, GmcpServerExchange *exchange)
{
  GmcpJsonValue meta = gmcp_server_exchange_get_meta (exchange);
  GmcpJsonValue requested = gmcp_json_value_get_member (meta, GMCP_META_PROTOCOL_VERSION);
  GmcpJsonValue client = gmcp_json_value_get_member (meta, GMCP_META_CLIENT_INFO);
  g_autofree char *version = NULL;
  const char *known;

  if (gmcp_server_exchange_get_batch (exchange) != NULL)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_REQUEST,
                                        "Invalid request: this protocol version has no batches",
                                        NULL);
      return FALSE;
    }

  if (!gmcp_json_value_is_string (requested))
    {
      gmcp_server_exchange_reply_error (
        exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
        "Invalid params: _meta needs " GMCP_META_PROTOCOL_VERSION ", a string", NULL);
      return FALSE;
    }

  if (!gmcp_server_headers_check_version (exchange, requested))
    return FALSE;

  version = gmcp_json_value_dup_string (requested);
  known = gmcp_protocol_lookup_version (version);
  gmcp_server_exchange_set_protocol_version (exchange, known);
  if (known == NULL || gmcp_protocol_get_era (known) != GMCP_ERA_MODERN)
    {
      refuse_version (exchange, requested);
      return FALSE;
    }

  if (!gmcp_json_value_is_object (gmcp_json_value_get_member (meta, GMCP_META_CLIENT_CAPABILITIES)))
    {
      gmcp_server_exchange_reply_error (
        exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
        "Invalid params: _meta needs " GMCP_META_CLIENT_CAPABILITIES ", an object", NULL);
      return FALSE;
    }

  if (!gmcp_server_headers_check_names (exchange) || !check_log_level (exchange, meta)
      || !gmcp_server_round_check (exchange))
    return FALSE;

  if (gmcp_json_value_is_object (client))
    gmcp_server_exchange_set_client_info (exchange, client);
  return TRUE;
}

static void
handle_discover (GmcpServerExchange *exchange)
{
  GmcpServer *server = gmcp_server_exchange_get_server (exchange);
  g_autofree char *instructions = gmcp_server_dup_instructions (server);
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  gmcp_json_writer_key (&writer, "supportedVersions");
  gmcp_server_write_versions (&writer, GMCP_ERA_AUTO);
  gmcp_json_writer_key (&writer, "capabilities");
  gmcp_json_writer_raw (&writer, gmcp_server_get_capabilities_json (server), -1);
  if (instructions != NULL)
    gmcp_json_writer_member_string (&writer, "instructions", instructions);
  gmcp_server_exchange_get_era (exchange)->write_cache_members (exchange, &writer);
  gmcp_server_exchange_end_result (exchange, &writer);
}

/* Results */

static void
write_result_members (GmcpServerExchange *exchange, GmcpJsonWriter *writer, GmcpJsonValue meta)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_member_string (writer, GMCP_MEMBER_RESULT_TYPE, GMCP_RESULT_TYPE_COMPLETE);
  gmcp_json_writer_key (writer, GMCP_MEMBER_META);
  gmcp_json_writer_begin_object (writer);
  if (gmcp_server_exchange_ends_by (exchange, on_subscription_ended))
    gmcp_json_writer_member_value (writer, GMCP_META_SUBSCRIPTION_ID,
                                   gmcp_server_exchange_get_id (exchange));
  gmcp_json_writer_key (writer, GMCP_META_SERVER_INFO);
  gmcp_json_writer_raw (writer,
                        gmcp_server_get_info_json (gmcp_server_exchange_get_server (exchange)), -1);

  if (gmcp_json_value_is_object (meta))
    {
      gmcp_json_iter_init (&iter, meta);
      while (gmcp_json_iter_next (&iter, &key, &value))
        {
          g_autofree char *name = gmcp_json_value_dup_string (key);

          if (strcmp (name, GMCP_META_SERVER_INFO) != 0)
            gmcp_json_writer_member_value (writer, name, value);
        }
    }

  gmcp_json_writer_end_object (writer);
}

static void
write_cache_members (GmcpServerExchange *exchange, GmcpJsonWriter *writer)
{
  GmcpServer *server = gmcp_server_exchange_get_server (exchange);

  gmcp_json_writer_member_int64 (writer, "ttlMs", gmcp_server_get_list_ttl_ms (server));
  /* What the application wrote into its descriptions is not known here. */
  gmcp_json_writer_member_string (writer, "cacheScope", "private");
}

static gboolean
bad_arguments_are_results (GmcpServerExchange *exchange)
{
  return TRUE;
}

/* Subscriptions */

/* Up to the members of params that follow _meta. */
static GmcpJsonWriter
begin_notification (Subscription *subscription, const char *method)
{
  GString *out = gmcp_server_connection_begin_message (
    gmcp_server_exchange_get_connection (subscription->exchange));
  GmcpJsonWriter writer;

  gmcp_rpc_write_notification_start (out, method);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
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
  gmcp_json_writer_end_object (writer);
  g_string_append_c (writer->out, '}');
  gmcp_server_connection_send_message (gmcp_server_exchange_get_connection (subscription->exchange),
                                       method,
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
handle_listen (GmcpServerExchange *exchange)
{
  Streams *streams = gmcp_server_connection_get_state (
    gmcp_server_exchange_get_connection (exchange), &gmcp_server_era_modern);
  GmcpServerCatalog *catalog = get_catalog (exchange);
  GmcpJsonValue filter
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "notifications");
  Subscription wanted = { 0 };
  g_autoptr (GPtrArray) uris = NULL;
  Subscription *subscription;
  gboolean good = gmcp_json_value_is_object (filter) && read_lists (&wanted, catalog, filter)
                  && read_uris (&wanted, catalog, filter);

  uris = g_steal_pointer (&wanted.uris);
  if (!good)
    {
      gmcp_server_exchange_reply_error (
        exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
        "Invalid params: notifications has to be an object of what to listen to", NULL);
      return;
    }

  wanted.exchange = gmcp_server_exchange_keep (exchange, on_subscription_ended, streams);
  if (wanted.exchange == NULL)
    return;

  subscription = g_new0 (Subscription, 1);
  *subscription = wanted;
  subscription->uris = g_steal_pointer (&uris);
  for (guint i = 0; subscription->uris != NULL && i < subscription->uris->len; i++)
    gmcp_server_catalog_watch (catalog, g_ptr_array_index (subscription->uris, i));
  g_ptr_array_add (streams->subscriptions, subscription);
  acknowledge_subscription (subscription);
}

static void
list_changed (gpointer state, GmcpServerConnection *connection, GmcpServerSubject subject)
{
  Streams *streams = state;

  for (guint i = 0; i < streams->subscriptions->len; i++)
    {
      Subscription *subscription = g_ptr_array_index (streams->subscriptions, i);
      GmcpJsonWriter writer;

      if (!subscription->lists[subject])
        continue;

      writer = begin_notification (subscription, list_notifications[subject]);
      send_notification (subscription, &writer, list_notifications[subject]);
    }
}

static void
resource_updated (gpointer state, GmcpServerConnection *connection, const char *uri)
{
  Streams *streams = state;

  for (guint i = 0; i < streams->subscriptions->len; i++)
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

static GmcpLogLevel
get_log_level (gpointer state, const GmcpServerExchange *exchange)
{
  return gmcp_log_level_read (
    gmcp_json_value_get_member (gmcp_server_exchange_get_meta (exchange), GMCP_META_LOG_LEVEL));
}

/* A question of this era is an interim result, after which the client sends the request again. */
static void
ask_client (gpointer state,
            GmcpServerExchange *exchange,
            gpointer asker,
            GmcpServerQuestionKind kind,
            GmcpInputRequest *question,
            GTask *task)
{
  gmcp_server_round_ask (gmcp_server_caller_get_round (asker), kind, question, task);
}

/* The specification's page on subscriptions wants the result, the one on cancellation also a
 * notification, which tells nothing new to whoever has had the result. */
static void
end_subscription (Subscription *subscription)
{
  GmcpServerExchange *exchange = subscription->exchange;
  GmcpServerConnection *connection = gmcp_server_exchange_get_connection (exchange);
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);
  GString *out;

  gmcp_server_exchange_end_result (exchange, &writer);

  out = gmcp_server_connection_begin_message (connection);
  gmcp_rpc_write_notification_start (out, GMCP_NOTIFICATION_CANCELLED);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_value (&writer, "requestId", gmcp_server_exchange_get_id (exchange));
  gmcp_json_writer_end_object (&writer);
  g_string_append_c (out, '}');
  gmcp_server_connection_send_message (connection, GMCP_NOTIFICATION_CANCELLED,
                                       gmcp_server_exchange_get_id (exchange));
}

static void
stop_streams (gpointer state)
{
  Streams *streams = state;
  g_autoptr (GPtrArray) subscriptions = g_steal_pointer (&streams->subscriptions);

  streams->subscriptions = g_ptr_array_new_with_free_func (subscription_free);
  for (guint i = 0; i < subscriptions->len; i++)
    end_subscription (g_ptr_array_index (subscriptions, i));
}

static const GmcpServerMethod methods[] = {
  { METHOD_DISCOVER, handle_discover },
  { METHOD_LISTEN, handle_listen },
  { NULL },
};

static const GmcpServerNotification notifications[] = {
  { NULL },
};

static gboolean
claims_message (gpointer state, const GmcpRpcMessage *message)
{
  GmcpJsonValue meta = gmcp_json_value_get_member (message->params, GMCP_MEMBER_META);

  return gmcp_json_value_is_present (gmcp_json_value_get_member (meta, GMCP_META_PROTOCOL_VERSION))
         || gmcp_server_method_find (methods, message->method) != NULL;
}

const GmcpServerEra gmcp_server_era_modern = {
  .methods = methods,
  .notifications = notifications,
  .state_new = streams_new,
  .state_free = streams_free,
  .claims = claims_message,
  .accept = accept_request,
  .write_result_members = write_result_members,
  .write_cache_members = write_cache_members,
  .bad_arguments_are_results = bad_arguments_are_results,
  .check_headers = gmcp_server_headers_check_arguments,
  .unknown_resource_code = GMCP_RPC_ERROR_INVALID_PARAMS,
  .get_log_level = get_log_level,
  .ask = ask_client,
  .list_changed = list_changed,
  .resource_updated = resource_updated,
  .stop = stop_streams,
};
