/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-tool-names-struct-private.h"

#define HASH_DIGITS 8u

static guint
hash_entry (gconstpointer data)
{
  const GmcpToolNamesEntry *entry = data;

  return g_str_hash (entry->server) * 31 + g_str_hash (entry->tool);
}

static gboolean
equal_entries (gconstpointer a, gconstpointer b)
{
  const GmcpToolNamesEntry *first = a;
  const GmcpToolNamesEntry *second = b;

  return strcmp (first->tool, second->tool) == 0 && strcmp (first->server, second->server) == 0;
}

static void
free_entry (gpointer data)
{
  GmcpToolNamesEntry *entry = data;

  g_free (entry->server);
  g_free (entry->tool);
  g_slist_free (entry->names);
  g_free (entry);
}

GmcpToolNames *
gmcp_tool_names_new (GmcpToolNameStyle style)
{
  GmcpToolNames *self = g_new0 (GmcpToolNames, 1);

  self->style = style;
  self->entries = g_hash_table_new_full (hash_entry, equal_entries, free_entry, NULL);
  self->by_listed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_queue_init (&self->retired);
  return self;
}

void
gmcp_tool_names_free (GmcpToolNames *self)
{
  g_clear_pointer (&self->by_wanted, g_hash_table_unref);
  g_clear_pointer (&self->by_style, g_hash_table_unref);
  g_clear_pointer (&self->by_own_name, g_hash_table_unref);
  g_hash_table_unref (self->by_listed);
  g_hash_table_unref (self->entries);
  g_free (self);
}

guint
gmcp_tool_names_get_length (GmcpToolNames *self)
{
  return self->n_present;
}

static GmcpToolNamesEntry *
lookup_entry (GmcpToolNames *self, const char *server, const char *tool)
{
  const GmcpToolNamesEntry key = { .server = (char *) server, .tool = (char *) tool };

  return g_hash_table_lookup (self->entries, &key);
}

GmcpToolNamesEntry *
gmcp_tool_names_lookup_present (GmcpToolNames *self, const char *server, const char *tool)
{
  GmcpToolNamesEntry *entry = lookup_entry (self, server, tool);

  return entry != NULL && entry->present ? entry : NULL;
}

/* Several tools may want one name, and only one gets it. */
static void
want_name (GmcpToolNames *self, GmcpToolNamesEntry *entry)
{
  char *name = gmcp_tool_name_format (GMCP_TOOL_NAME_STYLE_BARE, entry->server, entry->tool);
  GSList *known = g_hash_table_lookup (self->by_wanted, name);

  if (known == NULL)
    {
      g_hash_table_insert (self->by_wanted, name, g_slist_prepend (NULL, entry));
      return;
    }
  known->next = g_slist_prepend (known->next, entry);
  g_free (name);
}

static void
unwant_name (GmcpToolNames *self, GmcpToolNamesEntry *entry)
{
  g_autofree char *name
    = gmcp_tool_name_format (GMCP_TOOL_NAME_STYLE_BARE, entry->server, entry->tool);
  GSList *known = g_hash_table_lookup (self->by_wanted, name);
  gpointer key;

  if (known == NULL || !g_hash_table_steal_extended (self->by_wanted, name, &key, NULL))
    return;

  known = g_slist_remove (known, entry);
  if (known != NULL)
    g_hash_table_insert (self->by_wanted, key, known);
  else
    g_free (key);
}

static void
index_wanted (GmcpToolNames *self)
{
  GHashTableIter iter;
  GmcpToolNamesEntry *entry;

  if (self->style != GMCP_TOOL_NAME_STYLE_BARE || self->by_wanted != NULL)
    return;

  self->by_wanted
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_slist_free);
  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, (gpointer *) &entry, NULL))
    want_name (self, entry);
}

