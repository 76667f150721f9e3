/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-service-private.h"

#include <string.h>
#include <sys/socket.h>

#include "gmcp-byte-budget-private.h"
#include "gmcp-http-body-private.h"
#include "gmcp-http-clients-private.h"
#include "gmcp-http-connections-private.h"
#include "gmcp-http-drain-private.h"
#include "gmcp-http-rates-private.h"
#include "gmcp-http-resource-private.h"
#include "gmcp-http-verifier-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-private.h"

#define MAX_LENGTH_DIGITS 18
#define SECOND_MS         1000u
#define TOO_LARGE         "Invalid request: the message is larger than this server takes"

struct _GmcpHttpService
{
  GmcpHttpServiceParts parts;
  const GmcpHttpSettings *settings; /* of the owner, as long as that is alive */
  const GmcpSoupServer *soup;
  GmcpHttpWatch *watch;
  GmcpByteBudget *bodies;           /* of requests that have no answer yet */
  GmcpHttpConnections *connections; /* NULL for a SoupServer of the program's, and once closed */
  GmcpHttpClients *clients;
  GmcpHttpVerifier *verifier; /* NULL once closed */
  GmcpHttpDrain *drain;       /* NULL while all are served */
  GmcpHttpRates *rates;       /* of requests, by user or peer */
  GStrv metadata_paths;
};

static GmcpHttpService *
gmcp_http_service_ref (GmcpHttpService *self)
{
  return g_rc_box_acquire (self);
}

static gboolean
is_too_often (GmcpHttpService *self,
              SoupServerMessage *message,
              const char *user,
              GmcpHttpResponse *response)
{
  GmcpHttpConnection *connection
    = user == NULL ? gmcp_http_connection_find (self->soup, message) : NULL;
  const char *known = connection != NULL ? gmcp_http_connection_get_peer (connection) : user;
  g_autofree char *found = known == NULL ? gmcp_soup_server_dup_peer (self->soup, message) : NULL;
  guint wait_ms = gmcp_http_rates_take (self->rates, known != NULL ? known : found,
                                        self->settings->max_requests, SECOND_MS);
  const GmcpHttpRefusal refusal = { GMCP_HTTP_TOO_MANY_REQUESTS, NULL,
                                    "Too many requests in a second; try again later", wait_ms };

  if (wait_ms > 0)
    gmcp_http_bearer_refuse (response, NULL, self->settings, &refusal);
  return wait_ms > 0;
}

static gboolean
has_too_many (GmcpHttpService *self,
              SoupServerMessage *message,
              const char *user,
              GmcpHttpResponse *response)
{
  GmcpHttpConnection *connection
    = user != NULL ? gmcp_http_connection_find (self->soup, message) : NULL;
  const GmcpHttpRefusal refusal = {
    SOUP_STATUS_SERVICE_UNAVAILABLE, NULL,
    "No more connections are free, and nobody has more of them than you; end a subscription, or try again later",
    SECOND_MS
  };

  if (connection == NULL || gmcp_http_connection_give_to (connection, user))
    return FALSE;
  gmcp_http_bearer_refuse (response, NULL, self->settings, &refusal);
  return TRUE;
}

static gboolean
is_too_late (GmcpHttpService *self, GmcpHttpResponse *response)
{
  const GmcpHttpRefusal refusal = { SOUP_STATUS_SERVICE_UNAVAILABLE, NULL,
                                    "The server is being stopped; try again later", SECOND_MS };

  if (self->drain == NULL)
    return FALSE;

  gmcp_http_response_set_header (response, "Connection", "close");
  gmcp_http_bearer_refuse (response, NULL, self->settings, &refusal);
  return TRUE;
}

/* user is NULL where nobody asks who it is. */
static void
serve_request (GmcpHttpService *self,
               SoupServerMessage *message,
               const char *user,
               GmcpHttpResponse *response)
{
  if (!is_too_late (self, response) && !is_too_often (self, message, user, response)
      && !has_too_many (self, message, user, response))
    gmcp_http_clients_serve (self->clients, message, user, response);
}

