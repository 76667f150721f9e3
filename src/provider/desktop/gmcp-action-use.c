/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-action-use-private.h"

#include "gmcp-derived-tool-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-variant-json-private.h"

/* The argument of a tool, where the program has not named it otherwise. */
#define PARAMETER_NAME "parameter"
#define STATE_NAME     "state"

/* What the group says of an action. */
typedef struct
{
  gboolean enabled;
  const GVariantType *parameter_type; /* NULL for none */
  const GVariantType *state_type;     /* NULL for an action without a state */
  GVariant *state_hint;
  GVariant *state;
} ActionFacts;

static void
action_facts_clear (ActionFacts *facts)
{
  g_clear_pointer (&facts->state_hint, g_variant_unref);
  g_clear_pointer (&facts->state, g_variant_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ActionFacts, action_facts_clear)

/* A group of another process tells of a change of state later, so that nothing is said of it in an answer. */
static gboolean
is_remote (GActionGroup *group)
{
  return G_IS_REMOTE_ACTION_GROUP (group)
         && (!G_IS_APPLICATION (group) || g_application_get_is_remote (G_APPLICATION (group)));
}

static gboolean
query_action (GActionGroup *group, const char *action, ActionFacts *facts, GError **error)
{
  *facts = (ActionFacts){ 0 };
  if (g_action_group_query_action (group, action, &facts->enabled, &facts->parameter_type,
                                   &facts->state_type, &facts->state_hint, &facts->state))
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, _ ("There is no action “%s” now"),
               action);
  return FALSE;
}

/* The type of the argument; NULL for none. */
static const GVariantType *
get_argument_type (GmcpActionUse use, const ActionFacts *facts)
{
  switch (use)
    {
    case GMCP_ACTION_USE_ACTIVATE:
      return facts->parameter_type;
    case GMCP_ACTION_USE_SET:
      return facts->state_type;
    default:
      return NULL;
    }
}

static gboolean
check_facts (GmcpActionUse use, const char *action, const ActionFacts *facts, GError **error)
{
  const GVariantType *argument = get_argument_type (use, facts);

  if (use != GMCP_ACTION_USE_ACTIVATE && facts->state_type == NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The action “%s” has no state"), action);
      return FALSE;
    }
  if ((argument != NULL && !gmcp_variant_check_type (argument, error))
      || (facts->state_type != NULL && !gmcp_variant_check_type (facts->state_type, error)))
    {
      g_prefix_error (error, _ ("The action “%s”: "), action);
      return FALSE;
    }
  return TRUE;
}

char *
gmcp_action_use_dup_tool_name (GmcpActionUse use, const char *action)
{
  static const char *const prefixes[] = {
    [GMCP_ACTION_USE_ACTIVATE] = "",
    [GMCP_ACTION_USE_READ] = "get-",
    [GMCP_ACTION_USE_SET] = "set-",
  };

  return g_strconcat (prefixes[use], action, NULL);
}

/* The texts are for models, which are spoken to in English. */
static char *
dup_description (GmcpActionUse use, const char *action, const ActionFacts *facts)
{
  if (use == GMCP_ACTION_USE_READ)
    return g_strdup_printf ("Gives the state of the action “%s” of the program.", action);
  if (use == GMCP_ACTION_USE_SET)
    return g_strdup_printf ("Sets the state of the action “%s” of the program.", action);
  if (facts->state_type != NULL && facts->parameter_type == NULL
      && g_variant_type_equal (facts->state_type, G_VARIANT_TYPE_BOOLEAN))
    return g_strdup_printf ("Switches “%s” of the program on or off.", action);
  return g_strdup_printf ("Activates the action “%s” of the program.", action);
}

/* An object with one member, which has to be there. */
static void
write_object_schema (GmcpJsonWriter *writer,
                     const char *key,
                     const char *name,
                     const GVariantType *type,
                     GVariant *hint)
{
  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "object");
  if (type != NULL)
    {
      gmcp_json_writer_key (writer, "properties");
      gmcp_json_writer_begin_object (writer);
      gmcp_json_writer_key (writer, name);
      gmcp_variant_write_schema (writer, type, hint);
      gmcp_json_writer_end_object (writer);
      if (!g_variant_type_is_maybe (type))
        {
          gmcp_json_writer_key (writer, "required");
          gmcp_json_writer_begin_array (writer);
          gmcp_json_writer_string (writer, name);
          gmcp_json_writer_end_array (writer);
        }
    }
  gmcp_json_writer_member_boolean (writer, "additionalProperties", FALSE);
  gmcp_json_writer_end_object (writer);
}

static void
write_hints (GmcpJsonWriter *writer, GmcpActionUse use)
{
  if (use == GMCP_ACTION_USE_ACTIVATE)
    return;

  gmcp_json_writer_key (writer, "annotations");
  gmcp_json_writer_begin_object (writer);
  if (use == GMCP_ACTION_USE_READ)
    gmcp_json_writer_member_boolean (writer, "readOnlyHint", TRUE);
  else
    gmcp_json_writer_member_boolean (writer, "idempotentHint", TRUE);
  gmcp_json_writer_member_boolean (writer, "openWorldHint", FALSE);
  gmcp_json_writer_end_object (writer);
}

