/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-token-request-private.h"

#include <string.h>

#include "gmcp-limits.h"

/**
 * GmcpTokenRequest:
 *
 * Asks who a client of a [class@Gmcp.HttpEndpoint] is, by the token that it sent.
 *
 * It comes with [signal@Gmcp.HttpEndpoint::verify-token]. Who verifies the token completes it once, now or
 * later, with [method@Gmcp.TokenRequest.accept], [method@Gmcp.TokenRequest.refuse], or, where nobody can say what
 * the token is, [method@Gmcp.TokenRequest.fail]. A request that is let go of is refused, and one that is not answered
 * within [property@Gmcp.HttpEndpoint:token-timeout-ms] fails; an answer that comes after that is dropped.
 *
 * The token is a secret, which lets whoever has it be that user: it belongs into no log and no error, and is
 * sent nowhere but to the authorization server that made it. Nothing else in the program is given the token.
 *
 * Spec: MCP 2026-07-28, basic/authorization, "Token Handling".
 *
 * Since: 0.1
 */
struct _GmcpTokenRequest
{
  GObject parent_instance;

  char *token; /* NULL once answered */
  char *resource;
  GmcpTokenAnsweredFunc answered; /* NULL once answered */
  gpointer data;
  GCancellable *cancellable; /* NULL before somebody asked for it */
};

G_DEFINE_FINAL_TYPE (GmcpTokenRequest, gmcp_token_request, G_TYPE_OBJECT)

/* Grants */

static void
grant_clear (gpointer data)
{
  GmcpTokenGrant *self = data;

  g_free (self->user);
  g_strfreev (self->scopes);
  g_strfreev (self->audience);
}

GmcpTokenGrant *
gmcp_token_grant_ref (GmcpTokenGrant *self)
{
  return g_rc_box_acquire (self);
}

void
gmcp_token_grant_unref (GmcpTokenGrant *self)
{
  g_rc_box_release_full (self, grant_clear);
}

gboolean
gmcp_token_is_user (const char *user)
{
  if (user == NULL || *user == '\0' || strlen (user) > GMCP_LIMIT_TOKEN_USER_BYTES
      || !g_utf8_validate (user, -1, NULL))
    return FALSE;
  for (const char *at = user; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}

gboolean
gmcp_token_is_scope (const char *scope)
{
  const char *at = scope;

  while (*at > ' ' && *at < 0x7f && *at != '"' && *at != '\\')
    at++;
  return at > scope && *at == '\0';
}

/* Requests */

static void
forget_token (GmcpTokenRequest *self)
{
  if (self->token != NULL)
    explicit_bzero (self->token, strlen (self->token));
  g_clear_pointer (&self->token, g_free);
}

/* Takes the grant. */
static void
answer_request (GmcpTokenRequest *self, GmcpTokenVerdict verdict, GmcpTokenGrant *grant)
{
  g_autoptr (GmcpTokenGrant) owned = grant;
  GmcpTokenAnsweredFunc answered = self->answered;

  forget_token (self);
  self->answered = NULL;
  if (answered != NULL)
    answered (verdict, owned, self->data);
  else
    g_debug ("An answer about a token that nobody waits for is dropped");
}

static void
gmcp_token_request_dispose (GObject *object)
{
  GmcpTokenRequest *self = GMCP_TOKEN_REQUEST (object);

  if (self->answered != NULL)
    answer_request (self, GMCP_TOKEN_REFUSED, NULL);

  G_OBJECT_CLASS (gmcp_token_request_parent_class)->dispose (object);
}

static void
gmcp_token_request_finalize (GObject *object)
{
  GmcpTokenRequest *self = GMCP_TOKEN_REQUEST (object);

  forget_token (self);
  g_free (self->resource);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (gmcp_token_request_parent_class)->finalize (object);
}

static void
gmcp_token_request_class_init (GmcpTokenRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_token_request_dispose;
  G_OBJECT_CLASS (klass)->finalize = gmcp_token_request_finalize;
}

static void
gmcp_token_request_init (GmcpTokenRequest *self)
{
}

GmcpTokenRequest *
gmcp_token_request_new (const char *token,
                        const char *resource,
                        GmcpTokenAnsweredFunc answered,
                        gpointer data)
{
  GmcpTokenRequest *self = g_object_new (GMCP_TYPE_TOKEN_REQUEST, NULL);

  self->token = g_strdup (token);
  self->resource = g_strdup (resource);
  self->answered = answered;
  self->data = data;
  return self;
}

void
gmcp_token_request_abandon (GmcpTokenRequest *self)
{
  g_autoptr (GCancellable) cancellable
    = self->cancellable != NULL ? g_object_ref (self->cancellable) : NULL;

  self->answered = NULL;
  forget_token (self);
  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
}

/**
 * gmcp_token_request_get_token:
 * @self: a request
 *
 * Gives the token that the client sent, as it was sent.
 *
 * Returns: (transfer none) (nullable): the token, or %NULL once the request is answered
 *
 * Since: 0.1
 */
const char *
gmcp_token_request_get_token (GmcpTokenRequest *self)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_REQUEST (self), NULL);

  return self->token;
}

