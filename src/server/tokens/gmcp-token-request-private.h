/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/tokens/gmcp-token-request.h>

G_BEGIN_DECLS

/* What a verifier says of a token that it knows. Immutable, and counted. */
typedef struct
{
  char *user;
  GStrv scopes;
  GStrv audience;
  gint64 expires_s; /* 0 where it does not say */
  gboolean
    is_local; /* the verifier knows at once when it is no longer good, so it is asked each time */
} GmcpTokenGrant;

GmcpTokenGrant *gmcp_token_grant_ref (GmcpTokenGrant *self);
void gmcp_token_grant_unref (GmcpTokenGrant *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTokenGrant, gmcp_token_grant_unref)

typedef enum
{
  GMCP_TOKEN_ACCEPTED,
  GMCP_TOKEN_REFUSED,
  GMCP_TOKEN_REFUSED_LOCALLY, /* by a verifier in this process that needs no time */
  GMCP_TOKEN_NOT_VERIFIED,    /* nobody could say what it is */
} GmcpTokenVerdict;

/* grant is NULL but where the token was accepted. Called once, perhaps while the request is being freed. */
typedef void (*GmcpTokenAnsweredFunc) (GmcpTokenVerdict verdict,
                                       GmcpTokenGrant *grant,
                                       gpointer data);

GmcpTokenRequest *gmcp_token_request_new (const char *token,
                                          const char *resource,
                                          GmcpTokenAnsweredFunc answered,
                                          gpointer data);
/* Nobody waits for the answer any more. */
void gmcp_token_request_abandon (GmcpTokenRequest *self);
/* An answer of a verifier in this process that needs no time, and knows tokens for this server only. */
void gmcp_token_request_accept_local (GmcpTokenRequest *self,
                                      const char *user,
                                      const char *const *scopes,
                                      gint64 expires_s);
void gmcp_token_request_refuse_local (GmcpTokenRequest *self);

/* Whether a token may have this name for a user: a short text in one line. */
gboolean gmcp_token_is_user (const char *user);
/* Whether it is a scope as OAuth has them (RFC 6749, section 3.3). */
gboolean gmcp_token_is_scope (const char *scope);

G_END_DECLS
