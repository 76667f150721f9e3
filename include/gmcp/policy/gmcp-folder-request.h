/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-input-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_FOLDER_REQUEST (gmcp_folder_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpFolderRequest,
                      gmcp_folder_request,
                      GMCP,
                      FOLDER_REQUEST,
                      GmcpInputRequest)

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_folder_request_get_folder (GmcpFolderRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_folder_request_trust (GmcpFolderRequest *self);

G_END_DECLS
