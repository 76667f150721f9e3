/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-naming-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-server-instructions-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-provider-private.h"

static void
entry_free (GmcpManagerEntry *entry)
{
  g_clear_object (&entry->tool);
  gmcp_policy_decision_clear (&entry->decision);
  g_free (entry);
}

static void
entries_free (GPtrArray *entries)
{
  g_ptr_array_set_free_func (entries, (GDestroyNotify) entry_free);
  g_ptr_array_unref (entries);
}

GmcpManagerSection *
gmcp_manager_find_section (GmcpManager *self, GmcpManagedServer *server)
{
  return g_hash_table_lookup (gmcp_manager_get_private (self)->sections, server);
}

void
gmcp_manager_section_free (gpointer data)
{
  GmcpManagerSection *section = data;

  g_signal_handlers_disconnect_by_data (section->server, section);
  g_object_unref (section->server);
  entries_free (section->entries);
  g_free (section);
}

void
gmcp_manager_add_section (GmcpManager *self, GmcpManagedServer *server)
{
  GmcpManagerSection *section = g_new0 (GmcpManagerSection, 1);

  section->manager = self;
  section->server = g_object_ref (server);
  section->entries = g_ptr_array_new ();
  g_hash_table_insert (gmcp_manager_get_private (self)->sections, server, section);
  g_signal_connect_swapped (server, "tools-changed", G_CALLBACK (gmcp_manager_refresh_section),
                            section);
}

void
gmcp_manager_remove_section (GmcpManager *self, GmcpManagedServer *server)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  gmcp_tool_names_remove_server (priv->names, gmcp_managed_server_get_id (server));
  g_hash_table_remove (priv->sections, server);
}

void
gmcp_manager_hold_list (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->n_held++ == 0)
    gmcp_tool_names_hold (priv->names);
}

void
gmcp_manager_release_list (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (--priv->n_held == 0 && gmcp_tool_names_settle (priv->names))
    {
      gmcp_manager_keep_given_names (self);
      gmcp_manager_relabel_tools (self);
    }
  gmcp_manager_refresh_list (self);
}

void
gmcp_manager_refresh_list (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) items = NULL;

  if (priv->n_held > 0 || priv->policy->n_held > 0)
    return;

  items = g_ptr_array_new ();
  for (guint i = 0; i < gmcp_server_table_get_length (priv->servers); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (priv->servers, i);
      GmcpManagerSection *section = gmcp_manager_find_section (self, server);

      if (!gmcp_manager_includes_server (self, server))
        continue;
      for (guint j = 0; j < section->entries->len; j++)
        {
          GmcpManagerEntry *entry = g_ptr_array_index (section->entries, j);

          if (entry->decision.allowed)
            g_ptr_array_add (items, entry->tool);
        }
    }

  gmcp_object_list_set_items (priv->tools, (gpointer const *) items->pdata, items->len);
}

/* The listed tool of before where the tool is still the same, so that whoever holds it sees no
 * change where there is none. */
static GmcpTool *
make_listed (GHashTable *former, GmcpTool *original, const char *server, const char *listed)
{
  GmcpManagerEntry *entry = g_hash_table_lookup (former, gmcp_tool_get_server_tool_name (original));

  if (entry != NULL && g_str_equal (gmcp_tool_get_name (entry->tool), listed)
      && gmcp_tool_same_definition (entry->tool, original))
    return g_object_ref (entry->tool);

  return gmcp_tool_new_listed (original, server, listed);
}

GmcpTool *
gmcp_manager_dup_listed_tool (GmcpManager *self, GmcpManagedServer *server, GmcpTool *original)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  const char *id = gmcp_managed_server_get_id (server);
  const char *tool = gmcp_tool_get_server_tool_name (original);
  const char *listed = gmcp_tool_names_lookup_listed (priv->names, id, tool);
  g_autofree char *formatted = NULL;

  /* Tools of a server that is unhealthy are not taken before it is well. */
  if (listed == NULL)
    listed = formatted = gmcp_tool_name_format (gmcp_manager_get_tool_name_style (self), id, tool);
  return gmcp_tool_new_listed (original, id, listed);
}

static GHashTable *
index_entries (GPtrArray *entries)
{
  GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < entries->len; i++)
    {
      GmcpManagerEntry *entry = g_ptr_array_index (entries, i);

      g_hash_table_insert (table, (gpointer) gmcp_tool_get_server_tool_name (entry->tool), entry);
    }

  return table;
}

