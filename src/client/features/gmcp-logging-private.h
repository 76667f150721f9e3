/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-exchange-private.h"
#include "gmcp-features-private.h"

G_BEGIN_DECLS

/* What the server logs, and what it is asked to log. */

GmcpLogging *gmcp_logging_new (void);
void gmcp_logging_free (GmcpLogging *logging);

GmcpLogLevel gmcp_logging_get_level (GmcpSession *self);
/* Returns whether the level has changed; the server has not been told. */
gboolean gmcp_logging_set_level (GmcpSession *self, GmcpLogLevel level);
/* Tells the server, where its era has a way for that, and ends the task with a pointer that is not
 * NULL, or an error. */
void gmcp_logging_tell_level (GmcpSession *self, GTask *task, GmcpCallOptions *options);
/* A session has begun, which knows nothing yet of the level that is wanted. */
void gmcp_logging_begin (GmcpSession *self);

void gmcp_logging_note_message (GmcpSession *self, GmcpJsonValue params);
/* Before such a call is sent to a server that knows one level for all. The options may be NULL. */
void gmcp_logging_ask_for (GmcpSession *self, GmcpCallOptions *options);
/* The level that the request has in its _meta, where it has one. */
void gmcp_logging_write_level (GmcpSession *self, GmcpExchange *exchange, GmcpJsonWriter *meta);
/* The ids of requests that asked for messages, some of which may have ended. */
GArray *gmcp_logging_get_requests (GmcpSession *self);

G_END_DECLS
