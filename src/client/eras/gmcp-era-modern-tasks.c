/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-modern-private.h"

#include "gmcp-tasks-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

/* The extension io.modelcontextprotocol/tasks: the server decides which calls become tasks, and the
 * description of one carries all that there is to know, its result and its questions too. */

#define NOTIFICATION_TASKS "notifications/tasks"

gboolean
gmcp_era_modern_check_task (GmcpSession *self,
                            GmcpExchange *exchange,
                            GmcpJsonValue result,
                            GError **error)
{
  /* Some servers call a task's description one too. */
  if (g_str_equal (gmcp_exchange_get_method (exchange), GMCP_METHOD_TASKS_GET))
    return TRUE;

  if (!g_str_equal (gmcp_exchange_get_method (exchange), GMCP_METHOD_TOOLS_CALL))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   /* Translators: a server's name, a method such as prompts/get */
                   _ ("%s made a task of “%s”, which cannot be one"), gmcp_session_describe (self),
                   gmcp_exchange_get_method (exchange));
      return FALSE;
    }

  gmcp_tasks_take (self, exchange, result, error);
  return FALSE;
}

gboolean
gmcp_era_modern_note_task (GmcpSession *self, const GmcpRpcMessage *notification)
{
  GmcpJsonValue meta;

  if (!gmcp_json_value_equals_string (notification->method, NOTIFICATION_TASKS))
    return FALSE;

  /* A subscription of the application's may be what it came by. */
  meta = gmcp_json_value_get_member (notification->params, GMCP_MEMBER_META);
  return gmcp_tasks_note (self, notification->params)
         && !gmcp_json_value_is_present (
           gmcp_json_value_get_member (meta, GMCP_META_SUBSCRIPTION_ID));
}

gboolean
gmcp_era_modern_offers_tasks (GmcpSession *self)
{
  return FALSE;
}

gboolean
gmcp_era_modern_can_cancel_tasks (GmcpSession *self)
{
  return TRUE;
}

static void
break_rules (GmcpTaskWait *wait, const char *problem)
{
  gmcp_task_wait_fail (wait, g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                                          _ ("%s broke the rules about the task of “%s”: %s"),
                                          gmcp_session_describe (gmcp_task_wait_get_session (wait)),
                                          gmcp_task_wait_get_subject (wait), problem));
}

static void
take_result (GmcpTaskWait *wait, GmcpJsonValue result)
{
  GmcpJsonValue type = gmcp_json_value_get_member (result, GMCP_MEMBER_RESULT_TYPE);

  if (!gmcp_json_value_is_object (result))
    break_rules (wait, _ ("it is said to be completed, but has no result"));
  else if (gmcp_json_value_is_present (type)
           && !gmcp_json_value_equals_string (type, GMCP_RESULT_TYPE_COMPLETE))
    break_rules (wait, _ ("its result is not a final one"));
  else
    gmcp_task_wait_complete (wait, result);
}

static void
take_error (GmcpTaskWait *wait, GmcpJsonValue error)
{
  if (gmcp_json_value_is_object (error))
    gmcp_task_wait_fail (wait, gmcp_rpc_error_new_from_value (error));
  else
    break_rules (wait, _ ("it is said to have failed, but has no error"));
}

void
gmcp_era_modern_task_ended (GmcpTaskWait *wait, GmcpJsonValue state)
{
  switch (gmcp_task_handle_get_status (gmcp_task_wait_get_handle (wait)))
    {
    case GMCP_TASK_STATUS_COMPLETED:
      take_result (wait, gmcp_json_value_get_member (state, "result"));
      break;
    case GMCP_TASK_STATUS_FAILED:
      take_error (wait, gmcp_json_value_get_member (state, "error"));
      break;
    case GMCP_TASK_STATUS_CANCELLED:
      gmcp_task_wait_cancelled (wait);
      break;
    case GMCP_TASK_STATUS_WORKING:
    case GMCP_TASK_STATUS_INPUT_REQUIRED:
    default:
      g_return_if_reached ();
    }
}
