/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-legacy-private.h"

#include "gmcp-input-private.h"
#include "gmcp-server-requests-private.h"

#include "gmcp-served-tasks-private.h"
#include "gmcp-logging-private.h"
#include "gmcp-kept-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-implementation-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-visits-private.h"

#define METHOD_INITIALIZE                 "initialize"
#define METHOD_TASKS_LIST                 "tasks/list"
#define METHOD_SET_LOG_LEVEL              "logging/setLevel"
#define METHOD_PING                       "ping"
#define NOTIFICATION_INITIALIZED          "notifications/initialized"
#define NOTIFICATION_ELICITATION_COMPLETE "notifications/elicitation/complete"
#define NOTIFICATION_ROOTS_LIST_CHANGED   "notifications/roots/list_changed"

/* What the server answers decides. One that answers a revision that came after its era is taken at
 * its word that the session is open, and spoken to as by the newest that has sessions. */
static const char *
accept_version (const char *answered)
{
  const char *known = gmcp_protocol_lookup_version (answered);

  if (known == NULL)
    return NULL;
  if (gmcp_protocol_get_era (known) == GMCP_ERA_LEGACY)
    return known;
  return GMCP_PROTOCOL_VERSION_NEWEST_LEGACY;
}

/* The session stands. */
static gboolean
take_session (GmcpSession *self, const GmcpRpcMessage *reply, GError **error)
{
  g_autofree char *answered
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (reply->result, "protocolVersion"));
  const char *version = accept_version (answered);

  if (!gmcp_kept_check_handshake (self, reply->result, error))
    return FALSE;
  if (version == NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                   _ ("%s answered with the revision “%s” of MCP, which is "
                      "not known here; a newer gmcp may help"),
                   gmcp_session_describe (self), answered != NULL ? answered : "");
      return FALSE;
    }

  gmcp_session_set_request_version (self, gmcp_session_get_request_version (self), NULL);
  gmcp_session_set_server (self, &gmcp_era_legacy, version,
                           gmcp_json_value_get_member (reply->result, "serverInfo"),
                           gmcp_json_value_get_member (reply->result, "capabilities"),
                           gmcp_json_value_get_member (reply->result, "instructions"));
  gmcp_session_tell (self, NOTIFICATION_INITIALIZED, "{}");
  gmcp_session_begin_in_transport (self);
  return TRUE;
}

static void
on_initialized (GmcpSession *self,
                GmcpExchange *exchange,
                const GmcpRpcMessage *reply,
                GError *error)
{
  /* The request is of an earlier opening. */
  if (!gmcp_session_end_initialize (self, exchange))
    {
      g_clear_error (&error);
      return;
    }

  if (error != NULL)
    gmcp_session_open_not_initialized (self, error, gmcp_exchange_get_http_status (exchange));
  else if (take_session (self, reply, &error))
    gmcp_session_open_initialized (self);
  else
    gmcp_session_open_failed (self, error);
}

/* Where the request cannot be sent, it has ended when this returns. */
static void
send_initialize (GmcpSession *self,
                 void (*note) (GmcpSession *self, GmcpExchange *exchange),
                 const char *version,
                 GmcpExchangeFunc done,
                 guint timeout_ms)
{
  g_autofree char *info = gmcp_implementation_dup_json (gmcp_session_get_client_info (self));
  GmcpJsonWriter params;
  GmcpExchange *exchange
    = gmcp_session_begin_request (self, METHOD_INITIALIZE, done, timeout_ms, &params);

  gmcp_exchange_set_silent (exchange);
  note (self, exchange);
  gmcp_json_writer_member_string (&params, "protocolVersion", version);
  gmcp_json_writer_key (&params, "capabilities");
  gmcp_json_writer_begin_object (&params);
  gmcp_input_write_capabilities (self, version, &params);
  gmcp_served_tasks_write_capabilities (self, version, &params);
  gmcp_json_writer_end_object (&params);
  gmcp_json_writer_key (&params, "clientInfo");
  gmcp_json_writer_raw (&params, info, -1);
  gmcp_session_end_request (self, exchange, &params);
}

static void
start_session (GmcpSession *self, const char *version)
{
  gmcp_session_set_request_version (self, gmcp_session_get_request_version (self), NULL);
  gmcp_session_set_tried_era (self, &gmcp_era_legacy);
  send_initialize (self, gmcp_session_set_initialize,
                   version != NULL ? version : GMCP_PROTOCOL_VERSION_NEWEST_LEGACY, on_initialized,
                   0);
}

static void
on_renewed (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  /* The renewal is of an earlier connection. */
  if (!gmcp_session_end_renewal (self, exchange))
    {
      g_clear_error (&error);
      return;
    }

  if (error == NULL && gmcp_session_is_open (self) && take_session (self, reply, &error))
    gmcp_logging_begin (self);
  gmcp_session_renewed (self, error);
}

static void
renew_session (GmcpSession *self)
{
  send_initialize (self, gmcp_session_set_renewal, gmcp_session_get_protocol_version (self),
                   on_renewed, gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT));
}

