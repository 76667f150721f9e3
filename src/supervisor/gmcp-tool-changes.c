/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-changes-private.h"

#include "gmcp-fields-private.h"
#include "gmcp-tool-private.h"

/**
 * GmcpToolChanges:
 *
 * What is different in a server's list of tools from the one that was kept. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpToolChanges
{
  GObject parent_instance;

  guint n_tools;
  GStrv added;
  GStrv removed;
  GStrv changed;
};

G_DEFINE_FINAL_TYPE (GmcpToolChanges, gmcp_tool_changes, G_TYPE_OBJECT)

static const GmcpField fields[] = {
  /**
   * GmcpToolChanges:n-tools: (getter get_n_tools)
   *
   * How many tools the server has now.
   *
   * Since: 0.1
   */
  { "n-tools", GMCP_FIELD_UINT, G_STRUCT_OFFSET (GmcpToolChanges, n_tools) },

  /**
   * GmcpToolChanges:added: (getter get_added)
   *
   * The names of tools that are new.
   *
   * Since: 0.1
   */
  { "added", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpToolChanges, added) },

  /**
   * GmcpToolChanges:removed: (getter get_removed)
   *
   * The names of tools that are gone.
   *
   * Since: 0.1
   */
  { "removed", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpToolChanges, removed) },

  /**
   * GmcpToolChanges:changed: (getter get_changed)
   *
   * The names of tools that are described in another way.
   *
   * Since: 0.1
   */
  { "changed", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpToolChanges, changed) },
  { NULL },
};

static void
gmcp_tool_changes_class_init (GmcpToolChangesClass *klass)
{
  gmcp_fields_install (G_OBJECT_CLASS (klass), fields, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

static void
gmcp_tool_changes_init (GmcpToolChanges *self)
{
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static GStrv
end_names (GPtrArray *names)
{
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (names, FALSE);
}

GmcpToolChanges *
gmcp_tool_changes_new (GPtrArray *before, GListModel *after)
{
  GmcpToolChanges *self = g_object_new (GMCP_TYPE_TOOL_CHANGES, NULL);
  g_autoptr (GHashTable) old = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *added = g_ptr_array_new ();
  GPtrArray *removed = g_ptr_array_new ();
  GPtrArray *changed = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  for (guint i = 0; before != NULL && i < before->len; i++)
    {
      GmcpTool *tool = g_ptr_array_index (before, i);

      g_hash_table_insert (old, (gpointer) gmcp_tool_get_server_tool_name (tool), tool);
    }

  self->n_tools = g_list_model_get_n_items (after);
  for (guint i = 0; i < self->n_tools; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (after, i);
      GmcpTool *other = g_hash_table_lookup (old, gmcp_tool_get_server_tool_name (tool));

      if (other == NULL)
        g_ptr_array_add (added, g_strdup (gmcp_tool_get_server_tool_name (tool)));
      else if (!gmcp_tool_same_definition (other, tool))
        g_ptr_array_add (changed, g_strdup (gmcp_tool_get_server_tool_name (tool)));
      g_hash_table_remove (old, gmcp_tool_get_server_tool_name (tool));
    }
  g_hash_table_iter_init (&iter, old);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (removed, g_strdup (name));

  self->added = end_names (added);
  self->removed = end_names (removed);
  self->changed = end_names (changed);
  return self;
}

/**
 * gmcp_tool_changes_get_n_tools: (get-property n-tools)
 * @self: changes
 *
 * Says how many tools the server has now.
 *
 * Returns: their number
 *
 * Since: 0.1
 */
guint
gmcp_tool_changes_get_n_tools (GmcpToolChanges *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CHANGES (self), 0);

  return self->n_tools;
}

/**
 * gmcp_tool_changes_get_added: (get-property added)
 * @self: changes
 *
 * Gives the tools that are new.
 *
 * Returns: (array zero-terminated=1): the names that the server gives them, in the order of the alphabet
 *
 * Since: 0.1
 */
const char *const *
gmcp_tool_changes_get_added (GmcpToolChanges *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CHANGES (self), NULL);

  return (const char *const *) self->added;
}

/**
 * gmcp_tool_changes_get_removed: (get-property removed)
 * @self: changes
 *
 * Gives the tools that are gone.
 *
 * Returns: (array zero-terminated=1): the names that the server gave them, in the order of the alphabet
 *
 * Since: 0.1
 */
const char *const *
gmcp_tool_changes_get_removed (GmcpToolChanges *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CHANGES (self), NULL);

  return (const char *const *) self->removed;
}

/**
 * gmcp_tool_changes_get_changed: (get-property changed)
 * @self: changes
 *
 * Gives the tools that are described in another way.
 *
 * Returns: (array zero-terminated=1): the names that the server gives them, in the order of the alphabet
 *
 * Since: 0.1
 */
const char *const *
gmcp_tool_changes_get_changed (GmcpToolChanges *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CHANGES (self), NULL);

  return (const char *const *) self->changed;
}
