/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-health-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-restart-private.h"
#include "gmcp-managed-server-tools-private.h"

#include <gmcp/core/gmcp-error.h>

/* What health checks lead to. */

/* A listener may have stopped the server, or started it anew. */
static gboolean
still_runs (GmcpManagedServer *self, GmcpServerInstance *instance)
{
  return gmcp_managed_server_get_instance (self) == instance;
}

static void
tell_of_illness (GmcpManagedServer *self, gboolean is_restarted, const GError *error)
{
  const char *title = gmcp_managed_server_get_title (self);
  guint n_calls = gmcp_server_instance_get_n_marked_calls (gmcp_managed_server_get_instance (self));

  if (!is_restarted)
    gmcp_managed_server_notice (
      self, GMCP_NOTICE_LEVEL_ERROR,
      _ ("Server “%s” is unhealthy and is not to be restarted; going on without its tools: %s"),
      title, error->message);
  else if (gmcp_health_monitor_spares (gmcp_managed_server_get_health_monitor (self)))
    gmcp_managed_server_notice (
      self, GMCP_NOTICE_LEVEL_WARNING,
      /* TRANSLATORS: a server’s name, a number, an error message */
      g_dngettext (
        GETTEXT_PACKAGE,
        "Server “%s” is unhealthy. It works on %u call, and is restarted unless that ends "
        "or it says something soon; a server that answers nothing else while it works "
        "needs the setting health-method=process: %s",
        "Server “%s” is unhealthy. It works on %u calls, and is restarted unless those end "
        "or it says something soon; a server that answers nothing else while it works "
        "needs the setting health-method=process: %s",
        n_calls),
      title, n_calls, error->message);
  else
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING,
                                _ ("Server “%s” is unhealthy and is being restarted: %s"), title,
                                error->message);
}

static void
become_unhealthy (GmcpManagedServer *self, const GError *error)
{
  gboolean is_restarted
    = gmcp_server_config_get_restart_on_failure (gmcp_managed_server_get_config (self));
  gboolean is_news = gmcp_managed_server_get_state (self) != GMCP_SERVER_STATE_UNHEALTHY;
  GmcpServerInstance *instance = gmcp_managed_server_get_instance (self);
  GmcpHealthMonitor *monitor = gmcp_managed_server_get_health_monitor (self);

  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_UNHEALTHY);
  if (!still_runs (self, instance))
    return;

  if (!is_restarted && is_news)
    gmcp_managed_server_withdraw_tools (self);
  if (still_runs (self, instance)
      && (is_news || (is_restarted && !gmcp_health_monitor_spares (monitor))))
    tell_of_illness (self, is_restarted, error);
  if (still_runs (self, instance) && is_restarted && !gmcp_health_monitor_spares (monitor))
    gmcp_managed_server_recover (self, error);
}

static void
on_checked (GObject *owner)
{
  gmcp_managed_server_checked (GMCP_MANAGED_SERVER (owner));
}

static void
on_passed (GObject *owner)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (owner);
  gboolean was_unwell = gmcp_managed_server_get_state (self) != GMCP_SERVER_STATE_READY;

  g_object_freeze_notify (owner);
  if (was_unwell)
    gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_CHECK_PASSED);
  g_object_thaw_notify (owner);
  if (!was_unwell || gmcp_managed_server_get_instance (self) == NULL)
    return;

  if (gmcp_tool_snapshot_take (
        gmcp_managed_server_get_snapshot (self), gmcp_managed_server_get_config (self),
        gmcp_server_instance_get_client (gmcp_managed_server_get_instance (self))))
    gmcp_managed_server_tools_changed (self);
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” recovered"),
                              gmcp_managed_server_get_title (self));
}

static void
on_failed (GObject *owner, guint n_failures, const GError *cause)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (owner);
  GmcpServerInstance *instance = gmcp_managed_server_get_instance (self);
  g_autoptr (GError) error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_FAILED, _ ("Server “%s” failed a health check: %s"),
                   gmcp_managed_server_get_title (self), cause->message);
  gboolean is_last
    = gmcp_health_monitor_is_limit (gmcp_managed_server_get_health_monitor (self), n_failures);

  gmcp_managed_server_set_last_error (self, error);
  if (still_runs (self, instance) && !is_last)
    gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_CHECK_FAILED);
  if (still_runs (self, instance) && n_failures == 1)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_ERROR, "%s", error->message);
  if (still_runs (self, instance) && is_last)
    become_unhealthy (self, error);
}

static void
on_refused (GObject *owner, const GError *error)
{
  gmcp_managed_server_need_sign_in (GMCP_MANAGED_SERVER (owner), error);
}

const GmcpHealthFuncs gmcp_managed_server_health_funcs = {
  .checked = on_checked,
  .passed = on_passed,
  .failed = on_failed,
  .refused = on_refused,
};

void
gmcp_managed_server_watch_health (GmcpManagedServer *self)
{
  gmcp_health_monitor_configure (gmcp_managed_server_get_health_monitor (self),
                                 gmcp_managed_server_get_config (self),
                                 gmcp_managed_server_get_limits (self));
  gmcp_health_monitor_start (gmcp_managed_server_get_health_monitor (self),
                             gmcp_managed_server_get_instance (self));
}
