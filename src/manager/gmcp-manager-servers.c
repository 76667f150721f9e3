/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-host-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-manager-preflight-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* A server that is not managed any more, and whose process is waited for. */
typedef struct
{
  GWeakRef manager;
  GmcpManagedServer *server;
} Leaver;

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
  GmcpManagerSection *section = data;

  gmcp_manager_forward_notice (section->manager, gmcp_managed_server_get_id (server), level,
                               message);
}

static void
on_leaver_notice (GmcpManagedServer *server,
                  GmcpNoticeLevel level,
                  const char *message,
                  gpointer data)
{
  Leaver *leaver = data;
  g_autoptr (GmcpManager) self = g_weak_ref_get (&leaver->manager);

  if (self != NULL && !gmcp_manager_get_private (self)->disposing)
    gmcp_manager_forward_notice (self, gmcp_managed_server_get_id (server), level, message);
}

static GmcpManagerSection *
section_new (GmcpManager *self, GmcpServerConfig *config)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagerSection *section = g_new0 (GmcpManagerSection, 1);

  section->manager = self;
  section->entries = g_ptr_array_new ();
  g_main_context_push_thread_default (priv->context);
  section->server = gmcp_managed_server_new (
    config, &gmcp_effective_settings_peek_limits (priv->settings)->servers);
  g_main_context_pop_thread_default (priv->context);
  gmcp_manager_host_server (self, section->server);
  gmcp_managed_server_take_log (section->server,
                                gmcp_server_log_new (gmcp_server_config_get_id (config),
                                                     gmcp_auditor_get_book (priv->auditor)));
  gmcp_managed_server_set_cache (section->server, priv->cache);
  gmcp_managed_server_set_client_name (section->server, priv->host);
  g_signal_connect_swapped (section->server, "tools-changed",
                            G_CALLBACK (gmcp_manager_refresh_section), section);
  g_signal_connect_swapped (section->server, "notify::state",
                            G_CALLBACK (gmcp_manager_refresh_instructions), self);
  g_signal_connect (section->server, "notice", G_CALLBACK (on_notice), section);
  gmcp_manager_watch_section (section);
  return section;
}

void
gmcp_manager_settle_closers (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->closed && priv->leaving->len == 0 && !gmcp_state_store_is_keeping (priv->state))
    gmcp_pending_tasks_settle (&priv->closers, NULL);
}

static void
on_gone (gpointer data)
{
  Leaver *leaver = data;
  g_autoptr (GmcpManager) self = g_weak_ref_get (&leaver->manager);

  if (self != NULL)
    {
      g_ptr_array_remove_fast (gmcp_manager_get_private (self)->leaving, leaver->server);
      gmcp_manager_settle_closers (self);
    }

  g_signal_handlers_disconnect_by_data (leaver->server, leaver);
  g_weak_ref_clear (&leaver->manager);
  g_object_unref (leaver->server);
  g_free (leaver);
}

/* Takes a server out of the manager and stops it. Frees the section. */
static void
retire_section (GmcpManagerSection *section, guint drain_ms, const GError *reason)
{
  GmcpManager *self = section->manager;
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GmcpManagedServer) server = g_object_ref (section->server);
  Leaver *leaver = g_new0 (Leaver, 1);

  g_weak_ref_init (&leaver->manager, self);
  leaver->server = g_object_ref (server);
  g_ptr_array_add (priv->leaving, g_object_ref (server));
  gmcp_manager_section_free (section);
  g_signal_connect (server, "notice", G_CALLBACK (on_leaver_notice), leaver);
  gmcp_managed_server_retire (server, drain_ms, reason, on_gone, leaver);
}

static GError *
removed_error (GmcpManagedServer *server)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                      _ ("Server “%s” is not configured any more"),
                      gmcp_managed_server_get_title (server));
}

/* One change that goes from the first to the last server that differs. */
static void
tell_of_change (GmcpManager *self, GPtrArray *former, GPtrArray *sections)
{
  guint least = MIN (former->len, sections->len);
  guint head = 0;
  guint tail = 0;

  if (gmcp_manager_get_private (self)->disposing)
    return;

  while (head < least && g_ptr_array_index (former, head) == g_ptr_array_index (sections, head))
    head++;
  while (tail < least - head
         && g_ptr_array_index (former, former->len - tail - 1)
              == g_ptr_array_index (sections, sections->len - tail - 1))
    tail++;

  if (head + tail < MAX (former->len, sections->len))
    g_list_model_items_changed (G_LIST_MODEL (self), head, former->len - head - tail,
                                sections->len - head - tail);
}

/* The sections for these configurations; those that are left over stay in by_id. */
static GPtrArray *
arrange_sections (GmcpManager *self, GPtrArray *configs)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GPtrArray *sections = g_ptr_array_new ();

  for (guint i = 0; i < configs->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (configs, i);
      const char *id = gmcp_server_config_get_id (config);
      GmcpManagerSection *section = g_hash_table_lookup (priv->by_id, id);

      g_hash_table_remove (priv->by_id, id);
      g_ptr_array_add (sections, section != NULL ? section : section_new (self, config));
    }

  return sections;
}

static void
fill_table (GmcpManagerPrivate *priv)
{
  g_hash_table_remove_all (priv->by_id);
  for (guint i = 0; i < priv->sections->len; i++)
    {
      GmcpManagerSection *section = g_ptr_array_index (priv->sections, i);

      g_hash_table_insert (priv->by_id, g_strdup (gmcp_managed_server_get_id (section->server)),
                           section);
    }
}

