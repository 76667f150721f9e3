/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-body-private.h"

#include "gmcp-http-connections-private.h"
#include "gmcp-limits.h"

typedef struct
{
  guint64 n_bytes;
  guint64 max_bytes;
  gsize n_charged;
  GmcpByteBudget *budget;
  const GmcpSoupServer *soup;
} BodyCount;

static void
on_chunk (SoupServerMessage *message, GBytes *chunk, gpointer data)
{
  BodyCount *count = data;
  gsize n_bytes = g_bytes_get_size (chunk);
  GSocket *socket;

  count->n_bytes += n_bytes;
  /* What is dropped is not kept for anybody. */
  if (gmcp_http_body_is_cut (count->soup, message))
    n_bytes = 0;
  if (count->n_bytes <= count->max_bytes && gmcp_byte_budget_charge (count->budget, n_bytes))
    {
      count->n_charged += n_bytes;
      return;
    }

  count->soup->message_body_set_accumulate (count->soup->server_message_get_request_body (message),
                                            FALSE);
  socket = gmcp_http_connection_get_socket (count->soup, message);
  if (socket != NULL)
    gmcp_soup_server_reset_socket (socket);
}

static void
free_count (gpointer data, GClosure *closure)
{
  BodyCount *count = data;

  gmcp_byte_budget_release (count->budget, count->n_charged);
  gmcp_byte_budget_unref (count->budget);
  g_free (count);
}

void
gmcp_http_body_limit (const GmcpSoupServer *soup,
                      SoupServerMessage *message,
                      GmcpByteBudget *budget,
                      guint64 max_bytes,
                      gboolean is_refused_above)
{
  BodyCount *count = g_new0 (BodyCount, 1);

  count->max_bytes = max_bytes + (is_refused_above ? GMCP_LIMIT_HTTP_DRAINED_BYTES : 0);
  count->budget = gmcp_byte_budget_ref (budget);
  count->soup = soup;
  g_signal_connect_data (message, "got-chunk", G_CALLBACK (on_chunk), count, free_count, 0);
}

gboolean
gmcp_http_body_is_cut (const GmcpSoupServer *soup, SoupServerMessage *message)
{
  return !soup->message_body_get_accumulate (soup->server_message_get_request_body (message));
}

void
gmcp_http_body_drop (const GmcpSoupServer *soup, SoupServerMessage *message)
{
  soup->message_body_set_accumulate (soup->server_message_get_request_body (message), FALSE);
}
