/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-link-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-error-private.h"
#include "gmcp-http-challenge-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-rpc-message-private.h"

/* How much of a server's own words is shown. */
#define SHOWN_BYTES 200

static void
begin_failure (GmcpTransportFailure *failure, guint http_status)
{
  *failure = (GmcpTransportFailure){ .http_status = http_status, .retry_after_ms = -1 };
}

static GError *
connection_error (GmcpHttpLink *link, gboolean written, const GError *error)
{
  const char *display = link->url->display;

  if (error->domain == G_TLS_ERROR)
    return g_error_new (error->domain, error->code,
                        /* Translators: a URL, an error message */
                        _ ("The encrypted connection to “%s” is not trusted: %s; a certificate "
                           "authority of your own can be named in the server's settings"),
                        display, error->message);
  if (error->domain == GMCP_ERROR || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_error_copy (error);
  if (written)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED,
                        /* Translators: a URL, an error message */
                        _ ("The connection to “%s” broke before the answer was complete: %s; what "
                           "was asked for may have been done"),
                        display, error->message);
  /* The library below is nobody's business. */
  if (error->domain == link->session->soup->session_error_quark ())
    return g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                        /* Translators: a URL, an error message */
                        _ ("“%s” does not speak HTTP as it should: %s"), display, error->message);
  return g_error_new (error->domain, error->code,
                      /* Translators: a URL, an error message */
                      _ ("“%s” cannot be reached: %s; see whether the server runs and its URL is "
                         "right"),
                      display, error->message);
}

void
gmcp_http_failure_of_connection (GmcpTransportFailure *failure,
                                 GmcpHttpLink *link,
                                 GmcpHttpRequest *request,
                                 const GError *error)
{
  gboolean written = gmcp_http_request_was_written (request);

  begin_failure (failure, gmcp_http_request_get_status (request));
  failure->error = connection_error (link, written, error);
  failure->unprocessed = !written;
}

static GHashTable *
flatten_challenge (const GmcpHttpChallenge *challenge)
{
  GHashTable *flat;
  GHashTableIter iter;
  gpointer name, value;

  if (challenge == NULL)
    return NULL;

  flat = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_iter_init (&iter, challenge->params);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (flat, g_strdup (name), g_strdup (value));
  g_hash_table_insert (flat, g_strdup ("scheme"), g_strdup (challenge->scheme));
  return flat;
}

static GError *
sign_in_error (GmcpHttpLink *link, GmcpHttpRequest *request, guint status)
{
  const char *field = gmcp_http_request_get_response_header (request, "WWW-Authenticate");
  g_autoptr (GPtrArray) challenges = gmcp_http_challenges_parse (field != NULL ? field : "");
  const GmcpHttpChallenge *challenge = gmcp_http_challenges_find (challenges, "Bearer");
  g_autofree char *message = NULL;

  if (challenge == NULL && challenges->len > 0)
    challenge = g_ptr_array_index (challenges, 0);
  if (status == 401)
    message
      = g_strdup_printf (_ ("“%s” wants a sign-in (HTTP status 401); sign in, or put the right "
                            "Authorization header into the server's settings"),
                         link->url->display);
  else
    message = g_strdup_printf (_ ("“%s” does not permit this (HTTP status %u); sign in with more "
                                  "rights, or see what the server allows"),
                               link->url->display, status);

  return gmcp_auth_error_new_take (GMCP_AUTH_ERROR_SIGN_IN_REQUIRED, message,
                                   flatten_challenge (challenge), status == 403);
}

/* Plain text that a server says why with; NULL where it is not fit to be shown. */
static char *
dup_words (GmcpHttpRequest *request, const char *text, gsize length)
{
  const char *type = gmcp_http_request_get_content_type (request);
  g_autofree char *words = NULL;

  if (length == 0 || type == NULL || strcmp (type, "text/plain") != 0)
    return NULL;

  words = g_utf8_make_valid (text, MIN (length, SHOWN_BYTES));
  for (char *at = words; *at != '\0'; at++)
    {
      if (g_ascii_iscntrl (*at))
        *at = ' ';
    }
  g_strstrip (words);
  return *words != '\0' ? g_steal_pointer (&words) : NULL;
}

/* Whether a status says that the server may answer later. */
static gboolean
is_temporary (guint status)
{
  return status == 429 || status == 503;
}

