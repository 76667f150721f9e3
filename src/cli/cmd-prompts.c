/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-server.h"
#include "cli-table.h"

/* “code, [style]: what the prompt does” */
static char *
describe (GmcpPrompt *prompt)
{
  GString *text = g_string_new (NULL);
  const char *shown = gmcp_prompt_get_description (prompt);
  guint n = gmcp_prompt_get_n_arguments (prompt);

  for (guint i = 0; i < n; i++)
    {
      GmcpPromptArgument *argument = gmcp_prompt_get_argument (prompt, i);
      gboolean required = gmcp_prompt_argument_is_required (argument);

      g_string_append_printf (text, "%s%s%s%s", i > 0 ? ", " : "", required ? "" : "[",
                              gmcp_prompt_argument_get_name (argument), required ? "" : "]");
    }
  if (shown == NULL)
    shown = gmcp_prompt_get_title (prompt);
  if (shown != NULL)
    g_string_append_printf (text, "%s%s", n > 0 ? ": " : "", shown);
  return g_string_free (text, FALSE);
}

static void
add (CliTable *table, JsonArray *array, const char *server, GmcpPrompt *prompt)
{
  g_autofree char *json = gmcp_prompt_dup_json (prompt);
  g_autofree char *name = g_strdup_printf ("%s.%s", server, gmcp_prompt_get_name (prompt));
  g_autofree char *text = describe (prompt);

  cli_table_add (table, name, text);
  json_array_add_element (array, cli_json_describe (json, "name", name, "server", server, "prompt",
                                                    gmcp_prompt_get_name (prompt), NULL));
}

static CliExit
print (CliHost *host, GPtrArray *servers, gboolean json)
{
  g_autoptr (CliTable) table = cli_table_new ();
  JsonArray *array = json_array_new ();
  CliExit status = CLI_EXIT_OK;
  guint n_failed = 0;

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = servers->pdata[i];
      GmcpClient *client = gmcp_managed_server_get_client (server);
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GListModel) model = NULL;
      g_autoptr (GError) error = NULL;
      guint n;

      if (client == NULL)
        continue;
      gmcp_client_list_prompts_async (client, host->cancellable, cli_store_result, &result);
      model = gmcp_client_list_prompts_finish (client, cli_wait (&result), &error);
      if (model == NULL)
        {
          status = cli_host_report (host, error);
          n_failed++;
          continue;
        }
      n = g_list_model_get_n_items (model);
      for (guint k = 0; k < n; k++)
        {
          g_autoptr (GmcpPrompt) prompt = g_list_model_get_item (model, k);

          add (table, array, gmcp_managed_server_get_id (server), prompt);
        }
    }

  if (json)
    cli_json_print_array (array);
  else
    {
      json_array_unref (array);
      cli_table_print (table);
    }
  return n_failed == servers->len ? status : CLI_EXIT_OK;
}

CliExit
cli_command_prompts (CliHost *host, int argc, char *argv[])
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print a JSON array"), NULL },
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("[SERVER] – list prompts"));
  g_autoptr (GPtrArray) servers = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status;

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("prompts: %s", error->message);
  if (argc > 2)
    return cli_usage_error (_ ("prompts: too many arguments; one server, or none for all"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  servers = cli_server_start (host, argc == 2 ? argv[1] : NULL, &status);
  if (status != CLI_EXIT_OK)
    return status;
  return print (host, servers, json);
}