void
gmcp_manager_start_wanted (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) servers = gmcp_manager_list_servers (self);

  for (guint i = 0; priv->wanted && i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (gmcp_manager_includes_server (self, server) && gmcp_managed_server_is_due (server))
        gmcp_managed_server_refresh_async (server, NULL, NULL, NULL);
    }
}

/* Whoever is told of a change may change the configuration again, or close the manager: then the
 * rest of the older change is void. */
static void
update_servers (GmcpManager *self, GPtrArray *configs, guint generation)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) servers = gmcp_manager_list_servers (self);

  for (guint i = 0; generation == priv->configs_generation && i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);
      GmcpServerConfig *config = g_ptr_array_index (configs, i);

      if (!gmcp_server_config_equal (gmcp_managed_server_get_config (server), config))
        gmcp_managed_server_set_config (server, config);
    }
}

void
gmcp_manager_set_configs (GmcpManager *self, GPtrArray *configs)
{
  g_autoptr (GmcpManager) alive G_GNUC_UNUSED = g_object_ref (self);
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) former = priv->sections;
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer section;
  guint generation = ++priv->configs_generation;

  gmcp_manager_learn_secrets (self, configs);
  gmcp_manager_hold_list (self);
  priv->sections = arrange_sections (self, configs);

  g_hash_table_iter_init (&iter, priv->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &section))
    {
      gmcp_manager_forget_section (section);
      g_ptr_array_add (left, section);
    }
  fill_table (priv);
  tell_of_change (self, former, priv->sections);

  for (guint i = 0; i < left->len; i++)
    {
      GmcpManagerSection *gone = g_ptr_array_index (left, i);
      g_autoptr (GError) reason = removed_error (gone->server);

      retire_section (gone, gmcp_managed_server_get_shutdown_timeout_ms (gone->server), reason);
    }

  update_servers (self, configs, generation);
  gmcp_manager_recall_failures (self);
  gmcp_manager_refresh_awaited (self);
  /* A server may be trusted now, or not any more, and its configuration leave other ones of its tools. */
  gmcp_manager_refresh_policy (self);
  gmcp_manager_refresh_instructions (self);
  gmcp_manager_release_list (self);
  gmcp_manager_start_wanted (self);
  gmcp_manager_look_for_node (self, NULL, NULL);
}

GPtrArray *
gmcp_manager_list_servers (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GPtrArray *servers = g_ptr_array_new_full (priv->sections->len, g_object_unref);

  for (guint i = 0; i < priv->sections->len; i++)
    {
      GmcpManagerSection *section = g_ptr_array_index (priv->sections, i);

      g_ptr_array_add (servers, g_object_ref (section->server));
    }

  return servers;
}

void
gmcp_manager_drop_servers (GmcpManager *self, const GError *reason)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) former = priv->sections;
  g_autoptr (GPtrArray) leaving = g_ptr_array_copy (priv->leaving, (GCopyFunc) g_object_ref, NULL);

  g_ptr_array_set_free_func (leaving, g_object_unref);
  priv->configs_generation++;
  gmcp_approvals_drop_questions (priv->approvals, reason);
  priv->sections = g_ptr_array_new ();
  g_hash_table_remove_all (priv->by_id);
  gmcp_manager_hold_list (self);
  for (guint i = 0; i < former->len; i++)
    gmcp_manager_forget_section (g_ptr_array_index (former, i));
  tell_of_change (self, former, priv->sections);

  for (guint i = 0; i < former->len; i++)
    retire_section (g_ptr_array_index (former, i), 0, reason);
  /* Those that were leaving before do not wait for their calls any longer either. */
  for (guint i = 0; i < leaving->len; i++)
    gmcp_managed_server_hurry (g_ptr_array_index (leaving, i));
  gmcp_manager_refresh_awaited (self);
  gmcp_manager_release_list (self);
}

/**
 * gmcp_manager_get_server:
 * @self: a manager
 * @id: a server's id
 *
 * Finds a configured server.
 *
 * Returns: (transfer none) (nullable): the server, or %NULL where none of that id is configured
 *
 * Since: 0.1
 */
GmcpManagedServer *
gmcp_manager_get_server (GmcpManager *self, const char *id)
{
  GmcpManagerSection *section;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);

  section = g_hash_table_lookup (gmcp_manager_get_private (self)->by_id, id);
  return section != NULL ? section->server : NULL;
}

/**
 * gmcp_manager_close_async:
 * @self: a manager
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the closing
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Stops all servers side by side and waits until their processes are gone, which takes a few seconds
 * at most. Calls under way fail with %GMCP_ERROR_CLOSED, and so does what is asked of the manager
 * from now on.
 *
 * A manager that is dropped without it stops its servers too, but nobody can wait for that.
 *
 * Since: 0.1
 */
void
gmcp_manager_close_async (GmcpManager *self,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GmcpManagerPrivate *priv;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) reason = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  priv = gmcp_manager_get_private (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_close_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (!priv->closed)
    {
      priv->closed = TRUE;
      gmcp_state_store_close (priv->state);
      reason = gmcp_manager_closed_error ();
      gmcp_manager_drop_config (self);
      gmcp_manager_drop_servers (self, reason);
    }

  /* Last: a server that does not run is gone before the next one begins to leave. */
  gmcp_pending_tasks_add (&priv->closers, task);
  gmcp_manager_settle_closers (self);
}

/**
 * gmcp_manager_close_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.close_async].
 *
 * Returns: whether all servers are gone
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_close_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
