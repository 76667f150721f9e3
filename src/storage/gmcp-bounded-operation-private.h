/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file operation of an object that may be gone before the end. An operation that takes longer
 * than GMCP_DEFAULT_STATE_READ_MS is cancelled, so that nobody waits for a disk that does not
 * answer. */
typedef struct _GmcpBoundedOperation GmcpBoundedOperation;

GmcpBoundedOperation *gmcp_bounded_operation_new (gpointer owner, GMainContext *context);
GCancellable *gmcp_bounded_operation_get_cancellable (GmcpBoundedOperation *self);
/* Frees an operation that is done, and returns a reference to its owner, or NULL where that is
 * gone. */
gpointer gmcp_bounded_operation_end (GmcpBoundedOperation *self);

G_END_DECLS
