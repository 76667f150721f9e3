/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-permission-private.h"

/**
 * GmcpCallPermission:
 *
 * A call that a rule allows only after somebody was asked.
 *
 * It comes with [signal@Gmcp.ToolProvider::call-requested]. Who wants to answer it keeps a reference,
 * shows the server, the tool and the arguments to the user, and answers at once or later. A request
 * whose last reference is dropped without an answer is denied. Languages with a garbage collector
 * should answer in each case, since there the last reference may be dropped late.
 *
 * When the call ends before, because it was cancelled or nobody answered for too long,
 * [signal@Gmcp.CallPermission::closed] is emitted: what was shown to the user can be taken away then.
 *
 * Since: 0.1
 */
struct _GmcpCallPermission
{
  GObject parent_instance;

  GmcpTool *tool;
  char *server_name;
  char *arguments_json;
  char *role;
  char *rule;
  GmcpApprovalFunc func; /* NULL once nobody waits any more */
  gpointer data;
};

G_DEFINE_FINAL_TYPE (GmcpCallPermission, gmcp_call_permission, G_TYPE_OBJECT)

typedef enum
{
  PROP_TOOL = 1,
  PROP_SERVER_NAME,
  PROP_ARGUMENTS_JSON,
  PROP_ROLE,
  PROP_RULE,
  PROP_OPEN,
} GmcpCallPermissionProperty;

enum
{
  SIGNAL_CLOSED,
  N_SIGNALS,
};

static GParamSpec *properties[PROP_OPEN + 1];
static guint signals[N_SIGNALS];

static gboolean
answer (GmcpCallPermission *self, GmcpCallAnswer given)
{
  GmcpApprovalFunc func = self->func;

  if (func == NULL)
    return FALSE;

  self->func = NULL;
  func (given, self->data);
  return TRUE;
}

static void
gmcp_call_permission_dispose (GObject *object)
{
  GmcpCallPermission *self = GMCP_CALL_PERMISSION (object);

  answer (self, GMCP_CALL_ANSWER_DENY);
  g_clear_object (&self->tool);

  G_OBJECT_CLASS (gmcp_call_permission_parent_class)->dispose (object);
}

static void
gmcp_call_permission_finalize (GObject *object)
{
  GmcpCallPermission *self = GMCP_CALL_PERMISSION (object);

  g_free (self->server_name);
  g_free (self->arguments_json);
  g_free (self->role);
  g_free (self->rule);

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
    case PROP_SERVER_NAME:
      g_value_set_string (value, self->server_name);
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
    case PROP_OPEN:
      g_value_set_boolean (value, self->func != NULL);
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

  object_class->dispose = gmcp_call_permission_dispose;
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
   * GmcpCallPermission:server-name: (getter get_server_name)
   *
   * What people call the server that would be called, or %NULL for a tool of the host's own.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_NAME] = g_param_spec_string ("server-name", NULL, NULL, NULL, readable);

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
   * GmcpCallPermission:open: (getter is_open)
   *
   * Whether an answer is still waited for.
   *
   * Since: 0.1
   */
  properties[PROP_OPEN]
    = g_param_spec_boolean ("open", NULL, NULL, FALSE, readable | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * GmcpCallPermission::closed:
   * @self: the request
   *
   * Nobody waits for the answer any more. It is not emitted where the request was answered.
   *
   * Since: 0.1
   */
  signals[SIGNAL_CLOSED] = g_signal_new ("closed", GMCP_TYPE_CALL_PERMISSION, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gmcp_call_permission_init (GmcpCallPermission *self)
{
}

GmcpCallPermission *
gmcp_call_permission_new (const GmcpCallQuestion *question, GmcpApprovalFunc func, gpointer data)
{
  GmcpCallPermission *self = g_object_new (GMCP_TYPE_CALL_PERMISSION, NULL);

  self->tool = g_object_ref (question->tool);
  self->server_name = g_strdup (question->server_name);
  self->arguments_json = g_strdup (question->arguments_json);
  self->role = g_strdup (question->role);
  self->rule = g_strdup (question->rule);
  self->func = func;
  self->data = data;
  return self;
}

void
gmcp_call_permission_close (GmcpCallPermission *self)
{
  g_autoptr (GmcpCallPermission) alive G_GNUC_UNUSED = g_object_ref (self);

  if (self->func == NULL)
    return;

  self->func = NULL;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPEN]);
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0);
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
 * gmcp_call_permission_get_server_name: (get-property server-name)
 * @self: a request
 *
 * Says what people call the server that would be called.
 *
 * Returns: (nullable): the name, or %NULL for a tool of the host's own
 *
 * Since: 0.1
 */
const char *
gmcp_call_permission_get_server_name (GmcpCallPermission *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_PERMISSION (self), NULL);

  return self->server_name;
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
 * gmcp_call_permission_is_open: (get-property open)
 * @self: a request
 *
 * Tells whether an answer is still waited for.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_call_permission_is_open (GmcpCallPermission *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_PERMISSION (self), FALSE);

  return self->func != NULL;
}

static void
give_answer (GmcpCallPermission *self, GmcpCallAnswer given)
{
  g_autoptr (GmcpCallPermission) alive G_GNUC_UNUSED = g_object_ref (self);

  if (answer (self, given))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPEN]);
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

  give_answer (self, GMCP_CALL_ANSWER_ALLOW_ONCE);
}

/**
 * gmcp_call_permission_allow_always:
 * @self: a request
 *
 * Lets the call be made, and remembers that this host may call the tool, as it is defined now, under
 * this role. Does nothing where nobody waits for an answer any more.
 *
 * Since: 0.1
 */
void
gmcp_call_permission_allow_always (GmcpCallPermission *self)
{
  g_return_if_fail (GMCP_IS_CALL_PERMISSION (self));

  give_answer (self, GMCP_CALL_ANSWER_ALLOW_ALWAYS);
}

/**
 * gmcp_call_permission_deny:
 * @self: a request
 *
 * Does not let the call be made: it fails with [error@Gmcp.Error] `NOT_PERMITTED`. Does nothing where
 * nobody waits for an answer any more.
 *
 * Since: 0.1
 */
void
gmcp_call_permission_deny (GmcpCallPermission *self)
{
  g_return_if_fail (GMCP_IS_CALL_PERMISSION (self));

  give_answer (self, GMCP_CALL_ANSWER_DENY);
}
