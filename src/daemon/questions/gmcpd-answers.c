/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include <gmcp/config/filling/gmcp-config-input.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/json/gmcp-json.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/provider/gmcp-call-permission.h>

#include "gmcpd-answers.h"

#define FIELD_VALUE "value"

const char *
gmcpd_answers_get_kind (GmcpInputRequest *request)
{
  if (GMCP_IS_ELICITATION (request))
    return "elicitation";
  /* Whoever knows only the other kinds does not let such a tool be called. */
  if (GMCP_IS_CALL_PERMISSION (request))
    return gmcp_call_permission_get_change (GMCP_CALL_PERMISSION (request)) != NULL ? "withheld"
                                                                                    : "permission";
  return GMCP_IS_CONFIG_INPUT (request) ? "config-input" : NULL;
}

/* What is asked */

static JsonObject *
describe_permission (GmcpCallPermission *permission)
{
  GmcpTool *tool = gmcp_call_permission_get_tool (permission);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (
    object, "server", gmcp_input_request_get_server_id (GMCP_INPUT_REQUEST (permission)));
  json_object_set_string_member (object, "tool", gmcp_tool_get_server_tool_name (tool));
  json_object_set_member (object, "arguments", gmcp_call_permission_dup_arguments (permission));
  json_object_set_string_member (object, "rule", gmcp_call_permission_get_rule (permission));
  if (gmcp_call_permission_get_change (permission) != NULL)
    {
      g_autofree char *change
        = gmcp_dup_visible_text (gmcp_call_permission_get_change (permission));

      json_object_set_string_member (object, "change", change);
    }
  if (gmcp_call_permission_get_role (permission) != NULL)
    json_object_set_string_member (object, "role", gmcp_call_permission_get_role (permission));
  return object;
}

static JsonObject *
describe_config_input (GmcpConfigInput *input)
{
  const char *description = gmcp_config_input_get_description (input);
  const char *id = gmcp_config_input_get_id (input);
  JsonObject *field = json_object_new ();
  JsonObject *fields = json_object_new ();
  JsonArray *required = json_array_new ();
  JsonObject *schema = json_object_new ();
  JsonObject *object = json_object_new ();

  json_object_set_string_member (field, "type", "string");
  json_object_set_string_member (field, "title", id);
  if (gmcp_config_input_is_secret (input))
    json_object_set_string_member (field, "format", "password");
  json_object_set_object_member (fields, FIELD_VALUE, field);
  json_array_add_string_element (required, FIELD_VALUE);
  json_object_set_string_member (schema, "type", "object");
  json_object_set_object_member (schema, "properties", fields);
  json_object_set_array_member (schema, "required", required);
  json_object_set_string_member (object, "message", description != NULL ? description : id);
  json_object_set_object_member (object, "requestedSchema", schema);
  return object;
}

JsonNode *
gmcpd_answers_dup_params (GmcpInputRequest *request)
{
  JsonNode *sent;
  JsonNode *node;

  if (GMCP_IS_ELICITATION (request))
    {
      sent = gmcp_input_request_dup_params (request);
      return sent != NULL ? sent : json_node_new (JSON_NODE_NULL);
    }
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, GMCP_IS_CALL_PERMISSION (request)
                                 ? describe_permission (GMCP_CALL_PERMISSION (request))
                                 : describe_config_input (GMCP_CONFIG_INPUT (request)));
  return node;
}

char *
gmcpd_answers_dup_params_json (GmcpInputRequest *request)
{
  g_autoptr (JsonNode) node = gmcpd_answers_dup_params (request);

  return gmcp_json_print (node, NULL);
}

/* Answers */

gboolean
gmcpd_answers_is_address (GmcpInputRequest *request)
{
  return GMCP_IS_ELICITATION (request)
         && gmcp_elicitation_get_mode (GMCP_ELICITATION (request)) == GMCP_ELICITATION_MODE_URL;
}

