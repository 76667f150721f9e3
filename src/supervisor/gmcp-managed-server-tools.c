/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-bounded-operation-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-client-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-tool-list-cache-private.h"
#include "gmcp-tool-private.h"

/* The tools that are listed for a server, which stay while it does not run. */

static gboolean
same_tools (GPtrArray *present, GListModel *listed)
{
  if (present->len != g_list_model_get_n_items (listed))
    return FALSE;

  for (guint i = 0; i < present->len; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (listed, i);
      GmcpTool *other = g_ptr_array_index (present, i);

      if (tool != other
          && (!g_str_equal (gmcp_tool_get_name (tool), gmcp_tool_get_name (other))
              || !gmcp_tool_same_definition (tool, other)))
        return FALSE;
    }

  return TRUE;
}

gboolean
gmcp_managed_server_take_tools (GmcpManagedServer *self, GmcpClient *client)
{
  GListModel *listed = gmcp_client_get_tools (client);
  GmcpClientAbilities abilities = gmcp_client_get_declared_abilities (client);
  gboolean of_others = self->tools_abilities != abilities;
  guint length;

  of_others = g_set_object (&self->tools_config, self->config) || of_others;
  self->tools_abilities = abilities;
  if (of_others)
    self->is_kept = FALSE;
  if (same_tools (self->tools, listed))
    return of_others;

  self->is_kept = FALSE;
  length = g_list_model_get_n_items (listed);
  g_ptr_array_unref (self->tools);
  self->tools = g_ptr_array_new_full (length, g_object_unref);
  for (guint i = 0; i < length; i++)
    g_ptr_array_add (self->tools, g_list_model_get_item (listed, i));

  return TRUE;
}

/* The manifest is written; who closes the manager waits for it. */
static void
on_kept (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpManagedServer) self = gmcp_bounded_operation_end (data);

  if (self == NULL)
    return;

  self->n_keeping--;
  if (self->leaving == NULL)
    gmcp_managed_server_say_farewell (self);
}

void
gmcp_managed_server_keep_tools (GmcpManagedServer *self)
{
  GmcpBoundedOperation *errand;

  if (self->is_kept)
    return;

  self->is_kept = TRUE;
  self->n_keeping++;
  errand = gmcp_bounded_operation_new (self, self->context);
  g_main_context_push_thread_default (self->context);
  gmcp_tool_list_cache_save_async (
    self->config, self->tools_abilities, self->tools, self->instructions,
    self->log != NULL ? gmcp_server_log_get_certain_redactor (self->log) : NULL,
    gmcp_bounded_operation_get_cancellable (errand), on_kept, errand);
  g_main_context_pop_thread_default (self->context);
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
  /* It may have been started, or configured anew, meanwhile. One that had no tools may have some. */
  if (manifest != NULL && manifest->tools->len > 0 && self->config == config && !self->was_tried
      && !self->was_listed && gmcp_server_state_lists_tools (self->state))
    {
      self->was_listed = TRUE;
      self->is_kept = TRUE;
      g_ptr_array_unref (self->tools);
      self->tools = g_ptr_array_ref (manifest->tools);
      g_set_object (&self->tools_config, config);
      self->tools_abilities = recalling->abilities;
      g_free (self->instructions);
      self->instructions = g_strdup (manifest->instructions);
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
  if (self->was_tried || self->was_listed)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  recalling = g_new (Recalling, 1);
  recalling->config = g_object_ref (self->config);
  recalling->abilities = gmcp_managed_server_get_abilities (self);
  g_task_set_task_data (task, recalling, recalling_free);
  gmcp_tool_list_cache_load_async (recalling->config, recalling->abilities, on_recalled,
                                   g_steal_pointer (&task));
}

void
gmcp_managed_server_withdraw_tools (GmcpManagedServer *self)
{
  g_clear_pointer (&self->instructions, g_free);
  if (self->tools->len == 0)
    return;

  g_ptr_array_unref (self->tools);
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
  gmcp_managed_server_tools_changed (self);
}

static void
on_listed_anew (GmcpManagedServer *self)
{
  if (gmcp_server_state_is_up (self->state) && gmcp_server_state_lists_tools (self->state)
      && gmcp_managed_server_take_tools (self, gmcp_server_instance_get_client (self->run)))
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
