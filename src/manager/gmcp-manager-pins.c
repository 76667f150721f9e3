/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-settings-private.h"
#include "gmcp-tool-pin-private.h"

/* What tools were before. */

void
gmcp_manager_use_pin_policy (GmcpManager *self)
{
  if (gmcp_pin_store_set_policy (gmcp_manager_get_pin_store (self),
                                 gmcp_effective_settings_get_enum (gmcp_manager_get_settings (self),
                                                                   GMCP_SETTING_PIN_POLICY)))
    gmcp_tool_catalog_compare_pins (gmcp_manager_get_catalog (self));
}

/**
 * gmcp_manager_get_pin_policy:
 * @self: a manager
 *
 * Says what is done about tools that are new or have changed.
 *
 * Returns: the policy
 *
 * Since: 0.1
 */
GmcpPinPolicy
gmcp_manager_get_pin_policy (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), GMCP_PIN_POLICY_NOTICE);

  return gmcp_pin_store_get_policy (gmcp_manager_get_pin_store (self));
}

/**
 * gmcp_manager_set_pin_policy:
 * @self: a manager
 * @pin_policy: a policy
 *
 * Sets what is done about tools that are new, or have changed, since their server was first seen.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_pin_policy (GmcpManager *self, GmcpPinPolicy pin_policy)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_enum (gmcp_manager_get_settings (self), GMCP_SETTING_PIN_POLICY,
                                    (int) pin_policy);
}

static void
add_pin (const GmcpToolPinView *view, gpointer data)
{
  g_ptr_array_add (data, gmcp_tool_pin_new (view));
}

/**
 * gmcp_manager_list_pins:
 * @self: a manager
 *
 * Gives what is known of the tools of all servers that were ever seen. Empty before the
 * configuration is read, see [method@Gmcp.Manager.load_config_async].
 *
 * Returns: (transfer container) (element-type GmcpToolPin): the pins
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_pins (GmcpManager *self)
{
  GPtrArray *list;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return NULL;

  list = g_ptr_array_new_with_free_func (g_object_unref);
  gmcp_pin_store_foreach (gmcp_manager_get_pin_store (self), add_pin, list);
  return list;
}

/* Calls that wait for somebody to say so go on. */
static void
end_approval (GmcpManager *self, GmcpPinApproval *approval)
{
  gmcp_tool_catalog_compare_pins (gmcp_manager_get_catalog (self));
  gmcp_approvals_end_held (gmcp_manager_get_approvals (self), approval);
}

static void
on_approval_kept (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManager *self = g_task_get_source_object (task);
  GmcpPinApproval *approval = g_task_get_task_data (task);
  const char *server = gmcp_pin_approval_get_server (approval);
  GError *error = NULL;
  int n_approved
    = gmcp_pin_store_approve_finish (gmcp_manager_get_pin_store (self), approval, result, &error);

  if (n_approved == 0)
    error = gmcp_pin_approval_make_error (
      approval, server != NULL && gmcp_manager_get_server (self, server) != NULL);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  end_approval (self, approval);
  g_task_return_int (task, n_approved);
}

/* The call that somebody allowed goes on all the same, once. */
static void
on_answer_kept (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpManager *self = GMCP_MANAGER (object);
  GmcpPinApproval *approval = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  g_task_propagate_int (G_TASK (result), &error);
  if (error == NULL)
    return;

  g_prefix_error (&error, "%s: ", _ ("A tool was approved, and it is not kept"));
  gmcp_manager_notice (self, gmcp_pin_approval_get_server (approval), GMCP_NOTICE_LEVEL_WARNING,
                       error->message);
}

void
gmcp_manager_approve_held_tool (GmcpManager *self, GmcpPinApproval *approval)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_answer_kept, NULL);

  g_task_set_source_tag (task, gmcp_manager_approve_held_tool);
  g_task_set_task_data (task, gmcp_pin_approval_ref (approval), gmcp_pin_approval_release);
  gmcp_pin_store_approve_async (gmcp_manager_get_pin_store (self), approval, on_approval_kept,
                                g_steal_pointer (&task));
}

/* Takes the task and the approval. */
static void
begin_approval (GTask *task, gpointer tag, GmcpPinApproval *approval)
{
  GmcpManager *self = g_task_get_source_object (task);

  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, approval, gmcp_pin_approval_release);
  if (g_task_return_error_if_cancelled (task))
    g_object_unref (task);
  else
    gmcp_pin_store_approve_async (gmcp_manager_get_pin_store (self), approval, on_approval_kept,
                                  task);
}

/**
 * gmcp_manager_approve_tools_async:
 * @self: a manager
 * @server_id: (nullable): the id of a server; %NULL for all
 * @tool: (nullable): the server's own name of a tool; %NULL for all
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Approves tools as they were last seen, whatever that is by now: for one that a person has looked at
 * there is [method@Gmcp.Manager.approve_tool_async]. Another program that runs learns of it when it
 * loads its tools the next time.
 *
 * Fails with [error@Gmcp.Error] `NOT_CONFIGURED` where there is no such server, and with `UNKNOWN_TOOL` where
 * no such tool was seen.
 *
 * Since: 0.1
 */
void
gmcp_manager_approve_tools_async (GmcpManager *self,
                                  const char *server_id,
                                  const char *tool,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  begin_approval (g_task_new (self, cancellable, callback, user_data),
                  gmcp_manager_approve_tools_async, gmcp_pin_approval_new (server_id, tool));
}

/**
 * gmcp_manager_approve_tools_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.approve_tools_async].
 *
 * Returns: how many tools were approved that were not before; -1 where it failed
 *
 * Since: 0.1
 */
int
gmcp_manager_approve_tools_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), -1);
  g_return_val_if_fail (g_task_is_valid (result, self), -1);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_approve_tools_async), -1);

  return (int) g_task_propagate_int (G_TASK (result), error);
}

/**
 * gmcp_manager_approve_tool_async:
 * @self: a manager
 * @server_id: the id of a server
 * @tool: the server's own name of a tool
 * @digest: what was shown of it: [method@Gmcp.ToolPin.get_present_digest]
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Approves a tool as somebody was shown it, and no other that it may have become meanwhile. Another
 * program that runs learns of it when it loads its tools the next time.
 *
 * Fails with [error@Gmcp.Error] `NOT_CONFIGURED` where there is no such server, with `UNKNOWN_TOOL` where
 * no such tool was seen, and with `TOOL_CHANGED` where it is another one by now.
 *
 * Since: 0.1
 */
void
gmcp_manager_approve_tool_async (GmcpManager *self,
                                 const char *server_id,
                                 const char *tool,
                                 const char *digest,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (server_id != NULL && tool != NULL && digest != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  begin_approval (g_task_new (self, cancellable, callback, user_data),
                  gmcp_manager_approve_tool_async,
                  gmcp_pin_approval_new_shown (server_id, tool, digest));
}

/**
 * gmcp_manager_approve_tool_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.approve_tool_async].
 *
 * Returns: 1; 0 where the tool was approved as that before; -1 where it failed
 *
 * Since: 0.1
 */
int
gmcp_manager_approve_tool_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), -1);
  g_return_val_if_fail (g_task_is_valid (result, self), -1);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_approve_tool_async), -1);

  return (int) g_task_propagate_int (G_TASK (result), error);
}
