/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-server-era-private.h"
#include "gmcp-server-outbox-private.h"
#include "gmcp-server-questions-private.h"

G_BEGIN_DECLS

/* One client: a transport, what the eras keep about it, and the requests that run.
 *
 * Its life: while the transport is open it takes requests. When nothing more comes in, subscriptions
 * are ended and what runs may be answered for a while (draining); then the rest is cancelled, the
 * transport is closed and finished() says so. */

typedef void (*GmcpServerConnectionFinishedFunc) (GmcpServerConnection *connection, gpointer data);

/* Opens the transport. finished is called once, in the transport's context, unless the connection
 * was closed before. */
GmcpServerConnection *gmcp_server_connection_new (GmcpServer *server,
                                                  GmcpTransport *transport,
                                                  GmcpServerConnectionFinishedFunc finished,
                                                  gpointer finished_data);
GmcpServerConnection *gmcp_server_connection_ref (GmcpServerConnection *self);
void gmcp_server_connection_unref (GmcpServerConnection *self);

/* NULL once closed. */
GmcpServer *gmcp_server_connection_get_server (GmcpServerConnection *self);
GmcpTransport *gmcp_server_connection_get_transport (GmcpServerConnection *self);
GmcpServerOutbox *gmcp_server_connection_get_outbox (GmcpServerConnection *self);
GmcpServerQuestions *gmcp_server_connection_get_questions (GmcpServerConnection *self);
/* By which connections are told apart: no other has it, or had. */
guint64 gmcp_server_connection_get_number (GmcpServerConnection *self);
/* Who the client is, as whoever made the transport verified it; NULL where nobody did. It is set once, before the
 * first message is handled. */
void gmcp_server_connection_set_user (GmcpServerConnection *self, const char *user);
const char *gmcp_server_connection_get_user (GmcpServerConnection *self);
/* It is one of a single request, and the client's next request makes another. */
void gmcp_server_connection_set_passing (GmcpServerConnection *self);
gboolean gmcp_server_connection_is_passing (GmcpServerConnection *self);
/* Who is at the other end, as the audit is to name it: a program, “FILE (PID)”, or the address over HTTP and whose
 * token came there, “ADDRESS (USER)”; NULL where it is not known. */
void gmcp_server_connection_set_program (GmcpServerConnection *self, const char *program);
const char *gmcp_server_connection_get_program (GmcpServerConnection *self);
/* Ends the connection where the first line of the client is no message. */
void gmcp_server_connection_set_strict (GmcpServerConnection *self);
/* Whether a message has come. */
gboolean gmcp_server_connection_was_heard (GmcpServerConnection *self);
/* Nothing is sent any more. */
gboolean gmcp_server_connection_is_closed (GmcpServerConnection *self);

/* Keeps the connection from ending for want of requests. */
void gmcp_server_connection_hold_open (GmcpServerConnection *self);
void gmcp_server_connection_release_open (GmcpServerConnection *self);

/* What an era keeps with this connection. */
gpointer gmcp_server_connection_get_state (GmcpServerConnection *self, const GmcpServerEra *era);
void gmcp_server_connection_list_changed (GmcpServerConnection *self, GmcpServerSubject subject);
void gmcp_server_connection_resource_updated (GmcpServerConnection *self, const char *uri);
/* Ends the connection where nothing more comes in and nothing is to be answered any more. */
void gmcp_server_connection_check_drained (GmcpServerConnection *self);
/* Takes nothing more, and ends the connection when what runs has been answered, or has had its time. */
void gmcp_server_connection_drain (GmcpServerConnection *connection, guint timeout_ms);
/* Cancels what runs, sends what is still to be sent, closes the transport. */
void gmcp_server_connection_finish (GmcpServerConnection *self);
/* Closes the connection without telling anybody. */
void gmcp_server_connection_close (GmcpServerConnection *self);

/* Whether one more request may run whose message is that large. */
gboolean gmcp_server_connection_has_room (GmcpServerConnection *self, gsize message_bytes);
/* Puts a request into the table. */
void gmcp_server_connection_add (GmcpServerConnection *self, GmcpServerExchange *exchange);
/* Takes a request out of the table, whatever its end was. */
void gmcp_server_connection_forget (GmcpServerConnection *self, GmcpServerExchange *exchange);
/* The same in two steps, between which it is answered: after the first one it is not ended with the others any more; with
 * the second the connection may end that waited for it. */
void gmcp_server_connection_take_out (GmcpServerConnection *self, GmcpServerExchange *exchange);
void gmcp_server_connection_settle (GmcpServerConnection *self, GmcpServerExchange *exchange);
GmcpServerExchange *gmcp_server_connection_find (GmcpServerConnection *self, GmcpJsonValue id);

/* Answers a request with an error. */
void gmcp_server_connection_send_error (GmcpServerConnection *self,
                                        GmcpServerBatch *batch,
                                        GmcpJsonValue id,
                                        int code,
                                        const char *message);

/* One message; batch is NULL but for those that came in an array. */
void gmcp_server_connection_handle (GmcpServerConnection *self,
                                    GmcpJsonDoc *doc,
                                    const GmcpRpcMessage *message,
                                    GmcpServerBatch *batch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerConnection, gmcp_server_connection_unref)

G_END_DECLS
