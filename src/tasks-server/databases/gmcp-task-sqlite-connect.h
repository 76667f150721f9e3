/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

typedef int (*GmcpTaskProgressFunc) (gpointer user_data);

sqlite3 *gmcp_task_sqlite_connect (const char *filename,
                                   GmcpTaskProgressFunc progress,
                                   gpointer user_data,
                                   GError **error);

void
gmcp_task_sqlite_set_error (const char *filename, int code, const char *detail, GError **error);

G_END_DECLS
