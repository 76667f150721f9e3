/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-capabilities-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-log-message-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-dispatch-private.h"
#include "gmcp-server-era-legacy-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-questions-private.h"
#include "gmcp-server-resources-private.h"

/* Revisions 2024-11-05 to 2025-11-25: initialize opens a session for the whole connection, and what
 * it settled holds for each request after it. */

#define METHOD_INITIALIZE        "initialize"
#define METHOD_PING              "ping"
#define METHOD_SET_LEVEL         "logging/setLevel"
#define METHOD_SUBSCRIBE         "resources/subscribe"
#define METHOD_UNSUBSCRIBE       "resources/unsubscribe"
#define NOTIFICATION_INITIALIZED "notifications/initialized"

typedef struct
{
  GmcpServerConnection *connection; /* not owned */
  const char *version;              /* NULL until initialize */
  gboolean excluded;                /* no request is of this era */
  GmcpImplementation *client;
  GmcpCapabilities *capabilities;                 /* of the client; NULL until initialize */
  gboolean ready;                                 /* the client said that it is */
  GmcpLogLevel log_level;                         /* UNSET until the client has said one */
  gboolean takes[GMCP_SERVER_QUESTION_ROOTS + 1]; /* what the client can be asked */
  GHashTable *subscribed;                         /* set of addresses; NULL before the first */
  gsize subscribed_bytes;                         /* of them */
  GmcpServerToldTasks *told_tasks;                /* NULL before the first */
} Session;

static gpointer
session_new (GmcpServerConnection *connection)
{
  Session *session = g_new0 (Session, 1);

  session->connection = connection;
  return session;
}

static void
session_free (gpointer state)
{
  Session *session = state;

  g_clear_pointer (&session->client, gmcp_implementation_unref);
  g_clear_pointer (&session->capabilities, gmcp_capabilities_unref);
  g_clear_pointer (&session->told_tasks, gmcp_server_told_tasks_free);
  g_clear_pointer (&session->subscribed, g_hash_table_unref);
  g_free (session);
}

static Session *
get_session (GmcpServerConnection *connection)
{
  return gmcp_server_connection_get_state (connection, &gmcp_server_era_legacy);
}

GmcpServerToldTasks *
gmcp_server_era_legacy_get_told_tasks (GmcpServerConnection *connection)
{
  Session *session = get_session (connection);

  if (session->told_tasks == NULL)
    session->told_tasks = gmcp_server_told_tasks_new (connection);
  return session->told_tasks;
}

void
gmcp_server_era_legacy_assume (GmcpServerConnection *connection, const char *version)
{
  get_session (connection)->version = version;
}

void
gmcp_server_era_legacy_exclude (GmcpServerConnection *connection)
{
  get_session (connection)->excluded = TRUE;
}

gboolean
gmcp_server_era_legacy_is_opening (GmcpJsonValue method)
{
  return gmcp_json_value_equals_string (method, METHOD_INITIALIZE);
}

static gboolean
claims_message (gpointer state, const GmcpRpcMessage *message)
{
  Session *session = state;

  if (session->excluded)
    return FALSE;
  return session->version != NULL
         || gmcp_json_value_equals_string (message->method, METHOD_INITIALIZE)
         || gmcp_json_value_equals_string (message->method, METHOD_PING);
}

static gboolean
accept_request (gpointer state, GmcpServerExchange *exchange)
{
  Session *session = state;

  gmcp_server_exchange_set_protocol_version (
    exchange, session->version != NULL ? session->version : GMCP_PROTOCOL_VERSION_NEWEST_LEGACY);
  gmcp_server_exchange_set_client (exchange, session->client);
  return TRUE;
}

static gboolean
takes_batch (gpointer state)
{
  return g_strcmp0 (((Session *) state)->version, GMCP_PROTOCOL_VERSION_2025_03_26) == 0;
}

/* The revision asked for where it is known, else the newest: then the client decides. */
static const char *
negotiate_version (GmcpJsonValue requested)
{
  g_autofree char *text = gmcp_json_value_dup_string (requested);
  const char *version = gmcp_protocol_lookup_version (text);

  if (version != NULL && gmcp_protocol_get_era (version) == GMCP_ERA_LEGACY)
    return version;
  return GMCP_PROTOCOL_VERSION_NEWEST_LEGACY;
}