/* Who it is */

static G_DEFINE_QUARK (gmcp_http_sign_in, gmcp_http_sign_in)

  /* A request whose body is there, while it is not known yet who sent it. */
  typedef struct
{
  GmcpHttpService *service;
  GObject *owner;
  SoupServerMessage *message; /* keeps the sign-in */
  GmcpHttpSignIn *sign_in;
  GmcpHttpResponse *response;
} Visit;

static void
visit_free (Visit *visit)
{
  gmcp_http_sign_in_wait (visit->sign_in, NULL, NULL);
  gmcp_http_response_unref (visit->response);
  gmcp_http_service_unref (visit->service);
  g_object_unref (visit->message);
  g_object_unref (visit->owner);
  g_free (visit);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Visit, visit_free)

static void
on_visitor_gone (GmcpHttpResponse *response, gpointer data)
{
  visit_free (data);
}

static void
on_visitor_quiet (GmcpHttpResponse *response, gpointer data)
{
}

static const GmcpHttpResponseFuncs visitor_funcs = {
  .gone = on_visitor_gone,
  .quiet = on_visitor_quiet,
};

static void
serve_visitor (GmcpHttpService *self,
               SoupServerMessage *message,
               GmcpHttpSignIn *sign_in,
               GmcpHttpResponse *response)
{
  const GmcpHttpRefusal *refusal = gmcp_http_sign_in_get_refusal (sign_in);

  if (refusal != NULL)
    gmcp_http_bearer_refuse (response, gmcp_http_sign_in_get_resource (sign_in), self->settings,
                             refusal);
  else
    serve_request (self, message, gmcp_http_sign_in_get_grant (sign_in)->user, response);
}

static void
on_signed_in (gpointer data)
{
  g_autoptr (Visit) visit = data;

  gmcp_http_response_resume (visit->response);
  serve_visitor (visit->service, visit->message, visit->sign_in, visit->response);
}

static void
wait_for_sign_in (GmcpHttpService *self,
                  SoupServerMessage *message,
                  GmcpHttpSignIn *sign_in,
                  GmcpHttpResponse *response)
{
  Visit *visit = g_new0 (Visit, 1);

  visit->service = gmcp_http_service_ref (self);
  visit->owner = g_object_ref (self->parts.owner);
  visit->message = g_object_ref (message);
  visit->sign_in = sign_in;
  visit->response = gmcp_http_response_ref (response);
  gmcp_http_response_hold (response, &visitor_funcs, visit, 0);
  gmcp_http_sign_in_wait (sign_in, on_signed_in, visit);
}

static GmcpHttpSignIn *
begin_sign_in (GmcpHttpService *self, SoupServerMessage *message, GHashTable *query)
{
  GmcpHttpSignIn *sign_in = gmcp_http_verifier_begin (self->verifier, message, query);

  g_object_set_qdata_full ((GObject *) message, gmcp_http_sign_in_quark (), sign_in,
                           (GDestroyNotify) gmcp_http_sign_in_free);
  return sign_in;
}

static void
begin_answer (GmcpHttpService *self, SoupServerMessage *message)
{
  GmcpHttpConnection *connection = gmcp_http_connection_find (self->soup, message);

  if (connection != NULL)
    gmcp_http_connection_begin_answer (connection);
}

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  g_autoptr (GmcpHttpService) self = gmcp_http_service_ref (data);
  g_autoptr (GObject) owner G_GNUC_UNUSED = g_object_ref (self->parts.owner);
  g_autoptr (GmcpHttpResponse) response = NULL;
  GmcpHttpSignIn *sign_in;

  if (self->soup->server_message_get_status (message) != 0)
    return;

  begin_answer (self, message);
  response = gmcp_http_response_new (self->soup, message, self->watch);
  if (!g_str_equal (path, self->settings->path))
    {
      gmcp_http_response_send_status (response, SOUP_STATUS_NOT_FOUND);
      return;
    }
  if (gmcp_http_body_is_cut (self->soup, message))
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE,
                                 GMCP_RPC_ERROR_INVALID_REQUEST, TOO_LARGE);
      return;
    }

  sign_in = g_object_get_qdata ((GObject *) message, gmcp_http_sign_in_quark ());
  if (sign_in == NULL && gmcp_http_verifier_is_on (self->verifier))
    sign_in = begin_sign_in (self, message, query);
  if (sign_in == NULL)
    serve_request (self, message, NULL, response);
  else if (gmcp_http_sign_in_is_done (sign_in))
    serve_visitor (self, message, sign_in, response);
  else
    wait_for_sign_in (self, message, sign_in, response);
}

