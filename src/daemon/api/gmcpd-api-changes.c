/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-handlers.h"
#include "gmcpd-facts.h"

/* Tools that are not what was approved, with both definitions. */

/* Null where there is none. */
static JsonNode *
parse_definition (const char *json)
{
  JsonNode *node = json != NULL ? gmcp_json_parse (json, -1, NULL) : NULL;

  return node != NULL ? node : json_node_new (JSON_NODE_NULL);
}

static JsonObject *
describe_pin (GmcpToolPin *pin)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "server", gmcp_tool_pin_get_server_id (pin));
  json_object_set_string_member (object, "tool", gmcp_tool_pin_get_tool (pin));
  json_object_set_string_member (
    object, "status",
    gmcpd_facts_get_nick (GMCP_TYPE_PIN_STATUS, (int) gmcp_tool_pin_get_status (pin)));
  json_object_set_member (object, "kept", parse_definition (gmcp_tool_pin_get_approved_json (pin)));
  json_object_set_member (object, "now", parse_definition (gmcp_tool_pin_get_present_json (pin)));
  json_object_set_string_member (object, "digest", gmcp_tool_pin_get_present_digest (pin));
  return object;
}

void
gmcpd_api_list_changes (GmcpdApiRequest *request)
{
  g_autoptr (GPtrArray) pins = gmcp_manager_list_pins (gmcpd_api_request_get_manager (request));
  g_autoptr (JsonObject) answer = json_object_new ();
  JsonArray *changes = json_array_new ();

  for (guint i = 0; i < pins->len; i++)
    if (gmcp_tool_pin_get_status (pins->pdata[i]) != GMCP_PIN_STATUS_APPROVED)
      json_array_add_object_element (changes, describe_pin (pins->pdata[i]));
  json_object_set_array_member (answer, "changes", changes);
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, answer);
}

static void
on_approved (GObject *object, GAsyncResult *result, gpointer request)
{
  g_autoptr (JsonObject) answer = NULL;
  GError *error = NULL;
  int n_approved = gmcp_manager_approve_tool_finish (GMCP_MANAGER (object), result, &error);

  if (n_approved < 0)
    {
      gmcpd_api_request_fail (request, error);
      return;
    }
  answer = json_object_new ();
  json_object_set_int_member (answer, "approved", n_approved);
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, answer);
}

void
gmcpd_api_approve_change (GmcpdApiRequest *request)
{
  const char *server, *tool, *digest;
  JsonObject *body;

  if (!gmcpd_api_request_read_body (request, &body))
    return;
  server = gmcpd_api_request_read_text (request, body, "server");
  if (server == NULL)
    return;
  tool = gmcpd_api_request_read_text (request, body, "tool");
  if (tool == NULL)
    return;
  digest = gmcpd_api_request_read_text (request, body, "digest");
  if (digest != NULL)
    gmcp_manager_approve_tool_async (gmcpd_api_request_get_manager (request), server, tool, digest,
                                     gmcpd_api_request_get_cancellable (request), on_approved,
                                     request);
}
