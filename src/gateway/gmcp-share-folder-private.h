/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The folder of the sockets that servers are offered on, which nobody else can write to. */
typedef struct _GmcpShareFolder GmcpShareFolder;

/* Makes it where it is not there, and takes away the sockets that programs which were killed have left in it. Fails with
 * G_IO_ERROR_PERMISSION_DENIED where others could put a socket there. */
GmcpShareFolder *gmcp_share_folder_open (GError **error);
void gmcp_share_folder_free (GmcpShareFolder *self);

const char *gmcp_share_folder_get_path (GmcpShareFolder *self);
/* Shows others that servers are offered, from now on and for as long as the folder is kept. */
void gmcp_share_folder_hold (GmcpShareFolder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpShareFolder, gmcp_share_folder_free)

G_END_DECLS
