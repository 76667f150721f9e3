/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-private.h"

G_BEGIN_DECLS

/* What the server logs. */

void gmcp_client_install_logging_signals (void);
void gmcp_client_note_log_message (GmcpClient *self, GmcpJsonValue params);
/* The level that the request has in its _meta, where it has one. */
void gmcp_client_write_log_level (GmcpClient *self, GmcpExchange *exchange, GmcpJsonWriter *meta);
/* A session has begun, which knows nothing yet of the level that is wanted. */
void gmcp_client_begin_logging (GmcpClient *self);

G_END_DECLS
