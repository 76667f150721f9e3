/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-verifier-private.h"

#include <string.h>

#include <gmcp/server/http/gmcp-http-endpoint.h>

#include "gmcp-http-rates-private.h"
#include "gmcp-http-resource-private.h"
#include "gmcp-limits.h"
#include "gmcp-random-private.h"

#define KEY_BYTES 32u
#define MINUTE_MS 60000u
/* A client that comes again at once would only find what it has left. */
#define NOT_VERIFIED_RETRY_MS 1000u

struct _GmcpHttpVerifier
{
  GObject *endpoint; /* not owned */
  const GmcpHttpSettings *settings;
  const GmcpSoupServer *soup;
  char *address; /* of the endpoint, once that is known */
  guint signal_id;
  GmcpHttpRates *failures; /* by peer */
  GHashTable *known;       /* digest of a token -> Known */
  GBytes *key;             /* of the digests */
  GHashTable *open;        /* set of GmcpHttpSignIn that are not done; not owned */
  gboolean asks_others;    /* somebody has answered who may have to ask elsewhere */
};

typedef struct
{
  GmcpTokenGrant *grant;
  gint64 until_us; /* monotonic */
} Known;

struct _GmcpHttpSignIn
{
  GmcpHttpVerifier *verifier; /* NULL once done */
  GmcpTokenRequest *request;  /* not owned; NULL once answered */
  GmcpTokenGrant *grant;
  GmcpHttpRefusal refusal; /* no status: none */
  gboolean is_done;
  char *digest;
  char *resource;
  char *peer;
  GSource *deadline;
  void (*done) (gpointer);
  gpointer data;
};

static const GmcpHttpRefusal nobody
  = { SOUP_STATUS_UNAUTHORIZED, NULL, "Unauthorized: this server has to know who asks", 0 };
static const GmcpHttpRefusal malformed
  = { SOUP_STATUS_BAD_REQUEST, "invalid_request",
      "Invalid request: the token has to come in one Authorization header, as Bearer", 0 };
static const GmcpHttpRefusal in_query
  = { SOUP_STATUS_BAD_REQUEST, "invalid_request",
      "Invalid request: a token in an address is seen by many; it has to come in a header", 0 };
static const GmcpHttpRefusal unknown
  = { SOUP_STATUS_UNAUTHORIZED, "invalid_token", "Unauthorized: the token is not good here", 0 };
static const GmcpHttpRefusal expired
  = { SOUP_STATUS_UNAUTHORIZED, "invalid_token", "Unauthorized: the token has expired", 0 };
static const GmcpHttpRefusal of_another = { SOUP_STATUS_UNAUTHORIZED, "invalid_token",
                                            "Unauthorized: the token is for another server", 0 };
static const GmcpHttpRefusal too_narrow
  = { SOUP_STATUS_FORBIDDEN, "insufficient_scope",
      "Forbidden: the token does not allow what this server needs", 0 };
static const GmcpHttpRefusal not_verified
  = { SOUP_STATUS_SERVICE_UNAVAILABLE, NULL,
      "It cannot be found out at present whether the token is good; try again later",
      NOT_VERIFIED_RETRY_MS };
static const GmcpHttpRefusal closing
  = { SOUP_STATUS_SERVICE_UNAVAILABLE, NULL, "The server ends", 0 };

static void
known_free (gpointer data)
{
  Known *known = data;

  gmcp_token_grant_unref (known->grant);
  g_free (known);
}

GmcpHttpVerifier *
gmcp_http_verifier_new (GObject *endpoint,
                        const GmcpHttpSettings *settings,
                        const GmcpSoupServer *soup)
{
  GmcpHttpVerifier *self = g_new0 (GmcpHttpVerifier, 1);

  self->endpoint = endpoint;
  self->settings = settings;
  self->soup = soup;
  self->signal_id = g_signal_lookup ("verify-token", GMCP_TYPE_HTTP_ENDPOINT);
  self->failures = gmcp_http_rates_new ();
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, known_free);
  self->key = gmcp_random_new_bytes (KEY_BYTES);
  self->open = g_hash_table_new (NULL, NULL);
  return self;
}

gboolean
gmcp_http_verifier_is_on (GmcpHttpVerifier *self)
{
  const GmcpHttpSettings *settings = self->settings;

  return g_signal_has_handler_pending (self->endpoint, self->signal_id, 0, FALSE)
         || (settings->authorization_servers != NULL && *settings->authorization_servers != NULL)
         || (settings->required_scopes != NULL && *settings->required_scopes != NULL);
}

const char *
gmcp_http_verifier_get_resource (GmcpHttpVerifier *self)
{
  if (self->settings->resource != NULL)
    return self->settings->resource;
  if (self->address == NULL)
    self->address = gmcp_http_endpoint_dup_uri (GMCP_HTTP_ENDPOINT (self->endpoint));
  return self->address;
}

/* What was said of a token before */

/* Who reads this process's memory finds no token there. */
static char *
make_digest (GmcpHttpVerifier *self, const char *token)
{
  gsize length;
  const guchar *key = g_bytes_get_data (self->key, &length);

  return g_compute_hmac_for_string (G_CHECKSUM_SHA256, key, length, token, -1);
}

