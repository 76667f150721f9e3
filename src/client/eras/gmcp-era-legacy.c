/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-legacy-private.h"

#include "gmcp-session-headers-private.h"
#include "gmcp-session-retry-private.h"
#include "gmcp-client-served-tasks-private.h"
#include "gmcp-client-logging-private.h"
#include "gmcp-client-kept-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-implementation-private.h"
#include "gmcp-protocol-private.h"

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
take_session (GmcpClient *self, const GmcpRpcMessage *reply, GError **error)
{
  g_autofree char *answered
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (reply->result, "protocolVersion"));
  const char *version = accept_version (answered);

  if (!gmcp_client_check_handshake (self, reply->result, error))
    return FALSE;
  if (version == NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                   _ ("%s answered with the revision “%s” of MCP, which is "
                      "not known here; a newer gmcp may help"),
                   gmcp_client_describe (self), answered != NULL ? answered : "");
      return FALSE;
    }

  gmcp_client_set_server (self, &gmcp_client_era_legacy, version,
                          gmcp_json_value_get_member (reply->result, "serverInfo"),
                          gmcp_json_value_get_member (reply->result, "capabilities"),
                          gmcp_json_value_get_member (reply->result, "instructions"));
  gmcp_client_tell (self, NOTIFICATION_INITIALIZED, "{}");
  gmcp_client_begin_session (self);
  gmcp_client_begin_logging (self);
  return TRUE;
}

static void
on_initialized (GmcpClient *self,
                GmcpExchange *exchange,
                const GmcpRpcMessage *reply,
                GError *error)
{
  /* Of an opening before. */
  if (self->initialize != exchange)
    {
      g_clear_error (&error);
      return;
    }

  self->initialize = NULL;
  if (error != NULL)
    gmcp_client_open_not_initialized (self, error, exchange->http_status);
  else if (take_session (self, reply, &error))
    gmcp_client_open_initialized (self);
  else
    gmcp_client_open_failed (self, error);
}

/* Where the request cannot be sent, it has ended when this returns. */
static void
initialize (GmcpClient *self,
            GmcpExchange **slot,
            const char *version,
            GmcpExchangeFunc done,
            guint timeout_ms)
{
  g_autofree char *info = gmcp_implementation_dup_json (self->client_info);
  GmcpJsonWriter params;
  GmcpExchange *exchange
    = gmcp_client_begin_request (self, METHOD_INITIALIZE, done, timeout_ms, &params);

  exchange->silent = TRUE;
  *slot = exchange;
  gmcp_json_writer_member_string (&params, "protocolVersion", version);
  gmcp_json_writer_key (&params, "capabilities");
  gmcp_json_writer_begin_object (&params);
  gmcp_client_write_input_capabilities (self, version, &params);
  gmcp_client_write_own_task_capabilities (self, version, &params);
  gmcp_json_writer_end_object (&params);
  gmcp_json_writer_key (&params, "clientInfo");
  gmcp_json_writer_raw (&params, info, -1);
  gmcp_client_end_request (self, exchange, &params);
}

void
gmcp_client_legacy_initialize (GmcpClient *self, const char *version)
{
  g_clear_pointer (&self->meta_members, g_free);
  self->era = &gmcp_client_era_legacy;
  initialize (self, &self->initialize,
              version != NULL ? version : GMCP_PROTOCOL_VERSION_NEWEST_LEGACY, on_initialized, 0);
}

static void
on_renewed (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  /* Of a connection before. */
  if (self->renewal != exchange)
    {
      g_clear_error (&error);
      return;
    }

  self->renewal = NULL;
  if (error == NULL && self->state == GMCP_CLIENT_OPEN)
    take_session (self, reply, &error);
  gmcp_client_session_renewed (self, error);
}

static void
renew (GmcpClient *self)
{
  initialize (self, &self->renewal, self->protocol_version, on_renewed, self->startup_timeout_ms);
}

/* Spec: MCP 2025-11-25, basic/transports, "Protocol Version Header". */
static void
dress (GmcpClient *self, GmcpOutgoing *outgoing, GPtrArray *headers)
{
  if (g_strcmp0 (outgoing->method, METHOD_INITIALIZE) == 0)
    {
      outgoing->begins_session = TRUE;
      return;
    }

  outgoing->before_others = g_strcmp0 (outgoing->method, NOTIFICATION_INITIALIZED) == 0;
  /* Dates compare as they read. */
  if (g_strcmp0 (self->protocol_version, GMCP_PROTOCOL_VERSION_2025_06_18) >= 0)
    gmcp_client_add_header (headers, "MCP-Protocol-Version", self->protocol_version);
}

static gboolean
check_result (GmcpClient *self, GmcpExchange *exchange, GmcpJsonValue result, GError **error)
{
  return gmcp_client_legacy_check_task (self, exchange, result, error);
}

