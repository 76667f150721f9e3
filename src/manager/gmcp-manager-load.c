/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-preflight-private.h"

/* The tools of all servers are asked for: first the configuration, then the servers side by side. One
 * that fails says so by a notice and its last error, and is left out. */
typedef struct
{
  GmcpManager *manager;
  GmcpToolLoad *load;
  gboolean holds_list; /* until all have been recalled, so that it changes once */
  guint n_recalling;
  guint n_refreshing;
} Loading;

static void
finish (Loading *loading)
{
  g_autoptr (GError) error = NULL;

  if (g_cancellable_set_error_if_cancelled (gmcp_tool_load_get_cancellable (loading->load), &error))
    gmcp_tool_load_return_error (loading->load, error);
  else
    gmcp_tool_load_return (loading->load);

  g_object_unref (loading->manager);
  g_object_unref (loading->load);
  g_free (loading);
}

static void
on_refreshed (GObject *object, GAsyncResult *result, gpointer data)
{
  Loading *loading = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  g_autoptr (GError) error = NULL;

  /* A start that failed has been told of already; a list that could not be read again has not. */
  if (!gmcp_managed_server_refresh_finish (server, result, &error)
      && gmcp_managed_server_is_ready (server)
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    gmcp_manager_notice (loading->manager, gmcp_managed_server_get_id (server),
                         GMCP_NOTICE_LEVEL_WARNING, error->message);

  if (--loading->n_refreshing == 0)
    finish (loading);
}

/* Before anything is recalled, for whatever reason. */
static void
hold_list (Loading *loading)
{
  if (!loading->holds_list)
    gmcp_manager_hold_list (loading->manager);
  loading->holds_list = TRUE;
}

static void
release_list (Loading *loading)
{
  if (loading->holds_list)
    gmcp_manager_release_list (loading->manager);
  loading->holds_list = FALSE;
}

static void
recalled (Loading *loading)
{
  if (--loading->n_recalling == 0)
    release_list (loading);
}

static void
on_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  Loading *loading = data;

  recalled (loading);
  gmcp_managed_server_refresh_recalled_async (GMCP_MANAGED_SERVER (object),
                                              gmcp_tool_load_get_cancellable (loading->load),
                                              on_refreshed, loading);
}

/* What was missing for some is looked for before; it may be there now. */
static void
on_node_looked_for (gpointer data)
{
  Loading *loading = data;
  g_autoptr (GPtrArray) servers = gmcp_manager_list_servers (loading->manager);

  loading->n_recalling = 1;
  loading->n_refreshing = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server))
          || !gmcp_manager_includes_server (loading->manager, server))
        continue;
      loading->n_recalling++;
      loading->n_refreshing++;
      gmcp_managed_server_recall_tools_async (server, NULL, on_recalled, loading);
    }

  recalled (loading);
  if (--loading->n_refreshing == 0)
    finish (loading);
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Loading *loading = data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_manager_load_config_finish (loading->manager, result, &error))
    {
      release_list (loading);
      gmcp_tool_load_return_error (loading->load, error);
      g_object_unref (loading->manager);
      g_object_unref (loading->load);
      g_free (loading);
      return;
    }

  hold_list (loading);
  gmcp_manager_look_for_node (loading->manager, on_node_looked_for, loading);
}

void
gmcp_manager_load_tools (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  GmcpManager *self = GMCP_MANAGER (provider);
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  Loading *loading = g_new0 (Loading, 1);

  loading->manager = g_object_ref (self);
  loading->load = g_object_ref (load);
  /* Servers are wanted as soon as they are configured. */
  if (!priv->wanted)
    hold_list (loading);
  priv->wanted = TRUE;
  gmcp_manager_load_config_async (self, gmcp_tool_load_get_cancellable (load), on_config_loaded,
                                  loading);
}