static gboolean
is_past (gpointer key, gpointer value, gpointer now_us)
{
  return ((Known *) value)->until_us <= *(gint64 *) now_us;
}

static void
remember_grant (GmcpHttpVerifier *self, const char *digest, GmcpTokenGrant *grant)
{
  gint64 now_us = g_get_monotonic_time ();
  Known *known;

  if (self->settings->token_cache_ms == 0)
    return;
  if (g_hash_table_size (self->known) >= GMCP_LIMIT_VERIFIED_TOKENS)
    g_hash_table_foreach_remove (self->known, is_past, &now_us);
  if (g_hash_table_size (self->known) >= GMCP_LIMIT_VERIFIED_TOKENS)
    g_hash_table_remove_all (self->known);

  known = g_new0 (Known, 1);
  known->grant = gmcp_token_grant_ref (grant);
  known->until_us = now_us + self->settings->token_cache_ms * (gint64) 1000;
  g_hash_table_replace (self->known, g_strdup (digest), known);
}

static const Known *
find_known (GmcpHttpVerifier *self, const char *digest)
{
  const Known *known = g_hash_table_lookup (self->known, digest);

  if (known == NULL || known->until_us > g_get_monotonic_time ())
    return known;
  g_hash_table_remove (self->known, digest);
  return NULL;
}

/* Signing in */

static gboolean
has_scopes (const GmcpTokenGrant *grant, GStrv required)
{
  for (; required != NULL && *required != NULL; required++)
    if (grant->scopes == NULL || !g_strv_contains ((const char *const *) grant->scopes, *required))
      return FALSE;
  return TRUE;
}

/* NULL where it is let in. */
static const GmcpHttpRefusal *
judge_grant (GmcpHttpVerifier *self, const GmcpTokenGrant *grant)
{
  if (grant == NULL)
    return &unknown;
  if (!grant->is_local
      && !gmcp_http_resource_is_among (gmcp_http_verifier_get_resource (self),
                                       (const char *const *) grant->audience))
    return &of_another;
  if (grant->expires_s != 0 && grant->expires_s <= g_get_real_time () / G_USEC_PER_SEC)
    return &expired;
  if (!has_scopes (grant, self->settings->required_scopes))
    return &too_narrow;
  return NULL;
}

static void
stop_waiting (GmcpHttpSignIn *self)
{
  if (self->deadline != NULL)
    {
      g_source_destroy (self->deadline);
      g_clear_pointer (&self->deadline, g_source_unref);
    }
  if (self->verifier != NULL)
    g_hash_table_remove (self->verifier->open, self);
  self->request = NULL;
}

/* refusal is NULL where it is let in. */
static void
finish_sign_in (GmcpHttpSignIn *self, const GmcpHttpRefusal *refusal)
{
  stop_waiting (self);
  self->verifier = NULL;
  self->is_done = TRUE;
  if (refusal != NULL)
    {
      self->refusal = *refusal;
      g_clear_pointer (&self->grant, gmcp_token_grant_unref);
    }
  if (self->done != NULL)
    self->done (self->data);
}

static GmcpHttpRefusal
make_too_many (guint wait_ms)
{
  return (GmcpHttpRefusal){ GMCP_HTTP_TOO_MANY_REQUESTS, NULL,
                            "Too many tokens that are not good came from this address; try again "
                            "later",
                            wait_ms };
}

static gboolean
is_local (GmcpTokenVerdict verdict, const GmcpTokenGrant *grant)
{
  return verdict == GMCP_TOKEN_REFUSED_LOCALLY || (grant != NULL && grant->is_local);
}

static void
on_answered (GmcpTokenVerdict verdict, GmcpTokenGrant *grant, gpointer data)
{
  GmcpHttpSignIn *self = data;
  GmcpHttpVerifier *verifier = self->verifier;
  const GmcpHttpRefusal *refusal
    = verdict != GMCP_TOKEN_NOT_VERIFIED ? judge_grant (verifier, grant) : &not_verified;
  GmcpHttpRefusal too_many;
  guint wait_ms = 0;

  if (verdict != GMCP_TOKEN_NOT_VERIFIED && !is_local (verdict, grant))
    verifier->asks_others = TRUE;
  if (grant != NULL)
    self->grant = gmcp_token_grant_ref (grant);
  if (refusal == NULL)
    remember_grant (verifier, self->digest, grant);
  else if (refusal != &too_narrow && refusal != &not_verified)
    wait_ms = gmcp_http_rates_take (verifier->failures, self->peer,
                                    verifier->settings->max_failed_tokens, MINUTE_MS);
  if (wait_ms > 0)
    {
      too_many = make_too_many (wait_ms);
      refusal = &too_many;
    }
  finish_sign_in (self, refusal);
}

static gboolean
on_deadline (gpointer data)
{
  GmcpHttpSignIn *self = data;

  gmcp_token_request_abandon (self->request);
  finish_sign_in (self, &not_verified);
  return G_SOURCE_REMOVE;
}

