/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What opens the dashboard: an object, and the functions that make a link for one sign-in. */
typedef struct
{
  void (*make_link_async) (gpointer object,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
  char *(*make_link_finish) (gpointer object, GAsyncResult *result, guint *seconds, GError **error);
  gpointer object;
} GmcpdDashboard;

G_END_DECLS
