/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-near-names-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-names-struct-private.h"

/* Which tool somebody means by a name, and what is said where no tool is found. */

#define LISTED_AT_MOST 10u

void
gmcp_tool_names_drop_indexes (GmcpToolNames *self)
{
  g_clear_pointer (&self->by_style, g_hash_table_unref);
  g_clear_pointer (&self->by_own_name, g_hash_table_unref);
}

/* Takes the name. */
static void
index_under (GHashTable *index, char *name, GmcpToolNamesEntry *entry)
{
  GSList *known = g_hash_table_lookup (index, name);

  if (known == NULL)
    {
      g_hash_table_insert (index, name, g_slist_prepend (NULL, entry));
      return;
    }

  /* The styles may agree about a name. A tool's names are indexed one after the other, and the last
   * tool stands first or second. */
  if (known->data != entry && (known->next == NULL || known->next->data != entry))
    known->next = g_slist_prepend (known->next, entry);
  g_free (name);
}

static GHashTable *
new_index (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_slist_free);
}

static void
make_indexes (GmcpToolNames *self)
{
  static const GmcpToolNameStyle styles[] = {
    GMCP_TOOL_NAME_STYLE_SERVER_TOOL,
    GMCP_TOOL_NAME_STYLE_MCP_SERVER_TOOL,
    GMCP_TOOL_NAME_STYLE_SINGLE_UNDERSCORE,
  };
  g_autoptr (GPtrArray) entries = gmcp_tool_names_list_present (self, NULL);

  self->by_style = new_index ();
  self->by_own_name = new_index ();
  for (guint i = 0; i < entries->len; i++)
    {
      GmcpToolNamesEntry *entry = g_ptr_array_index (entries, i);

      for (guint s = 0; s < G_N_ELEMENTS (styles); s++)
        if (styles[s] != self->style)
          index_under (self->by_style,
                       gmcp_tool_name_format (styles[s], entry->server, entry->tool), entry);
      index_under (self->by_own_name, g_strdup (entry->tool), entry);
    }
}

static GmcpToolNamesEntry *
find_qualified (GmcpToolNames *self, const char *name)
{
  const char *dot = strchr (name, '.');
  g_autofree char *server = NULL;

  if (dot == NULL)
    return NULL;

  server = g_strndup (name, dot - name);
  return gmcp_tool_names_lookup_present (self, server, dot + 1);
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

typedef struct
{
  GmcpToolNameShownFunc func; /* NULL where all are shown */
  gpointer data;
} Shown;

static gboolean
is_entry_shown (const Shown *shown, GmcpToolNamesEntry *entry)
{
  return shown->func == NULL || shown->func (entry->data, shown->data);
}

/* The only one that is shown; NULL where none is, or several are. */
static GmcpToolNamesEntry *
choose_shown (GSList *entries, const Shown *shown)
{
  GmcpToolNamesEntry *chosen = NULL;

  for (GSList *l = entries; l != NULL; l = l->next)
    {
      if (!is_entry_shown (shown, l->data))
        continue;
      if (chosen != NULL)
        return NULL;
      chosen = l->data;
    }
  return chosen;
}

static void
set_ambiguous (const char *name, GSList *entries, const Shown *visible, GError **error)
{
  g_autoptr (GPtrArray) qualified = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *shown = gmcp_protocol_shorten (name);
  g_autoptr (GString) list = g_string_new (NULL);

  for (GSList *l = entries; l != NULL; l = l->next)
    {
      GmcpToolNamesEntry *entry = l->data;

      if (is_entry_shown (visible, entry))
        g_ptr_array_add (qualified, g_strconcat (entry->server, ".", entry->tool, NULL));
    }
  if (qualified->len == 0)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL,
                   _ ("More than one tool is called %s; name its server too"), shown);
      return;
    }
  g_ptr_array_sort (qualified, compare_strings);
  for (guint i = 0; i < MIN (qualified->len, LISTED_AT_MOST); i++)
    {
      g_autofree char *one = gmcp_protocol_shorten (g_ptr_array_index (qualified, i));

      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", one);
    }
  if (qualified->len > LISTED_AT_MOST)
    g_string_append (list, ", \u2026");

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL,
               _ ("More than one tool is called %s; name one of: %s"), shown, list->str);
}

