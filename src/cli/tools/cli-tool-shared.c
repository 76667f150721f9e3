/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-shared.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/json/gmcp-json.h>

#include "cli-server.h"
#include "cli-tool-name.h"

static char *
dup_server_id (GmcpTool *tool, const char *name)
{
  gsize length;
  const char *separator;

  if (tool != NULL)
    return g_strdup (cli_tool_get_server (tool));
  separator = cli_server_find_separator (name, &length);
  return separator != NULL ? g_strndup (name, (gsize) (separator - name)) : NULL;
}

/* This program starts the others itself, and connects to those that have an address. What the daemon of a file runs
 * is used as it is. */
static gboolean
may_be_shared (CliHost *host, const char *server_id)
{
  GmcpManager *manager = cli_host_get_manager (host);
  GmcpManagedServer *server = manager != NULL ? gmcp_manager_get_server (manager, server_id) : NULL;

  return server == NULL
         || (gmcp_server_config_get_url (gmcp_managed_server_get_config (server)) == NULL
             && (gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL
                 || host->config_file != NULL));
}

CliDaemon *
cli_tool_find_daemon (CliHost *host, GmcpTool *tool, const char *name)
{
  g_autofree char *server_id = dup_server_id (tool, name);
  g_autoptr (CliDaemon) daemon = NULL;
  g_autoptr (JsonArray) servers = NULL;

  if (server_id == NULL || !may_be_shared (host, server_id))
    return NULL;

  daemon = cli_daemon_look_for (host);
  if (daemon != NULL)
    servers = cli_daemon_list_servers (daemon);
  return cli_daemon_find_running (servers, server_id) != NULL ? g_steal_pointer (&daemon) : NULL;
}

static GmcpTool *
make_tool (JsonNode *described, const char *server_id)
{
  g_autofree char *json = gmcp_json_print (described, NULL);
  g_autofree char *prefix = g_strconcat (server_id, "__", NULL);
  GmcpTool *tool = gmcp_tool_new_from_json (json, NULL);
  const char *name = tool != NULL ? gmcp_definition_get_name (GMCP_DEFINITION (tool)) : NULL;

  if (tool != NULL)
    cli_tool_set_server (tool, server_id,
                         g_str_has_prefix (name, prefix) ? name + strlen (prefix) : NULL);
  return tool;
}

static void
add_tools_of (GPtrArray *tools, CliDaemon *daemon, const char *server_id)
{
  g_autoptr (GVariant) reply
    = cli_daemon_call (daemon, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, "ListTools",
                       g_variant_new ("(s)", server_id), "(s)", NULL);
  g_autoptr (JsonNode) list = NULL;
  const char *text;
  JsonArray *array;

  if (reply == NULL)
    return;
  g_variant_get (reply, "(&s)", &text);
  list = gmcp_json_parse (text, -1, NULL);
  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list))
    return;

  array = json_node_get_array (list);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      GmcpTool *tool = make_tool (json_array_get_element (array, i), server_id);

      if (tool != NULL)
        g_ptr_array_add (tools, tool);
    }
}

/* What this program cannot start by itself. */
static gboolean
is_manual (GmcpManagedServer *server)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (server);

  return gmcp_server_config_is_enabled (config) && gmcp_server_config_get_url (config) == NULL
         && gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL;
}

static GPtrArray *
list_manual (CliHost *host, const char *server_id)
{
  GmcpManager *manager = cli_host_get_manager (host);
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; manager != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (manager)); i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      const char *id = gmcp_managed_server_get_id (server);

      if (is_manual (server) && (server_id == NULL || g_str_equal (id, server_id)))
        g_ptr_array_add (ids, g_strdup (id));
    }
  return ids;
}

GPtrArray *
cli_tool_list_shared (CliHost *host, const char *server_id)
{
  GPtrArray *tools = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) ids = list_manual (host, server_id);
  g_autoptr (CliDaemon) daemon = ids->len > 0 ? cli_daemon_look_for (host) : NULL;
  g_autoptr (JsonArray) servers = daemon != NULL ? cli_daemon_list_servers (daemon) : NULL;

  for (guint i = 0; i < ids->len; i++)
    if (cli_daemon_find_running (servers, ids->pdata[i]) != NULL)
      add_tools_of (tools, daemon, ids->pdata[i]);
  return tools;
}

GmcpTool *
cli_tool_find_shared (CliHost *host, const char *name, GError **error)
{
  g_autofree char *server_id = dup_server_id (NULL, name);
  g_autoptr (GPtrArray) tools = NULL;
  gsize length = 0;
  const char *own;

  if (server_id == NULL)
    return NULL;
  own = cli_server_find_separator (name, &length) + length;
  tools = cli_tool_list_shared (host, server_id);
  for (guint i = 0; i < tools->len; i++)
    {
      GmcpTool *tool = tools->pdata[i];

      if (g_strcmp0 (cli_tool_get_own_name (tool), own) == 0
          || g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (tool)), name))
        return g_object_ref (tool);
    }
  if (tools->len > 0)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("There is no tool called %s"),
                 name);
  return NULL;
}
