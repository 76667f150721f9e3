/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A GListModel over a plain array of objects: constant-time access, and one items-changed for each
 * change whatever its size. */

#define GMCP_TYPE_OBJECT_LIST (gmcp_object_list_get_type ())

G_DECLARE_FINAL_TYPE (GmcpObjectList, gmcp_object_list, GMCP, OBJECT_LIST, GObject)

GmcpObjectList *gmcp_object_list_new (GType item_type);

guint gmcp_object_list_get_length (GmcpObjectList *self);
/* Borrowed; lives until the list changes. */
gpointer gmcp_object_list_peek (GmcpObjectList *self, guint position);

/* What lies between the objects that stay at the front and those that stay at the back, where the one array takes
 * the place of the other. FALSE where nothing changes. */
gboolean gmcp_object_list_find_change (gpointer const *former,
                                       guint n_former,
                                       gpointer const *items,
                                       guint n_items,
                                       guint *position,
                                       guint *n_removals,
                                       guint *n_additions);

/* Takes references on the additions. */
void gmcp_object_list_splice (GmcpObjectList *self,
                              guint position,
                              guint n_removals,
                              gpointer const *additions,
                              guint n_additions);
/* Makes the list hold exactly these; the signal covers only what has changed, and there is none where nothing has. */
void gmcp_object_list_set_items (GmcpObjectList *self, gpointer const *items, guint n_items);

G_END_DECLS
