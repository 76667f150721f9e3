/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <libpq-fe.h>

G_BEGIN_DECLS

/* libpq, which is loaded when a database of PostgreSQL is first used: a server with a file does not
 * pay for it. */
#define GMCP_TASK_PQ_FUNCTIONS(f)                                                                  \
  f (connectStartParams) f (connectPoll) f (status) f (finish) f (socket) f (setnonblocking)       \
    f (errorMessage) f (parameterStatus) f (setNoticeReceiver) f (sendPrepare)                     \
      f (sendQueryPrepared) f (sendQueryParams) f (sendQuery) f (flush) f (consumeInput)           \
        f (isBusy) f (getResult) f (resultStatus) f (resultErrorField) f (clear) f (ntuples)       \
          f (nfields) f (getvalue) f (getisnull) f (cmdTuples) f (notifies) f (freemem)            \
            f (getCancel) f (cancel) f (freeCancel) f (conninfoParse) f (conninfoFree)             \
              f (transactionStatus)

#define GMCP_TASK_PQ_MEMBER(name) __typeof__ (&PQ##name) name;

typedef struct
{
  GMCP_TASK_PQ_FUNCTIONS (GMCP_TASK_PQ_MEMBER)
} GmcpTaskPq;

const GmcpTaskPq *gmcp_task_pq_load (GError **error);

G_END_DECLS
