/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-cache-table-private.h"

#include <string.h>

typedef struct
{
  char *name;
  GQueue entries;
  gboolean expired; /* and nothing came since */
} Group;

typedef struct
{
  char *key;
  char *subject;
  Group *group;
  GmcpJsonDoc *doc;
  gsize bytes;
  gint64 expires_us;
  GList in_group;
  GList in_order;
} Entry;

struct _GmcpCacheTable
{
  GHashTable *entries; /* by key, borrowed from the entry */
  GHashTable *groups;  /* by name, borrowed from the group */
  GQueue order;        /* the last used first */
  gsize bytes;
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->key);
  g_free (entry->subject);
  gmcp_json_doc_unref (entry->doc);
  g_free (entry);
}

static void
group_free (gpointer data)
{
  Group *group = data;

  g_free (group->name);
  g_free (group);
}

GmcpCacheTable *
gmcp_cache_table_new (void)
{
  GmcpCacheTable *self = g_new0 (GmcpCacheTable, 1);

  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_free);
  self->groups = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, group_free);
  return self;
}

void
gmcp_cache_table_free (GmcpCacheTable *self)
{
  g_hash_table_unref (self->entries);
  g_hash_table_unref (self->groups);
  g_free (self);
}

gsize
gmcp_cache_table_get_bytes (GmcpCacheTable *self)
{
  return self->bytes;
}

guint
gmcp_cache_table_get_length (GmcpCacheTable *self)
{
  return self->order.length;
}

static void
remove_entry (GmcpCacheTable *self, Entry *entry)
{
  Group *group = entry->group;

  self->bytes -= entry->bytes;
  g_queue_unlink (&self->order, &entry->in_order);
  g_queue_unlink (&group->entries, &entry->in_group);
  if (group->entries.length == 0)
    g_hash_table_remove (self->groups, group->name);
  g_hash_table_remove (self->entries, entry->key);
}

static Group *
ensure_group (GmcpCacheTable *self, const char *name)
{
  Group *group = g_hash_table_lookup (self->groups, name);

  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->name = g_strdup (name);
      g_hash_table_insert (self->groups, group->name, group);
    }
  return group;
}

void
gmcp_cache_table_insert (GmcpCacheTable *self,
                         const char *key,
                         const char *group,
                         const char *subject,
                         GmcpJsonDoc *doc,
                         gsize doc_bytes,
                         gint64 expires_us)
{
  Entry *entry;

  gmcp_cache_table_remove (self, key);

  entry = g_new0 (Entry, 1);
  entry->key = g_strdup (key);
  entry->subject = g_strdup (subject);
  entry->group = ensure_group (self, group);
  entry->doc = gmcp_json_doc_ref (doc);
  entry->expires_us = expires_us;
  entry->bytes
    = sizeof *entry + strlen (key) + (subject != NULL ? strlen (subject) : 0) + doc_bytes;
  entry->in_group.data = entry;
  entry->in_order.data = entry;

  entry->group->expired = FALSE;
  g_queue_push_head_link (&entry->group->entries, &entry->in_group);
  g_queue_push_head_link (&self->order, &entry->in_order);
  g_hash_table_insert (self->entries, entry->key, entry);
  self->bytes += entry->bytes;
}

GmcpJsonDoc *
gmcp_cache_table_find (GmcpCacheTable *self, const char *key, gint64 now_us, guint *left_ms)
{
  Entry *entry = g_hash_table_lookup (self->entries, key);

  if (entry == NULL)
    return NULL;

  g_queue_unlink (&self->order, &entry->in_order);
  g_queue_push_head_link (&self->order, &entry->in_order);
  *left_ms = 0;
  if (now_us < entry->expires_us)
    *left_ms = MAX (1, (guint) MIN ((entry->expires_us - now_us) / 1000, G_MAXUINT));
  return entry->doc;
}

void
gmcp_cache_table_remove (GmcpCacheTable *self, const char *key)
{
  Entry *entry = g_hash_table_lookup (self->entries, key);

  if (entry != NULL)
    remove_entry (self, entry);
}

gboolean
gmcp_cache_is_concerned (const char *subject, const char *changed)
{
  return changed == NULL || (subject != NULL && g_str_has_prefix (changed, subject));
}

void
gmcp_cache_table_expire (GmcpCacheTable *self, const char *name, const char *changed)
{
  Group *group = g_hash_table_lookup (self->groups, name);

  /* A flood of notifications costs no more than one. */
  if (group == NULL || group->expired)
    return;

  for (GList *link = group->entries.head; link != NULL; link = link->next)
    {
      Entry *entry = link->data;

      if (gmcp_cache_is_concerned (entry->subject, changed))
        entry->expires_us = G_MININT64;
    }
  group->expired = changed == NULL;
}

void
gmcp_cache_table_remove_group (GmcpCacheTable *self, const char *name)
{
  Group *group = g_hash_table_lookup (self->groups, name);
  GList *next;

  if (group == NULL)
    return;

  /* The group is gone with the last of them. */
  for (GList *link = group->entries.head; link != NULL; link = next)
    {
      next = link->next;
      remove_entry (self, link->data);
    }
}

void
gmcp_cache_table_remove_groups (GmcpCacheTable *self, const char *prefix)
{
  GList *next;

  for (GList *link = self->order.head; link != NULL; link = next)
    {
      Entry *entry = link->data;

      next = link->next;
      if (g_str_has_prefix (entry->group->name, prefix))
        remove_entry (self, entry);
    }
}

void
gmcp_cache_table_trim (GmcpCacheTable *self, gsize max_bytes, guint max_length)
{
  while (self->order.length > 0 && (self->bytes > max_bytes || self->order.length > max_length))
    remove_entry (self, self->order.tail->data);
}
