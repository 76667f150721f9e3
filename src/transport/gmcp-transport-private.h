/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

/* One message on its way out: its JSON text (one line, no line end) and what its era says of it to
 * transports that have headers. Lives for the call of send() only. */
struct _GmcpOutgoing
{
  const char *text;
  gsize length;
  gint64 request_id;          /* of a request of ours, else 0 */
  const char *method;         /* nullable: of requests and notifications */
  const char *const *headers; /* nullable: names and values in turn, NULL-terminated */
};

/* Who takes what comes in. At most one taker; it lives at least as long as it is set. Called in the
 * transport's context. */
typedef struct
{
  /* One message, not NUL-terminated. Where it came in a buffer of its own, owner is that buffer and
   * may be kept; else the bytes are valid during the call only. */
  void (*message) (gpointer taker, const char *text, gsize length, GBytes *owner);
  /* A message that was too large or had bytes that are no message at all: what to tell whoever
   * waits. The stream goes on where it can. */
  void (*violation) (gpointer taker, const GError *error);
  /* Once, when nothing more comes in; error is NULL after gmcp_transport_close_async(). */
  void (*closed) (gpointer taker, const GError *error);
  /* May be NULL. Nothing more comes in, but messages can still be sent. TRUE to go on with that
   * until gmcp_transport_close_async(); else closed follows. */
  gboolean (*input_ended) (gpointer taker);
} GmcpTransportTaker;

/* taker NULL takes it away. Holds no reference on data. */
void gmcp_transport_set_taker (GmcpTransport *self, const GmcpTransportTaker *taker, gpointer data);

/* Closing has begun and not ended. */
gboolean gmcp_transport_is_closing (GmcpTransport *self);

gboolean gmcp_transport_send (GmcpTransport *self, const GmcpOutgoing *message, GError **error);

/* For the subclasses in this folder. */
void gmcp_transport_deliver (GmcpTransport *self, const char *text, gsize length, GBytes *owner);
void gmcp_transport_report_violation (GmcpTransport *self, const GError *error);
gboolean gmcp_transport_report_input_ended (GmcpTransport *self);
GMainContext *gmcp_transport_get_context (GmcpTransport *self);

G_END_DECLS
