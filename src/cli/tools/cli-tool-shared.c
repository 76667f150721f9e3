/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-shared.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/json/gmcp-json.h>

#include "cli-server.h"
#include "cli-tool-name.h"

char *
cli_tool_dup_server_id (GmcpTool *tool, const char *name)
{
  gsize length;
  const char *separator;

  if (tool != NULL)
    return g_strdup (cli_tool_get_server (tool));
  if (g_str_has_prefix (name, "mcp__"))
    name += strlen ("mcp__");
  separator = cli_server_find_separator (name, &length);
  return separator != NULL ? g_strndup (name, (gsize) (separator - name)) : NULL;
}

/* This program starts the others itself, and connects to those that have an address. Of a file that has a daemon of its own
 * all are used that run there. */
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
  g_autofree char *server_id = cli_tool_dup_server_id (tool, name);
  g_autoptr (CliDaemon) daemon = NULL;
  g_autoptr (JsonArray) servers = NULL;

  if (server_id == NULL || cli_host_is_another (host) || !may_be_shared (host, server_id))
    return NULL;

  daemon = cli_daemon_look_for (host);
  if (daemon != NULL)
    servers = cli_daemon_list_servers (daemon);
  return cli_daemon_find_running (servers, server_id) != NULL ? g_steal_pointer (&daemon) : NULL;
}

/* How its server calls it. An older daemon does not say that, and then it is as most are called. */
static const char *
find_own_name (JsonNode *described, const char *name, const char *server_id)
{
  JsonObject *object = json_node_get_object (described);
  JsonNode *meta = json_object_get_member (object, "_meta");
  gsize length = strlen (server_id);

  if (meta != NULL && JSON_NODE_HOLDS_OBJECT (meta)
      && json_object_has_member (json_node_get_object (meta), "org.gmcp/tool"))
    return json_object_get_string_member_with_default (json_node_get_object (meta), "org.gmcp/tool",
                                                       NULL);
  return g_str_has_prefix (name, server_id) && g_str_has_prefix (name + length, "__")
           ? name + length + strlen ("__")
           : NULL;
}

static GmcpTool *
make_tool (JsonNode *described, const char *server_id)
{
  g_autofree char *json = gmcp_json_print (described, NULL);
  GmcpTool *tool = gmcp_tool_new_from_json (json, NULL);

  if (tool != NULL)
    cli_tool_set_server (
      tool, server_id,
      find_own_name (described, gmcp_definition_get_name (GMCP_DEFINITION (tool)), server_id));
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
  g_autoptr (GAsyncResult) configured = NULL;

  if (manager == NULL || cli_host_is_another (host))
    return ids;
  /* Whoever goes on without says what is wrong with it. */
  gmcp_manager_load_config_async (manager, host->cancellable, cli_store_result, &configured);
  gmcp_manager_load_config_finish (manager, cli_wait (&configured), NULL);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (manager)); i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      const char *id = gmcp_managed_server_get_id (server);

      if (is_manual (server) && (server_id == NULL || g_str_equal (id, server_id)))
        g_ptr_array_add (ids, g_strdup (id));
    }
  return ids;
}

void
cli_shared_tools_clear (CliSharedTools *self)
{
  g_clear_pointer (&self->tools, g_ptr_array_unref);
  g_clear_pointer (&self->servers, g_hash_table_unref);
}

void
cli_shared_tools_load (CliSharedTools *self, CliHost *host, const char *server_id)
{
  g_autoptr (GPtrArray) ids = list_manual (host, server_id);
  g_autoptr (CliDaemon) daemon = ids->len > 0 ? cli_daemon_look_for (host) : NULL;
  g_autoptr (JsonArray) servers = daemon != NULL ? cli_daemon_list_servers (daemon) : NULL;

  cli_shared_tools_clear (self);
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
  self->servers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < ids->len; i++)
    if (cli_daemon_find_running (servers, ids->pdata[i]) != NULL)
      {
        g_hash_table_add (self->servers, g_strdup (ids->pdata[i]));
        add_tools_of (self->tools, daemon, ids->pdata[i]);
      }
}

gboolean
cli_shared_tools_has_server (const CliSharedTools *self, const char *server_id)
{
  return self->servers != NULL && server_id != NULL
         && g_hash_table_contains (self->servers, server_id);
}

/* Hosts may have it with a prefix. */
static gboolean
is_called (GmcpTool *tool, const char *name)
{
  const char *listed = gmcp_definition_get_name (GMCP_DEFINITION (tool));
  g_autofree char *own = cli_tool_dup_name (tool);

  return g_str_equal (own, name) || g_str_equal (listed, name)
         || (g_str_has_prefix (name, "mcp__") && g_str_equal (listed, name + strlen ("mcp__")));
}

GmcpTool *
cli_tool_find_shared (CliDaemon *daemon, const char *name, GError **error)
{
  g_autofree char *server_id = cli_tool_dup_server_id (NULL, name);
  g_autoptr (GPtrArray) tools = g_ptr_array_new_with_free_func (g_object_unref);

  if (server_id != NULL)
    add_tools_of (tools, daemon, server_id);
  for (guint i = 0; i < tools->len; i++)
    if (is_called (tools->pdata[i], name))
      return g_object_ref (tools->pdata[i]);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("There is no tool called %s"), name);
  return NULL;
}