static void
remove_former_names (GmcpToolNames *names,
                     const char *server,
                     GPtrArray *former,
                     GPtrArray *entries)
{
  g_autoptr (GHashTable) present = NULL;

  if (former->len == 0)
    return;

  present = index_entries (entries);
  for (guint i = 0; i < former->len; i++)
    {
      GmcpManagerEntry *entry = g_ptr_array_index (former, i);
      const char *tool = gmcp_tool_get_server_tool_name (entry->tool);

      if (!g_hash_table_contains (present, tool))
        gmcp_tool_names_remove (names, server, tool);
    }
}

void
gmcp_manager_refresh_section (GmcpManagerSection *section)
{
  g_autoptr (GmcpManager) self = g_object_ref (section->manager);
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  const char *server = gmcp_managed_server_get_id (section->server);
  GPtrArray *tools = gmcp_managed_server_peek_tools (section->server);
  GPtrArray *former = section->entries;
  g_autoptr (GHashTable) by_name = index_entries (former);
  g_autofree GmcpToolName *names = g_new0 (GmcpToolName, tools->len);

  section->entries = g_ptr_array_new_full (tools->len, NULL);
  for (guint i = 0; i < tools->len; i++)
    {
      GmcpManagerEntry *entry = g_new0 (GmcpManagerEntry, 1);

      entry->section = section;
      g_ptr_array_add (section->entries, entry);
      names[i].server = server;
      names[i].tool = gmcp_tool_get_server_tool_name (g_ptr_array_index (tools, i));
      names[i].data = entry;
    }

  gmcp_tool_names_add (priv->names, names, tools->len);
  gmcp_manager_keep_given_names (self);
  for (guint i = 0; i < tools->len; i++)
    {
      GmcpManagerEntry *entry = g_ptr_array_index (section->entries, i);

      entry->tool = make_listed (by_name, g_ptr_array_index (tools, i), server, names[i].listed);
    }
  gmcp_manager_see_section (section);
  for (guint i = 0; i < section->entries->len; i++)
    gmcp_manager_judge_entry (self, g_ptr_array_index (section->entries, i));

  remove_former_names (priv->names, server, former, section->entries);
  entries_free (former);
  gmcp_manager_refresh_list (self);
  gmcp_manager_refresh_instructions (self);
}

void
gmcp_manager_relabel_tools (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  for (guint i = 0; i < gmcp_server_table_get_length (priv->servers); i++)
    {
      GmcpManagerSection *section
        = gmcp_manager_find_section (self, gmcp_server_table_get_server (priv->servers, i));
      const char *server = gmcp_managed_server_get_id (section->server);
      GPtrArray *tools = gmcp_managed_server_peek_tools (section->server);

      for (guint j = 0; j < section->entries->len; j++)
        {
          GmcpManagerEntry *entry = g_ptr_array_index (section->entries, j);
          GmcpTool *original = g_ptr_array_index (tools, j);
          const char *listed = gmcp_tool_names_lookup_listed (
            priv->names, server, gmcp_tool_get_server_tool_name (original));

          if (!g_str_equal (listed, gmcp_tool_get_name (entry->tool)))
            {
              g_object_unref (entry->tool);
              entry->tool = gmcp_tool_new_listed (original, server, listed);
            }
          /* A rule may be a listed name. */
          gmcp_manager_judge_entry (self, entry);
        }
    }

  gmcp_manager_refresh_list (self);
}

void
gmcp_manager_refresh_names (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  gmcp_manager_reserve_names (self);
  gmcp_tool_names_set_style (priv->names, gmcp_manager_get_tool_name_style (self));
  gmcp_manager_keep_given_names (self);
  gmcp_manager_relabel_tools (self);
}

void
gmcp_manager_refresh_instructions (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *former = NULL;

  for (guint i = 0; i < gmcp_server_table_get_length (priv->servers); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (priv->servers, i);

      if (gmcp_manager_includes_server (self, server))
        gmcp_server_instructions_append (text, server);
    }

  if (g_strcmp0 (priv->instructions, text->len > 0 ? text->str : NULL) == 0)
    return;

  former = g_steal_pointer (&priv->instructions);
  priv->instructions = text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
  g_object_notify (G_OBJECT (self), "instructions");
  gmcp_tool_provider_emit_instructions_changed (GMCP_TOOL_PROVIDER (self));
}
