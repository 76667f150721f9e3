/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcp-server-folder-private.h"

G_BEGIN_DECLS

GmcpFolderGate *gmcp_manager_make_folder_gate (GmcpManager *self);
/* What the folder of a server goes by. Gives a text that the context refers to, which also has the gate of
 * the manager. */
char *gmcp_manager_fill_folder_context (GmcpManager *manager, GmcpServerFolderContext *context);

/* Emits folder-requested. gmcp-manager.c */
void gmcp_manager_request_folder (GmcpManager *self, GmcpFolderRequest *request);

G_END_DECLS