static char *
dup_definition (GmcpActionUse use,
                GActionGroup *group,
                const char *action,
                const ActionFacts *facts)
{
  GString *json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  const GVariantType *argument = get_argument_type (use, facts);
  g_autofree char *name = gmcp_action_use_dup_tool_name (use, action);
  g_autofree char *description = dup_description (use, action, facts);
  /* An action whose parameter is of the type of its state takes that for its state. */
  gboolean takes_state = argument != NULL && facts->state_type != NULL
                         && g_variant_type_equal (argument, facts->state_type);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", name);
  gmcp_json_writer_member_string (&writer, "description", description);
  write_object_schema (&writer, "inputSchema",
                       use == GMCP_ACTION_USE_SET ? STATE_NAME : PARAMETER_NAME, argument,
                       takes_state ? facts->state_hint : NULL);
  if (facts->state_type != NULL && (use == GMCP_ACTION_USE_READ || !is_remote (group)))
    write_object_schema (&writer, "outputSchema", STATE_NAME, facts->state_type, NULL);
  write_hints (&writer, use);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (json, FALSE);
}

GmcpTool *
gmcp_action_use_make_tool (GmcpActionUse use,
                           GActionGroup *group,
                           const char *action,
                           GmcpTool *given,
                           GError **error)
{
  g_auto (ActionFacts) facts = { 0 };
  g_autofree char *definition = NULL;
  g_autofree char *argument = NULL;
  g_autoptr (GmcpTool) tool = NULL;

  if (!query_action (group, action, &facts, error) || !check_facts (use, action, &facts, error))
    return NULL;

  definition = dup_definition (use, group, action, &facts);
  tool = gmcp_derived_tool_new (definition, given, error);
  if (tool == NULL)
    return NULL;

  argument = gmcp_derived_tool_dup_argument (tool);
  if (get_argument_type (use, &facts) != NULL && argument == NULL)
    {
      g_set_error (
        error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
        _ (
          "The input schema of the tool “%s” has to have one property, for what the action “%s” takes"),
        gmcp_definition_get_name (GMCP_DEFINITION (tool)), action);
      return NULL;
    }
  return g_steal_pointer (&tool);
}

static GVariant *
read_argument (GmcpToolCall *call, GmcpTool *tool, const GVariantType *type, GError **error)
{
  g_autofree char *name = gmcp_derived_tool_dup_argument (tool);
  GmcpJsonValue value
    = gmcp_json_value_get_member (gmcp_tool_call_get_arguments_value (call), name);

  if (!gmcp_json_value_is_present (value) && g_variant_type_is_maybe (type))
    return g_variant_ref_sink (g_variant_new_maybe (g_variant_type_element (type), NULL));
  return gmcp_variant_read_json (value, type, name, error);
}

static void
return_state (GActionGroup *group, const char *action, GmcpToolCall *call)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (group, action);
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autoptr (GError) error = NULL;

  if (state == NULL)
    {
      g_autofree char *message = g_strdup_printf (_ ("The action “%s” has no state"), action);

      gmcp_derived_tool_return_failure (call, message);
      return;
    }

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, STATE_NAME);
  if (!gmcp_variant_write_json (&writer, state, &error))
    {
      gmcp_derived_tool_return_failure (call, error->message);
      return;
    }
  gmcp_json_writer_end_object (&writer);
  gmcp_derived_tool_return_object (call, json->str);
}

/* What a tool answers that did something: the state after that, where there is one. */
static void
return_done (GActionGroup *group, const char *action, gboolean has_state, GmcpToolCall *call)
{
  g_autofree char *text = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  if (has_state && !is_remote (group))
    {
      return_state (group, action, call);
      return;
    }

  text = g_strdup_printf (
    is_remote (group) ? "The program was told to activate “%s”." : "“%s” was activated.", action);
  result = gmcp_tool_result_new_text (text);
  gmcp_tool_call_return_result (call, result);
}

static gboolean
use_action (GmcpActionUse use,
            GActionGroup *group,
            const char *action,
            GmcpTool *tool,
            GmcpToolCall *call,
            GError **error)
{
  g_auto (ActionFacts) facts = { 0 };
  g_autoptr (GVariant) argument = NULL;
  const GVariantType *type;

  if (!query_action (group, action, &facts, error) || !check_facts (use, action, &facts, error))
    return FALSE;
  if (use == GMCP_ACTION_USE_READ)
    {
      return_state (group, action, call);
      return TRUE;
    }
  if (!facts.enabled)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_FAILED, _ ("The action “%s” is disabled now"),
                   action);
      return FALSE;
    }

  type = get_argument_type (use, &facts);
  if (type != NULL)
    {
      argument = read_argument (call, tool, type, error);
      if (argument == NULL)
        return FALSE;
    }
  if (use == GMCP_ACTION_USE_SET)
    g_action_group_change_action_state (group, action, argument);
  else
    g_action_group_activate_action (group, action, argument);
  return_done (group, action, facts.state_type != NULL, call);
  return TRUE;
}

void
gmcp_action_use_handle (GmcpActionUse use,
                        GActionGroup *group,
                        const char *action,
                        GmcpTool *tool,
                        GmcpToolCall *call)
{
  g_autoptr (GError) error = NULL;

  if (!use_action (use, group, action, tool, call, &error))
    gmcp_derived_tool_return_failure (call, error->message);
}
