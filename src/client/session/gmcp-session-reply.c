/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

/* The end of a connection to a server that asks and does not read the answers. It comes from the main
 * loop, since whoever answers may have more to do with what the end of the connection frees. */
typedef struct
{
  GmcpClient *client;
  guint serial;
  GError *error;
} End;

static void
end_free (gpointer data)
{
  End *end = data;

  g_object_unref (end->client);
  g_error_free (end->error);
  g_free (end);
}

static gboolean
on_end (gpointer data)
{
  End *end = data;
  GmcpClient *self = end->client;

  if (self->open_serial != end->serial)
    return G_SOURCE_REMOVE;

  if (self->state == GMCP_CLIENT_OPENING)
    {
      g_prefix_error (&end->error, "%s: ", gmcp_client_describe (self));
      gmcp_client_open_failed (self, g_error_copy (end->error));
    }
  else if (self->state == GMCP_CLIENT_OPEN)
    {
      /* Before anybody is told, who may open it again at once. */
      gmcp_transport_set_taker (self->transport, NULL, NULL);
      gmcp_transport_close_async (self->transport, NULL, NULL, NULL);
      gmcp_client_went_down (self, end->error);
    }
  return G_SOURCE_REMOVE;
}

static void
end_soon (GmcpClient *self, const GError *error)
{
  g_autoptr (GSource) source = NULL;
  End *end;

  if (self->unread_serial == self->open_serial)
    return;

  self->unread_serial = self->open_serial;
  end = g_new0 (End, 1);
  end->client = g_object_ref (self);
  end->serial = self->open_serial;
  end->error = g_error_copy (error);
  /* Before what else comes in. */
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_HIGH);
  g_source_set_static_name (source, "[gmcp] answers are not read");
  g_source_set_callback (source, on_end, end, end_free);
  g_source_attach (source, self->context);
}

void
gmcp_client_reply (GmcpClient *self)
{
  GmcpOutgoing outgoing = { .is_reply = TRUE };
  g_autoptr (GError) error = NULL;

  if (gmcp_client_send_message (self, &outgoing, &error))
    return;

  g_debug ("%s: no answer was sent: %s", gmcp_client_describe (self), error->message);
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED))
    end_soon (self, error);
}
