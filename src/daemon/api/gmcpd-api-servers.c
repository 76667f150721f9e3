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

JsonArray *
gmcpd_api_servers_list_tools (GmcpManager *manager, GmcpManagedServer *server)
{
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (manager);
  GListModel *tools = gmcp_tool_provider_get_tools (provider);
  g_autofree char *json = gmcp_tool_provider_dup_tools_json (provider, GMCP_TOOLS_FORMAT_MCP);
  g_autoptr (JsonNode) all = gmcp_json_parse (json, -1, NULL);
  JsonArray *array = json_node_get_array (all);
  JsonArray *found = json_array_new ();

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);
      JsonObject *object = json_array_get_object_element (array, i);

      if (!g_str_equal (gmcp_tool_get_server_id (tool), gmcp_managed_server_get_id (server)))
        continue;
      json_object_set_string_member (object, "tool", gmcp_tool_get_server_tool_name (tool));
      json_array_add_object_element (found, json_object_ref (object));
    }
  return found;
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
describe_more (GmcpManager *manager, GmcpManagedServer *server, JsonObject *object)
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
  json_object_set_array_member (object, "tools", gmcpd_api_servers_list_tools (manager, server));
}

static JsonNode *
parse_status (GmcpManager *manager)
{
  g_autofree char *json = gmcp_manager_dup_status_json (manager);

  return gmcp_json_parse (json, -1, NULL);
}

/* Reads the status once for all servers. */
static JsonArray *
list_records (JsonNode *status)
{
  return json_object_get_array_member (json_node_get_object (status), "servers");
}

JsonObject *
gmcpd_api_servers_describe (GmcpManager *manager, GmcpManagedServer *server)
{
  g_autoptr (JsonNode) status = parse_status (manager);
  JsonArray *records = list_records (status);

  for (guint i = 0; i < json_array_get_length (records); i++)
    {
      JsonObject *record = json_array_get_object_element (records, i);

      if (!g_str_equal (json_object_get_string_member (record, "name"),
                        gmcp_managed_server_get_id (server)))
        continue;
      describe_more (manager, server, record);
      return json_object_ref (record);
    }
  return json_object_new ();
}

JsonObject *
gmcpd_api_servers_describe_all (GmcpManager *manager)
{
  g_autoptr (JsonNode) status = parse_status (manager);
  JsonArray *records = list_records (status);

  for (guint i = 0; i < json_array_get_length (records); i++)
    {
      JsonObject *record = json_array_get_object_element (records, i);
      GmcpManagedServer *server
        = gmcp_manager_get_server (manager, json_object_get_string_member (record, "name"));

      if (server != NULL)
        describe_more (manager, server, record);
    }
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
