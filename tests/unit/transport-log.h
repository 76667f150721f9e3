/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* A taker that writes down what it gets, for tests. The waiting functions run the transport's main
 * context until the condition holds; a test that waits for ever ends by its time limit. */

typedef struct _TransportLog TransportLog;

struct _TransportLog
{
  GmcpTransport *transport; /* not owned */
  GPtrArray *messages;      /* (element-type utf8) */
  gboolean keep_messages;
  guint64 n_messages;
  guint64 n_bytes;
  guint n_owned;
  guint n_violations;
  GError *violation; /* the last one */
  guint n_closed;
  GError *closed_error;
  void (*on_message) (TransportLog *log);
  gpointer data;
};

TransportLog *transport_log_new (GmcpTransport *transport);
void transport_log_free (TransportLog *self);

void transport_log_open (TransportLog *self);
gboolean transport_log_try_open (TransportLog *self, GCancellable *cancellable, GError **error);
void transport_log_close (TransportLog *self);
void transport_log_send (TransportLog *self, const char *text);
void transport_log_wait_messages (TransportLog *self, guint64 n_messages);
void transport_log_wait_closed (TransportLog *self);
void transport_log_iterate (TransportLog *self);

G_END_DECLS
