/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-server.h"
#include "cli-table.h"

/* Either of the two lists; NULL, and reported, where the server does not give it. */
static GListModel *
list (CliHost *host, GmcpClient *client, gboolean templates, CliExit *status)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *model;

  if (templates)
    {
      gmcp_client_list_resource_templates_async (client, host->cancellable, cli_store_result,
                                                 &result);
      model = gmcp_client_list_resource_templates_finish (client, cli_wait (&result), &error);
    }
  else
    {
      gmcp_client_list_resources_async (client, host->cancellable, cli_store_result, &result);
      model = gmcp_client_list_resources_finish (client, cli_wait (&result), &error);
    }
  if (model == NULL)
    *status = cli_host_report (host, error);
  return model;
}

static void
add (CliTable *table, JsonArray *array, const char *server, gpointer item, gboolean templates)
{
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  const char *shown;

  if (templates)
    {
      text = gmcp_resource_template_dup_json (item);
      shown = gmcp_resource_template_get_description (item);
      if (shown == NULL)
        shown = gmcp_resource_template_get_title (item);
      if (shown == NULL)
        shown = gmcp_resource_template_get_name (item);
      name = g_strdup_printf ("%s %s", server, gmcp_resource_template_get_uri_template (item));
    }
  else
    {
      text = gmcp_resource_dup_json (item);
      shown = gmcp_resource_get_description (item);
      if (shown == NULL)
        shown = gmcp_resource_get_title (item);
      if (shown == NULL)
        shown = gmcp_resource_get_name (item);
      name = g_strdup_printf ("%s %s", server, gmcp_resource_get_uri (item));
    }

  cli_table_add (table, name, shown);
  json_array_add_element (array, cli_json_describe (text, "server", server, NULL));
}

static CliExit
print (CliHost *host, GPtrArray *servers, gboolean templates, gboolean json)
{
  g_autoptr (CliTable) table = cli_table_new ();
  JsonArray *array = json_array_new ();
  CliExit status = CLI_EXIT_OK;
  guint n_failed = 0;

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = servers->pdata[i];
      GmcpClient *client = gmcp_managed_server_get_client (server);
      g_autoptr (GListModel) model = NULL;
      guint n;

      model = client != NULL ? list (host, client, templates, &status) : NULL;
      n_failed += model == NULL;
      n = model != NULL ? g_list_model_get_n_items (model) : 0;
      for (guint k = 0; k < n; k++)
        {
          g_autoptr (GObject) item = g_list_model_get_item (model, k);

          add (table, array, gmcp_managed_server_get_id (server), item, templates);
        }
    }

  if (json)
    cli_json_print_array (array);
  else
    {
      json_array_unref (array);
      cli_table_print (table);
    }
  /* One that fails is told of, and is no failure where others have answered. */
  return n_failed == servers->len ? status : CLI_EXIT_OK;
}

CliExit
cli_command_resources (CliHost *host, int argc, char *argv[])
{
  gboolean json = FALSE;
  gboolean templates = FALSE;
  const GOptionEntry entries[] = {
    { "templates", 0, 0, G_OPTION_ARG_NONE, &templates,
      N_ ("List the templates of resources in place of the resources"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print a JSON array"), NULL },
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("[SERVER] – list resources"));
  g_autoptr (GPtrArray) servers = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status;

  g_option_context_set_description (
    context, _ ("Each line begins with the server and the URI, as “gmcp read” takes them."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("resources: %s", error->message);
  if (argc > 2)
    return cli_usage_error (_ ("resources: too many arguments; one server, or none for all"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  servers = cli_server_start (host, argc == 2 ? argv[1] : NULL, &status);
  if (status != CLI_EXIT_OK)
    return status;
  return print (host, servers, templates, json);
}
