/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-handlers.h"
#include "gmcpd-api-servers.h"
#include "gmcpd-facts.h"
#include "gmcpd-names.h"
#include "gmcpd-server-tools.h"

/* The tools of a server */

static void
on_refreshed (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManager *manager = GMCP_MANAGER (object);
  GError *error = NULL;
  GmcpManagedServer *server;
  g_autoptr (JsonObject) answer = NULL;

  if (!gmcpd_server_tools_refresh_finish (manager, result, &error))
    {
      gmcpd_api_request_fail (request, error);
      return;
    }
  server = gmcpd_api_request_find_server (request);
  if (server == NULL)
    return;

  answer = json_object_new ();
  json_object_set_array_member (answer, "tools", gmcpd_api_servers_list_tools (manager, server));
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, answer);
}

void
gmcpd_api_list_tools (GmcpdApiRequest *request)
{
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);

  if (server != NULL)
    gmcpd_server_tools_refresh_async (gmcpd_api_request_get_manager (request), server,
                                      gmcpd_api_request_get_cancellable (request), on_refreshed,
                                      request);
}

/* A call */

/* By which the manager knows a tool of a server. One that it has not seen yet is looked for by both names. */
static char *
dup_tool_name (GmcpManager *manager, GmcpManagedServer *server, const char *name)
{
  GListModel *tools = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (manager));
  const char *id = gmcp_managed_server_get_id (server);

  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      if (g_str_equal (gmcp_tool_get_server_id (tool), id)
          && g_str_equal (gmcp_tool_get_server_tool_name (tool), name))
        return g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (tool)));
    }
  return g_strdup_printf ("%s.%s", id, name);
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer request)
{
  GError *error = NULL;
  g_autoptr (GmcpToolResult) answer
    = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (object), result, &error);

  if (answer == NULL)
    gmcpd_api_request_fail (request, error);
  else
    gmcpd_api_request_return_text (request, SOUP_STATUS_OK, gmcp_tool_result_dup_json (answer));
}

static gboolean
read_call (JsonObject *body, GmcpCallOptions *options, char **arguments)
{
  g_autoptr (GList) names = body != NULL ? json_object_get_members (body) : NULL;

  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonNode *value = json_object_get_member (body, l->data);
      GType type = json_node_get_value_type (value);

      if (g_str_equal (l->data, "arguments") && JSON_NODE_HOLDS_OBJECT (value))
        *arguments = gmcp_json_print (value, NULL);
      else if (g_str_equal (l->data, "role") && type == G_TYPE_STRING)
        gmcp_call_options_set_role (options, json_node_get_string (value));
      else if (g_str_equal (l->data, "timeout_ms") && type == G_TYPE_INT64
               && json_node_get_int (value) > 0 && json_node_get_int (value) <= G_MAXINT)
        {
          gmcp_call_options_set_timeout_ms (options, (guint) json_node_get_int (value));
          gmcp_call_options_set_max_timeout_ms (options, (guint) json_node_get_int (value));
        }
      else
        return FALSE;
    }
  return TRUE;
}

void
gmcpd_api_call_tool (GmcpdApiRequest *request)
{
  GmcpManager *manager = gmcpd_api_request_get_manager (request);
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autofree char *arguments = NULL;
  g_autofree char *name = NULL;
  g_autofree char *client = NULL;
  JsonObject *body;

  if (server == NULL || !gmcpd_api_request_read_body (request, &body))
    return;
  if (!read_call (body, options, &arguments))
    {
      gmcpd_api_request_fail (
        request,
        g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                             _ ("The members of a call are “arguments”, an object, “role”, "
                                "a text, and “timeout_ms”, a number above 0")));
      return;
    }

  client = gmcpd_api_request_dup_client (request);
  gmcp_call_options_set_client (options, client);
  gmcpd_open_questions_add_call (gmcpd_api_request_get_questions (request), options,
                                 GMCPD_ASKED_ALL);
  name = dup_tool_name (manager, server, gmcpd_api_request_get_word (request, 1));
  gmcp_tool_provider_call_tool_json_async (
    GMCP_TOOL_PROVIDER (manager), name, arguments != NULL ? arguments : "{}", options,
    gmcpd_api_request_get_cancellable (request), on_called, request);
}
