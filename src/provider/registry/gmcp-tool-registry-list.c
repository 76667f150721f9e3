/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-gate-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-registry-private.h"

/* What the registry lists: the tools of each of its sections, under names of its own. */

static void
entry_free (GmcpRegistryEntry *entry)
{
  g_clear_object (&entry->source);
  g_clear_object (&entry->listed);
  g_free (entry);
}

void
gmcp_tool_registry_section_free (GmcpRegistrySection *section)
{
  g_signal_handlers_disconnect_by_data (section->tools, section);
  if (section->provider != NULL)
    g_signal_handlers_disconnect_by_data (section->provider, section);
  g_clear_object (&section->provider);
  g_object_unref (section->tools);
  g_ptr_array_unref (section->entries);
  g_free (section->id);
  g_free (section);
}

void
gmcp_tool_registry_refresh_list (GmcpToolRegistry *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);

      for (guint j = 0; j < section->entries->len; j++)
        {
          GmcpRegistryEntry *entry = g_ptr_array_index (section->entries, j);

          if (!entry->withheld)
            g_ptr_array_add (items, entry->listed);
        }
    }
  gmcp_object_list_set_items (self->list, (gpointer const *) items->pdata, items->len);
}

/* The tools of the section's list, each name once. */
static GPtrArray *
read_entries (GmcpRegistrySection *section, GHashTable *by_name)
{
  guint n = g_list_model_get_n_items (section->tools);
  GPtrArray *entries = g_ptr_array_new_full (n, (GDestroyNotify) entry_free);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (section->tools, i);
      GmcpRegistryEntry *entry;

      if (g_hash_table_contains (by_name, gmcp_definition_get_name (GMCP_DEFINITION (tool))))
        continue;
      entry = g_new0 (GmcpRegistryEntry, 1);
      entry->section = section;
      entry->source = g_steal_pointer (&tool);
      g_hash_table_insert (
        by_name, (gpointer) gmcp_definition_get_name (GMCP_DEFINITION (entry->source)), entry);
      g_ptr_array_add (entries, entry);
    }
  return entries;
}

/* The former object where the tool is unchanged, so that its holders see no change. */
static GmcpTool *
make_listed (GHashTable *former, GmcpRegistryEntry *entry, const char *listed)
{
  const char *name = gmcp_definition_get_name (GMCP_DEFINITION (entry->source));
  GmcpRegistryEntry *before = g_hash_table_lookup (former, name);

  if (before != NULL && before->source == entry->source
      && g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (before->listed)), listed))
    return g_object_ref (before->listed);
  if (g_str_equal (name, listed))
    return g_object_ref (entry->source);
  return gmcp_tool_new_listed (entry->source, gmcp_tool_get_server_id (entry->source), listed);
}

gboolean
gmcp_tool_registry_permits (GmcpToolRegistry *self, GmcpTool *tool, GError **error)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpToolProvider *provider
        = ((GmcpRegistrySection *) g_ptr_array_index (self->sections, i))->provider;
      const GmcpToolGate *gate = provider != NULL ? gmcp_tool_provider_get_gate (provider) : NULL;

      if (gate != NULL && !gate->permits (provider, tool, error))
        return FALSE;
    }
  return TRUE;
}

void
gmcp_tool_registry_judge_own (GmcpToolRegistry *self)
{
  GmcpRegistrySection *own = g_ptr_array_index (self->sections, 0);

  for (guint i = 0; i < own->entries->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (own->entries, i);

      entry->withheld = !gmcp_tool_registry_permits (self, entry->source, NULL);
    }
}

void
gmcp_tool_registry_refresh_section (GmcpRegistrySection *section)
{
  GmcpToolRegistry *self = section->registry;
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) former_by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) former = g_steal_pointer (&section->entries);
  g_autofree GmcpToolName *names = NULL;

  section->entries = read_entries (section, by_name);
  for (guint i = 0; i < former->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (former, i);
      const char *name = gmcp_definition_get_name (GMCP_DEFINITION (entry->source));

      g_hash_table_insert (former_by_name, (gpointer) name, entry);
      if (!g_hash_table_contains (by_name, name))
        gmcp_tool_names_remove (self->names, section->id, name);
    }

  names = g_new0 (GmcpToolName, section->entries->len);
  for (guint i = 0; i < section->entries->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (section->entries, i);

      names[i].server = section->id;
      names[i].tool = gmcp_definition_get_name (GMCP_DEFINITION (entry->source));
      names[i].data = entry;
    }
  gmcp_tool_names_add (self->names, names, section->entries->len);
  for (guint i = 0; i < section->entries->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (section->entries, i);

      entry->listed = make_listed (former_by_name, entry, names[i].listed);
    }

  if (section->provider == NULL)
    gmcp_tool_registry_judge_own (self);
  gmcp_tool_registry_refresh_list (self);
}

static void
on_items_changed (GListModel *tools,
                  guint position,
                  guint n_removed,
                  guint n_added,
                  GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive G_GNUC_UNUSED = g_object_ref (section->registry);

  gmcp_tool_registry_refresh_section (section);
}

GmcpRegistrySection *
gmcp_tool_registry_add_section (GmcpToolRegistry *self,
                                const char *id,
                                GmcpToolProvider *provider,
                                GListModel *tools)
{
  GmcpRegistrySection *section = g_new0 (GmcpRegistrySection, 1);

  section->registry = self;
  section->id = g_strdup (id);
  section->provider = provider != NULL ? g_object_ref (provider) : NULL;
  section->tools = g_object_ref (tools);
  section->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);
  g_ptr_array_add (self->sections, section);
  g_signal_connect (tools, "items-changed", G_CALLBACK (on_items_changed), section);
  return section;
}
