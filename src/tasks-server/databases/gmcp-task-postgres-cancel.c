/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-postgres-cancel.h"

/* Requests to cancel that a server has not taken yet. */
#define MAX_CANCELLATIONS 16

typedef struct
{
  const GmcpTaskPq *pq;
  PGcancel *cancel;
} Cancellation;

static int n_cancellations; /* atomic */

static void
cancellation_free (Cancellation *cancellation)
{
  cancellation->pq->freeCancel (cancellation->cancel);
  g_free (cancellation);
  g_atomic_int_add (&n_cancellations, -1);
}

/* In a thread of its own, since libpq waits here for a server that may be stopped. */
static gpointer
cancel_main (gpointer user_data)
{
  Cancellation *cancellation = user_data;
  char detail[256];

  if (!cancellation->pq->cancel (cancellation->cancel, detail, sizeof detail))
    g_debug ("PostgreSQL was not told to cancel: %s", detail);
  cancellation_free (cancellation);
  return NULL;
}

/* Tells the server to end what the connection has it do. Where it cannot be told, the server ends the statement by itself when its connection is closed. */
void
gmcp_task_postgres_cancel (const GmcpTaskPq *pq, PGconn *connection)
{
  PGcancel *cancel = pq->getCancel (connection);
  Cancellation *cancellation;
  GThread *thread = NULL;

  if (cancel == NULL)
    return;

  cancellation = g_new0 (Cancellation, 1);
  cancellation->pq = pq;
  cancellation->cancel = cancel;
  if (g_atomic_int_add (&n_cancellations, 1) < MAX_CANCELLATIONS)
    thread = g_thread_try_new ("gmcp-tasks-stop", cancel_main, cancellation, NULL);

  if (thread != NULL)
    g_thread_unref (thread);
  else
    cancellation_free (cancellation);
}
