/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-byte-budget-private.h"
#include "gmcp-output-fd-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* The bytes that wait to be written to one descriptor. Large ones wait where they were made or came in. */

/* What waits for one peer. */
typedef struct
{
  gsize max_bytes;        /* beside the first message; 0: that of all queues */
  GmcpByteBudget *budget; /* nullable, not owned: what this queue and others keep at most */
  guint patience_ms;      /* of who writes, while the peer reads nothing; 0 for no end */
} GmcpOutputLimits;

typedef struct
{
  GmcpOutputFd to;
  char *data;
  gsize start; /* not written yet */
  gsize end;
  gsize size;
  gsize data_position; /* of the data, in the text without any parts since the queue was made */
  GArray *parts;       /* of GmcpJsonPart; NULL until there is one */
  gsize part_written;  /* of the first part */
  gsize parts_bytes;   /* of all of them, what was written included */
  GmcpOutputLimits limits;
  gsize first_bytes;   /* of the first message */
  gsize reply_bytes;   /* at most so many of what waits are replies */
  gsize charged_bytes; /* to the budget of the limits */
} GmcpOutputQueue;

typedef enum
{
  GMCP_FLUSH_DONE,
  GMCP_FLUSH_BLOCKED,
  GMCP_FLUSH_FAILED, /* errno says why */
} GmcpFlushResult;

void gmcp_output_queue_init (GmcpOutputQueue *self, int fd);
void gmcp_output_queue_clear (GmcpOutputQueue *self);
void gmcp_output_queue_discard (GmcpOutputQueue *self);

/* The message and its line end. */
gboolean
gmcp_output_queue_append (GmcpOutputQueue *self, const GmcpOutgoing *message, GError **error);
GmcpFlushResult gmcp_output_queue_flush (GmcpOutputQueue *self);

/* What is not written yet. */
gsize gmcp_output_queue_get_bytes (const GmcpOutputQueue *self);

/* For who writes by other means: all that is queued, which the queue forgets. */
GBytes *gmcp_output_queue_steal (GmcpOutputQueue *self);

static inline gboolean
gmcp_output_queue_is_empty (const GmcpOutputQueue *self)
{
  return self->start == self->end && self->parts_bytes == 0;
}

G_END_DECLS
