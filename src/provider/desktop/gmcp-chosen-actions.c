/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-chosen-actions-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-own-tools-private.h"
#include "gmcp-tool-provider-private.h"

struct _GmcpChosenActions
{
  GActionGroup *group;        /* nullable */
  GmcpToolProvider *provider; /* not owned */
  gboolean hides_disabled;
  GPtrArray *all; /* (element-type ChosenAction) */
  GmcpOwnTools *tools;
};

/* The tool that is listed keeps it, so that a call that removes the tool ends well. */
typedef struct
{
  GmcpActionUse use;
  GActionGroup *group;
  char *action;
  char *tool_name;
  GmcpTool *given;  /* nullable */
  GmcpTool *listed; /* NULL while it is not */
} ChosenAction;

static void
chosen_action_clear (gpointer data)
{
  ChosenAction *chosen = data;

  g_clear_object (&chosen->group);
  g_clear_object (&chosen->given);
  g_clear_object (&chosen->listed);
  g_free (chosen->action);
  g_free (chosen->tool_name);
}

static void
chosen_action_unref (gpointer chosen)
{
  g_rc_box_release_full (chosen, chosen_action_clear);
}

static gpointer
chosen_action_ref (gconstpointer chosen, gpointer data)
{
  return g_rc_box_acquire ((gpointer) chosen);
}

static void
handle_call (GmcpToolCall *call, gpointer data)
{
  ChosenAction *chosen = g_rc_box_acquire (data);
  g_autoptr (GmcpTool) tool = g_object_ref (chosen->listed);

  gmcp_action_use_handle (chosen->use, chosen->group, chosen->action, tool, call);
  chosen_action_unref (chosen);
}

static void
unlist_tool (GmcpChosenActions *self, ChosenAction *chosen)
{
  g_autoptr (GmcpTool) tool = g_steal_pointer (&chosen->listed);

  if (tool != NULL)
    gmcp_own_tools_remove (self->tools, chosen->tool_name);
}

static gboolean
list_tool (GmcpChosenActions *self, ChosenAction *chosen, GError **error)
{
  g_autoptr (GmcpTool) tool
    = gmcp_action_use_make_tool (chosen->use, chosen->group, chosen->action, chosen->given, error);

  if (tool == NULL)
    return FALSE;

  chosen->listed = g_object_ref (tool);
  if (gmcp_own_tools_add (self->tools, tool, handle_call, g_rc_box_acquire (chosen),
                          chosen_action_unref, error))
    return TRUE;

  chosen_action_unref (chosen);
  g_clear_object (&chosen->listed);
  return FALSE;
}

/* An application may not be asked for its actions before it is registered. */
static gboolean
has_actions (GActionGroup *group)
{
  return !G_IS_APPLICATION (group) || g_application_get_is_registered (G_APPLICATION (group));
}

static gboolean
is_wanted (GmcpChosenActions *self, ChosenAction *chosen)
{
  if (!has_actions (self->group) || !g_action_group_has_action (self->group, chosen->action))
    return FALSE;
  return !self->hides_disabled || chosen->use == GMCP_ACTION_USE_READ
         || g_action_group_get_action_enabled (self->group, chosen->action);
}

/* Lists the tool or takes it off the list, as the action is now. */
static gboolean
refresh_tool (GmcpChosenActions *self, ChosenAction *chosen, GError **error)
{
  gboolean wanted = is_wanted (self, chosen);

  if (wanted && chosen->listed == NULL)
    return list_tool (self, chosen, error);
  if (!wanted)
    unlist_tool (self, chosen);
  return TRUE;
}

/* The tools of one action, or of all. Whoever hears of a change of the list may change what is chosen. */
static void
refresh_tools (GmcpChosenActions *self, const char *action, gboolean is_removed)
{
  g_autoptr (GmcpToolProvider) alive G_GNUC_UNUSED = g_object_ref (self->provider);
  g_autoptr (GPtrArray) all = g_ptr_array_copy (self->all, chosen_action_ref, NULL);

  g_ptr_array_set_free_func (all, chosen_action_unref);
  for (guint i = 0; i < all->len; i++)
    {
      ChosenAction *chosen = g_ptr_array_index (all, i);
      g_autoptr (GError) error = NULL;

      if ((action != NULL && !g_str_equal (chosen->action, action))
          || !g_ptr_array_find (self->all, chosen, NULL))
        continue;
      /* Some groups tell of it while they still have the action. */
      if (is_removed)
        unlist_tool (self, chosen);
      else if (!refresh_tool (self, chosen, &error))
        gmcp_tool_provider_emit_notice (self->provider, NULL, GMCP_NOTICE_LEVEL_WARNING,
                                        error->message);
    }
}

