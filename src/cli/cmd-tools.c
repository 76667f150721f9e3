/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "cli-host.h"
#include "cli-text.h"

/* What the description gets at least, however long the names are. */
#define MIN_DESCRIPTION_COLUMNS 20

static char *
list_servers (GmcpManager *manager)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                              gmcp_managed_server_get_id (server));
    }
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/* Starts one server, so that its tools are listed. */
static CliExit
load_server (CliHost *host, const char *name)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (GAsyncResult) configured = NULL;
  g_autoptr (GAsyncResult) started = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManagedServer *server;

  if (manager == NULL)
    return cli_usage_error (_ ("Unknown server: %s"), name);

  gmcp_manager_load_config_async (manager, host->cancellable, cli_store_result, &configured);
  if (!gmcp_manager_load_config_finish (manager, cli_wait (&configured), &error))
    return cli_host_report (host, error);

  server = gmcp_manager_get_server (manager, name);
  if (server == NULL)
    {
      g_autofree char *names = list_servers (manager);

      return cli_usage_error (*names != '\0' ? _ ("Unknown server: %s (configured: %s)")
                                             : _ ("Unknown server: %s (no server is configured%s)"),
                              name, names);
    }

  gmcp_managed_server_start_async (server, host->cancellable, cli_store_result, &started);
  if (!gmcp_managed_server_start_finish (server, cli_wait (&started), &error))
    return cli_host_report (host, error);
  return CLI_EXIT_OK;
}

/* A server that failed is told of, and is no failure where others have answered. */
static CliExit
report_failures (CliHost *host, guint n_tools)
{
  GmcpManager *manager = cli_host_get_manager (host);
  CliExit status = CLI_EXIT_OK;
  guint n = manager != NULL ? g_list_model_get_n_items (G_LIST_MODEL (manager)) : 0;
  guint n_failed = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      const GError *error = gmcp_managed_server_get_last_error (server);

      if (error != NULL)
        {
          CliExit own = cli_host_report (host, error);

          status = n_failed++ == 0 ? own : CLI_EXIT_UNREACHABLE;
        }
    }

  return n_failed == n && n_failed > 0 && n_tools == 0 ? status : CLI_EXIT_OK;
}

static CliExit
load_all (CliHost *host)
{
  for (guint i = 0; i < host->providers->len; i++)
    {
      GmcpToolProvider *provider = g_ptr_array_index (host->providers, i);
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      gmcp_tool_provider_load_async (provider, host->cancellable, cli_store_result, &result);
      if (!gmcp_tool_provider_load_finish (provider, cli_wait (&result), &error))
        return cli_host_report (host, error);
    }
  return CLI_EXIT_OK;
}

static GPtrArray *
collect (CliHost *host, const char *server)
{
  GPtrArray *tools = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < host->providers->len; i++)
    {
      GListModel *model = gmcp_tool_provider_get_tools (g_ptr_array_index (host->providers, i));
      guint n = g_list_model_get_n_items (model);

      for (guint k = 0; k < n; k++)
        {
          GmcpTool *tool = g_list_model_get_item (model, k);

          if (server == NULL || g_strcmp0 (gmcp_tool_get_server (tool), server) == 0)
            g_ptr_array_add (tools, tool);
          else
            g_object_unref (tool);
        }
    }
  return tools;
}

static void
print_table (GPtrArray *tools)
{
  gboolean terminal = isatty (STDOUT_FILENO);
  guint width = terminal ? cli_text_width (STDOUT_FILENO) : G_MAXUINT / 2;
  guint name_columns = 0;

  for (guint i = 0; i < tools->len; i++)
    name_columns
      = MAX (name_columns, cli_text_columns (gmcp_tool_get_name (g_ptr_array_index (tools, i))));

  for (guint i = 0; i < tools->len; i++)
    {
      GmcpTool *tool = g_ptr_array_index (tools, i);
      const char *text = gmcp_tool_get_description (tool);
      guint used = cli_text_columns (gmcp_tool_get_name (tool));
      guint left = MAX (width - MIN (width, name_columns + 2), MIN_DESCRIPTION_COLUMNS);
      g_autofree char *plain = NULL;

      if (text == NULL)
        text = gmcp_tool_get_title (tool);
      plain = cli_text_plain (text != NULL ? text : "", left);
      if (*plain == '\0')
        g_print ("%s\n", gmcp_tool_get_name (tool));
      else
        g_print ("%s%*s%s\n", gmcp_tool_get_name (tool), (int) (name_columns - used) + 2, "",
                 plain);
    }
}

/* The tool as its server sent it, but under the name that it is called by here. */
static JsonNode *
describe_tool (GmcpTool *tool)
{
  g_autofree char *text = gmcp_tool_dup_json (tool);
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  JsonObject *object = json_object_new ();
  JsonObjectIter iter;
  const char *member;
  JsonNode *value;

  json_object_set_string_member (object, "name", gmcp_tool_get_name (tool));
  if (gmcp_tool_get_server (tool) != NULL)
    json_object_set_string_member (object, "server", gmcp_tool_get_server (tool));
  json_object_set_string_member (object, "tool", gmcp_tool_get_server_tool_name (tool));
  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &member, &value))
    {
      if (!json_object_has_member (object, member))
        json_object_set_member (object, member, json_node_copy (value));
    }

  return json_node_init_object (json_node_alloc (), object);
}

static void
print_json (GPtrArray *tools)
{
  g_autoptr (JsonArray) array = json_array_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < tools->len; i++)
    json_array_add_element (array, describe_tool (g_ptr_array_index (tools, i)));
  root = json_node_init_array (json_node_alloc (), array);
  text = json_to_string (root, TRUE);
  g_print ("%s\n", text);
}

CliExit
cli_command_tools (CliHost *host, int argc, char *argv[])
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print a JSON array"), NULL },
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("[SERVER] – list tools"));
  g_autoptr (GPtrArray) tools = NULL;
  g_autoptr (GError) error = NULL;
  const char *server;
  CliExit status;

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("tools: %s", error->message);
  if (argc > 2)
    return cli_usage_error (_ ("tools: too many arguments; one server, or none for all"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;

  server = argc == 2 ? argv[1] : NULL;
  status = server != NULL ? load_server (host, server) : load_all (host);
  if (status != CLI_EXIT_OK)
    return status;

  tools = collect (host, server);
  if (json)
    print_json (tools);
  else if (tools->len > 0)
    print_table (tools);

  if (server != NULL)
    return CLI_EXIT_OK;
  if (tools->len == 0 && !json)
    cli_host_explain_no_servers (host);
  return report_failures (host, tools->len);
}
