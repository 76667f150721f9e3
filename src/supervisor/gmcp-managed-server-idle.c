/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-life-private.h"

/* A server that nobody has used for its idle time is stopped. */

static void arm (GmcpManagedServer *self, gint64 due_us);

static gboolean
is_in_use (GmcpManagedServer *self)
{
  return self->n_holds > 0 || gmcp_server_instance_get_n_calls (self->run) > 0
         || gmcp_client_is_in_use (gmcp_server_instance_get_client (self->run));
}

/* A host may ask through the client itself, which the run knows nothing of. A check that sends nothing
 * is counted for one too: no harm is done by a stop that comes a little early. */
static gint64
count_requests (GmcpManagedServer *self)
{
  return gmcp_client_get_n_requests (gmcp_server_instance_get_client (self->run))
         - self->health.n_checks;
}

static gboolean
on_idle_time (gpointer data)
{
  GmcpManagedServer *self = data;
  gint64 idle_us = gmcp_server_config_get_idle_timeout_ms (self->config) * (gint64) 1000;
  gint64 now_us = g_get_monotonic_time ();
  gint64 due_us = MAX (self->ready_us, gmcp_server_instance_get_last_end_us (self->run)) + idle_us;

  g_clear_pointer (&self->idle, g_source_unref);
  if (is_in_use (self))
    arm (self, now_us + idle_us);
  else if (due_us > now_us)
    arm (self, due_us);
  else if (count_requests (self) > self->idle_requests)
    arm (self, now_us + idle_us);
  else
    {
      gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                  _ ("Stopping server “%s”: nobody has used it for a while"),
                                  gmcp_managed_server_get_title (self));
      gmcp_managed_server_stop_async (self, NULL, NULL, NULL);
    }
  return G_SOURCE_REMOVE;
}

static void
arm (GmcpManagedServer *self, gint64 due_us)
{
  self->idle_requests = count_requests (self);
  self->idle = g_timeout_source_new (0);
  g_source_set_ready_time (self->idle, due_us);
  g_source_set_static_name (self->idle, "[gmcp] server's idle time");
  g_source_set_callback (self->idle, on_idle_time, self, NULL);
  g_source_attach (self->idle, self->context);
}

void
gmcp_managed_server_watch_idle (GmcpManagedServer *self)
{
  gint64 idle_ms = gmcp_server_config_get_idle_timeout_ms (self->config);

  gmcp_managed_server_unwatch_idle (self);
  if (idle_ms > 0)
    arm (self, g_get_monotonic_time () + idle_ms * 1000);
}

void
gmcp_managed_server_unwatch_idle (GmcpManagedServer *self)
{
  if (self->idle != NULL)
    g_source_destroy (self->idle);
  g_clear_pointer (&self->idle, g_source_unref);
}

/**
 * gmcp_managed_server_hold:
 * @self: a server
 *
 * Keeps the server from being stopped for being idle, such as for a session of the host's in which it
 * will be needed again. It starts nothing. Each hold is ended by [method@Gmcp.ManagedServer.release].
 *
 * Since: 0.1
 */
void
gmcp_managed_server_hold (GmcpManagedServer *self)
{
  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));

  self->n_holds++;
}

/**
 * gmcp_managed_server_release:
 * @self: a server
 *
 * Ends what [method@Gmcp.ManagedServer.hold] began.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_release (GmcpManagedServer *self)
{
  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (self->n_holds > 0);

  self->n_holds--;
}
