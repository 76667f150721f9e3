/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-served-request-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-later-private.h"

struct _GmcpHttpServedRequest
{
  GmcpTransport parent_instance;

  GmcpHttpResponse *response;
  gboolean has_statuses;
  guint quiet_ms;
  gboolean is_delivering; /* the message; what ends the transport is told when that is over */
  gboolean is_over;
};

G_DEFINE_FINAL_TYPE (GmcpHttpServedRequest, gmcp_http_served_request, GMCP_TYPE_TRANSPORT)

static void
end_later (gpointer data)
{
  g_autoptr (GmcpHttpServedRequest) self = data;

  gmcp_transport_closed (GMCP_TRANSPORT (self), NULL);
}

/* Whoever sent the answer is still at it. */
static void
end_transport (GmcpHttpServedRequest *self)
{
  if (self->is_over)
    return;

  self->is_over = TRUE;
  if (self->is_delivering)
    return;
  gmcp_call_later (gmcp_transport_get_context (GMCP_TRANSPORT (self)), "[gmcp] request answered",
                   end_later, g_object_ref (self));
}

static void
on_gone (GmcpHttpResponse *response, gpointer data)
{
  end_transport (data);
}

static void
on_quiet (GmcpHttpResponse *response, gpointer data)
{
  gmcp_http_response_begin_events (response);
  gmcp_http_response_send_comment (response);
}

static const GmcpHttpResponseFuncs response_funcs = {
  .gone = on_gone,
  .quiet = on_quiet,
};

/* Spec: MCP 2026-07-28, basic/transports/streamable-http, "Request Metadata". */
static guint
get_status (GmcpHttpServedRequest *self, const GmcpOutgoing *message)
{
  if (message->error_code == 0 || !self->has_statuses)
    return SOUP_STATUS_OK;

  switch (message->error_code)
    {
    case GMCP_RPC_ERROR_METHOD_NOT_FOUND:
      return SOUP_STATUS_NOT_FOUND;

    case GMCP_RPC_ERROR_PARSE:
    case GMCP_RPC_ERROR_INVALID_REQUEST:
    case GMCP_RPC_ERROR_HEADER_MISMATCH:
    case GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY:
    case GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION:
      return SOUP_STATUS_BAD_REQUEST;

    default:
      return message->refuses ? SOUP_STATUS_BAD_REQUEST : SOUP_STATUS_OK;
    }
}

static gboolean
gmcp_http_served_request_send (GmcpTransport *transport,
                               const GmcpOutgoing *message,
                               GError **error)
{
  GmcpHttpServedRequest *self = GMCP_HTTP_SERVED_REQUEST (transport);

  /* What comes behind the answer tells nobody anything. */
  if (!gmcp_http_response_is_open (self->response))
    return TRUE;

  if (message->ends_request && !gmcp_http_response_has_events (self->response))
    {
      gmcp_http_response_send_message (self->response, get_status (self, message), message);
      end_transport (self);
      return TRUE;
    }

  gmcp_http_response_begin_events (self->response);
  if (!gmcp_http_response_send_event (self->response, NULL, message->text, message->length))
    {
      if (message->ends_request)
        {
          g_autofree char *refusal
            = gmcp_http_response_dup_refusal (message->peer_id, message->peer_id_length);

          gmcp_http_response_send_last_event (self->response, refusal, strlen (refusal));
          end_transport (self);
        }
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                           _ ("The client does not read what it is sent"));
      return FALSE;
    }
  if (message->ends_request)
    {
      gmcp_http_response_end (self->response);
      end_transport (self);
    }
  return TRUE;
}

static void
gmcp_http_served_request_leave_unanswered (GmcpTransport *transport,
                                           const char *peer_id,
                                           gsize peer_id_length)
{
  GmcpHttpServedRequest *self = GMCP_HTTP_SERVED_REQUEST (transport);

  if (!gmcp_http_response_is_open (self->response))
    return;

  gmcp_http_response_end_unanswered (self->response);
  end_transport (self);
}

static void
gmcp_http_served_request_close_async (GmcpTransport *transport,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  GmcpHttpServedRequest *self = GMCP_HTTP_SERVED_REQUEST (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  gmcp_http_response_let_go (self->response);
  g_task_return_boolean (task, TRUE);
}

static void
gmcp_http_served_request_close_at_once (GmcpTransport *transport)
{
  gmcp_http_response_let_go (GMCP_HTTP_SERVED_REQUEST (transport)->response);
}

static gboolean
gmcp_http_served_request_close_finish (GmcpTransport *transport,
                                       GAsyncResult *result,
                                       GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static const char *
gmcp_http_served_request_get_header (GmcpTransport *transport, const char *name)
{
  return gmcp_http_response_get_request_header (GMCP_HTTP_SERVED_REQUEST (transport)->response,
                                                name);
}

static gboolean
gmcp_http_served_request_has_request_streams (GmcpTransport *transport)
{
  return TRUE;
}

static const GmcpTransportFuncs funcs = {
  .get_header = gmcp_http_served_request_get_header,
  .has_request_streams = gmcp_http_served_request_has_request_streams,
  .send = gmcp_http_served_request_send,
  .leave_unanswered = gmcp_http_served_request_leave_unanswered,
  .close_async = gmcp_http_served_request_close_async,
  .close_finish = gmcp_http_served_request_close_finish,
  .close_at_once = gmcp_http_served_request_close_at_once,
};

static void
gmcp_http_served_request_finalize (GObject *object)
{
  GmcpHttpServedRequest *self = GMCP_HTTP_SERVED_REQUEST (object);

  gmcp_http_response_let_go (self->response);
  gmcp_http_response_unref (self->response);

  G_OBJECT_CLASS (gmcp_http_served_request_parent_class)->finalize (object);
}

static void
gmcp_http_served_request_class_init (GmcpHttpServedRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_http_served_request_finalize;
  GMCP_TRANSPORT_CLASS (klass)->funcs = &funcs;
}

static void
gmcp_http_served_request_init (GmcpHttpServedRequest *self)
{
}

GmcpTransport *
gmcp_http_served_request_new (GmcpHttpResponse *response, gboolean has_statuses, guint quiet_ms)
{
  GmcpHttpServedRequest *self = g_object_new (GMCP_TYPE_HTTP_SERVED_REQUEST, NULL);

  self->response = gmcp_http_response_ref (response);
  self->has_statuses = has_statuses;
  self->quiet_ms = quiet_ms;
  gmcp_transport_set_open (GMCP_TRANSPORT (self));
  return GMCP_TRANSPORT (self);
}

void
gmcp_http_served_request_deliver (GmcpHttpServedRequest *self, GmcpJsonDoc *message)
{
  g_autoptr (GmcpHttpServedRequest) alive G_GNUC_UNUSED = g_object_ref (self);

  self->is_delivering = TRUE;
  gmcp_transport_deliver_document (GMCP_TRANSPORT (self), message);
  self->is_delivering = FALSE;
  if (self->is_over)
    gmcp_transport_closed (GMCP_TRANSPORT (self), NULL);
  else
    gmcp_http_response_hold (self->response, &response_funcs, self, self->quiet_ms);
}
