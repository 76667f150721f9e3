/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-modern-private.h"

#include "gmcp-input-private.h"

#include "gmcp-kept-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-implementation-private.h"
#include "gmcp-protocol-private.h"

#define METHOD_DISCOVER "server/discover"

static void on_discovered (GmcpSession *self,
                           GmcpExchange *exchange,
                           const GmcpRpcMessage *reply,
                           GError *error);

static void
send_discover (GmcpSession *self, const char *version)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  gmcp_era_modern_set_version (self, version);
  exchange = gmcp_session_begin_request (self, METHOD_DISCOVER, on_discovered, 0, &params);
  gmcp_exchange_set_silent (exchange);
  gmcp_exchange_set_asks_anew (exchange);
  gmcp_session_set_tried_era (self, &gmcp_era_modern);
  gmcp_session_set_probe (self, exchange);
  gmcp_session_end_request (self, exchange, &params);
}

static void
start_session (GmcpSession *self, const char *version)
{
  send_discover (self, version != NULL ? version : GMCP_PROTOCOL_VERSION_NEWEST_MODERN);
}

/* From the versions that a server named: one of this era, else the way to the other, else an end. */
static void
choose_version (GmcpSession *self, GmcpJsonValue versions, GmcpJsonValue result)
{
  const char *version = gmcp_protocol_get_newest_common (versions, GMCP_ERA_MODERN);
  const char *legacy = gmcp_protocol_get_newest_common (versions, GMCP_ERA_LEGACY);
  g_autofree char *listed = NULL;

  if (version != NULL && gmcp_json_value_is_present (result))
    {
      GmcpJsonValue meta = gmcp_json_value_get_member (result, GMCP_MEMBER_META);

      gmcp_era_modern_set_version (self, version);
      gmcp_session_set_server (self, &gmcp_era_modern, version,
                               gmcp_json_value_get_member (meta, GMCP_META_SERVER_INFO),
                               gmcp_json_value_get_member (result, "capabilities"),
                               gmcp_json_value_get_member (result, "instructions"));
      gmcp_session_open_modern (self);
      return;
    }
  /* Once, and then also in the revision that it has just refused: it may have meant this. */
  if (version != NULL && gmcp_session_may_probe_again (self))
    {
      gmcp_session_open_is_modern (self);
      send_discover (self, version);
      return;
    }

  listed = gmcp_json_value_dup_raw (versions);
  if (legacy != NULL && version == NULL)
    gmcp_session_open_not_modern (self, legacy,
                                  g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                                               _ ("%s speaks only the revisions %s"),
                                               gmcp_session_describe (self), listed));
  else
    gmcp_session_open_failed (self,
                              g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                                           _ ("%s and this program share no revision of MCP: it "
                                              "speaks %s; a newer gmcp may help"),
                                           gmcp_session_describe (self), listed));
}

static void
handle_probe_error (GmcpSession *self, GError *error, guint http_status)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *data = NULL;

  if (gmcp_session_is_no_verdict (error, http_status))
    {
      gmcp_session_open_failed (self, error);
      return;
    }
  if (error->domain != GMCP_RPC_ERROR)
    {
      /* What could not be read is no answer of a modern server. */
      gmcp_session_open_not_modern (self, NULL, error);
      return;
    }

  switch (error->code)
    {
    case GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION:
      data = gmcp_rpc_error_dup_data_json (error);
      if (data != NULL)
        doc = gmcp_json_doc_parse (data, strlen (data), NULL, 0, NULL);
      if (doc != NULL
          && gmcp_json_value_is_array (
            gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "supported")))
        {
          g_error_free (error);
          choose_version (self,
                          gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "supported"),
                          GMCP_JSON_NONE);
          return;
        }
      g_prefix_error (&error, _ ("%s does not say which revisions of MCP it speaks: "),
                      gmcp_session_describe (self));
      gmcp_session_open_failed (self, error);
      return;

    case GMCP_RPC_ERROR_HEADER_MISMATCH:
    case GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY:
      /* A modern server that does not introduce itself to everybody. */
      g_debug ("%s: %s", gmcp_session_describe (self), error->message);
      g_error_free (error);
      gmcp_era_modern_set_version (self, GMCP_PROTOCOL_VERSION_NEWEST_MODERN);
      gmcp_session_set_server (self, &gmcp_era_modern, GMCP_PROTOCOL_VERSION_NEWEST_MODERN,
                               GMCP_JSON_NONE, GMCP_JSON_NONE, GMCP_JSON_NONE);
      gmcp_session_open_modern (self);
      return;

    default:
      gmcp_session_open_not_modern (self, NULL, error);
      return;
    }
}

