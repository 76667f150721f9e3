/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-struct-private.h"
#include "gmcp-managed-server-install-private.h"
#include "gmcp-thread-check-private.h"

/* The parts of a server, for its other files and for the manager. */

GPtrArray *
gmcp_managed_server_peek_tools (GmcpManagedServer *self)
{
  return gmcp_tool_snapshot_peek_tools (self->snapshot);
}

GmcpServerConfig *
gmcp_managed_server_get_tools_config (GmcpManagedServer *self)
{
  GmcpServerConfig *config = gmcp_tool_snapshot_get_config (self->snapshot);

  return config != NULL ? config : self->config;
}

GmcpClientAbilities
gmcp_managed_server_get_tools_abilities (GmcpManagedServer *self)
{
  return gmcp_tool_snapshot_get_abilities (self->snapshot);
}

const GmcpServerLimits *
gmcp_managed_server_get_limits (GmcpManagedServer *self)
{
  return &self->limits;
}

void
gmcp_managed_server_set_host (GmcpManagedServer *self, const GmcpServerHost *host)
{
  self->host = host != NULL ? *host : (GmcpServerHost){ NULL, NULL };
}

const GmcpServerHost *
gmcp_managed_server_get_host (GmcpManagedServer *self)
{
  return &self->host;
}

GmcpCallLimiter *
gmcp_managed_server_get_call_limiter (GmcpManagedServer *self)
{
  return self->limiter;
}

GmcpCallStatistics *
gmcp_managed_server_get_call_statistics (GmcpManagedServer *self)
{
  return self->statistics;
}

void
gmcp_managed_server_take_log (GmcpManagedServer *self, GmcpServerLog *log)
{
  g_clear_pointer (&self->log, gmcp_server_log_unref);
  self->log = log;
}

GmcpServerLog *
gmcp_managed_server_get_log (GmcpManagedServer *self)
{
  return self->log;
}

GmcpServerLife *
gmcp_managed_server_get_life (GmcpManagedServer *self)
{
  return self->life;
}

GMainContext *
gmcp_managed_server_get_context (GmcpManagedServer *self)
{
  return self->context;
}

gboolean
gmcp_managed_server_check_thread (GmcpManagedServer *self, const char *function)
{
  return gmcp_check_thread (self, self->context, function);
}

const char *
gmcp_managed_server_get_client_name (GmcpManagedServer *self)
{
  return self->client_name;
}

GmcpServerInstance *
gmcp_managed_server_get_instance (GmcpManagedServer *self)
{
  return gmcp_server_life_get_instance (self->life);
}

GmcpRestartPolicy *
gmcp_managed_server_get_restart_policy (GmcpManagedServer *self)
{
  return self->restarts;
}

GmcpHealthMonitor *
gmcp_managed_server_get_health_monitor (GmcpManagedServer *self)
{
  return self->health;
}

GmcpIdleMonitor *
gmcp_managed_server_get_idle_monitor (GmcpManagedServer *self)
{
  return self->idle;
}

GmcpToolSnapshot *
gmcp_managed_server_get_snapshot (GmcpManagedServer *self)
{
  return self->snapshot;
}

GmcpAnswerCache *
gmcp_managed_server_get_answers (GmcpManagedServer *self)
{
  return self->answers;
}

GmcpServerFetch *
gmcp_managed_server_get_fetch (GmcpManagedServer *self)
{
  return self->fetch;
}

GmcpClientWishes *
gmcp_managed_server_get_wishes (GmcpManagedServer *self)
{
  return self->wishes;
}
