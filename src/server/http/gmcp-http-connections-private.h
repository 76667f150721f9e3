/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-settings-private.h"
#include "gmcp-http-watch-private.h"
#include "gmcp-soup-server-private.h"

G_BEGIN_DECLS

/* The connections that clients have opened to a SoupServer which belongs to one endpoint: takes them, in place
 * of libsoup; closes those that nothing comes from any more, of which libsoup does not hear while they wait for a
 * request (gmcp-http-input-private.h says why); and makes room where they are too many, so that no user keeps the others out. */
typedef struct _GmcpHttpConnections GmcpHttpConnections;

/* One of them. */
#define GMCP_TYPE_HTTP_CONNECTION (gmcp_http_connection_get_type ())
G_DECLARE_FINAL_TYPE (GmcpHttpConnection,
                      gmcp_http_connection,
                      GMCP,
                      HTTP_CONNECTION,
                      GSocketConnection)

/* From now on what comes to the sockets that http listens on. */
GmcpHttpConnections *gmcp_http_connections_new (const GmcpSoupServer *soup,
                                                SoupServer *http,
                                                const GmcpHttpSettings *settings,
                                                GmcpHttpWatch *watch);
/* Takes no more; those that are open are the server's to close. */
void gmcp_http_connections_free (GmcpHttpConnections *self);

/* Takes no more. Sockets that others have handed over go on to listen, for whoever takes from them next. */
void gmcp_http_connections_stop (GmcpHttpConnections *self, gboolean keeps_sockets);
/* func is called once nothing is answered and nothing that was answered has to be written, perhaps at once. NULL: no
 * more. */
void gmcp_http_connections_wait_until_written (GmcpHttpConnections *self,
                                               void (*func) (gpointer data),
                                               gpointer data);

/* NULL where it came to a SoupServer of the program's. */
GmcpHttpConnection *
gmcp_http_connection_find (const GmcpSoupServer *soup, SoupServerMessage *message);
/* The address of the machine at the other end, as text; NULL for one that is no address of the internet. */
const char *gmcp_http_connection_get_peer (GmcpHttpConnection *self);
/* The head of a request is there. */
void gmcp_http_connection_begin_body (GmcpHttpConnection *self);
/* The request is there, and is answered from now on: no time limit holds until the answer is written. */
void gmcp_http_connection_begin_answer (GmcpHttpConnection *self);
/* It is the user's as long as it is answered. FALSE where nearly all are, and nobody has more of them than this user. */
gboolean gmcp_http_connection_give_to (GmcpHttpConnection *self, const char *user);
/* All of the answer is there, and the client has only to read it. */
void gmcp_http_connection_end_answer (GmcpHttpConnection *self);
/* The answer has a body, which libsoup writes as soon as it has written the head. */
void gmcp_http_connection_expect_body (GmcpHttpConnection *self);
gboolean gmcp_http_connection_has_hung_up (GmcpHttpConnection *self);
/* Whoever wants to know that the client hangs up while it is answered, or that the answer has to end, as if it had, to make
 * room for other users; NULL for nobody. */
void gmcp_http_connection_set_hung_up_func (GmcpHttpConnection *self,
                                            GmcpHttpWatchFunc func,
                                            gpointer data);

/* The socket that a request came by; NULL where that is closed. */
GSocket *gmcp_http_connection_get_socket (const GmcpSoupServer *soup, SoupServerMessage *message);

G_END_DECLS
