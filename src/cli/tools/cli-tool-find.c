/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-find.h"

#include <string.h>

#include <glib/gi18n.h>

#include "cli-server.h"

static GmcpTool *
find_in_manager (CliHost *host, GmcpManager *manager, const char *name, GError **error)
{
  g_autoptr (GAsyncResult) found = NULL;

  gmcp_manager_find_tool_async (manager, name, host->cancellable, cli_store_result, &found);
  return gmcp_manager_find_tool_finish (manager, cli_wait (&found), error);
}

static GmcpTool *
find_in_provider (CliHost *host, GmcpToolProvider *provider, const char *name, GError **error)
{
  g_autoptr (GAsyncResult) loaded = NULL;

  if (GMCP_IS_MANAGER (provider))
    return find_in_manager (host, GMCP_MANAGER (provider), name, error);

  gmcp_tool_provider_load_async (provider, host->cancellable, cli_store_result, &loaded);
  if (!gmcp_tool_provider_load_finish (provider, cli_wait (&loaded), error))
    return NULL;
  return gmcp_tool_provider_find_tool (provider, name, error);
}

GmcpTool *
cli_tool_find (CliHost *host, const char *name, GmcpToolProvider **provider, GError **error)
{
  g_autoptr (GError) reason = NULL;

  for (guint i = 0; i < host->providers->len; i++)
    {
      GmcpTool *tool;

      g_clear_error (&reason);
      *provider = g_ptr_array_index (host->providers, i);
      tool = find_in_provider (host, *provider, name, &reason);
      if (tool != NULL)
        return tool;
      if (!g_error_matches (reason, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL))
        break;
    }
  g_propagate_error (error, g_steal_pointer (&reason));
  return NULL;
}

GmcpTool *
cli_tool_find_fresh (CliHost *host, GmcpTool *tool)
{
  GmcpManager *manager = cli_host_get_manager (host);
  const char *id = gmcp_tool_get_server_id (tool);
  GmcpManagedServer *server
    = manager != NULL && id != NULL ? gmcp_manager_get_server (manager, id) : NULL;
  g_autoptr (GAsyncResult) started = NULL;
  g_autofree char *name = gmcp_tool_dup_qualified_name (tool);
  g_autoptr (GmcpTool) fresh = NULL;

  if (server == NULL || gmcp_managed_server_get_client (server) != NULL)
    return NULL;
  gmcp_managed_server_start_async (server, host->cancellable, cli_store_result, &started);
  if (!gmcp_managed_server_start_finish (server, cli_wait (&started), NULL))
    return NULL;
  fresh = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (manager), name, NULL);
  return fresh != tool ? g_steal_pointer (&fresh) : NULL;
}

/* The server that a name speaks of for certain, or NULL. */
static char *
dup_server (const char *tool)
{
  gsize length;

  if (g_str_has_prefix (tool, "mcp__"))
    tool += strlen ("mcp__");
  length = strcspn (tool, "._");
  if (length == 0 || (tool[length] != '.' && !g_str_has_prefix (tool + length, "__")))
    return NULL;
  return g_strndup (tool, length);
}

/* The library names a tool as hosts call it; whoever reads it here writes SERVER.TOOL. */
static void
qualify_names (CliHost *host, GString *text)
{
  for (guint i = 0; i < host->providers->len; i++)
    {
      GListModel *tools = gmcp_tool_provider_get_tools (g_ptr_array_index (host->providers, i));
      guint n = g_list_model_get_n_items (tools);

      for (guint k = 0; k < n; k++)
        {
          g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, k);
          g_autofree char *qualified = gmcp_tool_dup_qualified_name (tool);

          const char *name = gmcp_definition_get_name (GMCP_DEFINITION (tool));

          if (!g_str_equal (qualified, name))
            g_string_replace (text, name, qualified, 0);
        }
    }
}

static CliExit
report_unknown (CliHost *host, const GError *error)
{
  g_autoptr (GString) text = g_string_new (error->message);
  g_autoptr (GError) qualified = NULL;

  qualify_names (host, text);
  qualified = g_error_new_literal (error->domain, error->code, text->str);
  return cli_host_report (host, qualified);
}

/* A tool may be unknown only because its server is, or because that did not start. */
CliExit
cli_tool_report (CliHost *host, const char *name, const GError *error)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autofree char *server = dup_server (name);
  gboolean is_unknown = g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  CliExit status;
  CliExit failed;

  if (is_unknown && manager != NULL && g_list_model_get_n_items (G_LIST_MODEL (manager)) == 0)
    {
      /* The error says how a program begins; who is at a terminal has better ways. */
      status = cli_usage_error (_ ("There is no tool called %s"), name);
      cli_host_explain_no_servers (host);
      return status;
    }

  if (!is_unknown || manager == NULL)
    return cli_host_report (host, error);
  if (gmcp_manager_get_server (manager, name) != NULL)
    /* Translators: twice the id of a server */
    return cli_usage_error (_ ("“%s” is a server and no tool; “gmcp tools %s” lists what it has"),
                            name, name);

  status = report_unknown (host, error);
  if (server != NULL && gmcp_manager_get_server (manager, server) != NULL)
    return status;
  if (server != NULL)
    cli_server_report_unknown (host, server);
  failed = cli_server_report_failures (host);
  return failed != CLI_EXIT_OK ? failed : status;
}