/* Whether a tool of another server that is there has the name for its own. */
static gboolean
is_wanted_elsewhere (GmcpToolNames *self, GmcpToolNamesEntry *entry, const char *name)
{
  GSList *known = g_hash_table_lookup (self->by_wanted, name);

  for (GSList *l = known; l != NULL; l = l->next)
    {
      GmcpToolNamesEntry *other = l->data;

      if (other->present && !g_str_equal (other->server, entry->server))
        return TRUE;
    }

  return FALSE;
}

static void
forget_entry (GmcpToolNames *self, GmcpToolNamesEntry *entry)
{
  if (self->by_wanted != NULL)
    unwant_name (self, entry);
  for (GSList *l = entry->names; l != NULL; l = l->next)
    g_hash_table_remove (self->by_listed, l->data);
  g_hash_table_remove (self->entries, entry);
}

static void
retire_entry (GmcpToolNames *self, GmcpToolNamesEntry *entry)
{
  entry->present = FALSE;
  entry->data = NULL;
  self->n_present--;
  if (entry->reserved)
    return;
  g_queue_push_tail_link (&self->retired, &entry->retired);
  if (self->retired.length > GMCP_LIMIT_LIST_ITEMS)
    forget_entry (self, g_queue_pop_head_link (&self->retired)->data);
}

/* Takes the name, which is free or the tool's own. */
static void
list_under (GmcpToolNames *self, GmcpToolNamesEntry *entry, char *name)
{
  gpointer known;

  if (g_hash_table_lookup_extended (self->by_listed, name, &known, NULL))
    {
      g_free (name);
      entry->listed = known;
    }
  else
    {
      g_hash_table_insert (self->by_listed, name, entry);
      entry->names = g_slist_prepend (entry->names, name);
      entry->listed = name;
    }
  entry->style = self->style;
}

/* A bare name has to be given to the tool first: another tool may want it. */
static gboolean
may_take (GmcpToolNames *self, GmcpToolNameStyle style, GmcpToolNamesEntry *entry, const char *name)
{
  if (style != GMCP_TOOL_NAME_STYLE_BARE || self->may_take == NULL)
    return TRUE;

  if (is_wanted_elsewhere (self, entry, name)
      || !self->may_take (name, entry->server, entry->tool, self->may_take_data))
    return FALSE;

  entry->reserved = TRUE;
  return TRUE;
}

/* A name that tools want, and how many of them. */
typedef struct _Claim Claim;
struct _Claim
{
  char *name;
  gboolean exact;
  Claim *first; /* of those for the same name; has the counts */
  guint n_same;
  guint n_exact;
};

/* Gives each entry its name in the style, where no other wants or has that, and moves the rest to
 * the front of the array. */
static void
list_where_unique (GmcpToolNames *self, GPtrArray *entries, GmcpToolNameStyle style)
{
  g_autofree Claim *claims = g_new0 (Claim, entries->len);
  g_autoptr (GHashTable) firsts = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_left = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      GmcpToolNamesEntry *entry = g_ptr_array_index (entries, i);
      Claim *claim = &claims[i];

      claim->name = gmcp_tool_name_format (style, entry->server, entry->tool);
      claim->exact = gmcp_tool_name_is_exact (style, entry->server, entry->tool);
      claim->first = g_hash_table_lookup (firsts, claim->name);
      if (claim->first == NULL)
        {
          g_hash_table_insert (firsts, claim->name, claim);
          claim->first = claim;
        }
      claim->first->n_same++;
      claim->first->n_exact += claim->exact;
    }

  g_hash_table_remove_all (firsts);
  for (guint i = 0; i < entries->len; i++)
    {
      GmcpToolNamesEntry *entry = g_ptr_array_index (entries, i);
      Claim *claim = &claims[i];
      GmcpToolNamesEntry *owner = g_hash_table_lookup (self->by_listed, claim->name);

      if (owner == entry
          || (owner == NULL
              && (claim->first->n_same == 1 || (claim->exact && claim->first->n_exact == 1))
              && may_take (self, style, entry, claim->name)))
        {
          list_under (self, entry, claim->name);
          continue;
        }
      g_free (claim->name);
      entries->pdata[n_left++] = entry;
    }
  g_ptr_array_set_size (entries, n_left);
}

