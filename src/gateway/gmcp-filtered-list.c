/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-filtered-list-private.h"

#include "gmcp-object-list-private.h"

struct _GmcpFilteredList
{
  GListModel *source;
  GmcpFilterFunc choose;
  gpointer data;
  GmcpObjectList *items;
  GHashTable *chosen; /* what is in the source -> what stands for it */
};

/* Borrowed. */
static gpointer
choose_item (GmcpFilteredList *self, gpointer item, GHashTable *former)
{
  gpointer chosen = self->choose (item, self->data);
  gpointer before = g_hash_table_lookup (former, item);

  if (chosen == NULL)
    return NULL;

  if (before != NULL)
    {
      g_object_unref (chosen);
      chosen = g_object_ref (before);
    }
  g_hash_table_insert (self->chosen, g_object_ref (item), chosen);
  return chosen;
}

void
gmcp_filtered_list_refresh (GmcpFilteredList *self)
{
  guint n_items = g_list_model_get_n_items (self->source);
  g_autoptr (GPtrArray) items = g_ptr_array_new_full (n_items, NULL);
  g_autoptr (GHashTable) former = g_steal_pointer (&self->chosen);

  self->chosen = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (self->source, i);
      gpointer chosen = choose_item (self, item, former);

      if (chosen != NULL)
        g_ptr_array_add (items, chosen);
    }
  gmcp_object_list_set_items (self->items, items->pdata, items->len);
}

GmcpFilteredList *
gmcp_filtered_list_new (GListModel *source, GmcpFilterFunc choose, gpointer data)
{
  GmcpFilteredList *self = g_new0 (GmcpFilteredList, 1);

  self->source = g_object_ref (source);
  self->choose = choose;
  self->data = data;
  self->chosen = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  self->items = gmcp_object_list_new (g_list_model_get_item_type (source));
  g_signal_connect_swapped (source, "items-changed", G_CALLBACK (gmcp_filtered_list_refresh), self);
  gmcp_filtered_list_refresh (self);
  return self;
}

void
gmcp_filtered_list_free (GmcpFilteredList *self)
{
  g_signal_handlers_disconnect_by_data (self->source, self);
  g_object_unref (self->source);
  g_object_unref (self->items);
  g_hash_table_unref (self->chosen);
  g_free (self);
}

GListModel *
gmcp_filtered_list_get (GmcpFilteredList *self)
{
  return G_LIST_MODEL (self->items);
}
