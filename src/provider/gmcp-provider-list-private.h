/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The list that a provider's function gave. Where there is none, or its items are of another type, that is
 * logged once, unless the list may be missing, and the provider has an empty list of that type. */
GListModel *gmcp_provider_list_check (gpointer provider,
                                      GListModel *list,
                                      GType item_type,
                                      gboolean may_be_missing);

G_END_DECLS
