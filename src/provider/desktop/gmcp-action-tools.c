/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/provider/desktop/gmcp-action-tools.h>

#include "gmcp-chosen-actions-private.h"
#include "gmcp-thread-check-private.h"

/**
 * GmcpActionTools:
 *
 * Tools out of the actions of a #GActionGroup: of an application, a window, or with #GDBusActionGroup
 * of another program. Nothing is a tool that was not added by its name.
 *
 * A tool is derived from its action: the parameter becomes the argument `parameter`, with a JSON Schema
 * of its type. A tool that is given to [method@Gmcp.ActionTools.add_action] stands in place of that: what
 * it says, its name, description, schemas or hints, is so, and what it does not say is derived. Its input
 * schema may call the argument otherwise and narrow what it may be.
 *
 * An action has no result. A tool that activates one with a state, or sets its state, answers with the
 * state after that, as structured content with the member `state`; a tool that activates another action
 * says that it was activated. A group of another process tells of its states later, so that nothing is
 * said of them.
 *
 * An action may be added before the group has it: its tool is listed when it comes, and as long as it is
 * there. A disabled action's tool answers with an error that says so, or is not listed, see
 * [property@Gmcp.ActionTools:hides-disabled].
 *
 * It lives in the thread-default main context that it was made in, as the group does.
 *
 * Since: 0.1
 */
struct _GmcpActionTools
{
  GObject parent_instance;

  GMainContext *context;
  GActionGroup *action_group; /* nullable */
  GmcpChosenActions *chosen;
};

static void gmcp_action_tools_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpActionTools,
                               gmcp_action_tools,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      gmcp_action_tools_iface_init))

typedef enum
{
  PROP_ACTION_GROUP = 1,
  PROP_HIDES_DISABLED,
} GmcpActionToolsProperty;

static GParamSpec *properties[PROP_HIDES_DISABLED + 1];

static GListModel *
gmcp_action_tools_get_tools (GmcpToolProvider *provider)
{
  return gmcp_chosen_actions_get_list (GMCP_ACTION_TOOLS (provider)->chosen);
}

static void
gmcp_action_tools_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  g_autoptr (GmcpToolProvider) alive = g_object_ref (provider);

  gmcp_chosen_actions_call (GMCP_ACTION_TOOLS (alive)->chosen, call);
}

static void
gmcp_action_tools_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_action_tools_get_tools;
  iface->call_tool = gmcp_action_tools_call_tool;
}