gboolean
gmcpd_answers_is_visit_under_way (GmcpInputRequest *request)
{
  return gmcpd_answers_is_address (request)
         && gmcp_elicitation_is_awaited (GMCP_ELICITATION (request));
}

static gboolean
fail_action (GError **error, const char *message)
{
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}

static gboolean
accept_value (GmcpConfigInput *input, const char *content_json, GError **error)
{
  g_autoptr (JsonNode) content
    = content_json != NULL ? gmcp_json_parse (content_json, -1, NULL) : NULL;
  JsonNode *value = content != NULL && JSON_NODE_HOLDS_OBJECT (content)
                      ? json_object_get_member (json_node_get_object (content), FIELD_VALUE)
                      : NULL;

  if (value == NULL || json_node_get_value_type (value) != G_TYPE_STRING)
    return fail_action (error, _ ("The content has to be an object with the text “value”"));
  gmcp_config_input_accept (input, json_node_get_string (value));
  return TRUE;
}

static gboolean
accept_request (GmcpInputRequest *request, const char *content_json, GError **error)
{
  if (GMCP_IS_CONFIG_INPUT (request))
    return accept_value (GMCP_CONFIG_INPUT (request), content_json, error);
  return gmcp_elicitation_accept_json (
    GMCP_ELICITATION (request), content_json != NULL && *content_json != '\0' ? content_json : NULL,
    error);
}

static gboolean
allow_call (GmcpCallPermission *permission, const char *action)
{
  if (g_str_equal (action, "allow-once"))
    gmcp_call_permission_allow_once (permission);
  else if (g_str_equal (action, "allow-always"))
    gmcp_call_permission_allow_always (permission);
  else
    return FALSE;
  return TRUE;
}

static const char *
get_possible_answers (GmcpInputRequest *request)
{
  if (GMCP_IS_CALL_PERMISSION (request))
    return _ ("The answer is “allow-once”, “allow-always”, “decline” or “cancel”");
  return gmcpd_answers_is_address (request)
           ? _ ("The answer is “accept”, “done”, “decline” or “cancel”")
           : _ ("The answer is “accept”, “decline” or “cancel”");
}

/* “done” without “accept” before it is enough. */
static gboolean
finish_visit (GmcpElicitation *visit, GError **error)
{
  if (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (visit))
      && !gmcp_elicitation_accept (visit, NULL, error))
    return FALSE;

  gmcp_elicitation_complete (visit);
  return TRUE;
}

static gboolean
go_on_with_visit (GmcpElicitation *visit, const char *action, GError **error)
{
  if (g_str_equal (action, "done"))
    return finish_visit (visit, error);
  if (g_str_equal (action, "decline") || g_str_equal (action, "cancel"))
    gmcp_elicitation_abandon (visit);
  /* Another person may go there, too. */
  else if (!g_str_equal (action, "accept"))
    return fail_action (error, get_possible_answers (GMCP_INPUT_REQUEST (visit)));
  return TRUE;
}

gboolean
gmcpd_answers_apply (GmcpInputRequest *request,
                     const char *action,
                     const char *content_json,
                     GError **error)
{
  gboolean is_permission = GMCP_IS_CALL_PERMISSION (request);

  if (gmcpd_answers_is_visit_under_way (request))
    return go_on_with_visit (GMCP_ELICITATION (request), action, error);
  if (gmcpd_answers_is_address (request) && g_str_equal (action, "done"))
    return finish_visit (GMCP_ELICITATION (request), error);
  if (!is_permission && g_str_equal (action, "accept"))
    return accept_request (request, content_json, error);
  if (is_permission && allow_call (GMCP_CALL_PERMISSION (request), action))
    return TRUE;
  if (g_str_equal (action, "decline"))
    gmcp_input_request_decline (request);
  else if (g_str_equal (action, "cancel"))
    gmcp_input_request_cancel (request);
  else
    return fail_action (error, get_possible_answers (request));
  return TRUE;
}
