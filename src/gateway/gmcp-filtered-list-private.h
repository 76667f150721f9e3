/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What of another list counts, in its order. */
typedef struct _GmcpFilteredList GmcpFilteredList;

typedef gboolean (*GmcpFilterFunc) (gpointer item, gpointer data);

GmcpFilteredList *
gmcp_filtered_list_new (GListModel *source, GmcpFilterFunc includes, gpointer data);
void gmcp_filtered_list_free (GmcpFilteredList *self);

/* Other items may count now. */
void gmcp_filtered_list_refresh (GmcpFilteredList *self);
/* Borrowed. */
GListModel *gmcp_filtered_list_get (GmcpFilteredList *self);

G_END_DECLS
