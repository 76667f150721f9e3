/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-joined-list-private.h"

#include "gmcp-definition-private.h"
#include "gmcp-object-list-private.h"

struct _GmcpJoinedList
{
  GObject *holder; /* not owned */
  const GmcpJoinedListFuncs *funcs;
  gpointer data;

  GPtrArray *parts; /* (element-type Part) */
  GmcpObjectList *items;
  GHashTable *owners; /* key -> owner, not owned */
};

typedef struct
{
  GmcpJoinedList *joined;
  gpointer owner;
  GListModel *list;
  GPtrArray *listed; /* in the order of the list, each key of the list once */
  GHashTable *shown; /* what is in the list -> what is listed for it */
} Part;

static void
part_free (gpointer data)
{
  Part *part = data;

  g_signal_handlers_disconnect_by_data (part->list, part);
  g_object_unref (part->list);
  g_ptr_array_unref (part->listed);
  g_hash_table_unref (part->shown);
  g_free (part);
}

static GPtrArray *
read_originals (GListModel *list)
{
  guint n_items = g_list_model_get_n_items (list);
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *originals = g_ptr_array_new_full (n_items, g_object_unref);

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GObject) original = g_list_model_get_item (list, i);
      const char *key = gmcp_definition_get_key (original);

      /* Adding a key that is there would put that of an object in its place which is let go of. */
      if (g_hash_table_contains (keys, key))
        continue;
      g_hash_table_add (keys, (gpointer) key);
      g_ptr_array_add (originals, g_steal_pointer (&original));
    }
  return originals;
}

/* The former object where the definition is unchanged, so that its holders see no change. */
static gpointer
show_original (Part *part, gpointer original, GHashTable *former)
{
  const GmcpJoinedListFuncs *funcs = part->joined->funcs;
  gpointer before = g_hash_table_lookup (former, original);

  if (before != NULL)
    return g_object_ref (before);
  if (funcs->show == NULL)
    return g_object_ref (original);
  return funcs->show (part->owner, original, part->joined->data);
}

static void
read_part (Part *part)
{
  GmcpJoinedList *self = part->joined;
  g_autoptr (GPtrArray) originals = read_originals (part->list);
  g_autoptr (GHashTable) former = g_steal_pointer (&part->shown);
  g_autoptr (GPtrArray) former_listed G_GNUC_UNUSED = g_steal_pointer (&part->listed);

  if (self->funcs->begin != NULL)
    self->funcs->begin (part->owner, originals, self->data);

  part->listed = g_ptr_array_new_full (originals->len, NULL);
  part->shown = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  for (guint i = 0; i < originals->len; i++)
    {
      gpointer original = g_ptr_array_index (originals, i);
      gpointer listed = show_original (part, original, former);

      g_hash_table_insert (part->shown, g_object_ref (original), listed);
      g_ptr_array_add (part->listed, listed);
    }
}

static void
rebuild_list (GmcpJoinedList *self)
{
  g_autoptr (GObject) alive G_GNUC_UNUSED = g_object_ref (self->holder);
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  g_hash_table_remove_all (self->owners);
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);

      for (guint j = 0; j < part->listed->len; j++)
        {
          gpointer item = g_ptr_array_index (part->listed, j);
          const char *key = gmcp_definition_get_key (item);

          if (g_hash_table_contains (self->owners, key))
            continue;
          g_hash_table_insert (self->owners, g_strdup (key), part->owner);
          g_ptr_array_add (items, item);
        }
    }
  gmcp_object_list_set_items (self->items, items->pdata, items->len);
  if (self->funcs->changed != NULL)
    self->funcs->changed (self->data);
}

static void
on_items_changed (GListModel *list, guint position, guint n_removed, guint n_added, Part *part)
{
  read_part (part);
  rebuild_list (part->joined);
}

GmcpJoinedList *
gmcp_joined_list_new (GObject *holder,
                      GType item_type,
                      const GmcpJoinedListFuncs *funcs,
                      gpointer data)
{
  GmcpJoinedList *self = g_new0 (GmcpJoinedList, 1);

  self->holder = holder;
  self->funcs = funcs;
  self->data = data;
  self->parts = g_ptr_array_new_with_free_func (part_free);
  self->items = gmcp_object_list_new (item_type);
  self->owners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
gmcp_joined_list_free (GmcpJoinedList *self)
{
  g_ptr_array_unref (self->parts);
  g_object_unref (self->items);
  g_hash_table_unref (self->owners);
  g_free (self);
}

GListModel *
gmcp_joined_list_get_model (GmcpJoinedList *self)
{
  return G_LIST_MODEL (self->items);
}

void
gmcp_joined_list_add (GmcpJoinedList *self, gpointer owner, GListModel *list)
{
  Part *part = g_new0 (Part, 1);

  part->joined = self;
  part->owner = owner;
  part->list = g_object_ref (list);
  part->listed = g_ptr_array_new ();
  part->shown = g_hash_table_new (NULL, NULL);
  g_ptr_array_add (self->parts, part);
  g_signal_connect (list, "items-changed", G_CALLBACK (on_items_changed), part);
  read_part (part);
  rebuild_list (self);
}

void
gmcp_joined_list_remove (GmcpJoinedList *self, gpointer owner)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (((Part *) g_ptr_array_index (self->parts, i))->owner == owner)
      {
        g_ptr_array_remove_index (self->parts, i);
        rebuild_list (self);
        return;
      }
}

gpointer
gmcp_joined_list_find_owner (GmcpJoinedList *self, const char *key)
{
  return g_hash_table_lookup (self->owners, key);
}
