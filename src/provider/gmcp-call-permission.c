/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-permission-private.h"

#include <string.h>

#include "gmcp-input-request-private.h"
#include "gmcp-json-private.h"

/**
 * GmcpCallPermission:
 *
 * A call that a rule allows only after somebody was asked, or whose tool is not as it was approved.
 *
 * It comes with [signal@Gmcp.ToolProvider::call-requested], or with [signal@Gmcp.Manager::withheld-call-requested] for a
 * tool that is not as it was approved, and is answered as all questions are. Who
 * wants to answer it shows the server, the tool and the arguments to the user, then lets the call be made
 * by [method@Gmcp.CallPermission.allow_once] or [method@Gmcp.CallPermission.allow_always]. After
 * [method@Gmcp.InputRequest.decline] or [method@Gmcp.InputRequest.cancel] it is not made, and fails with
 * [error@Gmcp.Error] `NOT_PERMITTED`.
 *
 * Since: 0.1
 */
struct _GmcpCallPermission
{
  GmcpInputRequest parent_instance;

  GmcpTool *tool;
  char *arguments_json;
  char *role;
  char *rule;
  char *change;
};

G_DEFINE_FINAL_TYPE (GmcpCallPermission, gmcp_call_permission, GMCP_TYPE_INPUT_REQUEST)

typedef enum
{
  PROP_TOOL = 1,
  PROP_ARGUMENTS_JSON,
  PROP_ROLE,
  PROP_RULE,
  PROP_CHANGE,
} GmcpCallPermissionProperty;

static GParamSpec *properties[PROP_CHANGE + 1];

static void
gmcp_call_permission_finalize (GObject *object)
{
  GmcpCallPermission *self = GMCP_CALL_PERMISSION (object);

  g_clear_object (&self->tool);
  g_free (self->arguments_json);
  g_free (self->role);
  g_free (self->rule);
  g_free (self->change);

  G_OBJECT_CLASS (gmcp_call_permission_parent_class)->finalize (object);
}

static void
gmcp_call_permission_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpCallPermission *self = GMCP_CALL_PERMISSION (object);

  switch ((GmcpCallPermissionProperty) prop_id)
    {
    case PROP_TOOL:
      g_value_set_object (value, self->tool);
      break;
    case PROP_ARGUMENTS_JSON:
      g_value_set_string (value, self->arguments_json);
      break;
    case PROP_ROLE:
      g_value_set_string (value, self->role);
      break;
    case PROP_RULE:
      g_value_set_string (value, self->rule);
      break;
    case PROP_CHANGE:
      g_value_set_string (value, self->change);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_call_permission_class_init (GmcpCallPermissionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gmcp_call_permission_finalize;
  object_class->get_property = gmcp_call_permission_get_property;

  /**
   * GmcpCallPermission:tool: (getter get_tool)
   *
   * The tool that is to be called.
   *
   * Since: 0.1
   */
  properties[PROP_TOOL] = g_param_spec_object ("tool", NULL, NULL, GMCP_TYPE_TOOL, readable);

  /**
   * GmcpCallPermission:arguments-json: (getter get_arguments_json)
   *
   * The arguments of the call, a JSON object as text.
   *
   * Since: 0.1
   */
  properties[PROP_ARGUMENTS_JSON]
    = g_param_spec_string ("arguments-json", NULL, NULL, NULL, readable);

  /**
   * GmcpCallPermission:role: (getter get_role)
   *
   * The role that the call is made under, or %NULL.
   *
   * Since: 0.1
   */
  properties[PROP_ROLE] = g_param_spec_string ("role", NULL, NULL, NULL, readable);

  /**
   * GmcpCallPermission:rule: (getter get_rule)
   *
   * The rule that wants the question, as it is written in the settings.
   *
   * Since: 0.1
   */
  properties[PROP_RULE] = g_param_spec_string ("rule", NULL, NULL, NULL, readable);

  /**
   * GmcpCallPermission:change: (getter get_change)
   *
   * What is different about the tool since it was approved, or %NULL.
   *
   * Since: 0.1
   */
  properties[PROP_CHANGE] = g_param_spec_string ("change", NULL, NULL, NULL, readable);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_call_permission_init (GmcpCallPermission *self)
{
  self->arguments_json = g_strdup ("{}");
}

GmcpCallPermission *
gmcp_call_permission_new (const GmcpCallQuestion *question)
{
  GmcpCallPermission *self = g_object_new (GMCP_TYPE_CALL_PERMISSION, NULL);

  self->tool = g_object_ref (question->tool);
  g_free (self->arguments_json);
  self->arguments_json = g_strdup (question->arguments_json);
  self->role = g_strdup (question->role);
  self->rule = g_strdup (question->rule);
  self->change = g_strdup (question->change);
  gmcp_input_request_set_asker (GMCP_INPUT_REQUEST (self), question->server_name,
                                gmcp_definition_get_name (GMCP_DEFINITION (question->tool)));
  return self;
}

/**
 * gmcp_call_permission_get_tool: (get-property tool)
 * @self: a request
 *
 * Gives the tool that is to be called.
 *
 * Returns: (transfer none): the tool
 *
 * Since: 0.1
 */
GmcpTool *
gmcp_call_permission_get_tool (GmcpCallPermission *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_PERMISSION (self), NULL);

  return self->tool;
}

/**
 * gmcp_call_permission_get_arguments_json: (get-property arguments-json)
 * @self: a request
 *
 * Gives the arguments of the call.
 *
 * Returns: a JSON object as text
 *
 * Since: 0.1
 */
const char *
gmcp_call_permission_get_arguments_json (GmcpCallPermission *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_PERMISSION (self), NULL);

  return self->arguments_json;
}