/* Spec: MCP 2025-11-25, basic/transports, "Protocol Version Header". */
static void
dress_outgoing (GmcpSession *self, GmcpOutgoing *outgoing, GPtrArray *headers)
{
  if (g_strcmp0 (outgoing->method, METHOD_INITIALIZE) == 0)
    {
      outgoing->begins_session = TRUE;
      return;
    }

  outgoing->before_others = g_strcmp0 (outgoing->method, NOTIFICATION_INITIALIZED) == 0;
  /* Dates compare as they read. */
  if (g_strcmp0 (gmcp_session_get_protocol_version (self), GMCP_PROTOCOL_VERSION_2025_06_18) >= 0)
    gmcp_session_add_header (headers, "MCP-Protocol-Version",
                             gmcp_session_get_protocol_version (self));
}

static gboolean
check_result (GmcpSession *self, GmcpExchange *exchange, GmcpJsonValue result, GError **error)
{
  return gmcp_era_legacy_check_task (self, exchange, result, error);
}

static gboolean
check_error (GmcpSession *self, GmcpExchange *exchange, const GError *error)
{
  return !gmcp_era_legacy_take_visits (self, exchange, error);
}

static gboolean
keeps_requests (GmcpSession *self)
{
  /* The first revision in which the user may have to visit an address before a call. */
  return g_strcmp0 (gmcp_session_get_protocol_version (self), GMCP_PROTOCOL_VERSION_2025_11_25) == 0
         && gmcp_input_listens (self);
}

static void
cancel_request (GmcpSession *self, gint64 id, const char *reason)
{
  g_autofree char *params
    = g_strdup_printf ("{\"requestId\":%" G_GINT64_FORMAT ",\"reason\":\"%s\"}", id, reason);

  gmcp_session_tell (self, GMCP_NOTIFICATION_CANCELLED, params);
  /* Nothing more is read from a stream of its own. */
  gmcp_transport_cancel_request (gmcp_session_get_transport (self), id);
}

static GmcpExchange *
begin_ping (GmcpSession *self, GmcpExchangeFunc done, guint timeout_ms, GmcpJsonWriter *params)
{
  return gmcp_session_begin_request (self, METHOD_PING, done, timeout_ms, params);
}

static void
handle_request (GmcpSession *self, const GmcpRpcMessage *request)
{
  if (gmcp_session_is_open (self)
      && (gmcp_server_requests_handle (self, request) || gmcp_served_tasks_handle (self, request)))
    return;

  if (gmcp_json_value_equals_string (request->method, METHOD_PING))
    gmcp_session_send_result (self, request->id, "{}");
  else
    gmcp_session_send_error (self, request->id, GMCP_RPC_ERROR_METHOD_NOT_FOUND,
                             "The client does not have this method");
}

static gboolean
handle_notification (GmcpSession *self, const GmcpRpcMessage *notification)
{
  if (gmcp_json_value_equals_string (notification->method, GMCP_NOTIFICATION_CANCELLED))
    {
      GmcpJsonValue id = gmcp_json_value_get_member (notification->params, "requestId");

      gmcp_served_tasks_forget_waiter (self, id);
      gmcp_server_requests_cancel (self, id);
      return TRUE;
    }
  if (gmcp_json_value_equals_string (notification->method, NOTIFICATION_ELICITATION_COMPLETE))
    {
      gmcp_visits_complete (self, notification->params);
      return TRUE;
    }
  return gmcp_era_legacy_note_task (self, notification);
}

static void
roots_changed (GmcpSession *self)
{
  if (gmcp_input_declares_roots (self))
    gmcp_session_tell (self, NOTIFICATION_ROOTS_LIST_CHANGED, "{}");
}

static const char *const reads[]
  = { METHOD_PING, "tasks/get", METHOD_TASKS_LIST, "tasks/result", NULL };

static GmcpExchange *
begin_set_log_level (GmcpSession *self,
                     const char *level,
                     GmcpExchangeFunc done,
                     guint timeout_ms,
                     GmcpJsonWriter *params)
{
  GmcpExchange *exchange
    = gmcp_session_begin_request (self, METHOD_SET_LOG_LEVEL, done, timeout_ms, params);

  gmcp_json_writer_member_string (params, "level", level);
  return exchange;
}

static gboolean
takes_batches (GmcpSession *self)
{
  return gmcp_session_is_open (self)
         && g_strcmp0 (gmcp_session_get_protocol_version (self), GMCP_PROTOCOL_VERSION_2025_03_26)
              == 0;
}

static const GmcpEraFeatures features = {
  .empty_cursor_ends = TRUE,
  .open_stream = gmcp_era_legacy_open_stream,
  .close_stream = gmcp_era_legacy_close_stream,
  .forget_streams = gmcp_era_legacy_forget_streams,
  .find_stream = gmcp_era_legacy_find_stream,
  .roots_changed = roots_changed,
  .begin_set_log_level = begin_set_log_level,
  .offers_tasks = gmcp_era_legacy_offers_tasks,
  .can_cancel_tasks = gmcp_era_legacy_can_cancel_tasks,
  .task_list_method = METHOD_TASKS_LIST,
  .task_needs_input = gmcp_era_legacy_task_needs_input,
  .task_ended = gmcp_era_legacy_task_ended,
};

const GmcpEraFuncs gmcp_era_legacy = {
  .id = GMCP_ERA_LEGACY,
  .lacks_empty_results = TRUE,
  .start = start_session,
  .check_result = check_result,
  .check_error = check_error,
  .keeps_requests = keeps_requests,
  .cancel = cancel_request,
  .begin_ping = begin_ping,
  .handle_request = handle_request,
  .handle_notification = handle_notification,
  .reads = reads,
  .dress = dress_outgoing,
  .renew = renew_session,
  .takes_batches = takes_batches,
  .features = &features,
};