/* Where the tokens are had */

static void
on_metadata_request (SoupServer *server,
                     SoupServerMessage *message,
                     const char *path,
                     GHashTable *query,
                     gpointer data)
{
  GmcpHttpService *self = data;
  g_autoptr (GmcpHttpResponse) response = gmcp_http_response_new (self->soup, message, self->watch);
  g_autofree char *text = NULL;
  GmcpHttpHeaders headers;
  const char *refusal;

  gmcp_http_headers_read (&headers, self->soup, message);
  refusal = gmcp_http_gate_check (&self->settings->gate, &headers);
  if (refusal != NULL)
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_FORBIDDEN, GMCP_RPC_ERROR_INVALID_REQUEST,
                                 refusal);
      return;
    }
  if (!g_str_equal (self->soup->server_message_get_method (message), "GET"))
    {
      gmcp_http_response_set_header (response, "Allow", "GET");
      gmcp_http_response_send_status (response, SOUP_STATUS_METHOD_NOT_ALLOWED);
      return;
    }
  if (gmcp_http_resource_is_metadata_path (self->settings, path))
    text = gmcp_http_resource_describe (gmcp_http_verifier_get_resource (self->verifier),
                                        self->settings);
  if (text != NULL)
    gmcp_http_response_send_json (response, SOUP_STATUS_OK, text, strlen (text));
  else
    gmcp_http_response_send_status (response, SOUP_STATUS_NOT_FOUND);
}

/* Before the body is read. */

static void
refuse_early (GmcpHttpService *self, SoupServerMessage *message, guint status, const char *reason)
{
  g_autoptr (GmcpHttpResponse) response = gmcp_http_response_new (self->soup, message, self->watch);

  gmcp_http_body_drop (self->soup, message);
  gmcp_http_response_refuse (response, status, GMCP_RPC_ERROR_INVALID_REQUEST, reason);
}

/* How long a body is said to be is one number, and not said twice: what stands behind it may be read as another
 * request by others on the way. Spec: RFC 9112, 6.3. */
static gboolean
is_length_sound (const GmcpHttpHeaders *headers)
{
  const char *length = gmcp_http_headers_get (headers, "Content-Length");
  const char *encoding = gmcp_http_headers_get (headers, "Transfer-Encoding");
  gsize n_digits = length != NULL ? strspn (length, "0123456789") : 0;

  if (length == NULL)
    return TRUE;
  return encoding == NULL && n_digits > 0 && n_digits < MAX_LENGTH_DIGITS
         && length[n_digits] == '\0';
}

