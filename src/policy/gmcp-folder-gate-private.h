/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-folder-request-private.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Lets starts of servers pass that need a folder to be trusted. However many need one folder, the user is
 * asked about it once, and who refused is not asked again. */

#define GMCP_TYPE_FOLDER_GATE (gmcp_folder_gate_get_type ())
G_DECLARE_FINAL_TYPE (GmcpFolderGate, gmcp_folder_gate, GMCP, FOLDER_GATE, GObject)

/* Asks the user: request is refused where nobody keeps it. */
typedef void (*GmcpFolderAsk) (GObject *target, GmcpFolderRequest *request);

/* target is not owned; it is not asked once it is gone. */
GmcpFolderGate *gmcp_folder_gate_new (GObject *target, GmcpFolderAsk ask);

/* FALSE without an error where the folder is not trusted. store: gmcp-trusted-folders-private.h */
void gmcp_folder_gate_pass_async (GmcpFolderGate *self,
                                  const char *store,
                                  const char *folder,
                                  const char *server_id,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean gmcp_folder_gate_pass_finish (GmcpFolderGate *self, GAsyncResult *result, GError **error);

/* What was refused before may be asked about again. */
void gmcp_folder_gate_forget (GmcpFolderGate *self);

G_END_DECLS
