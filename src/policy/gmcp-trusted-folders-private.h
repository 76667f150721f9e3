/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Folders whose code may run because the user says so, whatever is in them: kept in a file by their real
 * paths. What lies in a trusted folder is not trusted by that where it is a workspace of its own. */

#define GMCP_TRUSTED_FOLDERS_FILE "trusted-folders.json"

/* Whether the folder, a real path, is in the file named by store. A file that cannot be read is an
 * error. */
void gmcp_trusted_folders_check_async (const char *store,
                                       const char *folder,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean gmcp_trusted_folders_check_finish (GAsyncResult *result, GError **error);

/* Links in folder are followed. One that is no folder, or that any user of this computer may write to,
 * is not taken. */
void gmcp_trusted_folders_store_async (const char *store,
                                       const char *folder,
                                       gboolean trusted,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean gmcp_trusted_folders_store_finish (GAsyncResult *result, GError **error);

/* FALSE where what is in the folder can be anybody's. Waits for the disk. */
gboolean gmcp_trusted_folders_can_hold (const char *folder, GError **error);

G_END_DECLS
