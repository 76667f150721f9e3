/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What opens the dashboard: an object, and the function that makes a link for one sign-in. */
typedef struct
{
  char *(*dup_link) (gpointer object, guint *seconds, GError **error);
  gpointer object;
} GmcpdDashboard;

G_END_DECLS