static void
on_discovered (GmcpSession *self,
               GmcpExchange *exchange,
               const GmcpRpcMessage *reply,
               GError *error)
{
  GmcpJsonValue versions;

  /* The probe is of an earlier opening. */
  if (!gmcp_session_end_probe (self, exchange))
    {
      g_clear_error (&error);
      return;
    }

  if (error != NULL)
    {
      handle_probe_error (self, error, gmcp_exchange_get_http_status (exchange));
      return;
    }

  if (!gmcp_kept_check_handshake (self, reply->result, &error))
    {
      gmcp_session_open_failed (self, error);
      return;
    }
  versions = gmcp_json_value_get_member (reply->result, "supportedVersions");
  if (gmcp_json_value_is_array (versions))
    choose_version (self, versions, reply->result);
  else
    gmcp_session_open_not_modern (
      self, NULL,
      g_error_new_literal (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("the answer to the probe names no revision")));
}

static gboolean
check_result (GmcpSession *self, GmcpExchange *exchange, GmcpJsonValue result, GError **error)
{
  GmcpJsonValue type = gmcp_json_value_get_member (result, GMCP_MEMBER_RESULT_TYPE);
  g_autofree char *name = NULL;

  if (!gmcp_json_value_is_present (type)
      || gmcp_json_value_equals_string (type, GMCP_RESULT_TYPE_COMPLETE))
    return TRUE;

  if (gmcp_json_value_equals_string (type, GMCP_RESULT_TYPE_INPUT_REQUIRED))
    {
      gmcp_era_modern_take_input (self, exchange, result, error);
      return FALSE;
    }

  if (gmcp_json_value_equals_string (type, GMCP_RESULT_TYPE_TASK))
    return gmcp_era_modern_check_task (self, exchange, result, error);

  name = gmcp_json_value_dup_raw (type);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
               _ ("%s sent a result of a kind that is not known: %s"), gmcp_session_describe (self),
               name);
  return FALSE;
}

static gboolean
check_error (GmcpSession *self, GmcpExchange *exchange, const GError *error)
{
  return !gmcp_era_modern_goes_on (self, exchange, error);
}

static gboolean
keeps_requests (GmcpSession *self)
{
  return TRUE;
}

static void
cancel_request (GmcpSession *self, gint64 id, const char *reason)
{
  g_autofree char *params = NULL;

  if (gmcp_transport_has_request_streams (gmcp_session_get_transport (self)))
    {
      gmcp_transport_cancel_request (gmcp_session_get_transport (self), id);
      return;
    }
  params = g_strdup_printf ("{\"requestId\":%" G_GINT64_FORMAT ",\"reason\":\"%s\"}", id, reason);
  gmcp_session_tell (self, GMCP_NOTIFICATION_CANCELLED, params);
}

static void
capabilities_changed (GmcpSession *self)
{
  gmcp_era_modern_set_version (self, gmcp_session_get_request_version (self));
}

static GmcpExchange *
begin_ping (GmcpSession *self, GmcpExchangeFunc done, guint timeout_ms, GmcpJsonWriter *params)
{
  GmcpExchange *exchange
    = gmcp_session_begin_request (self, METHOD_DISCOVER, done, timeout_ms, params);

  gmcp_exchange_set_asks_anew (exchange);
  return exchange;
}

static void
handle_request (GmcpSession *self, const GmcpRpcMessage *request)
{
  /* A server that sends requests, such as a ping, is of the legacy era, and waits for the
   * answer. */
  if (gmcp_session_get_state (self) == GMCP_SESSION_OPENING
      && gmcp_session_get_wanted_era (self) == GMCP_ERA_AUTO)
    gmcp_era_legacy.handle_request (self, request);
  else
    g_debug ("%s sent a request, which a modern server must not", gmcp_session_describe (self));
}

static gboolean
handle_notification (GmcpSession *self, const GmcpRpcMessage *notification)
{
  return gmcp_era_modern_note_task (self, notification)
         || gmcp_era_modern_handle_listen_notification (self, notification);
}

static void
forget_streams (GmcpSession *self)
{
}

static const char *const reads[] = { METHOD_DISCOVER, "tasks/get", NULL };

static gboolean
takes_batches (GmcpSession *self)
{
  return FALSE;
}

static const GmcpEraFeatures features = {
  .cacheable_method = METHOD_DISCOVER,
  .open_stream = gmcp_era_modern_open_stream,
  .close_stream = gmcp_era_modern_close_stream,
  .forget_streams = forget_streams,
  .find_stream = gmcp_era_modern_find_stream,
  .has_tool_headers = TRUE,
  .capabilities_changed = capabilities_changed,
  .logs_by_request = TRUE,
  .offers_tasks = gmcp_era_modern_offers_tasks,
  .can_cancel_tasks = gmcp_era_modern_can_cancel_tasks,
  .task_needs_input = gmcp_era_modern_task_needs_input,
  .task_ended = gmcp_era_modern_task_ended,
};

const GmcpEraFuncs gmcp_era_modern = {
  .id = GMCP_ERA_MODERN,
  .start = start_session,
  .check_result = check_result,
  .check_error = check_error,
  .keeps_requests = keeps_requests,
  .cancel = cancel_request,
  .begin_ping = begin_ping,
  .handle_request = handle_request,
  .handle_notification = handle_notification,
  .reads = reads,
  .dress = gmcp_era_modern_dress,
  .takes_batches = takes_batches,
  .features = &features,
};
