/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-era-private.h"
#include "gmcp-server-task-private.h"

G_BEGIN_DECLS

/* What the files of the modern era share. */

/* Subscriptions, which are all that is kept of a connection. */
gpointer gmcp_server_streams_new (GmcpServerConnection *connection);
void gmcp_server_streams_free (gpointer streams);
/* Ends them. */
void gmcp_server_streams_stop (gpointer streams);
gboolean gmcp_server_streams_has (const GmcpServerExchange *exchange);
void gmcp_server_streams_handle_listen (GmcpServerExchange *exchange);
void gmcp_server_streams_list_changed (gpointer streams,
                                       GmcpServerConnection *connection,
                                       GmcpServerSubject subject);
void gmcp_server_streams_resource_updated (gpointer streams,
                                           GmcpServerConnection *connection,
                                           const char *uri);

/* A result of another type than a complete one, up to the members that are its own. */
GmcpJsonWriter gmcp_server_era_modern_begin_result (GmcpServerExchange *exchange, const char *type);

/* Tasks. The methods are ended by a NULL name. */
extern const GmcpServerMethod gmcp_server_era_modern_task_methods[];
extern const GmcpServerEraTasks gmcp_server_era_modern_tasks;
/* FALSE: the client has not declared the extension, and has been told so. */
gboolean gmcp_server_era_modern_check_tasks (GmcpServerExchange *exchange);
/* The members of a task with its questions, or what came of it. */
void gmcp_server_era_modern_write_task (GmcpJsonWriter *writer, GmcpServerTask *task);

G_END_DECLS
