/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file of another program, which knows nothing of our locks: it is replaced as a whole, and only while it still
 * holds what was read of it. Nothing but the backup is left beside it: a lock file might be one of that program's
 * own. */

/* The backups that may stand beside a file: NAME.before-gmcp, NAME.before-gmcp-2 and so on. Number is from 1 to
 * GMCP_LIMIT_FILE_BACKUPS. */
char *gmcp_file_exchange_name_backup (const char *path, guint number);

/* Puts after in the place of before; NULL for before is no file, whose folder is made where it is not there. What
 * the file held is kept in a backup with the permissions of the file, unless one of the backups holds just that. A
 * symbolic link stays one. within: the folder that the file has to be in, links followed; NULL for anywhere.
 *
 * Fails with GMCP_ERROR_FAILED where the file has been changed or another process of ours is at it, with
 * GMCP_ERROR_NOT_PERMITTED where it is read-only or leads out of that folder, with GMCP_ERROR_LIMIT_EXCEEDED where there are too many backups,
 * and with I/O errors; the file is as it was then. */
void gmcp_file_exchange_async (const char *path,
                               const char *within,
                               GBytes *before,
                               GBytes *after,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
/* backup: where what the file held is kept; NULL where there was no file. */
gboolean gmcp_file_exchange_finish (GAsyncResult *result, char **backup, GError **error);

G_END_DECLS
