/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-task-query.h"

G_BEGIN_DECLS

typedef struct _GmcpTaskWorker GmcpTaskWorker;

typedef enum
{
  GMCP_TASK_ABORT_NONE,
  GMCP_TASK_ABORT_TIMED_OUT,
  GMCP_TASK_ABORT_CANCELLED,
} GmcpTaskAbort;

/* One query on its way to the worker and back. The fields below the line belong to whoever has the
 * job: its owner before it is pushed and after it came back, the worker in between. */
typedef struct
{
  gatomicrefcount ref_count;
  int abort;           /* a GmcpTaskAbort, atomic */
  gboolean running;    /* guarded by the worker's lock */
  int met_lock;        /* atomic; it waited for a lock of another process */
  gpointer owner_data; /* the worker never looks at it */
  /* --- */
  GmcpTaskQuery *query;
  gpointer result;
  GError *error;
} GmcpTaskJob;

/* Called in the worker's main context with a job that the thread is done with. One that has neither
 * a result nor an error was aborted. */
typedef void (*GmcpTaskDoneFunc) (GmcpTaskJob *job);

GmcpTaskJob *gmcp_task_job_new (GmcpTaskQuery *query, gpointer owner_data);

GmcpTaskJob *gmcp_task_job_ref (GmcpTaskJob *self);

void gmcp_task_job_unref (GmcpTaskJob *self);

GmcpTaskWorker *gmcp_task_worker_new (const char *location,
                                      guint timeout_ms,
                                      GMainContext *context,
                                      GmcpTaskDoneFunc done_func);

void gmcp_task_worker_free (GmcpTaskWorker *self);

gboolean gmcp_task_worker_push (GmcpTaskWorker *self, GmcpTaskJob *job, GError **error);

gboolean gmcp_task_worker_abort (GmcpTaskWorker *self, GmcpTaskJob *job, GmcpTaskAbort reason);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskJob, gmcp_task_job_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskWorker, gmcp_task_worker_free)

G_END_DECLS
