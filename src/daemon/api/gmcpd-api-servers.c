/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/json/gmcp-json.h>
#include <stdio.h>
#include <unistd.h>

#include "gmcpd-api-handlers.h"
#include "gmcpd-api-servers.h"
#include "gmcpd-editing.h"
#include "gmcpd-facts.h"
#include "gmcpd-places.h"

void
gmcpd_api_get_status (GmcpdApiRequest *request)
{
  gmcpd_api_request_return_text (
    request, SOUP_STATUS_OK,
    gmcp_manager_dup_status_json (gmcpd_api_request_get_manager (request)));
}

static void
free_array (gpointer data)
{
  json_array_unref (data);
}

/* By the ids of servers. The list of all is read once, however many there are. */
static GHashTable *
group_tools (GmcpManager *manager)
{
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (manager);
  GListModel *tools = gmcp_tool_provider_get_tools (provider);
  g_autofree char *json = gmcp_tool_provider_dup_tools_json (provider, GMCP_TOOLS_FORMAT_MCP);
  g_autoptr (JsonNode) all = gmcp_json_parse (json, -1, NULL);
  JsonArray *array = json_node_get_array (all);
  GHashTable *groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_array);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);
      JsonObject *object = json_array_get_object_element (array, i);
      JsonArray *group = g_hash_table_lookup (groups, gmcp_tool_get_server_id (tool));

      if (group == NULL)
        {
          group = json_array_new ();
          g_hash_table_insert (groups, g_strdup (gmcp_tool_get_server_id (tool)), group);
        }
      json_object_set_string_member (object, "tool", gmcp_tool_get_server_tool_name (tool));
      json_array_add_object_element (group, json_object_ref (object));
    }
  return groups;
}

static JsonArray *
ref_group (GHashTable *groups, GmcpManagedServer *server)
{
  JsonArray *group = g_hash_table_lookup (groups, gmcp_managed_server_get_id (server));

  return group != NULL ? json_array_ref (group) : json_array_new ();
}

JsonArray *
gmcpd_api_servers_list_tools (GmcpManager *manager, GmcpManagedServer *server)
{
  g_autoptr (GHashTable) groups = group_tools (manager);

  return ref_group (groups, server);
}

/* Of its process; 0 where that cannot be known. The file is the kernel's, so that nothing is waited for. */
static gint64
get_memory_bytes (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/statm", pid);
  g_autofree char *text = NULL;
  unsigned long all;
  unsigned long resident;

  if (pid <= 0 || !g_file_get_contents (path, &text, NULL, NULL)
      || sscanf (text, "%lu %lu", &all, &resident) != 2)
    return 0;
  return (gint64) resident * sysconf (_SC_PAGESIZE);
}

static void
add_calls (GmcpManagedServer *server, JsonObject *object)
{
  g_autofree char *statistics = gmcp_managed_server_dup_statistics_json (server);

  json_object_set_int_member (object, "memory_bytes",
                              get_memory_bytes (gmcp_managed_server_get_pid (server)));
  json_object_set_member (object, "statistics", gmcp_json_parse (statistics, -1, NULL));
}

JsonObject *
gmcpd_api_servers_describe_calls (GmcpManagedServer *server)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "name", gmcp_managed_server_get_id (server));
  add_calls (server, object);
  return object;
}

static void
describe_more (GmcpManager *manager,
               GmcpManagedServer *server,
               GHashTable *tools,
               JsonObject *object)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (server);
  g_autofree char *source = gmcpd_places_describe (manager, gmcp_managed_server_get_id (server));
  g_autofree char *command = gmcp_server_config_dup_command_text (config);
  g_autofree char *etag = gmcp_server_config_dup_hash (config);

  json_object_set_boolean_member (object, "enabled", gmcp_server_config_is_enabled (config));
  json_object_set_string_member (object, "transport", gmcpd_facts_get_transport (config));
  json_object_set_string_member (object, "source", source);
  json_object_set_string_member (object, "command_text", command);
  json_object_set_string_member (object, "config_hash", etag);
  add_calls (server, object);
  json_object_set_array_member (object, "tools", ref_group (tools, server));
}

static JsonNode *
parse_status (GmcpManager *manager)
{
  g_autofree char *json = gmcp_manager_dup_status_json (manager);

  return gmcp_json_parse (json, -1, NULL);
}

/* Adds more to the records of the status; these of the servers in the set, or of all where that is NULL. */
static JsonArray *
describe_records (GmcpManager *manager, JsonNode *status, GHashTable *ids)
{
  JsonArray *records = json_object_get_array_member (json_node_get_object (status), "servers");
  g_autoptr (GHashTable) tools = group_tools (manager);
  JsonArray *described = json_array_new ();

  for (guint i = 0; i < json_array_get_length (records); i++)
    {
      JsonObject *record = json_array_get_object_element (records, i);
      const char *id = json_object_get_string_member (record, "name");
      GmcpManagedServer *server = gmcp_manager_get_server (manager, id);

      if (server == NULL || (ids != NULL && !g_hash_table_contains (ids, id)))
        continue;
      describe_more (manager, server, tools, record);
      json_array_add_object_element (described, json_object_ref (record));
    }
  return described;
}

JsonObject *
gmcpd_api_servers_describe (GmcpManager *manager, GmcpManagedServer *server)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (JsonArray) found = NULL;

  g_hash_table_add (ids, (gpointer) gmcp_managed_server_get_id (server));
  found = gmcpd_api_servers_describe_some (manager, ids);
  if (json_array_get_length (found) == 0)
    return json_object_new ();
  return json_object_ref (json_array_get_object_element (found, 0));
}

JsonArray *
gmcpd_api_servers_describe_some (GmcpManager *manager, GHashTable *ids)
{
  g_autoptr (JsonNode) status = parse_status (manager);

  return describe_records (manager, status, ids);
}

JsonObject *
gmcpd_api_servers_describe_all (GmcpManager *manager)
{
  g_autoptr (JsonNode) status = parse_status (manager);
  g_autoptr (JsonArray) described G_GNUC_UNUSED = describe_records (manager, status, NULL);

  return json_node_dup_object (status);
}

void
gmcpd_api_list_servers (GmcpdApiRequest *request)
{
  g_autoptr (JsonObject) object
    = gmcpd_api_servers_describe_all (gmcpd_api_request_get_manager (request));

  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, object);
}

void
gmcpd_api_servers_return (GmcpdApiRequest *request, GmcpManagedServer *server)
{
  GmcpManager *manager = gmcpd_api_request_get_manager (request);
  g_autoptr (JsonObject) object = gmcpd_api_servers_describe (manager, server);
  g_autofree char *etag = gmcpd_editing_dup_etag (manager, server);

  gmcpd_api_request_set_header (request, "ETag", etag);
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, object);
}

void
gmcpd_api_get_server (GmcpdApiRequest *request)
{
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);

  if (server != NULL)
    gmcpd_api_servers_return (request, server);
}