static void
on_action_added (GActionGroup *group, const char *action, GmcpChosenActions *self)
{
  refresh_tools (self, action, FALSE);
}

static void
on_action_removed (GActionGroup *group, const char *action, GmcpChosenActions *self)
{
  refresh_tools (self, action, TRUE);
}

static void
on_action_enabled_changed (GActionGroup *group,
                           const char *action,
                           gboolean enabled,
                           GmcpChosenActions *self)
{
  if (self->hides_disabled)
    refresh_tools (self, action, FALSE);
}

static void
on_is_registered (GApplication *application, GParamSpec *pspec, GmcpChosenActions *self)
{
  refresh_tools (self, NULL, FALSE);
}

GmcpChosenActions *
gmcp_chosen_actions_new (GActionGroup *group, GmcpToolProvider *provider)
{
  GmcpChosenActions *self = g_new0 (GmcpChosenActions, 1);

  self->provider = provider;
  self->all = g_ptr_array_new_with_free_func (chosen_action_unref);
  self->tools = gmcp_own_tools_new ();
  if (group == NULL)
    return self;

  self->group = g_object_ref (group);
  g_signal_connect (group, "action-added", G_CALLBACK (on_action_added), self);
  g_signal_connect (group, "action-removed", G_CALLBACK (on_action_removed), self);
  g_signal_connect (group, "action-enabled-changed", G_CALLBACK (on_action_enabled_changed), self);
  if (G_IS_APPLICATION (group))
    g_signal_connect (group, "notify::is-registered", G_CALLBACK (on_is_registered), self);
  return self;
}

void
gmcp_chosen_actions_free (GmcpChosenActions *self)
{
  if (self->group != NULL)
    g_signal_handlers_disconnect_by_data (self->group, self);
  g_ptr_array_unref (self->all);
  gmcp_own_tools_free (self->tools);
  g_clear_object (&self->group);
  g_free (self);
}

GListModel *
gmcp_chosen_actions_get_list (GmcpChosenActions *self)
{
  return gmcp_own_tools_get_list (self->tools);
}

static ChosenAction *
find_chosen (GmcpChosenActions *self, const char *tool_name)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      ChosenAction *chosen = g_ptr_array_index (self->all, i);

      if (g_str_equal (chosen->tool_name, tool_name))
        return chosen;
    }
  return NULL;
}

static gboolean
check_addition (GmcpChosenActions *self, const char *action, const char *tool_name, GError **error)
{
  if (self->group == NULL)
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                         _ ("There is no group of actions to make tools of"));
  else if (!g_action_name_is_valid (action))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” cannot be the name of an action"), action);
  else if (*tool_name == '\0')
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, _ ("A tool has no name"));
  else if (find_chosen (self, tool_name) != NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("There is a tool called %s already"), tool_name);
  else
    return TRUE;

  return FALSE;
}

gboolean
gmcp_chosen_actions_add (GmcpChosenActions *self,
                         GmcpActionUse use,
                         const char *action,
                         GmcpTool *tool,
                         GError **error)
{
  g_autofree char *name = tool != NULL
                            ? g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (tool)))
                            : gmcp_action_use_dup_tool_name (use, action);
  ChosenAction *chosen;

  if (!check_addition (self, action, name, error))
    return FALSE;

  chosen = g_rc_box_new0 (ChosenAction);
  chosen->use = use;
  chosen->group = g_object_ref (self->group);
  chosen->action = g_strdup (action);
  chosen->tool_name = g_steal_pointer (&name);
  chosen->given = tool != NULL ? g_object_ref (tool) : NULL;
  g_ptr_array_add (self->all, chosen);
  if (refresh_tool (self, chosen, error))
    return TRUE;

  g_ptr_array_remove (self->all, chosen);
  return FALSE;
}

gboolean
gmcp_chosen_actions_remove (GmcpChosenActions *self, const char *tool_name)
{
  ChosenAction *chosen = find_chosen (self, tool_name);
  guint position;

  if (chosen == NULL)
    return FALSE;

  g_ptr_array_find (self->all, chosen, &position);
  g_ptr_array_steal_index (self->all, position);
  unlist_tool (self, chosen);
  chosen_action_unref (chosen);
  return TRUE;
}

gboolean
gmcp_chosen_actions_hides_disabled (GmcpChosenActions *self)
{
  return self->hides_disabled;
}

void
gmcp_chosen_actions_set_hides_disabled (GmcpChosenActions *self, gboolean hides_disabled)
{
  self->hides_disabled = hides_disabled;
  refresh_tools (self, NULL, FALSE);
}

void
gmcp_chosen_actions_call (GmcpChosenActions *self, GmcpToolCall *call)
{
  gmcp_own_tools_call (self->tools, call);
}
