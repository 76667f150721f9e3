/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-bearer-private.h"
#include "gmcp-token-request-private.h"

G_BEGIN_DECLS

/* Asks the program who the clients of an endpoint are, and remembers for a while what it said. */
typedef struct _GmcpHttpVerifier GmcpHttpVerifier;

/* endpoint has the signal that asks, and outlives the verifier, as do the settings. */
GmcpHttpVerifier *gmcp_http_verifier_new (GObject *endpoint,
                                          const GmcpHttpSettings *settings,
                                          const GmcpSoupServer *soup);
/* Whoever waits is refused. */
void gmcp_http_verifier_free (GmcpHttpVerifier *self);

/* Whether clients have to say who they are. */
gboolean gmcp_http_verifier_is_on (GmcpHttpVerifier *self);
/* The address that tokens have to be for; NULL where that is not known yet. */
const char *gmcp_http_verifier_get_resource (GmcpHttpVerifier *self);

/* How one request is signed in. */
typedef struct _GmcpHttpSignIn GmcpHttpSignIn;

/* Takes the token out of the request's headers. query may be NULL. */
GmcpHttpSignIn *
gmcp_http_verifier_begin (GmcpHttpVerifier *self, SoupServerMessage *message, GHashTable *query);
/* Ends it, where it is not done. */
void gmcp_http_sign_in_free (GmcpHttpSignIn *self);
gboolean gmcp_http_sign_in_is_done (GmcpHttpSignIn *self);
/* done is called once, unless it is freed before. */
void gmcp_http_sign_in_wait (GmcpHttpSignIn *self, void (*done) (gpointer), gpointer data);
/* NULL where it is let in. */
const GmcpHttpRefusal *gmcp_http_sign_in_get_refusal (GmcpHttpSignIn *self);
/* The address that the token had to be for; NULL where that is not known. */
const char *gmcp_http_sign_in_get_resource (GmcpHttpSignIn *self);
/* NULL where it is not let in. */
GmcpTokenGrant *gmcp_http_sign_in_get_grant (GmcpHttpSignIn *self);

G_END_DECLS
