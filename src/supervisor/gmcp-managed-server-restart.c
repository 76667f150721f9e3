/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-restart-private.h"
#include "gmcp-managed-server-statistics-private.h"
#include "gmcp-managed-server-tools-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* Starting a server again that failed, ever more slowly, until it is given up. */

void
gmcp_managed_server_arm_retry (GmcpManagedServer *self, guint delay_ms)
{
  /* A listener may have stopped the server when it failed. */
  if (gmcp_managed_server_get_state (self) != GMCP_SERVER_STATE_BACKING_OFF)
    return;

  gmcp_restart_policy_arm (gmcp_managed_server_get_restart_policy (self), delay_ms);
}

void
gmcp_managed_server_tell_of_retry (GmcpManagedServer *self, guint delay_ms)
{
  /* A listener may have stopped the server when it failed, or started it at once. */
  if (!gmcp_restart_policy_is_armed (gmcp_managed_server_get_restart_policy (self)))
    return;

  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                              _ ("Server “%s” is restarted in %.1f seconds"),
                              gmcp_managed_server_get_title (self), delay_ms / 1000.);
}

void
gmcp_managed_server_tell_of_failure (GmcpManagedServer *self,
                                     GmcpNoticeLevel level,
                                     const GError *error)
{
  gboolean was_kept_up
    = gmcp_restart_policy_leave_down (gmcp_managed_server_get_restart_policy (self));
  /* Whether to go on without one that is required is for the host to say. */
  gboolean is_required = gmcp_server_host_requires_server (gmcp_managed_server_get_host (self),
                                                           gmcp_managed_server_get_id (self));

  if (gmcp_managed_server_get_state (self) == GMCP_SERVER_STATE_FAILED)
    gmcp_managed_server_withdraw_tools (self);
  if (was_kept_up)
    {
      g_autofree char *words = gmcp_server_host_dup_start_words (
        gmcp_managed_server_get_host (self), gmcp_managed_server_get_id (self));

      gmcp_managed_server_notice (
        self, GMCP_NOTICE_LEVEL_ERROR,
        _ ("Server “%s” keeps failing and is not restarted any more; going on without its tools. "
           "To see what it says: gmcp start --foreground %s (%s)"),
        gmcp_managed_server_get_title (self), words, error->message);
    }
  else
    {
      gmcp_managed_server_notice (self, level, "%s", error->message);
      if (!is_required)
        gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                    _ ("Going on without the tools of server “%s”"),
                                    gmcp_managed_server_get_title (self));
    }
}

static void
give_up_server (GmcpManagedServer *self, const GError *error)
{
  GQueue starters = { NULL, NULL, 0 };

  gmcp_managed_server_take_starters (self, &starters);
  gmcp_managed_server_let_go (self, 0, GMCP_SERVER_EVENT_FAIL);
  gmcp_managed_server_tell_of_failure (self, GMCP_NOTICE_LEVEL_WARNING, error);
  gmcp_pending_tasks_settle (&starters, error);
}

void
gmcp_managed_server_recover (GmcpManagedServer *self, const GError *error)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  GmcpServerEvent event;
  guint delay_ms;

  if (gmcp_managed_server_get_instance (self) == NULL)
    return;

  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, error);
  gmcp_managed_server_note_failure (self, error);
  event = gmcp_restart_policy_judge_end (gmcp_managed_server_get_restart_policy (self),
                                         gmcp_managed_server_get_config (self),
                                         gmcp_managed_server_get_limits (self), &delay_ms);
  if (event == GMCP_SERVER_EVENT_FAIL)
    give_up_server (self, error);
  else
    gmcp_managed_server_let_go (self, 0, event);
  g_object_thaw_notify (G_OBJECT (self));

  if (event == GMCP_SERVER_EVENT_RETRY)
    {
      gmcp_managed_server_arm_retry (self, delay_ms);
      gmcp_managed_server_tell_of_retry (self, delay_ms);
    }
}

void
gmcp_managed_server_need_sign_in (GmcpManagedServer *self, const GError *error)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GError) told = g_error_copy (error);
  GQueue starters = { NULL, NULL, 0 };

  if (gmcp_managed_server_get_instance (self) == NULL)
    return;

  told->message = gmcp_managed_server_redact (self, told->message);
  gmcp_managed_server_take_starters (self, &starters);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, told);
  gmcp_managed_server_note_failure (self, told);
  gmcp_managed_server_let_go (self, gmcp_managed_server_get_shutdown_timeout_ms (self),
                              GMCP_SERVER_EVENT_SIGN_IN);
  g_object_thaw_notify (G_OBJECT (self));
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING, "%s", told->message);
  gmcp_pending_tasks_settle (&starters, told);
}
