/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-sharing-private.h"

#include "gmcp-client-private.h"
#include "gmcp-limits.h"

struct _GmcpServerSharing
{
  GmcpClient *client; /* not owned */
  GmcpTransport *own; /* the way to a process of the server's own; NULL while that is in use */
  GmcpEra era;        /* of the server's own process, as configured */
  guint startup_timeout_ms;
  gboolean keeps_own;
  gboolean is_modern;
  char *need; /* nullable */
  char *reason;
};

GmcpServerSharing *
gmcp_server_sharing_new (GmcpClient *client)
{
  GmcpServerSharing *self = g_new0 (GmcpServerSharing, 1);

  self->client = client;
  return self;
}

void
gmcp_server_sharing_free (GmcpServerSharing *self)
{
  g_clear_object (&self->own);
  g_free (self->need);
  g_free (self->reason);
  g_free (self);
}

void
gmcp_server_sharing_keep_own (GmcpServerSharing *self, const char *reason)
{
  g_free (self->reason);
  self->reason = g_strdup (reason);
  self->keeps_own = reason != NULL;
}

gboolean
gmcp_server_sharing_keeps_own (GmcpServerSharing *self)
{
  return self->keeps_own;
}

void
gmcp_server_sharing_set_need (GmcpServerSharing *self, const char *need)
{
  g_free (self->need);
  self->need = g_strdup (need);
}

const char *
gmcp_server_sharing_get_need (GmcpServerSharing *self)
{
  return self->need;
}

void
gmcp_server_sharing_decline (GmcpServerSharing *self)
{
  g_free (self->reason);
  self->reason = g_strdup (self->need);
}

/* The daemon speaks the present revision, whatever the server does. It answers at once or is stuck, so that it is
 * given less time than a program that starts. */
void
gmcp_server_sharing_begin (GmcpServerSharing *self, GmcpTransport *shared, gboolean is_modern)
{
  self->is_modern = is_modern;
  self->own = g_object_ref (gmcp_client_get_transport (self->client));
  self->era = gmcp_client_get_era (self->client);
  self->startup_timeout_ms = gmcp_client_get_startup_timeout_ms (self->client);
  gmcp_client_replace_transport (self->client, shared);
  gmcp_client_set_era (self->client, GMCP_ERA_MODERN);
  gmcp_client_set_startup_timeout_ms (
    self->client, MIN (self->startup_timeout_ms, GMCP_DEFAULT_SHARED_OPENING_MS));
}

void
gmcp_server_sharing_confirm (GmcpServerSharing *self)
{
  gmcp_client_set_startup_timeout_ms (self->client, self->startup_timeout_ms);
}

void
gmcp_server_sharing_give_up (GmcpServerSharing *self, const GError *reason)
{
  g_autoptr (GmcpTransport) own = g_steal_pointer (&self->own);

  g_free (self->reason);
  self->reason = g_strdup (reason->message);
  if (own == NULL)
    return;

  gmcp_client_replace_transport (self->client, own);
  gmcp_client_set_era (self->client, self->era);
  gmcp_client_set_startup_timeout_ms (self->client, self->startup_timeout_ms);
}

gboolean
gmcp_server_sharing_is_shared (GmcpServerSharing *self)
{
  return self->own != NULL;
}

gboolean
gmcp_server_sharing_is_enough (GmcpServerSharing *self)
{
  return self->own == NULL || self->is_modern;
}

const char *
gmcp_server_sharing_get_reason (GmcpServerSharing *self)
{
  return self->reason;
}
