/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/server/tokens/gmcp-token-introspection.h>

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-http-address-private.h"
#include "gmcp-http-request-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-token-answer-private.h"

#define CONTENT_TYPE "application/x-www-form-urlencoded"
#define STATUS_OK    200u

/**
 * GmcpTokenIntrospection:
 *
 * Asks an authorization server who may use a server over HTTP: each token that comes is sent to the address at which
 * the authorization server says whether the token is good, whose it is, and what it is for.
 *
 * ```c
 * verifier = gmcp_token_introspection_new ("https://login.example.org/introspect", "tasks", secret, &error);
 * g_signal_connect_swapped (endpoint, "verify-token", G_CALLBACK (gmcp_token_introspection_verify), verifier);
 * g_object_set (endpoint, "authorization-servers", (const char *[]){ "https://login.example.org", NULL }, NULL);
 * ```
 *
 * A token is good where the answer calls it active, names a user (`sub`), and names this server among those that the
 * token is for (`aud`): a token that was made for another server lets nobody in here. Tokens that only who holds a
 * key may use (`cnf`) are refused, since a server cannot know here who that is.
 *
 * What an endpoint was told of a token it remembers for [property@Gmcp.HttpEndpoint:token-cache-ms], which is how long
 * a token that was taken back may still be good.
 *
 * An object lives in the thread-default main context it was made in, which has to be that of the endpoint.
 *
 * Spec: RFC 7662; MCP 2026-07-28, basic/authorization, "Token Handling".
 *
 * Since: 0.1
 */
struct _GmcpTokenIntrospection
{
  GObject parent_instance;

  GMainContext *context;
  GmcpHttpUrl *url;
  char *issuer;             /* NULL: not looked at */
  char *client_id;          /* nullable */
  char *authorization;      /* a header; NULL for none */
  GmcpHttpSession *session; /* NULL before the first question */
  GHashTable *questions;    /* set of Question that are under way */
};

G_DEFINE_FINAL_TYPE (GmcpTokenIntrospection, gmcp_token_introspection, G_TYPE_OBJECT)

typedef enum
{
  PROP_ISSUER = 1,
  PROP_URL,
} GmcpTokenIntrospectionProperty;

static GParamSpec *properties[PROP_URL + 1];

typedef enum
{
  SIGNAL_PROBLEM,
} GmcpTokenIntrospectionSignal;

static guint signals[SIGNAL_PROBLEM + 1];

/* One token that the authorization server is asked about. */
typedef struct
{
  GmcpTokenIntrospection *owner; /* not owned */
  GmcpTokenRequest *request;     /* fails with the question, where it was not answered before */
  gulong cancelled_id;
  GmcpHttpRequest *http;
  GString *answer;
  GSource *deadline;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  g_clear_pointer (&self->http, gmcp_http_request_free);
  if (self->deadline != NULL)
    g_source_destroy (self->deadline);
  g_clear_pointer (&self->deadline, g_source_unref);
  g_string_free (self->answer, TRUE);
  g_signal_handler_disconnect (gmcp_token_request_get_cancellable (self->request),
                               self->cancelled_id);
  if (gmcp_token_request_is_open (self->request))
    gmcp_token_request_fail (self->request);
  g_object_unref (self->request);
  g_free (self);
}

static void
end_question (Question *question)
{
  g_hash_table_remove (question->owner->questions, question);
}

static void
wipe_text (gpointer text)
{
  explicit_bzero (text, strlen (text));
  g_free (text);
}

