/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-filtered-list-private.h"

#include "gmcp-object-list-private.h"

struct _GmcpFilteredList
{
  GListModel *source;
  GmcpFilterFunc includes;
  gpointer data;
  GmcpObjectList *items;
};

void
gmcp_filtered_list_refresh (GmcpFilteredList *self)
{
  guint n_items = g_list_model_get_n_items (self->source);
  g_autoptr (GPtrArray) items = g_ptr_array_new_full (n_items, g_object_unref);

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (self->source, i);

      if (self->includes (item, self->data))
        g_ptr_array_add (items, g_steal_pointer (&item));
    }
  gmcp_object_list_set_items (self->items, items->pdata, items->len);
}

GmcpFilteredList *
gmcp_filtered_list_new (GListModel *source, GmcpFilterFunc includes, gpointer data)
{
  GmcpFilteredList *self = g_new0 (GmcpFilteredList, 1);

  self->source = g_object_ref (source);
  self->includes = includes;
  self->data = data;
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
  g_free (self);
}

GListModel *
gmcp_filtered_list_get (GmcpFilteredList *self)
{
  return G_LIST_MODEL (self->items);
}
