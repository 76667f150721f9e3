/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-http-transport.h>

#include "gmcp-http-link-private.h"

G_BEGIN_DECLS

/* tests/servers/http-server.py, as long as a test runs. */
typedef struct
{
  GSubprocess *process;
  guint ports[2];
  char *socket; /* its Unix socket */
  char *folder;
} HttpServer;

HttpServer *http_server_start (void);
void http_server_stop (HttpServer *self);
char *http_server_dup_url (HttpServer *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HttpServer, http_server_stop)

/* A transport and a taker that writes down what it gets. The waiting functions run the main context
 * until the condition holds; a test that waits for ever ends by its time limit. */
typedef struct
{
  GmcpTransport *transport;
  gint64 last_id;
  GHashTable *waiting; /* set of ids that have no answer */
  GPtrArray *messages; /* (element-type utf8) */
  guint n_failures;
  GmcpTransportFailure failure; /* the last one; its error is kept here */
  gint64 failed_id;
  guint n_violations;
  guint n_closed;
  guint n_sessions_lost;
  guint n_deaf;
  guint n_heard;
  void (*on_message) (gpointer peer);
} HttpPeer;

HttpPeer *http_peer_new (const char *url);
HttpPeer *http_peer_new_open (HttpServer *server, const char *path);
HttpPeer *http_peer_new_quick (HttpServer *server, const char *path, const GmcpHttpTimes *times);
/* Closes the transport, and sees that it is finalized. */
void http_peer_free (HttpPeer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HttpPeer, http_peer_free)

void http_peer_open (HttpPeer *self);
void http_peer_close (HttpPeer *self);
/* Sends a request and gives its id; a flag of GmcpOutgoing is set by its name. */
gint64 http_peer_request (HttpPeer *self, const char *method);
gint64 http_peer_begin (HttpPeer *self, const char *method);
void http_peer_notify (HttpPeer *self, const char *method, gboolean before_others);
void http_peer_wait_messages (HttpPeer *self, guint n_messages);
void http_peer_wait_failures (HttpPeer *self, guint n_failures);
/* Until something has come to a path. */
void http_server_wait (HttpServer *self, const char *what);
/* The end of the last message is this. */
void http_peer_assert_last (HttpPeer *self, const char *part);
/* What came to a path: "POST /json" and the like. */
guint http_server_count (HttpServer *self, const char *what);
char *http_server_dup_header (HttpServer *self, const char *path, const char *name);

G_END_DECLS
