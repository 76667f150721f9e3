/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-features-private.h"
#include "gmcp-served-tasks-private.h"

G_BEGIN_DECLS

/* Questions that come as requests of the server's own. */

GmcpServerRequests *gmcp_server_requests_new (void);
void gmcp_server_requests_free (GmcpServerRequests *requests);

/* FALSE where it is no question. */
gboolean gmcp_server_requests_handle (GmcpSession *self, const GmcpRpcMessage *request);
/* The server takes one back. */
void gmcp_server_requests_cancel (GmcpSession *self, GmcpJsonValue id);
/* Nobody waits for the answers any more. */
void gmcp_server_requests_close_all (GmcpSession *self);

G_END_DECLS