static void
start_deadline (GmcpHttpSignIn *self, guint timeout_ms)
{
  self->deadline = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (self->deadline, "[gmcp] token");
  g_source_set_callback (self->deadline, on_deadline, self, NULL);
  g_source_attach (self->deadline, g_main_context_get_thread_default ());
}

static void
ask_program (GmcpHttpSignIn *self, const char *token)
{
  GmcpHttpVerifier *verifier = self->verifier;
  g_autoptr (GmcpTokenRequest) request
    = gmcp_token_request_new (token, gmcp_http_verifier_get_resource (verifier), on_answered, self);
  g_autoptr (GObject) endpoint = g_object_ref (verifier->endpoint);

  self->request = request;
  g_hash_table_add (verifier->open, self);
  g_signal_emit (endpoint, verifier->signal_id, 0, request);
  /* Who keeps the request keeps it open; else it is refused as it goes. */
  if (!self->is_done)
    start_deadline (self, verifier->settings->token_timeout_ms);
}

static void
verify_token (GmcpHttpSignIn *self, const char *token)
{
  GmcpHttpVerifier *verifier = self->verifier;
  const Known *known;
  guint wait_ms = 0;

  self->digest = make_digest (verifier, token);
  known = find_known (verifier, self->digest);
  if (known != NULL && !known->grant->is_local)
    {
      self->grant = gmcp_token_grant_ref (known->grant);
      finish_sign_in (self, judge_grant (verifier, self->grant));
      return;
    }

  /* Who was known a moment ago is not kept out by what others try behind the same address, and nobody is where it
   * costs nothing to look. */
  if (known == NULL && verifier->asks_others)
    wait_ms = gmcp_http_rates_peek (verifier->failures, self->peer,
                                    verifier->settings->max_failed_tokens, MINUTE_MS);
  if (wait_ms > 0)
    {
      const GmcpHttpRefusal refusal = make_too_many (wait_ms);

      finish_sign_in (self, &refusal);
      return;
    }
  ask_program (self, token);
}

GmcpHttpSignIn *
gmcp_http_verifier_begin (GmcpHttpVerifier *self, SoupServerMessage *message, GHashTable *query)
{
  GmcpHttpSignIn *sign_in = g_new0 (GmcpHttpSignIn, 1);
  SoupMessageHeaders *headers = self->soup->server_message_get_request_headers (message);
  g_autofree char *token = NULL;
  GmcpHttpCredentials credentials = gmcp_http_bearer_read (
    self->soup->message_headers_get_list (headers, "Authorization"), &token);

  self->soup->message_headers_remove (headers, "Authorization");
  sign_in->verifier = self;
  sign_in->resource = g_strdup (gmcp_http_verifier_get_resource (self));
  sign_in->peer = gmcp_soup_server_dup_peer (self->soup, message);
  if (query != NULL && g_hash_table_contains (query, "access_token"))
    finish_sign_in (sign_in, &in_query);
  else if (credentials == GMCP_HTTP_CREDENTIALS_NONE)
    finish_sign_in (sign_in, &nobody);
  else if (credentials == GMCP_HTTP_CREDENTIALS_MALFORMED)
    finish_sign_in (sign_in, &malformed);
  else
    verify_token (sign_in, token);
  if (token != NULL)
    explicit_bzero (token, strlen (token));
  return sign_in;
}

void
gmcp_http_sign_in_free (GmcpHttpSignIn *self)
{
  if (self->request != NULL)
    gmcp_token_request_abandon (self->request);
  stop_waiting (self);
  g_clear_pointer (&self->grant, gmcp_token_grant_unref);
  g_free (self->digest);
  g_free (self->resource);
  g_free (self->peer);
  g_free (self);
}

gboolean
gmcp_http_sign_in_is_done (GmcpHttpSignIn *self)
{
  return self->is_done;
}

void
gmcp_http_sign_in_wait (GmcpHttpSignIn *self, void (*done) (gpointer), gpointer data)
{
  self->done = done;
  self->data = data;
}

const GmcpHttpRefusal *
gmcp_http_sign_in_get_refusal (GmcpHttpSignIn *self)
{
  return self->refusal.status != 0 ? &self->refusal : NULL;
}

const char *
gmcp_http_sign_in_get_resource (GmcpHttpSignIn *self)
{
  return self->resource;
}

GmcpTokenGrant *
gmcp_http_sign_in_get_grant (GmcpHttpSignIn *self)
{
  return self->grant;
}

void
gmcp_http_verifier_free (GmcpHttpVerifier *self)
{
  GHashTableIter iter;
  gpointer sign_in;

  while (g_hash_table_iter_init (&iter, self->open), g_hash_table_iter_next (&iter, &sign_in, NULL))
    {
      GmcpHttpSignIn *open = sign_in;

      gmcp_token_request_abandon (open->request);
      finish_sign_in (open, &closing);
    }
  g_hash_table_unref (self->open);
  g_hash_table_unref (self->known);
  gmcp_http_rates_free (self->failures);
  g_bytes_unref (self->key);
  g_free (self->address);
  g_free (self);
}
