/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/policy/gmcp-folder-request.h>

G_BEGIN_DECLS

typedef enum
{
  GMCP_FOLDER_ANSWER_NONE, /* the request was dropped */
  GMCP_FOLDER_ANSWER_TRUST,
  GMCP_FOLDER_ANSWER_REFUSE,
} GmcpFolderAnswer;

/* Called once, at the latest when the request is dropped. */
typedef void (*GmcpFolderRequestDone) (GmcpFolderAnswer answer, gpointer data);

GmcpFolderRequest *gmcp_folder_request_new (const char *server_id,
                                            const char *folder,
                                            GmcpFolderRequestDone done,
                                            gpointer data);

G_END_DECLS
