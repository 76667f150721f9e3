/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-legacy-private.h"

#include "gmcp-tasks-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

/* The tasks of 2025-11-25: this side decides which calls become tasks, and fetches their results
 * with a request of its own. That request waits for the end of the task, and it is while it waits
 * that the server asks for input. */

#define METHOD_RESULT            "tasks/result"
#define NOTIFICATION_TASK_STATUS "notifications/tasks/status"

gboolean
gmcp_era_legacy_check_task (GmcpSession *self,
                            GmcpExchange *exchange,
                            GmcpJsonValue result,
                            GError **error)
{
  GmcpJsonValue task;

  if (!gmcp_tasks_are_offered (self)
      || !g_str_equal (gmcp_exchange_get_method (exchange), GMCP_METHOD_TOOLS_CALL))
    return TRUE;

  task = gmcp_json_value_get_member (result, "task");
  if (!gmcp_json_value_is_object (task)
      || gmcp_json_value_is_present (gmcp_json_value_get_member (result, "content")))
    return TRUE;

  gmcp_tasks_take (self, exchange, task, error);
  return FALSE;
}

gboolean
gmcp_era_legacy_note_task (GmcpSession *self, const GmcpRpcMessage *notification)
{
  if (!gmcp_json_value_equals_string (notification->method, NOTIFICATION_TASK_STATUS))
    return FALSE;

  gmcp_tasks_note (self, notification->params);
  return TRUE;
}

gboolean
gmcp_era_legacy_offers_tasks (GmcpSession *self)
{
  return gmcp_capabilities_has (gmcp_session_get_capabilities (self), "tasks/requests/tools/call");
}

gboolean
gmcp_era_legacy_can_cancel_tasks (GmcpSession *self)
{
  return gmcp_capabilities_has (gmcp_session_get_capabilities (self), "tasks/cancel");
}

static void
on_result (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpTaskWait *wait = gmcp_task_wait_of (exchange);

  if (wait == NULL)
    {
      g_clear_error (&error);
      return;
    }

  gmcp_task_wait_set_side (wait, NULL);
  if (error == NULL)
    {
      gmcp_task_wait_complete (wait, reply->result);
      return;
    }
  /* A task that failed has the error that the call would have had. */
  if (error->domain == GMCP_RPC_ERROR
      && gmcp_task_handle_get_status (gmcp_task_wait_get_handle (wait)) == GMCP_TASK_STATUS_FAILED)
    {
      gmcp_task_wait_fail (wait, error);
      return;
    }

  /* The task itself tells whether there is still something to wait for. A lost connection says
   * nothing of the task. */
  if (gmcp_task_wait_is_settled (wait) || error->domain == GMCP_RPC_ERROR)
    gmcp_task_wait_count_side_failure (wait);
  gmcp_task_wait_unsettle (wait);
  gmcp_task_wait_try_again (wait, error);
}

static void
fetch_result (GmcpTaskWait *wait, guint timeout_ms)
{
  GmcpJsonWriter params;
  GmcpExchange *side
    = gmcp_task_wait_begin_request (wait, METHOD_RESULT, on_result, timeout_ms, &params);

  gmcp_task_wait_set_side (wait, side);
  gmcp_session_end_request (gmcp_task_wait_get_session (wait), side, &params);
}

void
gmcp_era_legacy_task_needs_input (GmcpTaskWait *wait, GmcpJsonValue state)
{
  /* No limit: it is answered when the task has ended. */
  if (gmcp_task_wait_get_side (wait) == NULL)
    fetch_result (wait, 0);
}

void
gmcp_era_legacy_task_ended (GmcpTaskWait *wait, GmcpJsonValue state)
{
  GmcpSession *self = gmcp_task_wait_get_session (wait);
  GmcpExchange *side = gmcp_task_wait_get_side (wait);

  if (gmcp_task_handle_get_status (gmcp_task_wait_get_handle (wait)) == GMCP_TASK_STATUS_CANCELLED)
    {
      gmcp_task_wait_cancelled (wait);
      return;
    }
  if (side == NULL)
    {
      fetch_result (wait, gmcp_session_get_call_timeout_ms (self));
      return;
    }

  /* The result was asked for while the task waited for input; now the server can answer at once. */
  gmcp_exchange_set_timeout_ms (side, gmcp_session_get_call_timeout_ms (self));
  gmcp_exchange_set_deadline (side, g_get_monotonic_time ()
                                      + gmcp_session_get_call_timeout_ms (self) * (gint64) 1000);
}