static void
list_hashed (GmcpToolNames *self, GmcpToolNamesEntry *entry)
{
  GmcpToolNameStyle style = self->style;

  if (style == GMCP_TOOL_NAME_STYLE_BARE)
    style = GMCP_TOOL_NAME_STYLE_SERVER_TOOL;

  for (guint n_digits = HASH_DIGITS;; n_digits++)
    {
      char *name = gmcp_tool_name_format_hashed (style, entry->server, entry->tool, n_digits);
      GmcpToolNamesEntry *owner = g_hash_table_lookup (self->by_listed, name);

      if (owner == NULL || owner == entry)
        {
          list_under (self, entry, name);
          return;
        }
      g_free (name);
    }
}

static void
list_all (GmcpToolNames *self, GPtrArray *entries)
{
  if (self->held && self->style == GMCP_TOOL_NAME_STYLE_BARE)
    for (guint i = 0; i < entries->len; i++)
      ((GmcpToolNamesEntry *) g_ptr_array_index (entries, i))->provisional = TRUE;
  else
    list_where_unique (self, entries, self->style);
  if (self->style == GMCP_TOOL_NAME_STYLE_BARE)
    list_where_unique (self, entries, GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  for (guint i = 0; i < entries->len; i++)
    list_hashed (self, g_ptr_array_index (entries, i));
}

static GmcpToolNamesEntry *
entry_new (GmcpToolNames *self, const char *server, const char *tool)
{
  GmcpToolNamesEntry *entry = g_new0 (GmcpToolNamesEntry, 1);

  entry->server = g_strdup (server);
  entry->tool = g_strdup (tool);
  entry->retired.data = entry;
  index_wanted (self);
  g_hash_table_add (self->entries, entry);
  if (self->by_wanted != NULL)
    want_name (self, entry);
  return entry;
}

void
gmcp_tool_names_add (GmcpToolNames *self, GmcpToolName *names, guint n_names)
{
  g_autoptr (GPtrArray) unnamed = g_ptr_array_sized_new (n_names);
  g_autoptr (GPtrArray) entries = g_ptr_array_sized_new (n_names);

  for (guint i = 0; i < n_names; i++)
    {
      GmcpToolNamesEntry *entry = lookup_entry (self, names[i].server, names[i].tool);

      if (entry == NULL)
        {
          entry = entry_new (self, names[i].server, names[i].tool);
        }
      else if (!entry->present && !entry->reserved)
        {
          g_queue_unlink (&self->retired, &entry->retired);
        }
      if (!entry->present)
        {
          entry->present = TRUE;
          self->n_present++;
          if (entry->listed == NULL || entry->style != self->style)
            g_ptr_array_add (unnamed, entry);
        }
      entry->data = names[i].data;
      g_ptr_array_add (entries, entry);
    }

  list_all (self, unnamed);
  for (guint i = 0; i < n_names; i++)
    names[i].listed = ((GmcpToolNamesEntry *) g_ptr_array_index (entries, i))->listed;
  gmcp_tool_names_drop_indexes (self);
}

void
gmcp_tool_names_remove (GmcpToolNames *self, const char *server, const char *tool)
{
  GmcpToolNamesEntry *entry = gmcp_tool_names_lookup_present (self, server, tool);

  if (entry == NULL)
    return;

  retire_entry (self, entry);
  gmcp_tool_names_drop_indexes (self);
}

GPtrArray *
gmcp_tool_names_list_present (GmcpToolNames *self, const char *server)
{
  GPtrArray *present = g_ptr_array_sized_new (self->n_present);
  GHashTableIter iter;
  GmcpToolNamesEntry *entry;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, (gpointer *) &entry, NULL))
    if (entry->present && (server == NULL || strcmp (entry->server, server) == 0))
      g_ptr_array_add (present, entry);

  return present;
}