static void
set_unknown (GmcpToolNames *self, const char *name, const Shown *visible, GError **error)
{
  g_autoptr (GPtrArray) entries = gmcp_tool_names_list_present (self, NULL);
  g_autofree GmcpNearName *candidates = g_new (GmcpNearName, entries->len * 2);
  g_autoptr (GPtrArray) qualified = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *shown = gmcp_protocol_shorten (name);
  g_autofree char *suggestion = NULL;
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      GmcpToolNamesEntry *entry = g_ptr_array_index (entries, i);
      const char *told = entry->listed;

      if (!is_entry_shown (visible, entry))
        continue;
      /* Who writes SERVER.TOOL reads it, too, and so does who writes SERVER/TOOL. */
      if (strpbrk (name, "./") != NULL)
        {
          g_ptr_array_add (qualified, g_strconcat (entry->server, ".", entry->tool, NULL));
          told = g_ptr_array_index (qualified, qualified->len - 1);
        }
      candidates[n++] = (GmcpNearName){ told, told };
      candidates[n++] = (GmcpNearName){ entry->tool, told };
    }
  suggestion = gmcp_near_names_suggest (name, candidates, n);

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL,
               /* TRANSLATORS: the second %s is empty or a sentence that begins with a space */
               _ ("There is no tool called %s.%s"), shown, suggestion);
}

/* A tool that nobody has seen in this run was listed in an earlier one. */
static void
set_gone (const char *name, GmcpToolNamesEntry *entry, GError **error)
{
  if (!entry->reserved)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL,
                 _ ("The tool %s is not offered any more"), name);
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL,
                 _ ("The name %s belongs to a tool of the server %s, which does not offer it now. "
                    "Another server's tool of that name is called with its server: SERVER.%s."),
                 name, entry->server, name);
}

static gboolean
set_found (GmcpToolNamesEntry *entry, GmcpToolName *found)
{
  *found = (GmcpToolName){ entry->server, entry->tool, entry->data, entry->listed };
  return TRUE;
}

gboolean
gmcp_tool_names_find (GmcpToolNames *self, const char *name, GmcpToolName *found, GError **error)
{
  return gmcp_tool_names_find_shown (self, name, NULL, NULL, found, error);
}

gboolean
gmcp_tool_names_find_shown (GmcpToolNames *self,
                            const char *name,
                            GmcpToolNameShownFunc func,
                            gpointer data,
                            GmcpToolName *found,
                            GError **error)
{
  const Shown shown = { func, data };
  GmcpToolNamesEntry *entry = g_hash_table_lookup (self->by_listed, name);
  GSList *entries;

  if (entry != NULL && entry->present)
    return set_found (entry, found);

  if (entry != NULL)
    {
      set_gone (name, entry, error);
      return FALSE;
    }

  entry = find_qualified (self, name);
  if (entry != NULL)
    return set_found (entry, found);

  if (self->by_style == NULL)
    make_indexes (self);
  entries = g_hash_table_lookup (self->by_style, name);
  if (entries == NULL)
    entries = g_hash_table_lookup (self->by_own_name, name);

  if (entries == NULL)
    {
      set_unknown (self, name, &shown, error);
      return FALSE;
    }

  entry = entries->next != NULL ? choose_shown (entries, &shown) : entries->data;
  if (entry == NULL)
    {
      set_ambiguous (name, entries, &shown, error);
      return FALSE;
    }

  return set_found (entry, found);
}

gboolean
gmcp_tool_names_recall (GmcpToolNames *self,
                        const char *name,
                        const char **server,
                        const char **tool)
{
  GmcpToolNamesEntry *entry = g_hash_table_lookup (self->by_listed, name);

  if (entry == NULL || entry->present)
    return FALSE;

  *server = entry->server;
  *tool = entry->tool;
  return TRUE;
}