/* Nobody knows where the next request begins. libsoup would go on. */
static void
refuse_for_good (GmcpHttpService *self, SoupServerMessage *message)
{
  static const char answer[]
    = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  GSocket *socket = gmcp_http_connection_get_socket (self->soup, message);
  g_autoptr (GIOStream) stream = NULL;

  if (socket != NULL)
    send (g_socket_get_fd (socket), answer, sizeof answer - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  stream = self->soup->server_message_steal_connection (message);
}

/* libsoup would make a copy of the answer for each range that is named, and nobody needs a part of one. */
static void
ignore_ranges (GmcpHttpService *self, SoupServerMessage *message)
{
  self->soup->message_headers_remove (self->soup->server_message_get_request_headers (message),
                                      "Range");
}

static guint64
get_room (GmcpHttpService *self)
{
  return MAX (GMCP_LIMIT_HTTP_SMALL_BYTES, gmcp_byte_budget_get_left (self->bodies));
}

static void
begin_body (GmcpHttpService *self, SoupServerMessage *message)
{
  GmcpHttpConnection *connection = gmcp_http_connection_find (self->soup, message);

  if (connection != NULL)
    gmcp_http_connection_begin_body (connection);
}

static void
on_headers (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  GmcpHttpService *self = data;
  GmcpHttpHeaders headers;
  const char *refusal;
  gboolean is_declared;
  guint64 length;
  GmcpHttpSignIn *sign_in;

  ignore_ranges (self, message);
  gmcp_http_headers_read (&headers, self->soup, message);
  refusal = gmcp_http_gate_check (&self->settings->gate, &headers);
  is_declared
    = self->soup->message_headers_get_encoding (headers.all) == SOUP_ENCODING_CONTENT_LENGTH;
  length = is_declared ? (guint64) self->soup->message_headers_get_content_length (headers.all) : 0;
  if (!is_length_sound (&headers))
    {
      refuse_for_good (self, message);
      return;
    }
  if (!is_declared || length > GMCP_LIMIT_HTTP_SMALL_BYTES)
    gmcp_http_body_limit (self->soup, message, self->bodies, self->settings->max_message_bytes,
                          is_declared);
  begin_body (self, message);
  if (refusal != NULL)
    {
      refuse_early (self, message, SOUP_STATUS_FORBIDDEN, refusal);
      return;
    }
  if (headers.n_bytes > self->settings->max_header_bytes)
    {
      refuse_early (self, message, GMCP_HTTP_HEADERS_TOO_LARGE,
                    "Invalid request: its headers are larger than this server takes");
      return;
    }
  if (length > self->settings->max_message_bytes)
    {
      refuse_early (self, message, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, TOO_LARGE);
      return;
    }
  if (length > get_room (self))
    {
      refuse_early (self, message, SOUP_STATUS_SERVICE_UNAVAILABLE,
                    "Too much of other requests is being received; try again later");
      return;
    }
  if (!gmcp_http_verifier_is_on (self->verifier))
    return;

  /* While the body comes. */
  sign_in = begin_sign_in (self, message, query);
  if (gmcp_http_sign_in_get_refusal (sign_in) != NULL)
    {
      g_autoptr (GmcpHttpResponse) response
        = gmcp_http_response_new (self->soup, message, self->watch);

      gmcp_http_body_drop (self->soup, message);
      serve_visitor (self, message, sign_in, response);
    }
}

/* Nothing is done there with what is sent. */
static void
on_other_headers (SoupServer *server,
                  SoupServerMessage *message,
                  const char *path,
                  GHashTable *query,
                  gpointer data)
{
  GmcpHttpService *self = data;
  GmcpHttpHeaders headers;

  ignore_ranges (self, message);
  gmcp_http_headers_read (&headers, self->soup, message);
  if (!is_length_sound (&headers))
    {
      refuse_for_good (self, message);
      return;
    }
  gmcp_http_body_limit (self->soup, message, self->bodies, self->settings->max_message_bytes,
                        FALSE);
  gmcp_http_body_drop (self->soup, message);
  begin_body (self, message);
}

/* Birth and death */

void
gmcp_http_service_apply_budgets (GmcpHttpService *self)
{
  gmcp_byte_budget_set_max (self->bodies, self->settings->max_unanswered_bytes);
  gmcp_byte_budget_set_max (gmcp_http_watch_get_unread (self->watch),
                            self->settings->max_unread_bytes);
  gmcp_byte_budget_set_max (gmcp_http_clients_get_kept (self->clients),
                            self->settings->max_kept_bytes);
}

/* On a SoupServer of the program's, others may have documents of their own. */
static GStrv
list_metadata_paths (const GmcpHttpServiceParts *parts)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_autofree char *local = g_strconcat (GMCP_HTTP_WELL_KNOWN_PATH,
                                        parts->owns_http ? NULL : parts->settings->path, NULL);
  g_autofree char *known = gmcp_http_resource_dup_metadata_path (parts->settings->resource);

  g_strv_builder_add (paths, local);
  if (!parts->owns_http && known != NULL && !g_str_equal (known, local))
    g_strv_builder_add (paths, known);
  return g_strv_builder_end (paths);
}

