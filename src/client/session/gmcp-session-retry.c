/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

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

gboolean
gmcp_session_may_resend (GmcpSession *self, GmcpExchange *exchange, GmcpResent reason)
{
  return gmcp_session_is_open (self) && gmcp_exchange_can_resend (exchange)
         && gmcp_exchange_note_resent (exchange, reason);
}

/* Whether the request does no harm where the peer gets it twice. */
static gboolean
is_harmless (GmcpSession *self, GmcpExchange *exchange)
{
  return g_strv_contains (reads, gmcp_exchange_get_method (exchange))
         || g_strv_contains (gmcp_session_get_era (self)->reads,
                             gmcp_exchange_get_method (exchange))
         || gmcp_session_get_hooks (self)->is_harmless (self, exchange);
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
resend_later (GmcpSession *self, GmcpExchange *exchange, GmcpResent reason, gint64 delay_ms)
{
  gint64 now = g_get_monotonic_time ();

  /* A call that would time out before then fails at once. */
  if (delay_ms >= G_MAXUINT || gmcp_exchange_get_deadline_us (exchange) - now <= delay_ms * 1000
      || !gmcp_session_may_resend (self, exchange, reason))
    return FALSE;

  g_debug ("%s: %s is sent again in %" G_GINT64_FORMAT " ms", gmcp_session_describe (self),
           gmcp_exchange_get_method (exchange), delay_ms);
  gmcp_exchange_resend_after (self, exchange, gmcp_exchange_get_more (exchange), (guint) delay_ms);
  return TRUE;
}

/* FALSE where the failure is the exchange's end; else it goes on by itself. */
static gboolean
send_again (GmcpSession *self, GmcpExchange *exchange, const GmcpTransportFailure *failure)
{
  if (failure->session_lost)
    {
      if (gmcp_session_get_era (self)->renew == NULL
          || !gmcp_session_may_resend (self, exchange, GMCP_RESENT_SESSION))
        return FALSE;
      /* Word of the session before may come late. */
      if (gmcp_exchange_get_session_number (exchange) != gmcp_session_get_number (self))
        gmcp_exchange_resend (self, exchange, gmcp_exchange_get_more (exchange));
      else
        gmcp_session_renew (self, exchange);
      return TRUE;
    }
  if (failure->retry_after_ms >= 0
      && (failure->http_status == HTTP_TOO_MANY_REQUESTS
          || failure->http_status == HTTP_SERVICE_UNAVAILABLE))
    return resend_later (self, exchange, GMCP_RESENT_BUSY, failure->retry_after_ms);
  if (failure->unprocessed && failure->http_status == 0)
    return resend_later (self, exchange, GMCP_RESENT_UNWRITTEN, UNWRITTEN_DELAY_MS);
  if (may_pass (failure) && is_harmless (self, exchange))
    {
      gmcp_exchange_note_given_up (exchange);
      return resend_later (self, exchange, GMCP_RESENT_LOST, LOST_DELAY_MS);
    }
  return FALSE;
}

void
gmcp_session_request_failed (gpointer session,
                             gint64 request_id,
                             const GmcpTransportFailure *failure)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (session);
  GmcpExchange *exchange = gmcp_session_take_answered (self, request_id);
  GError *error;

  if (exchange == NULL)
    return;

  gmcp_exchange_set_http_status (exchange, failure->http_status);
  if (send_again (self, exchange, failure))
    return;

  error = g_error_copy (failure->error);
  if (error->domain == GMCP_RPC_ERROR)
    {
      gmcp_session_answer_exchange (self, exchange, NULL, error);
      return;
    }
  if (!failure->unprocessed)
    gmcp_exchange_note_given_up (exchange);
  /* The end of an opening says itself whose it is. */
  if (!gmcp_session_is_initialize (self, exchange))
    g_prefix_error (&error, "%s: ", gmcp_session_describe (self));
  gmcp_session_finish_exchange (self, exchange, NULL, error);
}
