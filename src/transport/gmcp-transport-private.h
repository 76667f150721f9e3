/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-transport.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* One message on its way out: its JSON text (one line, no line end) and what its era says of it to
 * transports that have headers. Lives for the call of send() only. */
typedef struct
{
  const char *text;
  gsize length;
  const GmcpJsonPart *parts;  /* what belongs into the text besides, in order of place */
  guint n_parts;              /* always 0 for transports that do not take any */
  gint64 request_id;          /* of a request of ours, else 0 */
  const char *method;         /* nullable: of requests and notifications */
  const char *const *headers; /* nullable: names and values in turn, NULL-terminated */
  const char *peer_id; /* nullable: the id, as JSON, of the request of the peer's that the message
                               * belongs to or answers */
  gsize peer_id_length;
  GString **buffer;         /* nullable: what holds the text; who takes it leaves NULL */
  int error_code;           /* of an answer that is an error of the protocol, else 0 */
  guint begins_session : 1; /* drops the session there is; the answer may name a new one */
  guint before_others : 1;  /* where messages can overtake each other, none overtakes this one */
  guint is_reply : 1;       /* to a request of the peer's, which may make as many as it likes */
  guint ends_request : 1;   /* the answer to that request: nothing of it follows */
  guint refuses : 1; /* that answer is an error, since the request was none that can be run */
} GmcpOutgoing;

/* With its parts. */
gsize gmcp_outgoing_get_bytes (const GmcpOutgoing *message);

/* The pieces of a message in their order: a run of its text, which may be empty, then a part, and so on. */
typedef struct
{
  const GmcpOutgoing *message;
  guint next_part;
  gsize start;
} GmcpOutgoingWalk;

/* part is NULL behind the last piece of text; FALSE when there is nothing more. */
gboolean
gmcp_outgoing_walk_next (GmcpOutgoingWalk *walk, const char **text, gsize *length, GBytes **part);

/* The whole message as one text; the caller's. */
GString *gmcp_outgoing_join (const GmcpOutgoing *message);