/**
 * gmcp_token_request_get_resource:
 * @self: a request
 *
 * Gives the address that a token has to be for, as OAuth's resource indicators have it. An authorization
 * server that is asked about the token is told this.
 *
 * Spec: MCP 2026-07-28, basic/authorization, "Canonical Server URI".
 *
 * Returns: (transfer none) (nullable): [property@Gmcp.HttpEndpoint:resource], or the address that the endpoint
 *   has
 *
 * Since: 0.1
 */
const char *
gmcp_token_request_get_resource (GmcpTokenRequest *self)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_REQUEST (self), NULL);

  return self->resource;
}

/**
 * gmcp_token_request_is_open:
 * @self: a request
 *
 * Says whether the client still waits for the answer.
 *
 * Returns: whether it can be answered
 *
 * Since: 0.1
 */
gboolean
gmcp_token_request_is_open (GmcpTokenRequest *self)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_REQUEST (self), FALSE);

  return self->answered != NULL;
}

/**
 * gmcp_token_request_get_cancellable:
 * @self: a request
 *
 * Gives what is cancelled once nobody waits for the answer any more: the client has hung up,
 * [property@Gmcp.HttpEndpoint:token-timeout-ms] is over, or the endpoint was closed. Who asks an authorization server
 * stops then.
 *
 * Returns: (transfer none): the cancellable of this request
 *
 * Since: 0.1
 */
GCancellable *
gmcp_token_request_get_cancellable (GmcpTokenRequest *self)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_REQUEST (self), NULL);

  if (self->cancellable == NULL)
    self->cancellable = g_cancellable_new ();
  return self->cancellable;
}

static void
accept_request (GmcpTokenRequest *self,
                const char *user,
                const char *const *scopes,
                const char *const *audience,
                gint64 expires_s,
                gboolean is_local)
{
  GmcpTokenGrant *grant;

  if (!gmcp_token_is_user (user))
    {
      answer_request (self, GMCP_TOKEN_REFUSED, NULL);
      return;
    }
  grant = g_rc_box_new0 (GmcpTokenGrant);
  grant->user = g_strdup (user);
  grant->scopes = g_strdupv ((char **) scopes);
  grant->audience = g_strdupv ((char **) audience);
  grant->expires_s = MAX (expires_s, 0);
  grant->is_local = is_local;
  answer_request (self, GMCP_TOKEN_ACCEPTED, grant);
}

void
gmcp_token_request_accept_local (GmcpTokenRequest *self,
                                 const char *user,
                                 const char *const *scopes,
                                 gint64 expires_s)
{
  accept_request (self, user, scopes, NULL, expires_s, TRUE);
}

void
gmcp_token_request_refuse_local (GmcpTokenRequest *self)
{
  answer_request (self, GMCP_TOKEN_REFUSED_LOCALLY, NULL);
}

/**
 * gmcp_token_request_accept:
 * @self: a request
 * @user: whose token it is: at most 256 bytes, in one line
 * @scopes: (nullable) (array zero-terminated=1): what the token allows, narrower scopes that one of them
 *   implies among them
 * @audience: (nullable) (array zero-terminated=1): the addresses of the servers that the token is for, as it
 *   says itself or its authorization server does
 * @expires_s: when the token expires, in seconds since 1970; 0 where it does not say
 *
 * Says that the token is good, and whose it is: [method@Gmcp.Caller.get_user] tells that to whoever serves the
 * request.
 *
 * A token is let in only where it is for this server: one whose @audience does not have the
 * [method@Gmcp.TokenRequest.get_resource] is refused, and so is one without. A verifier that knows tokens which
 * can be for no other server hands that resource. A token that has expired and a @user who is no such text are
 * refused, too. Does nothing where nobody waits for an answer any more.
 *
 * Spec: MCP 2026-07-28, basic/authorization, "Token Handling"; RFC 8707, section 2.
 *
 * Since: 0.1
 */
void
gmcp_token_request_accept (GmcpTokenRequest *self,
                           const char *user,
                           const char *const *scopes,
                           const char *const *audience,
                           gint64 expires_s)
{
  g_return_if_fail (GMCP_IS_TOKEN_REQUEST (self));

  accept_request (self, user, scopes, audience, expires_s, FALSE);
}

/**
 * gmcp_token_request_refuse:
 * @self: a request
 *
 * Says that the token is none that is good here: the client is answered with the status 401. Does nothing where
 * nobody waits for an answer any more.
 *
 * Since: 0.1
 */
void
gmcp_token_request_refuse (GmcpTokenRequest *self)
{
  g_return_if_fail (GMCP_IS_TOKEN_REQUEST (self));

  answer_request (self, GMCP_TOKEN_REFUSED, NULL);
}

/**
 * gmcp_token_request_fail:
 * @self: a request
 *
 * Says that it cannot be found out at present what the token is, as the authorization server cannot be asked or too
 * much is to do: the client is answered with the status 503, and the token does not count as a wrong one. Does nothing
 * where nobody waits for an answer any more.
 *
 * Since: 0.1
 */
void
gmcp_token_request_fail (GmcpTokenRequest *self)
{
  g_return_if_fail (GMCP_IS_TOKEN_REQUEST (self));

  answer_request (self, GMCP_TOKEN_NOT_VERIFIED, NULL);
}