static void
gmcp_action_tools_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpActionTools *self = GMCP_ACTION_TOOLS (object);

  switch ((GmcpActionToolsProperty) prop_id)
    {
    case PROP_ACTION_GROUP:
      g_value_set_object (value, self->action_group);
      break;
    case PROP_HIDES_DISABLED:
      g_value_set_boolean (value, gmcp_chosen_actions_hides_disabled (self->chosen));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_action_tools_set_property (GObject *object,
                                guint prop_id,
                                const GValue *value,
                                GParamSpec *pspec)
{
  GmcpActionTools *self = GMCP_ACTION_TOOLS (object);

  switch ((GmcpActionToolsProperty) prop_id)
    {
    case PROP_ACTION_GROUP:
      self->action_group = g_value_dup_object (value);
      break;
    case PROP_HIDES_DISABLED:
      gmcp_action_tools_set_hides_disabled (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_action_tools_constructed (GObject *object)
{
  GmcpActionTools *self = GMCP_ACTION_TOOLS (object);

  G_OBJECT_CLASS (gmcp_action_tools_parent_class)->constructed (object);

  self->chosen = gmcp_chosen_actions_new (self->action_group, GMCP_TOOL_PROVIDER (self));
}

static void
gmcp_action_tools_finalize (GObject *object)
{
  GmcpActionTools *self = GMCP_ACTION_TOOLS (object);

  gmcp_chosen_actions_free (self->chosen);
  g_clear_object (&self->action_group);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_action_tools_parent_class)->finalize (object);
}

static void
gmcp_action_tools_class_init (GmcpActionToolsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_action_tools_get_property;
  object_class->set_property = gmcp_action_tools_set_property;
  object_class->constructed = gmcp_action_tools_constructed;
  object_class->finalize = gmcp_action_tools_finalize;

  /**
   * GmcpActionTools:action-group: (getter get_action_group)
   *
   * The group whose actions become tools.
   *
   * Since: 0.1
   */
  properties[PROP_ACTION_GROUP] = g_param_spec_object (
    "action-group", NULL, NULL, G_TYPE_ACTION_GROUP,
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * GmcpActionTools:hides-disabled: (getter hides_disabled) (setter set_hides_disabled)
   *
   * Whether the tool of a disabled action is not listed; a tool that reads its state is listed all the
   * same. By default it is listed, and a call answers with an error that says that the action is disabled
   * now: a list that changes with every selection in a window costs clients, and the models behind
   * them, more than such an answer.
   *
   * Since: 0.1
   */
  properties[PROP_HIDES_DISABLED]
    = g_param_spec_boolean ("hides-disabled", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_action_tools_init (GmcpActionTools *self)
{
  self->context = g_main_context_ref_thread_default ();
}

/**
 * gmcp_action_tools_new:
 * @action_group: the group whose actions become tools: an application, a window, a group of actions
 *
 * Makes a provider without any tools.
 *
 * Returns: (transfer full): a new provider
 *
 * Since: 0.1
 */
GmcpActionTools *
gmcp_action_tools_new (GActionGroup *action_group)
{
  g_return_val_if_fail (G_IS_ACTION_GROUP (action_group), NULL);

  return g_object_new (GMCP_TYPE_ACTION_TOOLS, "action-group", action_group, NULL);
}

/**
 * gmcp_action_tools_get_action_group: (get-property action-group)
 * @self: tools out of actions
 *
 * Gives the group whose actions become tools.
 *
 * Returns: (transfer none) (nullable): the group; %NULL for an object that was made without one
 *
 * Since: 0.1
 */
GActionGroup *
gmcp_action_tools_get_action_group (GmcpActionTools *self)
{
  g_return_val_if_fail (GMCP_IS_ACTION_TOOLS (self), NULL);

  return self->action_group;
}

/**
 * gmcp_action_tools_add_action:
 * @self: tools out of actions
 * @action_name: the action's name in the group
 * @tool: (nullable): what is to be said in place of what is derived, or %NULL
 * @error: return location for an error
 *
 * Adds a tool that activates an action. It has the action's name, where @tool has no other.
 *
 * An input schema of @tool has one property, whatever its name, where the action has a parameter.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where the name is none that an action can have, is that of
 * another tool, or @tool does not fit the action, and with `NOT_SUPPORTED` for an action whose parameter
 * or state JSON cannot carry.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_action_tools_add_action (GmcpActionTools *self,
                              const char *action_name,
                              GmcpTool *tool,
                              GError **error)
{
  g_return_val_if_fail (GMCP_IS_ACTION_TOOLS (self), FALSE);
  g_return_val_if_fail (action_name != NULL, FALSE);
  g_return_val_if_fail (tool == NULL || GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC))
    return FALSE;

  return gmcp_chosen_actions_add (self->chosen, GMCP_ACTION_USE_ACTIVATE, action_name, tool, error);
}

/**
 * gmcp_action_tools_add_state_reader:
 * @self: tools out of actions
 * @action_name: the action's name in the group
 * @tool: (nullable): what is to be said in place of what is derived, or %NULL
 * @error: return location for an error
 *
 * Adds a tool that reads the state of an action, and changes nothing. It is called `get-` and the
 * action's name, where @tool has no other name.
 *
 * Fails as [method@Gmcp.ActionTools.add_action] does, also where the action has no state.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_action_tools_add_state_reader (GmcpActionTools *self,
                                    const char *action_name,
                                    GmcpTool *tool,
                                    GError **error)
{
  g_return_val_if_fail (GMCP_IS_ACTION_TOOLS (self), FALSE);
  g_return_val_if_fail (action_name != NULL, FALSE);
  g_return_val_if_fail (tool == NULL || GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC))
    return FALSE;

  return gmcp_chosen_actions_add (self->chosen, GMCP_ACTION_USE_READ, action_name, tool, error);
}

/**
 * gmcp_action_tools_add_state_setter:
 * @self: tools out of actions
 * @action_name: the action's name in the group
 * @tool: (nullable): what is to be said in place of what is derived, or %NULL
 * @error: return location for an error
 *
 * Adds a tool that asks an action to change its state, as g_action_group_change_action_state() does, to
 * the argument `state`. It is called `set-` and the action's name, where @tool has no other name. For what
 * is switched on or off it suits a model better than the action itself, since a second call changes
 * nothing.
 *
 * A state hint narrows the argument: an array has the values that it may be, a pair the first and the last.
 *
 * Fails as [method@Gmcp.ActionTools.add_action] does, also where the action has no state.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_action_tools_add_state_setter (GmcpActionTools *self,
                                    const char *action_name,
                                    GmcpTool *tool,
                                    GError **error)
{
  g_return_val_if_fail (GMCP_IS_ACTION_TOOLS (self), FALSE);
  g_return_val_if_fail (action_name != NULL, FALSE);
  g_return_val_if_fail (tool == NULL || GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC))
    return FALSE;

  return gmcp_chosen_actions_add (self->chosen, GMCP_ACTION_USE_SET, action_name, tool, error);
}

/**
 * gmcp_action_tools_remove_tool:
 * @self: tools out of actions
 * @name: the name of a tool that was added, also one whose action is not there
 *
 * Removes a tool.
 *
 * Returns: whether there was one of that name
 *
 * Since: 0.1
 */
gboolean
gmcp_action_tools_remove_tool (GmcpActionTools *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_ACTION_TOOLS (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC))
    return FALSE;

  return gmcp_chosen_actions_remove (self->chosen, name);
}

/**
 * gmcp_action_tools_hides_disabled: (get-property hides-disabled)
 * @self: tools out of actions
 *
 * Tells [property@Gmcp.ActionTools:hides-disabled].
 *
 * Returns: whether tools of disabled actions are not listed
 *
 * Since: 0.1
 */
gboolean
gmcp_action_tools_hides_disabled (GmcpActionTools *self)
{
  g_return_val_if_fail (GMCP_IS_ACTION_TOOLS (self), FALSE);

  return gmcp_chosen_actions_hides_disabled (self->chosen);
}

/**
 * gmcp_action_tools_set_hides_disabled: (set-property hides-disabled)
 * @self: tools out of actions
 * @hides_disabled: whether tools of disabled actions are not listed
 *
 * Sets [property@Gmcp.ActionTools:hides-disabled].
 *
 * Since: 0.1
 */
void
gmcp_action_tools_set_hides_disabled (GmcpActionTools *self, gboolean hides_disabled)
{
  g_return_if_fail (GMCP_IS_ACTION_TOOLS (self));

  hides_disabled = hides_disabled != FALSE;
  if (gmcp_chosen_actions_hides_disabled (self->chosen) == hides_disabled)
    return;

  gmcp_chosen_actions_set_hides_disabled (self->chosen, hides_disabled);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HIDES_DISABLED]);
}
