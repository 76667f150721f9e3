/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-chosen-members-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-derived-tool-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-own-tools-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-provider-private.h"

struct _GmcpChosenMembers
{
  GmcpDBusPlace place;
  GmcpToolProvider *provider; /* not owned */
  GDBusNodeInfo *node;        /* NULL until the object was asked */
  GPtrArray *all;             /* (element-type ChosenMember) */
  GmcpOwnTools *tools;
};

/* The tool that is listed keeps it, so that a call that is under way ends well. */
typedef struct
{
  GmcpDBusMemberUse use;
  char *interface_name;
  char *name;
  char *tool_name;
  GmcpTool *given;        /* nullable */
  GmcpTool *listed;       /* NULL while it is not */
  GmcpDBusMember *member; /* of the one that is listed */
  GmcpDBusPlace place;
} ChosenMember;

static void
copy_place (GmcpDBusPlace *to, const GmcpDBusPlace *from)
{
  to->connection = from->connection != NULL ? g_object_ref (from->connection) : NULL;
  to->bus_name = g_strdup (from->bus_name);
  to->object_path = g_strdup (from->object_path);
}

static void
clear_place (GmcpDBusPlace *place)
{
  g_clear_object (&place->connection);
  g_clear_pointer (&place->bus_name, g_free);
  g_clear_pointer (&place->object_path, g_free);
}

static void
chosen_member_clear (gpointer data)
{
  ChosenMember *chosen = data;

  g_clear_pointer (&chosen->member, gmcp_dbus_member_unref);
  g_clear_object (&chosen->given);
  g_clear_object (&chosen->listed);
  g_free (chosen->interface_name);
  g_free (chosen->name);
  g_free (chosen->tool_name);
  clear_place (&chosen->place);
}

static void
chosen_member_unref (gpointer chosen)
{
  g_rc_box_release_full (chosen, chosen_member_clear);
}

static gpointer
chosen_member_ref (gconstpointer chosen, gpointer data)
{
  return g_rc_box_acquire ((gpointer) chosen);
}

static void
handle_call (GmcpToolCall *call, gpointer data)
{
  ChosenMember *chosen = g_rc_box_acquire (data);

  gmcp_dbus_member_call (chosen->member, &chosen->place, call);
  chosen_member_unref (chosen);
}

static void
unlist_tool (GmcpChosenMembers *self, ChosenMember *chosen)
{
  g_autoptr (GmcpTool) tool = g_steal_pointer (&chosen->listed);

  if (tool != NULL)
    gmcp_own_tools_remove (self->tools, chosen->tool_name);
}

static gboolean
list_tool (GmcpChosenMembers *self,
           ChosenMember *chosen,
           GmcpDBusMember *member,
           GmcpTool *tool,
           GError **error)
{
  g_clear_pointer (&chosen->member, gmcp_dbus_member_unref);
  chosen->member = gmcp_dbus_member_ref (member);
  if (chosen->listed != NULL && gmcp_tool_same_definition (chosen->listed, tool))
    return TRUE;

  unlist_tool (self, chosen);
  chosen->listed = g_object_ref (tool);
  if (gmcp_own_tools_add (self->tools, tool, handle_call, g_rc_box_acquire (chosen),
                          chosen_member_unref, error))
    return TRUE;

  chosen_member_unref (chosen);
  g_clear_object (&chosen->listed);
  return FALSE;
}

/* Lists the tool as the object has its member now, or takes it off the list. */
static gboolean
refresh_tool (GmcpChosenMembers *self, ChosenMember *chosen, GError **error)
{
  g_autoptr (GmcpDBusMember) member = NULL;
  g_autofree char *definition = NULL;
  g_autoptr (GmcpTool) tool = NULL;

  if (self->node == NULL)
    return TRUE;

  member
    = gmcp_dbus_member_new (self->node, chosen->use, chosen->interface_name, chosen->name, error);
  if (member != NULL)
    {
      definition = gmcp_dbus_member_dup_definition (member);
      tool = gmcp_derived_tool_new (definition, chosen->given, error);
    }
  if (tool != NULL)
    return list_tool (self, chosen, member, tool, error);

  unlist_tool (self, chosen);
  return FALSE;
}