static void
gmcp_token_introspection_get_property (GObject *object,
                                       guint prop_id,
                                       GValue *value,
                                       GParamSpec *pspec)
{
  GmcpTokenIntrospection *self = GMCP_TOKEN_INTROSPECTION (object);

  switch ((GmcpTokenIntrospectionProperty) prop_id)
    {
    case PROP_ISSUER:
      g_value_set_string (value, self->issuer);
      break;

    case PROP_URL:
      g_value_set_string (value, gmcp_token_introspection_get_url (self));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_token_introspection_set_property (GObject *object,
                                       guint prop_id,
                                       const GValue *value,
                                       GParamSpec *pspec)
{
  GmcpTokenIntrospection *self = GMCP_TOKEN_INTROSPECTION (object);

  switch ((GmcpTokenIntrospectionProperty) prop_id)
    {
    case PROP_ISSUER:
      gmcp_token_introspection_set_issuer (self, g_value_get_string (value));
      break;

    case PROP_URL:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_token_introspection_dispose (GObject *object)
{
  GmcpTokenIntrospection *self = GMCP_TOKEN_INTROSPECTION (object);

  g_hash_table_remove_all (self->questions);

  G_OBJECT_CLASS (gmcp_token_introspection_parent_class)->dispose (object);
}

static void
gmcp_token_introspection_finalize (GObject *object)
{
  GmcpTokenIntrospection *self = GMCP_TOKEN_INTROSPECTION (object);

  g_hash_table_unref (self->questions);
  g_clear_pointer (&self->session, gmcp_http_session_unref);
  g_clear_pointer (&self->authorization, wipe_text);
  g_free (self->client_id);
  g_free (self->issuer);
  g_clear_pointer (&self->url, gmcp_http_url_free);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_token_introspection_parent_class)->finalize (object);
}

static void
gmcp_token_introspection_class_init (GmcpTokenIntrospectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_token_introspection_get_property;
  object_class->set_property = gmcp_token_introspection_set_property;
  object_class->dispose = gmcp_token_introspection_dispose;
  object_class->finalize = gmcp_token_introspection_finalize;

  /**
   * GmcpTokenIntrospection:issuer: (getter get_issuer) (setter set_issuer)
   *
   * The authorization server that tokens have to be of; %NULL, the default, for whichever the answers name. Where it is
   * set, an answer that names another one (`iss`) lets nobody in.
   *
   * Since: 0.1
   */
  properties[PROP_ISSUER]
    = g_param_spec_string ("issuer", NULL, NULL, NULL,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * GmcpTokenIntrospection:url: (getter get_url)
   *
   * The address at which is asked.
   *
   * Since: 0.1
   */
  properties[PROP_URL]
    = g_param_spec_string ("url", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * GmcpTokenIntrospection::problem:
   * @self: the object
   * @message: what is wrong, and what to do about it, for a person
   *
   * The authorization server could not be asked about a token, so that its client is told to come again later. No
   * token is in the message.
   *
   * Since: 0.1
   */
  signals[SIGNAL_PROBLEM]
    = g_signal_new ("problem", GMCP_TYPE_TOKEN_INTROSPECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gmcp_token_introspection_init (GmcpTokenIntrospection *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->questions = g_hash_table_new_full (NULL, NULL, question_free, NULL);
}

/* Whether a token on its way there can be read by nobody else. */
static gboolean
is_private (const GmcpHttpUrl *url)
{
  const char *host = g_uri_get_host (url->uri);
  g_autoptr (GInetAddress) address = gmcp_http_address_from_host (host);

  return url->socket != NULL || g_str_equal (g_uri_get_scheme (url->uri), "https")
         || g_ascii_strcasecmp (host, "localhost") == 0
         || (address != NULL && g_inet_address_get_is_loopback (address));
}

static GmcpHttpUrl *
parse_url (const char *text, GError **error)
{
  g_autoptr (GmcpHttpUrl) url = gmcp_http_url_parse (text, NULL);

  if (url != NULL && url->user == NULL && is_private (url))
    return g_steal_pointer (&url);

  g_set_error_literal (
    error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
    _ ("The address at which an authorization server is asked about tokens has to "
       "begin with https://, or to be one of this machine, and the client's name "
       "and secret do not belong into it"));
  return NULL;
}

/* RFC 6749, section 2.3.1: both are encoded before they are joined. */
static char *
make_authorization (const char *client_id, const char *client_secret)
{
  g_autofree char *id = NULL;
  char *secret, *both, *encoded, *header;

  if (client_secret == NULL)
    return NULL;
  if (client_id == NULL)
    return g_strconcat ("Bearer ", client_secret, NULL);

  id = g_uri_escape_string (client_id, NULL, FALSE);
  secret = g_uri_escape_string (client_secret, NULL, FALSE);
  both = g_strconcat (id, ":", secret, NULL);
  encoded = g_base64_encode ((const guchar *) both, strlen (both));
  header = g_strconcat ("Basic ", encoded, NULL);
  wipe_text (secret);
  wipe_text (both);
  wipe_text (encoded);
  return header;
}

/**
 * gmcp_token_introspection_new:
 * @url: the address at which the authorization server says what a token is: `introspection_endpoint` of its
 *   metadata. It begins with `https://`, or is one of this machine
 * @client_id: (nullable): the name under which this server is registered there
 * @client_secret: (nullable): the secret of that name, or, where there is no name, a token that allows to ask
 * @error: return location for an error
 *
 * Makes an object that asks about tokens. Nothing is asked before the first one comes.
 *
 * Fails with [error@Gmcp.Error] `INVALID_CONFIG` where a token that is sent to @url could be read on its way, and where
 * @client_secret is none that can be sent.
 *
 * Spec: RFC 7662, section 2.1; RFC 6749, section 2.3.1.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
GmcpTokenIntrospection *
gmcp_token_introspection_new (const char *url,
                              const char *client_id,
                              const char *client_secret,
                              GError **error)
{
  g_autoptr (GmcpTokenIntrospection) self = NULL;

  g_return_val_if_fail (url != NULL, NULL);

  self = g_object_new (GMCP_TYPE_TOKEN_INTROSPECTION, NULL);
  self->url = parse_url (url, error);
  if (self->url == NULL)
    return NULL;
  self->client_id = g_strdup (client_id);
  self->authorization = make_authorization (client_id, client_secret);
  if (self->authorization != NULL
      && !gmcp_http_header_is_valid ("Authorization", self->authorization))
    {
      g_set_error_literal (
        error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
        _ ("The secret for the authorization server has characters that cannot be "
           "sent; is there a line break in it?"));
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * gmcp_token_introspection_get_url: (get-property url)
 * @self: the object
 *
 * Gives the address at which is asked.
 *
 * Returns: (transfer none) (nullable): the address, without its query
 *
 * Since: 0.1
 */
const char *
gmcp_token_introspection_get_url (GmcpTokenIntrospection *self)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_INTROSPECTION (self), NULL);

  return self->url != NULL ? self->url->display : NULL;
}

/**
 * gmcp_token_introspection_get_issuer: (get-property issuer)
 * @self: the object
 *
 * Gives the authorization server that tokens have to be of.
 *
 * Returns: (transfer none) (nullable): its issuer, or %NULL where that is not looked at
 *
 * Since: 0.1
 */
const char *
gmcp_token_introspection_get_issuer (GmcpTokenIntrospection *self)
{
  g_return_val_if_fail (GMCP_IS_TOKEN_INTROSPECTION (self), NULL);

  return self->issuer;
}

/**
 * gmcp_token_introspection_set_issuer: (set-property issuer)
 * @self: the object
 * @issuer: (nullable): the issuer, or %NULL
 *
 * Sets [property@Gmcp.TokenIntrospection:issuer].
 *
 * Since: 0.1
 */
void
gmcp_token_introspection_set_issuer (GmcpTokenIntrospection *self, const char *issuer)
{
  g_return_if_fail (GMCP_IS_TOKEN_INTROSPECTION (self));

  if (g_strcmp0 (issuer, self->issuer) == 0)
    return;
  g_free (self->issuer);
  self->issuer = g_strdup (issuer);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ISSUER]);
}

/* Asking */

/* Takes the message. */
static void
tell_problem (GmcpTokenIntrospection *self, char *message)
{
  g_debug ("%s", message);
  g_signal_emit (self, signals[SIGNAL_PROBLEM], 0, message);
  g_free (message);
}

static void
on_response (GmcpHttpRequest *http, gpointer data)
{
}

static void
on_body (GmcpHttpRequest *http, const char *bytes, gsize length, gpointer data)
{
  Question *question = data;
  g_autoptr (GmcpTokenIntrospection) self = g_object_ref (question->owner);

  if (question->answer->len + length <= GMCP_LIMIT_TOKEN_ANSWER_BYTES)
    {
      g_string_append_len (question->answer, bytes, (gssize) length);
      return;
    }
  end_question (question);
  tell_problem (self,
                g_strdup_printf (_ ("%s answers with more than %u KiB about a token: is it an "
                                    "introspection endpoint?"),
                                 self->url->display, GMCP_LIMIT_TOKEN_ANSWER_BYTES / 1024));
}

static void
use_answer (Question *question)
{
  GmcpTokenIntrospection *self = question->owner;
  g_autoptr (GmcpTokenAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;

  answer
    = gmcp_token_answer_parse (question->answer->str, question->answer->len, self->issuer, &error);
  if (error != NULL)
    tell_problem (self, g_strdup_printf (_ ("%s says nothing about a token that can be understood: "
                                            "%s; is it an introspection endpoint?"),
                                         self->url->display, error->message));
  else if (answer != NULL)
    gmcp_token_request_accept (question->request, answer->user,
                               (const char *const *) answer->scopes,
                               (const char *const *) answer->audience, answer->expires_s);
  else
    gmcp_token_request_refuse (question->request);
}

static void
on_ended (GmcpHttpRequest *http, const GError *error, gpointer data)
{
  Question *question = data;
  g_autoptr (GmcpTokenIntrospection) self = g_object_ref (question->owner);
  guint status = gmcp_http_request_get_status (http);

  if (error != NULL)
    tell_problem (self, g_strdup_printf (_ ("%s cannot be asked about a token: %s"),
                                         self->url->display, error->message));
  else if (status == 401 || status == 403)
    tell_problem (self, g_strdup_printf (_ ("%s does not let this server ask about tokens (status "
                                            "%u): are the client's name and secret right?"),
                                         self->url->display, status));
  else if (status != STATUS_OK)
    tell_problem (self,
                  g_strdup_printf (_ ("%s answers a question about a token with the status %u"),
                                   self->url->display, status));
  else
    use_answer (question);

  /* A handler of the signal may have ended all questions. */
  g_hash_table_remove (self->questions, data);
}

static gboolean
on_deadline (gpointer data)
{
  Question *question = data;
  g_autoptr (GmcpTokenIntrospection) self = g_object_ref (question->owner);

  end_question (question);
  tell_problem (self, g_strdup_printf (_ ("%s does not answer about a token within %u ms"),
                                       self->url->display, GMCP_DEFAULT_TOKEN_TIMEOUT_MS));
  return G_SOURCE_REMOVE;
}

static void
on_cancelled (GCancellable *cancellable, Question *question)
{
  end_question (question);
}

static const GmcpHttpRequestFuncs request_funcs = { on_response, on_body, on_ended };

static GBytes *
make_body (GmcpTokenIntrospection *self, const char *token)
{
  char *escaped = g_uri_escape_string (token, NULL, FALSE);
  g_autofree char *id = self->authorization == NULL && self->client_id != NULL
                          ? g_uri_escape_string (self->client_id, NULL, FALSE)
                          : NULL;
  char *body = g_strconcat ("token=", escaped, "&token_type_hint=access_token",
                            id != NULL ? "&client_id=" : NULL, id, NULL);

  wipe_text (escaped);
  return g_bytes_new_with_free_func (body, strlen (body), wipe_text, body);
}

static void
send_question (Question *question)
{
  GmcpTokenIntrospection *self = question->owner;
  g_autoptr (GBytes) body = make_body (self, gmcp_token_request_get_token (question->request));

  question->http = gmcp_http_request_new (self->session, "POST", self->url->uri);
  gmcp_http_request_set_header (question->http, "Accept", "application/json",
                                GMCP_HTTP_HEADER_PUBLIC);
  if (self->authorization != NULL)
    gmcp_http_request_set_header (question->http, "Authorization", self->authorization,
                                  GMCP_HTTP_HEADER_PRIVATE);
  gmcp_http_request_set_body (question->http, body, CONTENT_TYPE);
  question->deadline = g_timeout_source_new (GMCP_DEFAULT_TOKEN_TIMEOUT_MS);
  g_source_set_static_name (question->deadline, "[gmcp] token introspection");
  g_source_set_callback (question->deadline, on_deadline, question, NULL);
  g_source_attach (question->deadline, self->context);
  gmcp_http_request_start (question->http, &request_funcs, question);
}

static gboolean
ensure_session (GmcpTokenIntrospection *self)
{
  g_autoptr (GError) error = NULL;

  if (self->session == NULL)
    self->session = gmcp_http_session_new (self->context, self->url, NULL, NULL, &error);
  if (self->session == NULL)
    tell_problem (self, g_strdup_printf (_ ("%s cannot be asked about a token: %s"),
                                         self->url->display, error->message));
  return self->session != NULL;
}

/**
 * gmcp_token_introspection_verify:
 * @self: the object
 * @request: a request to say who a client is
 *
 * Asks about the token of @request and answers the request then. It fails where the authorization server does not
 * answer within 10,000 ms, and where more questions are under way than are kept.
 *
 * Since: 0.1
 */
void
gmcp_token_introspection_verify (GmcpTokenIntrospection *self, GmcpTokenRequest *request)
{
  g_autoptr (GmcpTokenIntrospection) owned = NULL;
  Question *question;

  g_return_if_fail (GMCP_IS_TOKEN_INTROSPECTION (self));
  g_return_if_fail (GMCP_IS_TOKEN_REQUEST (request));

  if (!gmcp_token_request_is_open (request))
    return;
  /* A handler of the signal may let go of the last reference. */
  owned = g_object_ref (self);
  if (g_hash_table_size (self->questions) >= GMCP_LIMIT_TOKEN_QUESTIONS || !ensure_session (owned))
    {
      gmcp_token_request_fail (request);
      return;
    }

  question = g_new0 (Question, 1);
  question->owner = self;
  question->request = g_object_ref (request);
  question->cancelled_id = g_signal_connect (gmcp_token_request_get_cancellable (request),
                                             "cancelled", G_CALLBACK (on_cancelled), question);
  question->answer = g_string_new (NULL);
  g_hash_table_add (self->questions, question);
  send_question (question);
}
