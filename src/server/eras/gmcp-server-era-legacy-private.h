/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-elicitation.h>

#include "gmcp-server-caller-private.h"
#include "gmcp-server-era-private.h"
#include "gmcp-server-task-private.h"

G_BEGIN_DECLS

/* What the files of the legacy era share, and what serving over HTTP has to know of it: the tasks of 2025-11-25. The methods are ended by a NULL name. */
extern const GmcpServerMethod gmcp_server_era_legacy_task_methods[];
extern const GmcpServerEraTasks gmcp_server_era_legacy_tasks;

/* The member of the capabilities, where the server has tools that may be tasks. */
void
gmcp_server_era_legacy_write_task_capability (GmcpServerExchange *exchange, GmcpJsonWriter *writer);

/* Answers a request with what came of a task, now or when it has ended. */
void gmcp_server_era_legacy_await_result (GmcpServerExchange *exchange, GmcpServerTask *task);

/* The tasks whose client is told of them as they change. */
typedef struct _GmcpServerToldTasks GmcpServerToldTasks;

GmcpServerToldTasks *gmcp_server_told_tasks_new (GmcpServerConnection *connection);
void gmcp_server_told_tasks_free (GmcpServerToldTasks *self);
/* The session of a connection has those. */
GmcpServerToldTasks *gmcp_server_era_legacy_get_told_tasks (GmcpServerConnection *connection);

/* Once what is to be done at the address is done, the client of the connection is told so. */
void gmcp_server_era_legacy_watch_visit (GmcpServerConnection *connection, GmcpElicitation *visit);
/* Completes the task with the error that sends the user to the address before the request is made again. */
void gmcp_server_era_legacy_refuse_for_visit (GmcpServerExchange *exchange,
                                              GmcpServerCaller *caller,
                                              GmcpElicitation *visit,
                                              GTask *task);

/* For a connection that brings one request of a client that was initialized elsewhere. version is one of
 * gmcp_protocol_get_versions(). */
void gmcp_server_era_legacy_assume (GmcpServerConnection *connection, const char *version);
/* For a connection whose requests are of the modern era, as their headers say, whatever they lack. */
void gmcp_server_era_legacy_exclude (GmcpServerConnection *connection);

/* Whether a method is the one that opens a session of the legacy era. */
gboolean gmcp_server_era_legacy_is_opening (GmcpJsonValue method);
/* Whether a message that is in no batch opens a session of the legacy era: its answer will be no error. */
gboolean gmcp_server_era_legacy_opens (const GmcpRpcMessage *message);

G_END_DECLS