GmcpChosenMembers *
gmcp_chosen_members_new (const GmcpDBusPlace *place, GmcpToolProvider *provider)
{
  GmcpChosenMembers *self = g_new0 (GmcpChosenMembers, 1);

  copy_place (&self->place, place);
  self->provider = provider;
  self->all = g_ptr_array_new_with_free_func (chosen_member_unref);
  self->tools = gmcp_own_tools_new ();
  return self;
}

void
gmcp_chosen_members_free (GmcpChosenMembers *self)
{
  g_ptr_array_unref (self->all);
  gmcp_own_tools_free (self->tools);
  g_clear_pointer (&self->node, g_dbus_node_info_unref);
  clear_place (&self->place);
  g_free (self);
}

GListModel *
gmcp_chosen_members_get_list (GmcpChosenMembers *self)
{
  return gmcp_own_tools_get_list (self->tools);
}

static ChosenMember *
find_chosen (GmcpChosenMembers *self, const char *tool_name)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      ChosenMember *chosen = g_ptr_array_index (self->all, i);

      if (g_str_equal (chosen->tool_name, tool_name))
        return chosen;
    }
  return NULL;
}

static gboolean
check_addition (GmcpChosenMembers *self,
                const char *interface_name,
                const char *name,
                const char *tool_name,
                GError **error)
{
  if (!g_dbus_is_interface_name (interface_name) || !g_dbus_is_member_name (name))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” with “%s” cannot be an interface of D-Bus with a member"), interface_name,
                 name);
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
gmcp_chosen_members_add (GmcpChosenMembers *self,
                         GmcpDBusMemberUse use,
                         const char *interface_name,
                         const char *name,
                         GmcpTool *tool,
                         GError **error)
{
  g_autofree char *tool_name = tool != NULL
                                 ? g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (tool)))
                                 : gmcp_dbus_member_dup_tool_name (use, name);
  ChosenMember *chosen;

  if (!check_addition (self, interface_name, name, tool_name, error))
    return FALSE;

  chosen = g_rc_box_new0 (ChosenMember);
  chosen->use = use;
  chosen->interface_name = g_strdup (interface_name);
  chosen->name = g_strdup (name);
  chosen->tool_name = g_steal_pointer (&tool_name);
  chosen->given = tool != NULL ? g_object_ref (tool) : NULL;
  copy_place (&chosen->place, &self->place);
  g_ptr_array_add (self->all, chosen);
  if (refresh_tool (self, chosen, error))
    return TRUE;

  g_ptr_array_remove (self->all, chosen);
  return FALSE;
}

gboolean
gmcp_chosen_members_remove (GmcpChosenMembers *self, const char *tool_name)
{
  ChosenMember *chosen = find_chosen (self, tool_name);
  guint position;

  if (chosen == NULL)
    return FALSE;

  g_ptr_array_find (self->all, chosen, &position);
  g_ptr_array_steal_index (self->all, position);
  unlist_tool (self, chosen);
  chosen_member_unref (chosen);
  return TRUE;
}

void
gmcp_chosen_members_set_node (GmcpChosenMembers *self, GDBusNodeInfo *node)
{
  g_autoptr (GmcpToolProvider) alive G_GNUC_UNUSED = g_object_ref (self->provider);
  g_autoptr (GPtrArray) all = g_ptr_array_copy (self->all, chosen_member_ref, NULL);

  g_clear_pointer (&self->node, g_dbus_node_info_unref);
  self->node = g_dbus_node_info_ref (node);
  g_ptr_array_set_free_func (all, chosen_member_unref);
  for (guint i = 0; i < all->len; i++)
    {
      ChosenMember *chosen = g_ptr_array_index (all, i);
      g_autoptr (GError) error = NULL;

      /* Whoever hears of a change of the list may change what is chosen. */
      if (g_ptr_array_find (self->all, chosen, NULL) && !refresh_tool (self, chosen, &error))
        gmcp_tool_provider_emit_notice (self->provider, NULL, GMCP_NOTICE_LEVEL_WARNING,
                                        error->message);
    }
}

void
gmcp_chosen_members_call (GmcpChosenMembers *self, GmcpToolCall *call)
{
  gmcp_own_tools_call (self->tools, call);
}
