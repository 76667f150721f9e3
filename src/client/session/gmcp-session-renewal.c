/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

#include "gmcp-i18n-private.h"

/* A peer may forget the session while the connection is in use. Then a new one is made in its
 * place, once for all that wait, and they are sent again in it. */

struct _GmcpSessionRenewal
{
  GmcpExchange *exchange; /* while a session is made in place of one that is gone */
  GQueue held;            /* of GmcpExchange */
  guint number;           /* of the session, since the object was made */
};

GmcpSessionRenewal *
gmcp_session_renewal_new (void)
{
  GmcpSessionRenewal *renewal = g_new0 (GmcpSessionRenewal, 1);

  g_queue_init (&renewal->held);
  return renewal;
}

void
gmcp_session_renewal_free (GmcpSessionRenewal *renewal)
{
  g_free (renewal);
}

void
gmcp_session_renewal_forget (GmcpSession *self)
{
  GmcpSessionRenewal *renewal = gmcp_session_get_renewal (self);

  renewal->exchange = NULL;
  g_queue_clear (&renewal->held);
}

guint
gmcp_session_get_number (GmcpSession *self)
{
  return gmcp_session_get_renewal (self)->number;
}

gboolean
gmcp_session_awaits_renewal (GmcpSession *self, const GmcpExchange *exchange)
{
  const GmcpSessionRenewal *renewal = gmcp_session_get_renewal (self);

  return renewal->exchange != NULL && renewal->exchange != exchange
         && gmcp_exchange_can_resend (exchange);
}

void
gmcp_session_set_renewal (GmcpSession *self, GmcpExchange *exchange)
{
  gmcp_session_get_renewal (self)->exchange = exchange;
}

gboolean
gmcp_session_end_renewal (GmcpSession *self, const GmcpExchange *exchange)
{
  GmcpSessionRenewal *renewal = gmcp_session_get_renewal (self);

  if (renewal->exchange != exchange)
    return FALSE;

  renewal->exchange = NULL;
  return TRUE;
}

static void
on_wait_ended (GmcpSession *self, gpointer data)
{
  g_queue_remove (&gmcp_session_get_renewal (self)->held, data);
}

static const GmcpExchangeWait renewal_wait = { .end = on_wait_ended };

void
gmcp_session_renew (GmcpSession *self, GmcpExchange *exchange)
{
  GmcpSessionRenewal *renewal = gmcp_session_get_renewal (self);

  g_queue_push_tail (&renewal->held, exchange);
  gmcp_exchange_hold (self, exchange, &renewal_wait, exchange,
                      gmcp_exchange_make_deadline_us (exchange));
  if (renewal->exchange == NULL)
    {
      g_debug ("%s has forgotten the session; a new one is made", gmcp_session_describe (self));
      gmcp_session_get_era (self)->renew (self);
    }
}

void
gmcp_session_lost (gpointer session, const GError *error)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (session);

  if (gmcp_session_is_open (self) && gmcp_session_get_renewal (self)->exchange == NULL
      && gmcp_session_get_era (self)->renew != NULL)
    gmcp_session_get_era (self)->renew (self);
}

static void
give_up_session (GmcpSession *self, GError *error)
{
  g_autoptr (GError) owned = error;

  g_prefix_error (&owned, _ ("the session ended, and no new one could be made: "));
  /* Before anybody is told, who may open it again at once. */
  gmcp_session_hang_up (self);
  gmcp_transport_close_async (gmcp_session_get_transport (self), NULL, NULL, NULL);
  gmcp_session_went_down (self, owned);
}

void
gmcp_session_renewed (GmcpSession *self, GError *error)
{
  GmcpSessionRenewal *renewal = gmcp_session_get_renewal (self);
  GmcpExchange *exchange;

  if (!gmcp_session_is_open (self))
    {
      g_clear_error (&error);
      return;
    }
  if (error != NULL)
    {
      give_up_session (self, error);
      return;
    }

  renewal->number++;
  gmcp_session_get_events (self)->server_changed (gmcp_session_get_owner (self));
  /* An exchange that cannot be sent ends here, and its caller may close the connection. */
  while (gmcp_session_is_open (self) && renewal->exchange == NULL
         && (exchange = g_queue_peek_head (&renewal->held)) != NULL)
    gmcp_exchange_resend (self, exchange, gmcp_exchange_get_more (exchange));
  gmcp_session_get_hooks (self)->renewed (self);
}
