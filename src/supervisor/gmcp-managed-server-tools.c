/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-tools-private.h"

/* The tools that are listed for a server, which stay while it does not run. */

void
gmcp_managed_server_keep_tools (GmcpManagedServer *self)
{
  GmcpServerLog *log = gmcp_managed_server_get_log (self);

  gmcp_tool_snapshot_keep (gmcp_managed_server_get_snapshot (self),
                           gmcp_managed_server_get_config (self),
                           log != NULL ? gmcp_server_log_get_certain_redactor (log) : NULL);
}

/* Whose tools are looked for. */
typedef struct
{
  GmcpServerConfig *config;
  GmcpClientAbilities abilities;
} Recalling;

static void
recalling_free (gpointer data)
{
  Recalling *recalling = data;

  g_object_unref (recalling->config);
  g_free (recalling);
}

static void
on_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *self = g_task_get_source_object (task);
  Recalling *recalling = g_task_get_task_data (task);
  GmcpServerConfig *config = recalling->config;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolListCache) manifest = gmcp_tool_list_cache_load_finish (result, &error);

  if (error != NULL)
    gmcp_managed_server_notice (
      self, GMCP_NOTICE_LEVEL_WARNING,
      _ ("What server “%s” listed before cannot be read, so that it has to be "
         "started to list its tools: %s; remove that file"),
      gmcp_managed_server_get_title (self), error->message);
  /* The server may have been started, or configured anew, meanwhile. A kept list that is empty is
   * not used: the server may have tools now. */
  if (manifest != NULL && manifest->tools->len > 0
      && gmcp_managed_server_get_config (self) == config
      && !gmcp_restart_policy_was_tried (gmcp_managed_server_get_restart_policy (self))
      && !gmcp_tool_snapshot_is_listed (gmcp_managed_server_get_snapshot (self))
      && gmcp_server_state_lists_tools (gmcp_managed_server_get_state (self)))
    {
      gmcp_tool_snapshot_recall (gmcp_managed_server_get_snapshot (self), config,
                                 recalling->abilities, manifest);
      gmcp_managed_server_tools_changed (self);
    }
  g_task_return_boolean (task, TRUE);
}

void
gmcp_managed_server_recall_tools_async (GmcpManagedServer *self,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Recalling *recalling;

  g_task_set_source_tag (task, gmcp_managed_server_recall_tools_async);
  if (gmcp_restart_policy_was_tried (gmcp_managed_server_get_restart_policy (self))
      || gmcp_tool_snapshot_is_listed (gmcp_managed_server_get_snapshot (self)))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  recalling = g_new (Recalling, 1);
  recalling->config = g_object_ref (gmcp_managed_server_get_config (self));
  recalling->abilities = gmcp_managed_server_get_abilities (self);
  g_task_set_task_data (task, recalling, recalling_free);
  gmcp_tool_list_cache_load_async (recalling->config, recalling->abilities, on_recalled,
                                   g_steal_pointer (&task));
}

void
gmcp_managed_server_withdraw_tools (GmcpManagedServer *self)
{
  if (gmcp_tool_snapshot_withdraw (gmcp_managed_server_get_snapshot (self)))
    gmcp_managed_server_tools_changed (self);
}

static void
on_listed_anew (GmcpManagedServer *self)
{
  if (gmcp_server_state_is_up (gmcp_managed_server_get_state (self))
      && gmcp_server_state_lists_tools (gmcp_managed_server_get_state (self))
      && gmcp_tool_snapshot_take (
        gmcp_managed_server_get_snapshot (self), gmcp_managed_server_get_config (self),
        gmcp_server_instance_get_client (gmcp_managed_server_get_instance (self))))
    {
      gmcp_managed_server_keep_tools (self);
      gmcp_managed_server_tools_changed (self);
    }
}

static void
on_warning (GmcpManagedServer *self, const char *message)
{
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING, "%s", message);
}

void
gmcp_managed_server_watch_tools (GmcpManagedServer *self, GmcpClient *client)
{
  g_signal_connect_swapped (client, "warning", G_CALLBACK (on_warning), self);
  g_signal_connect_swapped (gmcp_client_get_tools (client), "items-changed",
                            G_CALLBACK (on_listed_anew), self);
}

void
gmcp_managed_server_unwatch_tools (GmcpManagedServer *self, GmcpClient *client)
{
  g_signal_handlers_disconnect_by_func (client, on_warning, self);
  g_signal_handlers_disconnect_by_func (gmcp_client_get_tools (client), on_listed_anew, self);
}