/**
 * gmcp_call_permission_dup_arguments:
 * @self: a request
 *
 * Gives the arguments of the call, as the library reads them: what a person is shown has to be what is called, and other
 * readers of JSON cut texts at U+0000, and take a number that is too large for another one. U+0000 and lone surrogates
 * come as U+FFFD, integers beyond 64 bits as doubles.
 *
 * Returns: (transfer full): a sealed object node
 *
 * Since: 0.1
 */
JsonNode *
gmcp_call_permission_dup_arguments (GmcpCallPermission *self)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_CALL_PERMISSION (self), NULL);

  doc = gmcp_json_doc_parse (self->arguments_json, strlen (self->arguments_json), NULL, 0, NULL);
  return doc != NULL ? gmcp_json_value_to_node (gmcp_json_doc_get_root (doc)) : NULL;
}

/**
 * gmcp_call_permission_get_role: (get-property role)
 * @self: a request
 *
 * Says under which role the call is made.
 *
 * Returns: (nullable): the role's name, or %NULL
 *
 * Since: 0.1
 */
const char *
gmcp_call_permission_get_role (GmcpCallPermission *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_PERMISSION (self), NULL);

  return self->role;
}

/**
 * gmcp_call_permission_get_rule: (get-property rule)
 * @self: a request
 *
 * Says which rule wants the question.
 *
 * Returns: the rule, as it is written in the settings
 *
 * Since: 0.1
 */
const char *
gmcp_call_permission_get_rule (GmcpCallPermission *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_PERMISSION (self), NULL);

  return self->rule;
}

/**
 * gmcp_call_permission_get_change: (get-property change)
 * @self: a request
 *
 * Says what is different about the tool since it was approved, for people to see before they allow the call: lines as
 * [method@Gmcp.ToolPin.dup_diff] has them, of which those of a tool that is new all begin with `+`. The text is the
 * server's: [func@Gmcp.dup_visible_text] is for showing it.
 *
 * Such a tool is withheld ([property@Gmcp.Manager:pin-policy]), and not listed; its call comes with
 * [signal@Gmcp.Manager::withheld-call-requested] alone. To allow its call always approves the
 * tool as it is now, for every program.
 *
 * Returns: (nullable): the lines, or %NULL for a tool that is as it was approved, or that is not compared
 *
 * Since: 0.1
 */
const char *
gmcp_call_permission_get_change (GmcpCallPermission *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_PERMISSION (self), NULL);

  return self->change;
}

/**
 * gmcp_call_permission_allow_once:
 * @self: a request
 *
 * Lets this one call be made. Does nothing where nobody waits for an answer any more.
 *
 * Since: 0.1
 */
void
gmcp_call_permission_allow_once (GmcpCallPermission *self)
{
  g_return_if_fail (GMCP_IS_CALL_PERMISSION (self));

  gmcp_input_request_answer (GMCP_INPUT_REQUEST (self), GMCP_CALL_ANSWER_ALLOW_ONCE);
}

/**
 * gmcp_call_permission_allow_always:
 * @self: a request
 *
 * Lets the call be made, and remembers that this host may call the tool, as it is defined now, under
 * this role. Where the tool has a [property@Gmcp.CallPermission:change], it is approved as it is now instead. Other
 * calls of the tool that wait for an answer need none any more. Does nothing where nobody waits for an answer any more.
 *
 * Since: 0.1
 */
void
gmcp_call_permission_allow_always (GmcpCallPermission *self)
{
  g_return_if_fail (GMCP_IS_CALL_PERMISSION (self));

  gmcp_input_request_answer (GMCP_INPUT_REQUEST (self), GMCP_CALL_ANSWER_ALLOW_ALWAYS);
}
