/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-retry-private.h"

#include "gmcp-change-stream-private.h"
#include "gmcp-era-private.h"
#include "gmcp-i18n-private.h"

/* A peer may forget the session while the connection is in use. Then a new one is made in its
 * place, once for all that wait, and they are sent again in it. */

static void
on_wait_ended (GmcpClient *self, gpointer data)
{
  g_queue_remove (&self->held_for_session, data);
}

static const GmcpExchangeWait renewal_wait = { .end = on_wait_ended };

void
gmcp_client_renew_session (GmcpClient *self, GmcpExchange *exchange)
{
  gint64 now = g_get_monotonic_time ();
  gint64 deadline_us = G_MAXINT64;

  if (exchange->timeout_ms != 0)
    deadline_us = now + exchange->timeout_ms * (gint64) 1000;
  if (exchange->cap_us != 0)
    deadline_us = MIN (deadline_us, exchange->cap_us);

  g_queue_push_tail (&self->held_for_session, exchange);
  gmcp_exchange_hold (self, exchange, &renewal_wait, exchange, deadline_us);
  if (self->renewal == NULL)
    {
      g_debug ("%s has forgotten the session; a new one is made", gmcp_client_describe (self));
      self->era->renew (self);
    }
}

void
gmcp_client_session_lost (gpointer client, const GError *error)
{
  g_autoptr (GmcpClient) self = g_object_ref (client);

  if (self->state == GMCP_CLIENT_OPEN && self->renewal == NULL && self->era->renew != NULL)
    self->era->renew (self);
}

static void
give_up (GmcpClient *self, GError *error)
{
  g_autoptr (GError) owned = error;

  g_prefix_error (&owned, _ ("the session ended, and no new one could be made: "));
  /* Before anybody is told, who may open it again at once. */
  gmcp_transport_set_taker (self->transport, NULL, NULL);
  gmcp_transport_close_async (self->transport, NULL, NULL, NULL);
  gmcp_client_went_down (self, owned);
}

void
gmcp_client_session_renewed (GmcpClient *self, GError *error)
{
  GmcpExchange *exchange;

  if (self->state != GMCP_CLIENT_OPEN)
    {
      g_clear_error (&error);
      return;
    }
  if (error != NULL)
    {
      give_up (self, error);
      return;
    }

  self->session++;
  gmcp_client_notify_server (self);
  /* One that cannot be sent ends in this, and its caller may close the connection. */
  while (self->state == GMCP_CLIENT_OPEN && self->renewal == NULL
         && (exchange = g_queue_peek_head (&self->held_for_session)) != NULL)
    gmcp_exchange_resend (self, exchange, exchange->more);
  /* Whatever happened between the two sessions was not told. */
  gmcp_client_lists_changed (self);
  if (self->state == GMCP_CLIENT_OPEN)
    gmcp_change_streams_renew (self);
}
