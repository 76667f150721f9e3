/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/policy/gmcp-folder-request.h>

G_BEGIN_DECLS

/* The answers; NULL where there is none. */
#define GMCP_FOLDER_ANSWER_TRUST  "trust"
#define GMCP_FOLDER_ANSWER_REFUSE "refuse"

GmcpFolderRequest *gmcp_folder_request_new (const char *server_id, const char *folder);

G_END_DECLS