static void
write_initialize_result (GmcpServerExchange *exchange, const char *version)
{
  GmcpServer *server = gmcp_server_exchange_get_server (exchange);
  GmcpServerCatalog *catalog = gmcp_server_get_catalog (server);
  g_autofree char *instructions = gmcp_server_dup_instructions (server);
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  gmcp_json_writer_member_string (&writer, "protocolVersion", version);
  gmcp_json_writer_key (&writer, "capabilities");
  gmcp_json_writer_begin_object (&writer);
  gmcp_server_catalog_write_capabilities (
    catalog, &writer,
    !gmcp_server_connection_is_passing (gmcp_server_exchange_get_connection (exchange)));
  if (gmcp_server_catalog_offers_tasks (catalog)
      && g_str_equal (version, GMCP_PROTOCOL_VERSION_2025_11_25))
    gmcp_server_era_legacy_write_task_capability (exchange, &writer);
  gmcp_server_identity_write_extensions (gmcp_server_get_identity (server), &writer, NULL);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_key (&writer, "serverInfo");
  gmcp_json_writer_raw (&writer, gmcp_server_identity_get_json (gmcp_server_get_identity (server)),
                        -1);
  if (instructions != NULL)
    gmcp_json_writer_member_string (&writer, "instructions", instructions);
  gmcp_server_exchange_end_result (exchange, &writer);
}

/* What is wrong with the params of initialize; NULL for nothing. */
static const char *
find_fault (GmcpJsonValue params)
{
  gsize capabilities_bytes;
  gsize client_bytes;

  if (!gmcp_json_value_is_string (gmcp_json_value_get_member (params, "protocolVersion")))
    return "Invalid params: protocolVersion is missing or no string";

  /* All that a session keeps of it. */
  gmcp_json_value_peek_raw (gmcp_json_value_get_member (params, "capabilities"),
                            &capabilities_bytes);
  gmcp_json_value_peek_raw (gmcp_json_value_get_member (params, "clientInfo"), &client_bytes);
  if (capabilities_bytes > GMCP_LIMIT_CLIENT_BYTES || client_bytes > GMCP_LIMIT_CLIENT_BYTES)
    return "Invalid params: capabilities and clientInfo may have 65536 bytes each";
  return NULL;
}

gboolean
gmcp_server_era_legacy_opens (const GmcpRpcMessage *message)
{
  return gmcp_server_era_legacy_is_opening (message->method)
         && gmcp_server_dispatch_get_kind (message) == GMCP_RPC_REQUEST
         && find_fault (message->params) == NULL;
}

static void
handle_initialize (GmcpServerExchange *exchange)
{
  Session *session = get_session (gmcp_server_exchange_get_connection (exchange));
  GmcpJsonValue params = gmcp_server_exchange_get_params (exchange);
  GmcpJsonValue capabilities = gmcp_json_value_get_member (params, "capabilities");
  GmcpJsonValue client = gmcp_json_value_get_member (params, "clientInfo");
  const char *fault = find_fault (params);

  if (gmcp_server_exchange_get_batch (exchange) != NULL)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_REQUEST,
                                        "Invalid request: initialize must not be in a batch", NULL);
      return;
    }

  if (fault != NULL)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS, fault, NULL);
      return;
    }

  session->version = negotiate_version (gmcp_json_value_get_member (params, "protocolVersion"));
  session->ready = FALSE;
  for (guint i = GMCP_SERVER_QUESTION_FORM; i < G_N_ELEMENTS (session->takes); i++)
    session->takes[i] = gmcp_server_question_is_taken (i, capabilities);
  g_clear_pointer (&session->capabilities, gmcp_capabilities_unref);
  session->capabilities = gmcp_capabilities_new_from_value (capabilities);
  g_clear_pointer (&session->client, gmcp_implementation_unref);
  if (gmcp_json_value_is_object (client))
    {
      g_autofree char *json = gmcp_json_value_dup_raw (client);

      session->client = gmcp_implementation_new_from_json (json, NULL);
    }

  write_initialize_result (exchange, session->version);
}

static void
reply_empty (GmcpServerExchange *exchange)
{
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  gmcp_server_exchange_end_result (exchange, &writer);
}

/* What would be kept for a client that has no session ends with this request. */
static gboolean
refuse_without_session (GmcpServerExchange *exchange)
{
  if (!gmcp_server_connection_is_passing (gmcp_server_exchange_get_connection (exchange)))
    return FALSE;

  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_METHOD_NOT_FOUND,
                                    "Method not found: this server keeps no sessions", NULL);
  return TRUE;
}

