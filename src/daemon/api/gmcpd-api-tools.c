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

/* The tools of a server */

static void
return_tools (GmcpdApiRequest *request, GmcpManagedServer *server)
{
  g_autoptr (JsonObject) answer = json_object_new ();

  json_object_set_array_member (
    answer, "tools",
    gmcpd_api_servers_list_tools (gmcpd_api_request_get_manager (request), server));
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, answer);
}

static void
on_discovered (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  g_autoptr (GListModel) tools = gmcp_managed_server_discover_tools_finish (server, result, &error);

  if (tools != NULL)
    return_tools (request, server);
  else
    gmcpd_api_request_fail (request, error);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;

  if (gmcp_managed_server_start_finish (server, result, &error))
    return_tools (request, server);
  else
    gmcpd_api_request_fail (request, error);
}

/* The manager stands in for the list of a server that does not run. */
static void
on_recalled (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManagedServer *server;
  GError *error = NULL;

  if (!gmcp_manager_recall_tools_finish (GMCP_MANAGER (object), result, &error))
    {
      gmcpd_api_request_fail (request, error);
      return;
    }
  server = gmcpd_api_request_find_server (request);
  if (server != NULL)
    return_tools (request, server);
}

/* One that is being started is waited for, whoever has it started. Where a start has failed, a question about its tools does
 * not have it tried again before its time. */
static gboolean
has_failed (GmcpManagedServer *server)
{
  GmcpServerState state = gmcp_managed_server_get_state (server);

  return (state == GMCP_SERVER_STATE_FAILED || state == GMCP_SERVER_STATE_BACKING_OFF)
         && gmcp_managed_server_get_last_error (server) != NULL;
}

static gboolean
is_starting (GmcpManagedServer *server)
{
  GmcpServerState state = gmcp_managed_server_get_state (server);

  return state == GMCP_SERVER_STATE_STARTING || state == GMCP_SERVER_STATE_INSTALLING;
}

/* At an address there is nothing to be started, only a connection to be made. */
static gboolean
is_started_by_hand (GmcpServerConfig *config)
{
  return !gmcp_server_config_is_enabled (config)
         || (gmcp_server_config_get_start (config) == GMCP_SERVER_START_MANUAL
             && gmcp_server_config_get_url (config) == NULL);
}

void
gmcpd_api_list_tools (GmcpdApiRequest *request)
{
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);
  GCancellable *cancellable = gmcpd_api_request_get_cancellable (request);

  if (server == NULL)
    return;
  if (gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_READY)
    gmcp_managed_server_discover_tools_async (server, cancellable, on_discovered, request);
  else if (has_failed (server))
    gmcpd_api_request_fail (request, g_error_copy (gmcp_managed_server_get_last_error (server)));
  /* What is known of its tools is all that it has to say. */
  else if (is_started_by_hand (gmcp_managed_server_get_config (server)) && !is_starting (server))
    gmcp_manager_recall_tools_async (gmcpd_api_request_get_manager (request), cancellable,
                                     on_recalled, request);
  else
    gmcp_managed_server_start_async (server, cancellable, on_started, request);
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
