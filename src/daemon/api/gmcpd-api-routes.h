/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-api-request.h"

G_BEGIN_DECLS

/* Finds what a message asks for, and has it answered. path: as it was sent, with its escapes. */
void gmcpd_api_routes_handle (GmcpdApiRequests *requests,
                              const GmcpdSoup *soup,
                              SoupServerMessage *message,
                              const char *path,
                              GHashTable *query);

G_END_DECLS
