/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-progress.h"
#include "cli-text.h"
#include "cli-unlisted.h"

static GPtrArray *
list_enabled (CliHost *host)
{
  GmcpManager *manager = cli_host_get_manager (host);
  GPtrArray *servers = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = manager != NULL ? g_list_model_get_n_items (G_LIST_MODEL (manager)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      if (gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
        g_ptr_array_add (servers, g_steal_pointer (&server));
    }
  return servers;
}

static gboolean
is_any_on_its_way (CliHost *host, gboolean failed_too)
{
  g_autoptr (GPtrArray) servers = list_enabled (host);

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (gmcp_managed_server_is_awaited (server)
          && gmcp_managed_server_get_state (server) != GMCP_SERVER_STATE_BACKING_OFF
          && (failed_too || gmcp_managed_server_get_last_failure (server) == NULL))
        return TRUE;
    }
  return FALSE;
}

static gboolean
on_patience_over (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
cli_unlisted_wait (CliHost *host)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (CliProgress) progress = NULL;
  gboolean is_over = FALSE;
  GSource *patience;
  guint patience_ms;

  if (manager == NULL || !is_any_on_its_way (host, TRUE))
    return;

  progress = cli_progress_new (_ ("waiting for servers"), NULL, host->json);
  g_object_get (manager, "load-wait-ms", &patience_ms, NULL);
  patience = g_timeout_source_new (patience_ms);
  g_source_set_callback (patience, on_patience_over, &is_over, NULL);
  g_source_attach (patience, NULL);
  while (!g_cancellable_is_cancelled (host->cancellable) && is_any_on_its_way (host, !is_over))
    g_main_context_iteration (NULL, TRUE);
  g_source_destroy (patience);
  g_source_unref (patience);
}

static void
tell_of_awaited (GmcpManagedServer *server)
{
  const char *id = gmcp_managed_server_get_id (server);
  const char *last = gmcp_managed_server_get_last_failure (server);
  g_autofree char *failure = last != NULL ? cli_text_dup_first_paragraph (last) : NULL;
  g_autoptr (GDateTime) failed_at = gmcp_managed_server_dup_last_failure_at (server);
  g_autoptr (GDateTime) local = failed_at != NULL ? g_date_time_to_local (failed_at) : NULL;
  g_autofree char *when = local != NULL ? g_date_time_format (local, "%F %H:%M") : NULL;

  if (failure != NULL)
    g_printerr (_ ("gmcp: server %s is not listed: it is not ready yet, and failed the last time "
                   "(%s: %s). To wait for it: gmcp tools %s\n"),
                id, when, failure, id);
  else
    g_printerr (_ ("gmcp: server %s is not listed: it is not ready yet\n"), id);
}

/* FALSE where it is listed. */
static gboolean
report_one (CliHost *host, GmcpManagedServer *server)
{
  GmcpServerState state = gmcp_managed_server_get_state (server);
  const GError *error = gmcp_managed_server_get_last_error (server);

  if (error != NULL)
    cli_host_report_shortly (host, error);
  else if (gmcp_managed_server_is_awaited (server))
    tell_of_awaited (server);
  else if (state == GMCP_SERVER_STATE_STOPPED && gmcp_managed_server_get_tools_count (server) == 0
           && gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL)
    g_printerr (_ ("gmcp: server %s is not listed: it is started by hand only, and never was. To "
                   "start it for its list: gmcp tools %s\n"),
                gmcp_managed_server_get_id (server), gmcp_managed_server_get_id (server));
  else
    return FALSE;

  /* The tools of one that failed may be kept from before. */
  return gmcp_managed_server_get_tools_count (server) == 0;
}

guint
cli_unlisted_report (CliHost *host, GHashTable *shared, guint *n_listed)
{
  g_autoptr (GPtrArray) servers = list_enabled (host);
  guint n_unlisted = 0;

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!g_hash_table_contains (shared, gmcp_managed_server_get_id (server)))
        n_unlisted += report_one (host, server);
    }

  *n_listed = servers->len - n_unlisted;
  return n_unlisted;
}
