/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-json.h"
#include "cli-listing.h"

/* FALSE, and reported, where the server does not give it. */
static gboolean
add_items (const CliListing *self,
           CliHost *host,
           GmcpManagedServer *server,
           CliTable *table,
           JsonArray *array,
           CliExit *status)
{
  GmcpClient *client = cli_server_get_client (host, server, status);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GListModel) model = NULL;
  g_autoptr (GError) error = NULL;
  guint n;

  if (client == NULL)
    return FALSE;

  self->list_async (client, host->cancellable, cli_store_result, &result);
  model = self->list_finish (client, cli_wait (&result), &error);
  if (model == NULL)
    {
      /* What ends the command is told of once. */
      if (!g_cancellable_is_cancelled (host->cancellable))
        *status = cli_host_report (host, error);
      return FALSE;
    }

  n = g_list_model_get_n_items (model);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);

      self->add (table, array, gmcp_managed_server_get_id (server), item);
    }
  return TRUE;
}

static void
tell_of_none (const CliListing *self, const char *id)
{
  if (id != NULL)
    g_printerr ("gmcp: %s: %s\n", id, _ (self->none));
  else
    g_printerr ("gmcp: %s\n", _ (self->none));
}

CliExit
cli_listing_print (const CliListing *self, CliHost *host, const char *id, gboolean json)
{
  g_autoptr (GPtrArray) servers = NULL;
  g_autoptr (CliTable) table = cli_table_new ();
  g_autoptr (JsonArray) array = json_array_new ();
  g_autoptr (GError) error = NULL;
  CliExit status = CLI_EXIT_OK;
  guint n_failed = 0;

  servers = cli_server_start (host, id, &status);
  if (status != CLI_EXIT_OK)
    return status;

  for (guint i = 0; i < servers->len; i++)
    n_failed += !add_items (self, host, servers->pdata[i], table, array, &status);
  if (g_cancellable_set_error_if_cancelled (host->cancellable, &error))
    return cli_host_report (host, error);

  if (!json && n_failed < servers->len && json_array_get_length (array) == 0)
    tell_of_none (self, id);
  if (json)
    cli_json_print_array (g_steal_pointer (&array));
  else
    cli_table_print (table);
  /* A server that fails is told of, and is no failure where others have answered. */
  return n_failed == servers->len ? status : CLI_EXIT_OK;
}