static char *
dup_advice (const GmcpTransportFailure *failure)
{
  guint status = failure->http_status;

  if (status == 404 || status == 405 || status == 406)
    return g_strdup (_ ("check the server's URL"));
  if (is_temporary (status) && failure->retry_after_ms > 0)
    return g_strdup_printf (
      /* Translators: a number of seconds */
      _ ("it asks to be left alone for %u s; try again after that"),
      (guint) (failure->retry_after_ms / 1000));
  if (is_temporary (status))
    return g_strdup (_ ("it asks to be left alone for a while; try again later"));
  if (status >= 500)
    return g_strdup (
      _ ("the trouble is on the server's side; try again later, or ask who runs it"));
  return g_strdup (_ ("see the server's own log for what it did not like"));
}

/* The words of the server may be NULL. */
static char *
dup_status_message (GmcpHttpLink *link, const GmcpTransportFailure *failure, const char *words)
{
  g_autofree char *advice = dup_advice (failure);

  if (words != NULL)
    return g_strdup_printf (
      /* Translators: a URL, a number, what the server said, some advice */
      _ ("“%s” answered with HTTP status %u (“%s”); %s"), link->url->display, failure->http_status,
      words, advice);
  return g_strdup_printf (
    /* Translators: a URL, a number, some advice */
    _ ("“%s” answered with HTTP status %u; %s"), link->url->display, failure->http_status, advice);
}

/* The error of a JSON-RPC failure that a body holds; NULL where it holds none. */
static GError *
rpc_error (const char *text, gsize length)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, NULL, 0, NULL);
  GmcpRpcMessage message;

  if (doc == NULL)
    return NULL;
  gmcp_rpc_message_read (&message, gmcp_json_doc_get_root (doc));
  return message.kind == GMCP_RPC_FAILURE ? gmcp_rpc_error_new_from_value (message.error) : NULL;
}

static gboolean
is_refusal (const GError *error)
{
  return g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_HEADER_MISMATCH)
         || g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION);
}

/* Takes the message. */
static void
take_message (GError *error, char *message)
{
  g_free (error->message);
  error->message = message;
}

void
gmcp_http_failure_of_status (GmcpTransportFailure *failure,
                             GmcpHttpLink *link,
                             GmcpHttpRequest *request,
                             const char *text,
                             gsize length)
{
  guint status = gmcp_http_request_get_status (request);

  begin_failure (failure, status);
  failure->retry_after_ms = gmcp_http_request_get_retry_after_ms (request);
  if (status == 401 || status == 403)
    {
      failure->error = sign_in_error (link, request, status);
      failure->unprocessed = TRUE;
      return;
    }

  failure->error = rpc_error (text, length);
  if (failure->error == NULL)
    {
      g_autofree char *words = dup_words (request, text, length);

      failure->error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_FAILED, "");
      take_message (failure->error, dup_status_message (link, failure, words));
    }
  else if (*failure->error->message == '\0')
    take_message (failure->error, g_strdup_printf (_ ("“%s” sent error %d without a message"),
                                                   link->url->display, failure->error->code));
  else if (is_temporary (status))
    take_message (failure->error, dup_status_message (link, failure, failure->error->message));
  failure->unprocessed
    = is_refusal (failure->error) || (is_temporary (status) && failure->retry_after_ms >= 0);
}

void
gmcp_http_failure_of_body (GmcpTransportFailure *failure,
                           GmcpHttpLink *link,
                           GmcpHttpRequest *request,
                           const char *text,
                           gsize length)
{
  begin_failure (failure, gmcp_http_request_get_status (request));
  failure->error = rpc_error (text, length);
  if (failure->error == NULL)
    failure->error = g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                                  _ ("“%s” answered, but not what it was asked; check the server's "
                                     "URL, or see the server's own log"),
                                  link->url->display);
}

GError *
gmcp_http_error_of_content (GmcpHttpLink *link, GmcpHttpRequest *request)
{
  const char *type = gmcp_http_request_get_content_type (request);

  if (type != NULL
      && (strcmp (type, "text/html") == 0 || strcmp (type, "application/xhtml+xml") == 0))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                        _ ("“%s” answered with a web page, not with a message; check the server's "
                           "URL, and whether a proxy or a sign-in page stands before it"),
                        link->url->display);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                      /* Translators: a URL, a MIME type */
                      _ ("“%s” answered with content of type “%s”, not with a message; check the "
                         "server's URL"),
                      link->url->display, type != NULL ? type : "");
}
