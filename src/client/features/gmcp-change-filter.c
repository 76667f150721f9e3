/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-change-filter-private.h"

static GStrv
dup_unique (const char *const *strings)
{
  g_autoptr (GHashTable) seen = NULL;
  GPtrArray *unique = g_ptr_array_new ();

  if (strings != NULL && strings[0] != NULL)
    {
      seen = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; strings[i] != NULL; i++)
        if (g_hash_table_add (seen, (gpointer) strings[i]))
          g_ptr_array_add (unique, g_strdup (strings[i]));
    }
  g_ptr_array_add (unique, NULL);
  return (GStrv) g_ptr_array_free (unique, FALSE);
}

void
gmcp_change_filter_init (GmcpChangeFilter *filter,
                         GmcpSubscriptionFlags lists,
                         const char *const *resource_uris,
                         const char *const *task_ids)
{
  filter->lists = lists;
  filter->resource_uris = dup_unique (resource_uris);
  filter->task_ids = dup_unique (task_ids);
}

void
gmcp_change_filter_clear (GmcpChangeFilter *filter)
{
  filter->lists = GMCP_SUBSCRIPTION_NONE;
  g_clear_pointer (&filter->resource_uris, g_strfreev);
  g_clear_pointer (&filter->task_ids, g_strfreev);
}

gboolean
gmcp_change_filter_is_empty (const GmcpChangeFilter *filter)
{
  return filter->lists == GMCP_SUBSCRIPTION_NONE && filter->resource_uris[0] == NULL
         && filter->task_ids[0] == NULL;
}

/* Leaves of the strings those that are wanted, in the order in which they are wanted. */
static void
keep_wanted (GStrv *strings, GStrv wanted)
{
  g_autoptr (GHashTable) given = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *both = g_ptr_array_new ();

  for (guint i = 0; (*strings)[i] != NULL; i++)
    g_hash_table_add (given, (*strings)[i]);
  for (guint i = 0; wanted[i] != NULL; i++)
    if (g_hash_table_contains (given, wanted[i]))
      g_ptr_array_add (both, g_strdup (wanted[i]));
  g_ptr_array_add (both, NULL);

  g_strfreev (*strings);
  *strings = (GStrv) g_ptr_array_free (both, FALSE);
}

void
gmcp_change_filter_restrict (GmcpChangeFilter *filter, const GmcpChangeFilter *wanted)
{
  filter->lists &= wanted->lists;
  keep_wanted (&filter->resource_uris, wanted->resource_uris);
  keep_wanted (&filter->task_ids, wanted->task_ids);
}