void
gmcp_tool_names_remove_server (GmcpToolNames *self, const char *server)
{
  g_autoptr (GPtrArray) entries = gmcp_tool_names_list_present (self, server);

  for (guint i = 0; i < entries->len; i++)
    retire_entry (self, g_ptr_array_index (entries, i));
  gmcp_tool_names_drop_indexes (self);
}

void
gmcp_tool_names_set_style (GmcpToolNames *self, GmcpToolNameStyle style)
{
  g_autoptr (GPtrArray) entries = NULL;

  if (self->style == style)
    return;

  self->style = style;
  index_wanted (self);
  entries = gmcp_tool_names_list_present (self, NULL);
  list_all (self, entries);
  gmcp_tool_names_drop_indexes (self);
}

void
gmcp_tool_names_set_may_take (GmcpToolNames *self, GmcpToolNameMayTakeFunc func, gpointer data)
{
  self->may_take = func;
  self->may_take_data = data;
}

/* Takes a name from a tool; whether it has none now and needs one. */
static gboolean
take_away (GmcpToolNames *self, const char *name, GmcpToolNamesEntry *owner)
{
  gpointer known;

  g_hash_table_lookup_extended (self->by_listed, name, &known, NULL);
  owner->names = g_slist_remove (owner->names, known);
  if (owner->listed == known)
    owner->listed = NULL;
  g_hash_table_remove (self->by_listed, known);
  return owner->listed == NULL && owner->present;
}

static void
list_one (GmcpToolNames *self, GmcpToolNamesEntry *entry)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();

  g_ptr_array_add (entries, entry);
  list_all (self, entries);
}

gboolean
gmcp_tool_names_reserve (GmcpToolNames *self,
                         const char *listed,
                         const char *server,
                         const char *tool)
{
  GmcpToolNamesEntry *owner = g_hash_table_lookup (self->by_listed, listed);
  GmcpToolNamesEntry *entry = lookup_entry (self, server, tool);
  gboolean renamed = FALSE;
  char *name;

  if (entry == NULL)
    entry = entry_new (self, server, tool);
  else if (!entry->present && !entry->reserved)
    g_queue_unlink (&self->retired, &entry->retired);
  entry->reserved = TRUE;

  if (owner == entry)
    return FALSE;

  if (owner != NULL)
    renamed = take_away (self, listed, owner);

  name = g_strdup (listed);
  g_hash_table_insert (self->by_listed, name, entry);
  entry->names = g_slist_prepend (entry->names, name);
  if (!entry->present)
    {
      entry->listed = name;
      entry->style = GMCP_TOOL_NAME_STYLE_BARE;
    }
  if (renamed)
    list_one (self, owner);
  gmcp_tool_names_drop_indexes (self);
  return renamed;
}

void
gmcp_tool_names_hold (GmcpToolNames *self)
{
  self->held = TRUE;
}

gboolean
gmcp_tool_names_settle (GmcpToolNames *self)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  GHashTableIter iter;
  GmcpToolNamesEntry *entry;

  self->held = FALSE;
  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, (gpointer *) &entry, NULL))
    {
      if (entry->provisional && entry->present && entry->style == self->style)
        g_ptr_array_add (entries, entry);
      entry->provisional = FALSE;
    }
  if (entries->len == 0)
    return FALSE;

  list_all (self, entries);
  gmcp_tool_names_drop_indexes (self);
  return TRUE;
}

const char *
gmcp_tool_names_lookup_listed (GmcpToolNames *self, const char *server, const char *tool)
{
  GmcpToolNamesEntry *entry = gmcp_tool_names_lookup_present (self, server, tool);

  return entry != NULL ? entry->listed : NULL;
}