static void
handle_set_level (GmcpServerExchange *exchange)
{
  Session *session = get_session (gmcp_server_exchange_get_connection (exchange));
  GmcpLogLevel level = gmcp_log_level_read (
    gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "level"));

  if (refuse_without_session (exchange))
    return;
  if (level == GMCP_LOG_LEVEL_UNSET)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: level is none of the log levels", NULL);
      return;
    }

  session->log_level = level;
  reply_empty (exchange);
}

static void
handle_subscribe (GmcpServerExchange *exchange)
{
  Session *session = get_session (gmcp_server_exchange_get_connection (exchange));
  g_autofree char *uri = gmcp_server_resources_dup_uri (exchange);

  if (uri == NULL || refuse_without_session (exchange))
    return;

  if (session->subscribed == NULL)
    session->subscribed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!g_hash_table_contains (session->subscribed, uri))
    {
      if (g_hash_table_size (session->subscribed) >= GMCP_LIMIT_SERVER_SUBSCRIBED
          || strlen (uri) > GMCP_LIMIT_SERVER_SUBSCRIBED_BYTES - session->subscribed_bytes)
        {
          gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INTERNAL,
                                            "Internal error: too many resources are subscribed to",
                                            NULL);
          return;
        }
      gmcp_server_catalog_watch (
        gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange)), uri);
      session->subscribed_bytes += strlen (uri);
      g_hash_table_add (session->subscribed, g_steal_pointer (&uri));
    }
  reply_empty (exchange);
}

static void
handle_unsubscribe (GmcpServerExchange *exchange)
{
  Session *session = get_session (gmcp_server_exchange_get_connection (exchange));
  g_autofree char *uri = gmcp_server_resources_dup_uri (exchange);

  if (uri == NULL || refuse_without_session (exchange))
    return;

  if (session->subscribed != NULL && g_hash_table_remove (session->subscribed, uri))
    {
      session->subscribed_bytes -= strlen (uri);
      gmcp_server_catalog_unwatch (
        gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange)), uri);
    }
  reply_empty (exchange);
}

static void
stop_session (gpointer state)
{
  Session *session = state;
  GHashTableIter iter;
  gpointer uri;

  if (session->subscribed == NULL)
    return;

  g_hash_table_iter_init (&iter, session->subscribed);
  while (g_hash_table_iter_next (&iter, &uri, NULL))
    gmcp_server_catalog_unwatch (
      gmcp_server_get_catalog (gmcp_server_connection_get_server (session->connection)), uri);
  g_hash_table_remove_all (session->subscribed);
  session->subscribed_bytes = 0;
}

static void
on_initialized (GmcpServerConnection *connection, GmcpJsonValue params)
{
  Session *session = get_session (connection);

  session->ready = session->version != NULL;
}

static void
write_result_members (GmcpServerExchange *exchange, GmcpJsonWriter *writer, GmcpJsonValue meta)
{
  if (gmcp_json_value_is_object (meta))
    gmcp_json_writer_member_value (writer, GMCP_MEMBER_META, meta);
}

static void
write_cache_members (GmcpServerExchange *exchange,
                     GmcpJsonWriter *writer,
                     gint64 ttl_ms,
                     GmcpCacheScope scope)
{
}

/* Revision 2025-11-25 made them results; in those before it they are errors of the protocol. */
static gboolean
bad_arguments_are_results (GmcpServerExchange *exchange)
{
  return strcmp (gmcp_server_exchange_get_protocol_version (exchange),
                 GMCP_PROTOCOL_VERSION_2025_11_25)
         >= 0;
}

static GmcpCapabilities *
new_client_capabilities (gpointer state, const GmcpServerExchange *exchange)
{
  Session *session = state;

  return session->capabilities != NULL ? gmcp_capabilities_ref (session->capabilities) : NULL;
}

static gboolean
has_default_log_level (gpointer state)
{
  return ((const Session *) state)->log_level == GMCP_LOG_LEVEL_UNSET;
}

static GmcpLogLevel
get_log_level (gpointer state, const GmcpServerExchange *exchange)
{
  const Session *session = state;

  return session->log_level != GMCP_LOG_LEVEL_UNSET ? session->log_level : GMCP_LOG_LEVEL_INFO;
}

