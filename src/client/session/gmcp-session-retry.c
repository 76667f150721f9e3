/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-retry-private.h"

#include "gmcp-era-private.h"
#include "gmcp-session-headers-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

#define UNWRITTEN_DELAY_MS       250u
#define LOST_DELAY_MS            500u

#define HTTP_TOO_MANY_REQUESTS   429u
#define HTTP_SERVICE_UNAVAILABLE 503u

/* What both eras have and only reads; each era names its own. */
static const char *const reads[] = {
  GMCP_METHOD_TOOLS_LIST,     GMCP_METHOD_COMPLETE,
  GMCP_METHOD_PROMPTS_GET,    GMCP_METHOD_PROMPTS_LIST,
  GMCP_METHOD_RESOURCES_LIST, GMCP_METHOD_RESOURCES_READ,
  GMCP_METHOD_TEMPLATES_LIST, NULL,
};

/* A call that waits for the list of tools, to be sent with other headers. */
typedef struct
{
  gint64 id; /* under which it is held */
  GError *error;
} HeadersRefresh;

static void
headers_refresh_free (HeadersRefresh *refresh)
{
  g_clear_error (&refresh->error);
  g_free (refresh);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeadersRefresh, headers_refresh_free)

gboolean
gmcp_client_may_resend (GmcpClient *self, GmcpExchange *exchange, GmcpResent reason)
{
  if (self->state != GMCP_CLIENT_OPEN || exchange->params == NULL
      || (exchange->resent & reason) != 0)
    return FALSE;

  exchange->resent |= reason;
  return TRUE;
}

static gboolean
calls_harmless_tool (GmcpClient *self, GmcpExchange *exchange)
{
  GmcpTool *tool;

  if (!g_str_equal (exchange->method, GMCP_METHOD_TOOLS_CALL) || exchange->subject == NULL)
    return FALSE;

  tool = gmcp_client_peek_tool (self, exchange->subject);
  return tool != NULL && (gmcp_tool_is_read_only (tool) || gmcp_tool_is_idempotent (tool));
}

/* Whether it does no harm where the peer gets it twice. */
static gboolean
is_harmless (GmcpClient *self, GmcpExchange *exchange)
{
  return g_strv_contains (reads, exchange->method)
         || g_strv_contains (self->era->reads, exchange->method)
         || calls_harmless_tool (self, exchange);
}

/* Whether a peer that was asked again might answer. */
static gboolean
may_pass (const GmcpTransportFailure *failure)
{
  if (failure->error->domain == GMCP_AUTH_ERROR
      || g_error_matches (failure->error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED)
      || g_error_matches (failure->error, GMCP_ERROR, GMCP_ERROR_PROTOCOL))
    return FALSE;
  return failure->http_status < 400 || failure->http_status >= 500;
}

static gboolean
resend_later (GmcpClient *self, GmcpExchange *exchange, GmcpResent reason, gint64 delay_ms)
{
  gint64 now = g_get_monotonic_time ();

  /* Whoever waits learns at once that waiting is of no use. */
  if (delay_ms >= G_MAXUINT || exchange->pending.deadline_us - now <= delay_ms * 1000
      || !gmcp_client_may_resend (self, exchange, reason))
    return FALSE;

  g_debug ("%s: %s is sent again in %" G_GINT64_FORMAT " ms", gmcp_client_describe (self),
           exchange->method, delay_ms);
  gmcp_exchange_resend_after (self, exchange, exchange->more, (guint) delay_ms);
  return TRUE;
}

/* FALSE where the failure is the exchange's end; else it goes on by itself. */
static gboolean
send_again (GmcpClient *self, GmcpExchange *exchange, const GmcpTransportFailure *failure)
{
  if (failure->session_lost)
    {
      if (self->era->renew == NULL || !gmcp_client_may_resend (self, exchange, GMCP_RESENT_SESSION))
        return FALSE;
      /* Word of the session before may come late. */
      if (exchange->session != self->session)
        gmcp_exchange_resend (self, exchange, exchange->more);
      else
        gmcp_client_renew_session (self, exchange);
      return TRUE;
    }
  if (failure->retry_after_ms >= 0
      && (failure->http_status == HTTP_TOO_MANY_REQUESTS
          || failure->http_status == HTTP_SERVICE_UNAVAILABLE))
    return resend_later (self, exchange, GMCP_RESENT_BUSY, failure->retry_after_ms);
  if (failure->unprocessed && failure->http_status == 0)
    return resend_later (self, exchange, GMCP_RESENT_UNWRITTEN, UNWRITTEN_DELAY_MS);
  if (may_pass (failure) && is_harmless (self, exchange))
    return resend_later (self, exchange, GMCP_RESENT_LOST, LOST_DELAY_MS);
  return FALSE;
}

void
gmcp_client_request_failed (gpointer client, gint64 request_id, const GmcpTransportFailure *failure)
{
  g_autoptr (GmcpClient) self = g_object_ref (client);
  GmcpExchange *exchange = gmcp_client_take_answered (self, request_id);
  GError *error;

  if (exchange == NULL)
    return;

  exchange->http_status = failure->http_status;
  if (send_again (self, exchange, failure))
    return;

  error = g_error_copy (failure->error);
  if (error->domain == GMCP_RPC_ERROR)
    {
      gmcp_client_answer_exchange (self, exchange, NULL, error);
      return;
    }
  /* The end of an opening says itself whose it is. */
  if (exchange != self->initialize)
    g_prefix_error (&error, "%s: ", gmcp_client_describe (self));
  gmcp_client_finish_exchange (self, exchange, NULL, error);
}

static void
on_headers_wait_ended (GmcpClient *self, gpointer data)
{
}

static const GmcpExchangeWait headers_wait = { .end = on_headers_wait_ended };

static void
on_listed_for_headers (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GmcpClient *self = GMCP_CLIENT (source);
  g_autoptr (HeadersRefresh) refresh = user_data;
  g_autoptr (GListModel) tools = gmcp_client_list_tools_finish (self, result, NULL);
  GmcpExchange *exchange = (GmcpExchange *) gmcp_pending_calls_find (self->pending, refresh->id);

  /* It may have been cancelled meanwhile. */
  if (exchange == NULL || exchange->wait != &headers_wait)
    return;

  if (tools != NULL)
    gmcp_exchange_resend (self, exchange, exchange->more);
  else
    gmcp_exchange_fail (self, exchange, g_steal_pointer (&refresh->error));
}

gboolean
gmcp_client_refresh_headers (GmcpClient *self, GmcpExchange *exchange, const GError *error)
{
  HeadersRefresh *refresh;
  gint64 deadline_us = exchange->pending.deadline_us;

  if (!self->has_headers || !g_str_equal (exchange->method, GMCP_METHOD_TOOLS_CALL)
      || !gmcp_client_may_resend (self, exchange, GMCP_RESENT_HEADERS))
    return FALSE;

  g_debug ("%s: the tools are listed again for the headers of “%s”", gmcp_client_describe (self),
           exchange->subject);
  gmcp_exchange_hold (self, exchange, &headers_wait, NULL, deadline_us);
  refresh = g_new (HeadersRefresh, 1);
  refresh->id = exchange->pending.id;
  refresh->error = g_error_copy (error);
  if (self->response_cache != NULL)
    gmcp_client_expire_cached_lists (self, GMCP_SUBSCRIPTION_TOOLS);
  gmcp_client_list_tools_async (self, NULL, on_listed_for_headers, refresh);
  return TRUE;
}
