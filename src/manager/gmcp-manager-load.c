/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gathered-lists-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-preflight-private.h"
#include "gmcp-manager-calls-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-manager-settings-private.h"

/* The tools of all servers are asked for: first the configuration, then what was kept of the servers,
 * then the servers themselves, side by side. Those whose tools nobody knows yet are waited for, but not
 * for long: what they have is listed when it is there. One that fails says so by a notice and its last
 * error, and is left out. */
typedef struct
{
  GmcpManager *manager;
  GmcpToolLoad *load;  /* NULL once it has been answered */
  gboolean holds_list; /* until all have been recalled, so that it changes once */
  guint n_recalling;
  guint n_refreshing;
  gboolean asked_for_lists;
  GSource *limit;
} Loading;

/* Before anything is recalled, for whatever reason. */
static void
hold_list (Loading *loading)
{
  if (!loading->holds_list)
    gmcp_tool_catalog_hold (gmcp_manager_get_catalog (loading->manager));
  loading->holds_list = TRUE;
}

static void
release_list (Loading *loading)
{
  if (loading->holds_list)
    gmcp_tool_catalog_release (gmcp_manager_get_catalog (loading->manager));
  loading->holds_list = FALSE;
}

static void
loading_free (Loading *loading)
{
  release_list (loading);
  if (loading->limit != NULL)
    g_source_destroy (loading->limit);
  g_clear_pointer (&loading->limit, g_source_unref);
  g_clear_object (&loading->load);
  g_object_unref (loading->manager);
  g_free (loading);
}

static void
tell_of_awaited (GmcpManager *self)
{
  g_auto (GStrv) awaited = gmcp_manager_dup_awaited_server_ids (self);

  for (gsize i = 0; awaited[i] != NULL; i++)
    {
      GmcpManagedServer *server = gmcp_manager_get_server (self, awaited[i]);
      g_autofree char *message = NULL;

      /* A server that failed and is started again has been told of. */
      if (server == NULL || gmcp_managed_server_get_last_error (server) != NULL)
        continue;
      message = g_strdup_printf (
        _ ("Server “%s” is not ready yet; its tools are listed as soon as it is"),
        gmcp_managed_server_get_title (server));
      gmcp_manager_notice (self, awaited[i], GMCP_NOTICE_LEVEL_INFO, message);
    }
}

static void
return_load (Loading *loading)
{
  g_autoptr (GmcpToolLoad) load = g_steal_pointer (&loading->load);
  g_autoptr (GError) error = NULL;

  if (load == NULL)
    return;

  release_list (loading);
  if (g_cancellable_set_error_if_cancelled (
        gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (load)), &error))
    {
      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (load), error);
      return;
    }

  tell_of_awaited (loading->manager);
  gmcp_tool_load_return_success (load);
}

static void one_refreshed (Loading *loading);

static void
on_lists (gpointer loading, gpointer unused)
{
  one_refreshed (loading);
}

static void
one_refreshed (Loading *loading)
{
  GmcpGatheredLists *lists = gmcp_manager_peek_gathered_lists (loading->manager);

  if (--loading->n_refreshing > 0)
    return;

  if (lists != NULL && !loading->asked_for_lists)
    {
      loading->asked_for_lists = TRUE;
      loading->n_refreshing = 1;
      gmcp_gathered_lists_ask (lists, on_lists, loading);
      return;
    }

  return_load (loading);
  loading_free (loading);
}

/* What is still under way goes on, and nobody waits for it. */
static gboolean
on_limit (gpointer data)
{
  Loading *loading = data;

  g_clear_pointer (&loading->limit, g_source_unref);
  return_load (loading);
  return G_SOURCE_REMOVE;
}

static void
limit_waiting (Loading *loading)
{
  loading->limit = g_timeout_source_new (
    gmcp_manager_get_limit (loading->manager, GMCP_MANAGER_LIMIT_LOAD_WAIT_MS));
  g_source_set_static_name (loading->limit, "[gmcp] list of tools");
  g_source_set_callback (loading->limit, on_limit, loading, NULL);
  g_source_attach (loading->limit, gmcp_manager_get_main_context (loading->manager));
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

  one_refreshed (loading);
}

static void
end_recall (Loading *loading)
{
  if (--loading->n_recalling > 0)
    return;

  release_list (loading);
  limit_waiting (loading);
}

static void
on_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  Loading *loading = data;

  end_recall (loading);
  gmcp_managed_server_refresh_recalled_async (
    GMCP_MANAGED_SERVER (object),
    loading->load != NULL
      ? gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (loading->load))
      : NULL,
    on_refreshed, loading);
}

/* What was missing for some is looked for before; it may be there now. */
static void
on_node_looked_for (gpointer data)
{
  Loading *loading = data;
  g_autoptr (GPtrArray) servers
    = gmcp_server_table_list (gmcp_manager_get_server_table (loading->manager));

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

  end_recall (loading);
  one_refreshed (loading);
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Loading *loading = data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_manager_load_config_finish (loading->manager, result, &error))
    {
      g_autoptr (GmcpToolLoad) load = g_steal_pointer (&loading->load);

      loading_free (loading);
      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (load), error);
      return;
    }

  hold_list (loading);
  gmcp_manager_look_for_node (loading->manager, on_node_looked_for, loading);
}

void
gmcp_manager_load_tools (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  GmcpManager *self = GMCP_MANAGER (provider);
  Loading *loading = g_new0 (Loading, 1);

  loading->manager = g_object_ref (self);
  loading->load = g_object_ref (load);
  /* Servers are wanted as soon as they are configured. */
  if (gmcp_manager_want_tools (self))
    hold_list (loading);
  gmcp_manager_load_config_async (
    self, gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (load)), on_config_loaded,
    loading);
}