static gboolean
takes_question (gpointer state, const GmcpServerExchange *exchange, GmcpServerQuestionKind kind)
{
  return ((Session *) state)->takes[kind];
}

/* A question of this era is a request to the client. */
static void
ask_client (gpointer state,
            GmcpServerExchange *exchange,
            gpointer asker,
            GmcpServerQuestionKind kind,
            GmcpInputRequest *question,
            GTask *task)
{
  g_autoptr (GTask) owned = task;

  if (takes_question (state, exchange, kind) && kind == GMCP_SERVER_QUESTION_URL
      && gmcp_elicitation_ends_call (GMCP_ELICITATION (question)))
    gmcp_server_era_legacy_refuse_for_visit (exchange, asker, GMCP_ELICITATION (question), task);
  else if (takes_question (state, exchange, kind))
    gmcp_server_questions_ask (exchange, asker, kind, question, NULL, g_steal_pointer (&owned));
  else
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
                             _ ("The client has said that it cannot be asked this"));
}

static const char *const list_notifications[GMCP_SERVER_N_SUBJECTS] = {
  [GMCP_SERVER_SUBJECT_TOOLS] = GMCP_NOTIFICATION_TOOLS_LIST_CHANGED,
  [GMCP_SERVER_SUBJECT_RESOURCES] = GMCP_NOTIFICATION_RESOURCES_LIST_CHANGED,
  [GMCP_SERVER_SUBJECT_PROMPTS] = GMCP_NOTIFICATION_PROMPTS_LIST_CHANGED,
};

static void
list_changed (gpointer state, GmcpServerConnection *connection, GmcpServerSubject subject)
{
  Session *session = state;
  GmcpServerOutbox *outbox = gmcp_server_connection_get_outbox (connection);
  GmcpJsonWriter writer;

  if (!session->ready)
    return;

  writer = gmcp_server_outbox_begin_notification (outbox, list_notifications[subject]);
  gmcp_server_outbox_send_notification (outbox, &writer, list_notifications[subject],
                                        GMCP_JSON_NONE);
}

static void
resource_updated (gpointer state, GmcpServerConnection *connection, const char *uri)
{
  Session *session = state;
  GmcpServerOutbox *outbox = gmcp_server_connection_get_outbox (connection);
  GmcpJsonWriter writer;

  if (session->subscribed == NULL || !g_hash_table_contains (session->subscribed, uri))
    return;

  writer = gmcp_server_outbox_begin_notification (outbox, GMCP_NOTIFICATION_RESOURCES_UPDATED);
  gmcp_json_writer_member_string (&writer, "uri", uri);
  gmcp_server_outbox_send_notification (outbox, &writer, GMCP_NOTIFICATION_RESOURCES_UPDATED,
                                        GMCP_JSON_NONE);
}

static const GmcpServerMethod methods[] = {
  { METHOD_INITIALIZE, handle_initialize },
  { METHOD_PING, reply_empty },
  { METHOD_SET_LEVEL, handle_set_level },
  { METHOD_SUBSCRIBE, handle_subscribe, GMCP_SERVER_SUBJECT_UPDATES },
  { METHOD_UNSUBSCRIBE, handle_unsubscribe, GMCP_SERVER_SUBJECT_UPDATES },
  { NULL },
};

static const GmcpServerNotification notifications[] = {
  { NOTIFICATION_INITIALIZED, on_initialized },
  { NULL },
};

const GmcpServerEra gmcp_server_era_legacy = {
  .methods = methods,
  .task_methods = gmcp_server_era_legacy_task_methods,
  .notifications = notifications,
  .tasks = &gmcp_server_era_legacy_tasks,
  .state_new = session_new,
  .state_free = session_free,
  .claims = claims_message,
  .accept = accept_request,
  .takes_batch = takes_batch,
  .write_result_members = write_result_members,
  .write_cache_members = write_cache_members,
  .bad_arguments_are_results = bad_arguments_are_results,
  .structured_is_object = TRUE,
  .unknown_resource_code = -32002,
  .new_client_capabilities = new_client_capabilities,
  .get_log_level = get_log_level,
  .has_default_log_level = has_default_log_level,
  .takes_question = takes_question,
  .ask = ask_client,
  .watch_visit = gmcp_server_era_legacy_watch_visit,
  .list_changed = list_changed,
  .resource_updated = resource_updated,
  .stop = stop_session,
};
