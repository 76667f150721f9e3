/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Files of this process below $XDG_RUNTIME_DIR/gmcp, for what is too large to be handed out. They are
 * removed when the process ends, or, where it was killed, when the next one begins. */

/* Removes what processes that are no more have left, in the background, once a process. */
void gmcp_result_spool_sweep (void);

/* Writes the bytes to a file that only the user can read. GMCP_ERROR_LIMIT_EXCEEDED where this process has
 * GMCP_LIMIT_RESULT_SPOOL_BYTES there already. */
void gmcp_result_spool_write_async (GBytes *bytes,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
/* The path. */
char *gmcp_result_spool_write_finish (GAsyncResult *result, GError **error);

/* For tests: what happens at the end of the process. */
void gmcp_result_spool_remove_own (void);

G_END_DECLS
