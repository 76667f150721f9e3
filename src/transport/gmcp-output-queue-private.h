/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-byte-budget-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* The bytes that wait to be written to one descriptor, which it owns. No write blocks, whatever the
 * descriptor is, and none raises SIGPIPE in the host. */

typedef enum
{
  GMCP_OUTPUT_KIND_POLLED,       /* blocking, and not ours to change: asked before each write */
  GMCP_OUTPUT_KIND_NON_BLOCKING, /* O_NONBLOCK is set */
  GMCP_OUTPUT_KIND_FILE,         /* a regular file, which is always ready */
  GMCP_OUTPUT_KIND_SOCKET,
} GmcpOutputKind;

/* What waits for one peer. */
typedef struct
{
  gsize max_bytes;        /* beside the first message; 0: that of all queues */
  GmcpByteBudget *budget; /* nullable, not owned: what this queue and others keep at most */
  guint patience_ms;      /* of who writes, while the peer reads nothing; 0 for no end */
} GmcpOutputLimits;

typedef struct
{
  int fd;
  GmcpOutputKind kind;
  gboolean pipe_grown;
  char *data;
  gsize start; /* not written yet */
  gsize end;
  gsize size;
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

/* For who writes by other means: all that is queued, which the queue forgets. */
char *gmcp_output_queue_steal (GmcpOutputQueue *self, gsize *length);

/* For tests: writes as on a kernel that has no write without SIGPIPE. */
void gmcp_output_queue_set_kernel_has_nosignal (gboolean has_nosignal);

static inline gboolean
gmcp_output_queue_is_empty (const GmcpOutputQueue *self)
{
  return self->start == self->end;
}

G_END_DECLS
