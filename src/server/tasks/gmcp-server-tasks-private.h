/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-task-private.h"

G_BEGIN_DECLS

/* The tasks of a server: whose they are, how many and how large, until when they are kept, and the folder in which
 * they outlive the process. An owner is a user, or "" for everybody who has not said who he is: the id is all that
 * keeps those apart. */
typedef struct _GmcpServerTasks GmcpServerTasks;

GmcpServerTasks *gmcp_server_tasks_new (void);
/* Cancels what runs. */
void gmcp_server_tasks_free (GmcpServerTasks *self);

void gmcp_server_tasks_set_max_tasks (GmcpServerTasks *self, guint max_tasks);
void gmcp_server_tasks_set_ttl_ms (GmcpServerTasks *self, guint ttl_ms);
guint gmcp_server_tasks_get_ttl_ms (GmcpServerTasks *self);
void gmcp_server_tasks_set_poll_interval_ms (GmcpServerTasks *self, guint poll_interval_ms);

typedef void (*GmcpServerTasksLoadedFunc) (gpointer data);

/* Reads what is in the folder, and keeps what is made from now on there; once, before any task is made. What a
 * process that ended has left at work has failed. path is nullable: nothing is kept. loaded is called in any case. */
void gmcp_server_tasks_load (GmcpServerTasks *self,
                             const char *path,
                             GmcpServerTasksLoadedFunc loaded,
                             gpointer data);

/* error is NULL when the task is there, whatever becomes of the process. */
typedef void (*GmcpServerTaskMadeFunc) (GmcpServerTask *task, const GError *error, gpointer data);

/* NULL with LIMIT_EXCEEDED where no more may be made, and made is not called. wished_ttl_ms is 0 for none;
 * call_bytes are what the call takes as long as it runs. */
GmcpServerTask *gmcp_server_tasks_make (GmcpServerTasks *self,
                                        const char *owner,
                                        const char *tool,
                                        gint64 wished_ttl_ms,
                                        gsize call_bytes,
                                        GCancellable *cancellable,
                                        GError **error);
/* Keeps a task that was made; made is called at once where there is no folder. */
void gmcp_server_tasks_keep (GmcpServerTasks *self,
                             GmcpServerTask *task,
                             GmcpServerTaskMadeFunc made,
                             gpointer data);
/* Borrowed; NULL for what the owner does not have. */
GmcpServerTask *gmcp_server_tasks_find (GmcpServerTasks *self, const char *owner, const char *id);
/* Those of an owner, the oldest first, after one of them or from the beginning. */
GPtrArray *gmcp_server_tasks_list (GmcpServerTasks *self,
                                   const char *owner,
                                   GmcpServerTask *after,
                                   guint max_tasks);
/* A task that was not to be, since nobody could be told of it. */
void gmcp_server_tasks_drop (GmcpServerTasks *self, GmcpServerTask *task);

/* For the tasks themselves: whether there is room for what came of one, which is charged then. */
gboolean gmcp_server_tasks_charge (GmcpServerTasks *self, GmcpServerTask *task, gsize n_bytes);
void gmcp_server_tasks_release (GmcpServerTasks *self, GmcpServerTask *task, gsize n_bytes);
/* Keeps how a task is to end, and then calls gmcp_server_task_finish(). */
void gmcp_server_tasks_keep_end (GmcpServerTasks *self,
                                 GmcpServerTask *task,
                                 GmcpTaskStatus status,
                                 const char *message);

G_END_DECLS