GmcpHttpService *
gmcp_http_service_new (const GmcpHttpServiceParts *parts, GError **error)
{
  g_autoptr (GmcpHttpWatch) watch = gmcp_http_watch_new (error);
  const char *path = parts->settings->path;
  GmcpHttpService *self;

  if (watch == NULL)
    return NULL;
  self = g_rc_box_new0 (GmcpHttpService);
  self->watch = g_steal_pointer (&watch);

  self->parts = *parts;
  g_object_ref (parts->server);
  g_object_ref ((GObject *) parts->http);
  self->settings = parts->settings;
  self->soup = parts->soup;
  self->bodies = gmcp_byte_budget_new (self->settings->max_unanswered_bytes, NULL);
  self->rates = gmcp_http_rates_new ();
  self->verifier = gmcp_http_verifier_new (parts->owner, parts->settings, parts->soup);
  self->metadata_paths = list_metadata_paths (parts);
  self->clients
    = gmcp_http_clients_new (parts->server, parts->settings, parts->soup, self->verifier);
  if (parts->owns_http)
    {
      self->connections
        = gmcp_http_connections_new (parts->soup, parts->http, parts->settings, self->watch);
      self->soup->server_add_early_handler (parts->http, NULL, on_other_headers, self, NULL);
      self->soup->server_add_handler (parts->http, NULL, on_request, self, NULL);
    }
  gmcp_http_service_apply_budgets (self);
  self->soup->server_add_early_handler (parts->http, path, on_headers, self, NULL);
  self->soup->server_add_handler (parts->http, path, on_request, self, NULL);
  for (GStrv each = self->metadata_paths; *each != NULL; each++)
    {
      self->soup->server_add_early_handler (parts->http, *each, on_other_headers, self, NULL);
      self->soup->server_add_handler (parts->http, *each, on_metadata_request, self, NULL);
    }
  return self;
}

void
gmcp_http_service_drain (GmcpHttpService *self, void (*done) (gpointer data), gpointer data)
{
  if (self->connections != NULL)
    gmcp_http_connections_stop (self->connections, self->parts.keeps_sockets);
  self->drain
    = gmcp_http_drain_new (self->clients, self->connections, self->settings->close_ms, done, data);
}

void
gmcp_http_service_close (GmcpHttpService *self)
{
  SoupServer *http = self->parts.http;

  g_clear_pointer (&self->drain, gmcp_http_drain_free);

  self->soup->server_remove_handler (http, self->settings->path);
  for (GStrv each = self->metadata_paths; *each != NULL; each++)
    self->soup->server_remove_handler (http, *each);
  if (self->parts.owns_http)
    self->soup->server_remove_handler (http, NULL);
  g_clear_pointer (&self->verifier, gmcp_http_verifier_free);
  gmcp_http_clients_close (self->clients);
  if (self->parts.owns_http)
    self->soup->server_disconnect (http);
  g_clear_pointer (&self->connections, gmcp_http_connections_free);
}

static void
service_clear (gpointer data)
{
  GmcpHttpService *self = data;

  gmcp_http_clients_unref (self->clients);
  gmcp_http_watch_unref (self->watch);
  gmcp_byte_budget_unref (self->bodies);
  gmcp_http_rates_free (self->rates);
  g_strfreev (self->metadata_paths);
  g_object_unref (self->parts.server);
  g_object_unref ((GObject *) self->parts.http);
}

void
gmcp_http_service_unref (GmcpHttpService *self)
{
  g_rc_box_release_full (self, service_clear);
}