static gboolean
check_error (GmcpClient *self, GmcpExchange *exchange, const GError *error)
{
  return !gmcp_client_legacy_take_visits (self, exchange, error);
}

static gboolean
keeps_requests (GmcpClient *self)
{
  /* The first revision in which the user may have to visit an address before a call. */
  return g_strcmp0 (self->protocol_version, GMCP_PROTOCOL_VERSION_2025_11_25) == 0
         && gmcp_client_listens (self);
}

static void
cancel (GmcpClient *self, gint64 id, const char *reason)
{
  g_autofree char *params
    = g_strdup_printf ("{\"requestId\":%" G_GINT64_FORMAT ",\"reason\":\"%s\"}", id, reason);

  gmcp_client_tell (self, GMCP_NOTIFICATION_CANCELLED, params);
  /* Nothing more is read from a stream of its own. */
  gmcp_transport_cancel_request (self->transport, id);
}

static GmcpExchange *
begin_ping (GmcpClient *self, GmcpExchangeFunc done, guint timeout_ms, GmcpJsonWriter *params)
{
  return gmcp_client_begin_request (self, METHOD_PING, done, timeout_ms, params);
}

static void
handle_request (GmcpClient *self, const GmcpRpcMessage *request)
{
  if (self->state == GMCP_CLIENT_OPEN
      && (gmcp_client_handle_question (self, request)
          || gmcp_client_handle_own_task (self, request)))
    return;

  g_string_truncate (self->out, 0);
  if (gmcp_json_value_equals_string (request->method, METHOD_PING))
    {
      gmcp_rpc_write_result_start (self->out, request->id);
      g_string_append (self->out, "{}}");
    }
  else
    gmcp_rpc_write_error (self->out, request->id, GMCP_RPC_ERROR_METHOD_NOT_FOUND,
                          "The client does not have this method", NULL);

  gmcp_client_reply (self);
}

static gboolean
handle_notification (GmcpClient *self, const GmcpRpcMessage *notification)
{
  if (gmcp_json_value_equals_string (notification->method, GMCP_NOTIFICATION_CANCELLED))
    {
      GmcpJsonValue id = gmcp_json_value_get_member (notification->params, "requestId");

      gmcp_client_forget_own_task_waiter (self, id);
      gmcp_client_cancel_question (self, id);
      return TRUE;
    }
  if (gmcp_json_value_equals_string (notification->method, NOTIFICATION_ELICITATION_COMPLETE))
    {
      gmcp_client_complete_visit (self, notification->params);
      return TRUE;
    }
  return gmcp_client_legacy_note_task (self, notification);
}

static void
roots_changed (GmcpClient *self)
{
  if (self->input.declares_roots)
    gmcp_client_tell (self, NOTIFICATION_ROOTS_LIST_CHANGED, "{}");
}

static const char *const reads[]
  = { METHOD_PING, "tasks/get", METHOD_TASKS_LIST, "tasks/result", NULL };

static GmcpExchange *
begin_set_log_level (GmcpClient *self,
                     const char *level,
                     GmcpExchangeFunc done,
                     guint timeout_ms,
                     GmcpJsonWriter *params)
{
  GmcpExchange *exchange
    = gmcp_client_begin_request (self, METHOD_SET_LOG_LEVEL, done, timeout_ms, params);

  gmcp_json_writer_member_string (params, "level", level);
  return exchange;
}

static gboolean
takes_batches (GmcpClient *self)
{
  return self->state == GMCP_CLIENT_OPEN
         && g_strcmp0 (self->protocol_version, GMCP_PROTOCOL_VERSION_2025_03_26) == 0;
}

const GmcpClientEra gmcp_client_era_legacy = {
  .id = GMCP_ERA_LEGACY,
  .empty_cursor_ends = TRUE,
  .lacks_empty_results = TRUE,
  .check_result = check_result,
  .check_error = check_error,
  .keeps_requests = keeps_requests,
  .cancel = cancel,
  .begin_ping = begin_ping,
  .open_stream = gmcp_client_legacy_open_stream,
  .close_stream = gmcp_client_legacy_close_stream,
  .forget_streams = gmcp_client_legacy_forget_streams,
  .find_stream = gmcp_client_legacy_find_stream,
  .handle_request = handle_request,
  .handle_notification = handle_notification,
  .reads = reads,
  .dress = dress,
  .renew = renew,
  .roots_changed = roots_changed,
  .begin_set_log_level = begin_set_log_level,
  .takes_batches = takes_batches,
  .offers_tasks = gmcp_client_legacy_offers_tasks,
  .can_cancel_tasks = gmcp_client_legacy_can_cancel_tasks,
  .task_list_method = METHOD_TASKS_LIST,
  .task_needs_input = gmcp_client_legacy_task_needs_input,
  .task_ended = gmcp_client_legacy_task_ended,
};
