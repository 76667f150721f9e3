/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-lists-private.h"

#include "gmcp-caching-private.h"
#include "gmcp-protocol-private.h"

/* A call that waits for the list of tools, to be sent with other headers. */
typedef struct
{
  GmcpSession *session; /* which the listing keeps */
  gint64 id;            /* under which it is held */
  GError *error;
} HeadersRefresh;

static void
headers_refresh_free (HeadersRefresh *refresh)
{
  g_clear_error (&refresh->error);
  g_free (refresh);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeadersRefresh, headers_refresh_free)

static void
on_headers_wait_ended (GmcpSession *self, gpointer data)
{
}

static const GmcpExchangeWait headers_wait = { .end = on_headers_wait_ended };

static void
on_listed_for_headers (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (HeadersRefresh) refresh = user_data;
  GmcpSession *self = refresh->session;
  g_autoptr (GListModel) tools = gmcp_lists_read_finish (gmcp_session_get_owner (self),
                                                         gmcp_lists_refresh_headers, result, NULL);
  GmcpExchange *exchange = gmcp_session_find_exchange (self, refresh->id);

  /* The call may have been cancelled meanwhile. */
  if (exchange == NULL || !gmcp_exchange_is_held_for (exchange, &headers_wait))
    return;

  if (tools != NULL)
    gmcp_exchange_resend (self, exchange, gmcp_exchange_get_more (exchange));
  else
    gmcp_exchange_fail (self, exchange, g_steal_pointer (&refresh->error));
}

gboolean
gmcp_lists_refresh_headers (GmcpSession *self, GmcpExchange *exchange, const GError *error)
{
  HeadersRefresh *refresh;
  gint64 deadline_us = gmcp_exchange_get_deadline_us (exchange);

  if (!gmcp_session_has_headers (self)
      || !g_str_equal (gmcp_exchange_get_method (exchange), GMCP_METHOD_TOOLS_CALL)
      || !gmcp_session_may_resend (self, exchange, GMCP_RESENT_HEADERS))
    return FALSE;

  g_debug ("%s: the tools are listed again for the headers of “%s”", gmcp_session_describe (self),
           gmcp_exchange_get_subject (exchange));
  gmcp_exchange_hold (self, exchange, &headers_wait, NULL, deadline_us);
  refresh = g_new (HeadersRefresh, 1);
  refresh->session = self;
  refresh->id = gmcp_exchange_get_id (exchange);
  refresh->error = g_error_copy (error);
  gmcp_caching_expire_lists (self, GMCP_SUBSCRIPTION_TOOLS);
  gmcp_lists_read_async (self, GMCP_LIST_TOOLS, gmcp_lists_refresh_headers, NULL,
                         on_listed_for_headers, refresh);
  return TRUE;
}
