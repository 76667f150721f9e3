/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-private.h"

/* Revisions 2024-11-05 to 2025-11-25: initialize opens a session for the whole connection, and what
 * it settled holds for each request after it. */

#define METHOD_INITIALIZE        "initialize"
#define METHOD_PING              "ping"
#define NOTIFICATION_INITIALIZED "notifications/initialized"

typedef struct
{
  const char *version; /* NULL until initialize */
  GmcpImplementation *client;
  gboolean ready; /* the client said that it is */
} Session;

static gpointer
session_new (GmcpServerConnection *connection)
{
  return g_new0 (Session, 1);
}

static void
session_free (gpointer state)
{
  Session *session = state;

  g_clear_pointer (&session->client, gmcp_implementation_unref);
  g_free (session);
}

static Session *
get_session (GmcpServerConnection *connection)
{
  return gmcp_server_connection_get_state (connection, &gmcp_server_era_legacy);
}

static gboolean
claims (gpointer state, const GmcpRpcMessage *message)
{
  Session *session = state;

  return session->version != NULL
         || gmcp_json_value_equals_string (message->method, METHOD_INITIALIZE)
         || gmcp_json_value_equals_string (message->method, METHOD_PING);
}

static gboolean
accept_request (gpointer state, GmcpServerExchange *exchange)
{
  Session *session = state;

  exchange->protocol_version
    = session->version != NULL ? session->version : GMCP_PROTOCOL_VERSION_NEWEST_LEGACY;
  exchange->client = session->client;
  return TRUE;
}

static gboolean
takes_batch (gpointer state)
{
  return g_strcmp0 (((Session *) state)->version, GMCP_PROTOCOL_VERSION_2025_03_26) == 0;
}

/* The one asked for where it is known, else the newest: then the client decides. */
static const char *
negotiate (GmcpJsonValue requested)
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
  GmcpServer *server = exchange->connection->server;
  const char *instructions = gmcp_server_get_instructions (server);
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  gmcp_json_writer_member_string (&writer, "protocolVersion", version);
  gmcp_json_writer_key (&writer, "capabilities");
  gmcp_json_writer_raw (&writer, gmcp_server_get_capabilities_json (server), -1);
  gmcp_json_writer_key (&writer, "serverInfo");
  gmcp_json_writer_raw (&writer, gmcp_server_get_info_json (server), -1);
  if (instructions != NULL)
    gmcp_json_writer_member_string (&writer, "instructions", instructions);
  gmcp_server_exchange_end_result (exchange, &writer);
}

static void
handle_initialize (GmcpServerExchange *exchange)
{
  Session *session = get_session (exchange->connection);
  GmcpJsonValue requested = gmcp_json_value_get_member (exchange->params, "protocolVersion");
  GmcpJsonValue client = gmcp_json_value_get_member (exchange->params, "clientInfo");

  if (exchange->batch != NULL)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_REQUEST,
                                        "Invalid request: initialize must not be in a batch", NULL);
      return;
    }

  if (!gmcp_json_value_is_string (requested))
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: protocolVersion is missing or no string",
                                        NULL);
      return;
    }

  session->version = negotiate (requested);
  session->ready = FALSE;
  g_clear_pointer (&session->client, gmcp_implementation_unref);
  if (gmcp_json_value_is_object (client))
    {
      g_autofree char *json = gmcp_json_value_dup_raw (client);

      session->client = gmcp_implementation_new_from_json (json, NULL);
    }

  write_initialize_result (exchange, session->version);
}

static void
handle_ping (GmcpServerExchange *exchange)
{
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  gmcp_server_exchange_end_result (exchange, &writer);
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
write_cache_members (GmcpServerExchange *exchange, GmcpJsonWriter *writer)
{
}

/* Revision 2025-11-25 made them results; in those before it they are errors of the protocol. */
static gboolean
bad_arguments_are_results (GmcpServerExchange *exchange)
{
  return strcmp (exchange->protocol_version, GMCP_PROTOCOL_VERSION_2025_11_25) >= 0;
}

static void
tools_changed (gpointer state, GmcpServerConnection *connection)
{
  Session *session = state;
  GString *out;

  if (!session->ready)
    return;

  out = gmcp_server_connection_begin_message (connection);
  gmcp_rpc_write_notification_start (out, GMCP_NOTIFICATION_TOOLS_LIST_CHANGED);
  g_string_append (out, "{}}");
  gmcp_server_connection_send_message (connection, GMCP_NOTIFICATION_TOOLS_LIST_CHANGED);
}

static const GmcpServerMethod methods[] = {
  { METHOD_INITIALIZE, handle_initialize },
  { METHOD_PING, handle_ping },
  { NULL },
};

static const GmcpServerNotification notifications[] = {
  { NOTIFICATION_INITIALIZED, on_initialized },
  { NULL },
};

const GmcpServerEra gmcp_server_era_legacy = {
  .methods = methods,
  .notifications = notifications,
  .state_new = session_new,
  .state_free = session_free,
  .claims = claims,
  .accept = accept_request,
  .takes_batch = takes_batch,
  .write_result_members = write_result_members,
  .write_cache_members = write_cache_members,
  .bad_arguments_are_results = bad_arguments_are_results,
  .structured_is_object = TRUE,
  .tools_changed = tools_changed,
};
