/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-object-list-private.h"

struct _GmcpObjectList
{
  GObject parent_instance;

  GType item_type;
  gpointer *items;
  guint n_items;
  guint allocated;
};

typedef enum
{
  PROP_ITEM_TYPE = 1,
  PROP_N_ITEMS,
} GmcpObjectListProperty;

static GParamSpec *properties[PROP_N_ITEMS + 1];

static void gmcp_object_list_list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpObjectList,
                               gmcp_object_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      gmcp_object_list_list_model_init))

static GType
gmcp_object_list_get_item_type (GListModel *model)
{
  return GMCP_OBJECT_LIST (model)->item_type;
}

static guint
gmcp_object_list_get_n_items (GListModel *model)
{
  return GMCP_OBJECT_LIST (model)->n_items;
}

static gpointer
gmcp_object_list_get_item (GListModel *model, guint position)
{
  GmcpObjectList *self = GMCP_OBJECT_LIST (model);

  if (position >= self->n_items)
    return NULL;

  return g_object_ref (self->items[position]);
}

static void
gmcp_object_list_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = gmcp_object_list_get_item_type;
  iface->get_n_items = gmcp_object_list_get_n_items;
  iface->get_item = gmcp_object_list_get_item;
}

static void
unref_all (gpointer *items, guint n_items)
{
  for (guint i = 0; i < n_items; i++)
    g_object_unref (items[i]);
}

static void
gmcp_object_list_dispose (GObject *object)
{
  GmcpObjectList *self = GMCP_OBJECT_LIST (object);
  g_autofree gpointer *items = g_steal_pointer (&self->items);
  guint n_items = self->n_items;

  self->n_items = 0;
  self->allocated = 0;
  unref_all (items, n_items);

  G_OBJECT_CLASS (gmcp_object_list_parent_class)->dispose (object);
}

static void
gmcp_object_list_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpObjectList *self = GMCP_OBJECT_LIST (object);

  switch ((GmcpObjectListProperty) prop_id)
    {
    case PROP_ITEM_TYPE:
      g_value_set_gtype (value, self->item_type);
      break;
    case PROP_N_ITEMS:
      g_value_set_uint (value, self->n_items);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_object_list_class_init (GmcpObjectListClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_object_list_get_property;
  object_class->dispose = gmcp_object_list_dispose;

  /* Named as those of GListStore. */
  properties[PROP_ITEM_TYPE] = g_param_spec_gtype ("item-type", NULL, NULL, G_TYPE_OBJECT, flags);
  properties[PROP_N_ITEMS] = g_param_spec_uint ("n-items", NULL, NULL, 0, G_MAXUINT, 0, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_object_list_init (GmcpObjectList *self)
{
}

GmcpObjectList *
gmcp_object_list_new (GType item_type)
{
  GmcpObjectList *self;

  g_return_val_if_fail (g_type_is_a (item_type, G_TYPE_OBJECT), NULL);

  self = g_object_new (GMCP_TYPE_OBJECT_LIST, NULL);
  self->item_type = item_type;
  return self;
}

guint
gmcp_object_list_get_length (GmcpObjectList *self)
{
  return self->n_items;
}

gpointer
gmcp_object_list_peek (GmcpObjectList *self, guint position)
{
  return position < self->n_items ? self->items[position] : NULL;
}

void
gmcp_object_list_splice (GmcpObjectList *self,
                         guint position,
                         guint n_removals,
                         gpointer const *additions,
                         guint n_additions)
{
  g_autofree gpointer *removed = NULL;
  gpointer *at;
  guint n_after;

  g_return_if_fail (GMCP_IS_OBJECT_LIST (self));
  g_return_if_fail (position <= self->n_items && n_removals <= self->n_items - position);
  g_return_if_fail (n_additions <= G_MAXUINT / 2 - self->n_items);

  if (n_removals == 0 && n_additions == 0)
    return;

  n_after = self->n_items - position - n_removals;
  if (self->n_items - n_removals + n_additions > self->allocated)
    {
      self->allocated = MAX (self->n_items - n_removals + n_additions, self->allocated * 2);
      self->items = g_renew (gpointer, self->items, self->allocated);
    }

  at = self->items + position;
  if (n_removals > 0)
    removed = g_memdup2 (at, n_removals * sizeof *at);
  if (n_after > 0)
    memmove (at + n_additions, at + n_removals, n_after * sizeof *at);
  for (guint i = 0; i < n_additions; i++)
    at[i] = g_object_ref (additions[i]);
  self->n_items = position + n_additions + n_after;

  /* The last reference on a removed object may run code that looks at the list. */
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removals, n_additions);
  if (n_removals != n_additions)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_ITEMS]);
  unref_all (removed, n_removals);
}

gboolean
gmcp_object_list_find_change (gpointer const *former,
                              guint n_former,
                              gpointer const *items,
                              guint n_items,
                              guint *position,
                              guint *n_removals,
                              guint *n_additions)
{
  guint shorter = MIN (n_former, n_items);
  guint front = 0;
  guint back = 0;

  while (front < shorter && former[front] == items[front])
    front++;
  while (back < shorter - front && former[n_former - 1 - back] == items[n_items - 1 - back])
    back++;

  *position = front;
  *n_removals = n_former - front - back;
  *n_additions = n_items - front - back;
  return *n_removals > 0 || *n_additions > 0;
}

void
gmcp_object_list_set_items (GmcpObjectList *self, gpointer const *items, guint n_items)
{
  guint position, n_removals, n_additions;

  g_return_if_fail (GMCP_IS_OBJECT_LIST (self));

  /* An empty array may be NULL. */
  if (gmcp_object_list_find_change (self->items, self->n_items, items, n_items, &position,
                                    &n_removals, &n_additions))
    gmcp_object_list_splice (self, position, n_removals, n_additions > 0 ? items + position : NULL,
                             n_additions);
}
