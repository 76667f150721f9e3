/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GmcpFileWatch GmcpFileWatch;

/* Calls changed in the thread-default context of this call when the file has changed, come or gone, has
 * been closed by whoever wrote to it and then has been left alone for delay_ms (or has been written to again
 * and again for GMCP_LIMIT_CONFIG_DELAY_MS, or without being closed for GMCP_LIMIT_CONFIG_WRITING_MS).
 * Symbolic links that lead to it are followed, also when they are changed. What happens in the first
 * GMCP_DEFAULT_WATCH_DELAY_MS is seen at their end; whether its writer has closed it is not, and so it is to be
 * left alone for GMCP_LIMIT_CONFIG_DELAY_MS. */
GmcpFileWatch *
gmcp_file_watch_new (GFile *file, guint delay_ms, void (*changed) (gpointer), gpointer data);
/* Sees each change from now on, for whoever has waited already. */
void gmcp_file_watch_begin (GmcpFileWatch *self);
void gmcp_file_watch_free (GmcpFileWatch *self);

G_END_DECLS
