/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What of another list counts, in its order, each as it is or in another form. */
typedef struct _GmcpFilteredList GmcpFilteredList;

/* What stands for the item, of the same type and the same each time; NULL where the item does not count. Full. */
typedef gpointer (*GmcpFilterFunc) (gpointer item, gpointer data);

GmcpFilteredList *gmcp_filtered_list_new (GListModel *source, GmcpFilterFunc choose, gpointer data);
void gmcp_filtered_list_free (GmcpFilteredList *self);

/* Other items may count now. */
void gmcp_filtered_list_refresh (GmcpFilteredList *self);
/* Borrowed. */
GListModel *gmcp_filtered_list_get (GmcpFilteredList *self);

G_END_DECLS