/* What a kind of transport implements; a static table, which its class points to. */
typedef struct
{
  /* Connects. */
  void (*open_async) (GmcpTransport *self,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
  gboolean (*open_finish) (GmcpTransport *self, GAsyncResult *result, GError **error);
  /* Queues one message and returns at once. */
  gboolean (*send) (GmcpTransport *self, const GmcpOutgoing *message, GError **error);
  /* Stops in order. */
  void (*close_async) (GmcpTransport *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data);
  gboolean (*close_finish) (GmcpTransport *self, GAsyncResult *result, GError **error);
  /* What the other end is, for error messages. NULL for the name of the class. */
  char *(*dup_description) (GmcpTransport *self);
  /* Whether each request has a stream of its own. NULL for no. */
  gboolean (*has_request_streams) (GmcpTransport *self);
  /* A header of the request that is being delivered, for one end of a connection that serves. May be NULL. */
  const char *(*get_header) (GmcpTransport *self, const char *name);
  /* The process at the other end, or 0. May be NULL. */
  int (*get_pid) (GmcpTransport *self);
  /* What the other end said outside the protocol. May be NULL. */
  char *(*dup_diagnostics) (GmcpTransport *self);
  /* Nobody waits any more for the answer to a request: closes the stream that it came by, where each
   * request has its own. May be NULL. */
  void (*cancel_request) (GmcpTransport *self, gint64 request_id);
  /* A request of the peer's (its id, as JSON) has been cancelled and gets no answer: ends the stream that
   * is open for one. May be NULL. */
  void (*leave_unanswered) (GmcpTransport *self, const char *peer_id, gsize peer_id_length);
  /* Nullable. Ends the stream that the peer's request has, which goes on: the peer comes back for the rest after
   * that time. FALSE where it could not. */
  gboolean (*suspend_request) (GmcpTransport *self,
                               const char *peer_id,
                               gsize peer_id_length,
                               guint retry_ms);
  /* The handshake is over and the peer may speak unasked: opens what is needed to hear it. The
   * headers, names and values in turn, belong on every request that the transport makes of its own
   * accord from now on. May be NULL. */
  void (*begin_session) (GmcpTransport *self, const char *const *headers);
  /* Goes over to an older way of reaching the same peer, and holds what is sent until that stands;
   * FALSE where there is none, or it is in use already. May be NULL. */
  gboolean (*fall_back) (GmcpTransport *self);
  /* Closes a transport that has nothing to wait for. May be NULL; close_async is there all the same. */
  void (*close_at_once) (GmcpTransport *self);
  /* Whether send() takes messages with parts. */
  gboolean takes_parts;
} GmcpTransportFuncs;

/* Why one request gets no answer, while the connection as such goes on. */
typedef struct
{
  GError *error;         /* the callee copies what it keeps */
  guint http_status;     /* of the response that said so; 0 where none came */
  gboolean unprocessed;  /* the peer has certainly not acted on the request */
  gboolean session_lost; /* the session is gone; a message with begins_session makes another */
  gint64 retry_after_ms; /* what the peer asks to wait; -1 where it said nothing */
} GmcpTransportFailure;

/* Who takes what comes in. At most one taker; it lives at least as long as it is set. Called in the
 * transport's context. */
typedef struct
{
  /* One message, not NUL-terminated. Where it came in a buffer of its own, owner is that buffer and
   * may be kept; else the bytes are valid during the call only. */
  void (*message) (gpointer taker, const char *text, gsize length, GBytes *owner);
  /* A message was too large, or bytes were no message at all; the error is for the calls that wait.
   * The stream goes on where it can. */
  void (*violation) (gpointer taker, const GError *error);
  /* Once, when nothing more comes in; error is NULL after gmcp_transport_close_async(). */
  void (*closed) (gpointer taker, const GError *error);
  /* May be NULL. Nothing more comes in, but messages can still be sent. TRUE to go on with that
   * until gmcp_transport_close_async(); else closed follows. */
  gboolean (*input_ended) (gpointer taker);
  /* May be NULL. No answer to this request comes any more. Never from within send(), and not for
   * a request that was cancelled by gmcp_transport_cancel_request(). */
  void (*request_failed) (gpointer taker, gint64 request_id, const GmcpTransportFailure *failure);
  /* May be NULL. Whether this request still has no answer; asked when its stream ends. */
  gboolean (*is_waiting) (gpointer taker, gint64 request_id);
  /* May be NULL. The session is gone, which no request of ours has told: a message with
   * begins_session makes another. */
  void (*session_lost) (gpointer taker, const GError *error);
  /* May be NULL. What the peer says unasked does not come any more, and why; with NULL, after that,
   * it comes again, but what was said in between is lost. */
  void (*listening) (gpointer taker, const GError *error);
  /* One message that the transport had to parse itself. NULL where no such transport has this taker. */
  void (*document) (gpointer taker, GmcpJsonDoc *doc);
} GmcpTransportTaker;

/* taker NULL takes it away. Holds no reference on data. */
void gmcp_transport_set_taker (GmcpTransport *self, const GmcpTransportTaker *taker, gpointer data);

/* Called each time that the way to the peer stands, before anything is said: a program runs from then
 * on. NULL for nobody. */
void
gmcp_transport_set_opened_func (GmcpTransport *self, void (*opened) (gpointer data), gpointer data);

/* For a transport whose way to the peer stands when it is made, instead of opening it. */
void gmcp_transport_set_open (GmcpTransport *self);

/* A header of the request that is being delivered; NULL where there is none. */
const char *gmcp_transport_get_header (GmcpTransport *self, const char *name);

/* In place of gmcp_transport_close_async(): FALSE, with nothing done, where that takes turns of the main loop. The taker
 * is told nothing. */
gboolean gmcp_transport_close_at_once (GmcpTransport *self);

/* Closing has begun and not ended. */
gboolean gmcp_transport_is_closing (GmcpTransport *self);

gboolean gmcp_transport_send (GmcpTransport *self, const GmcpOutgoing *message, GError **error);

/* For the subclasses in this folder, before they queue a message: whether one more may wait, where the
 * replies that wait have so many bytes. What a peer asks for and does not read may not grow as what we
 * ask of it may. */
gboolean gmcp_transport_may_wait (const GmcpOutgoing *message, gsize reply_bytes, GError **error);

/* Nobody waits for this request any more. Tells the peer nothing by itself, but ends the request's
 * stream where it has one; harmless for any other id and any other transport. */
void gmcp_transport_cancel_request (GmcpTransport *self, gint64 request_id);

/* A request of the peer's gets no answer. */
void
gmcp_transport_leave_unanswered (GmcpTransport *self, const char *peer_id, gsize peer_id_length);
gboolean gmcp_transport_suspend_request (GmcpTransport *self,
                                         const char *peer_id,
                                         gsize peer_id_length,
                                         guint retry_ms);

/* After the last message of the handshake was sent. headers (names and values in turn,
 * NULL-terminated; may be NULL) belong on each request that the transport makes of its own accord,
 * such as the one for a stream of what the peer says unasked. */
void gmcp_transport_begin_session (GmcpTransport *self, const char *const *headers);

/* Goes over to an older way of reaching the same peer, with nothing pending. TRUE where there is
 * one: what is sent from now on goes that way, as soon as it stands. */
gboolean gmcp_transport_fall_back (GmcpTransport *self);

/* For the subclasses in this folder. received: one message came. closed: nothing more comes; error is
 * what broke the connection, or NULL where it ended in order. */
void gmcp_transport_received (GmcpTransport *self, GBytes *message);
void gmcp_transport_closed (GmcpTransport *self, const GError *error);
void gmcp_transport_deliver (GmcpTransport *self, const char *text, gsize length, GBytes *owner);
void gmcp_transport_deliver_document (GmcpTransport *self, GmcpJsonDoc *doc);
void gmcp_transport_report_violation (GmcpTransport *self, const GError *error);
gboolean gmcp_transport_report_input_ended (GmcpTransport *self);
void gmcp_transport_report_request_failed (GmcpTransport *self,
                                           gint64 request_id,
                                           const GmcpTransportFailure *failure);
void gmcp_transport_report_session_lost (GmcpTransport *self, const GError *error);
void gmcp_transport_report_listening (GmcpTransport *self, const GError *error);
gboolean gmcp_transport_is_waited_for (GmcpTransport *self, gint64 request_id);
GMainContext *gmcp_transport_get_context (GmcpTransport *self);

G_END_DECLS
