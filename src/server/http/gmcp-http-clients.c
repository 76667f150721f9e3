/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-clients-private.h"

#include "gmcp-http-post-private.h"
#include "gmcp-http-served-request-private.h"
#include "gmcp-http-sessions-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-era-legacy-private.h"
#include "gmcp-server-private.h"

#define HEADER_SESSION "Mcp-Session-Id"

struct _GmcpHttpClients
{
  GmcpServer *server;
  const GmcpHttpSettings *settings; /* not owned */
  const GmcpSoupServer *soup;
  GmcpHttpVerifier *verifier; /* not owned */
  GmcpHttpSessions *sessions;
  GHashTable *alone; /* set of GmcpServerConnection that serve one request; not owned */
  void (*emptied) (gpointer data); /* nullable */
  gpointer emptied_data;
};

GmcpByteBudget *
gmcp_http_clients_get_kept (GmcpHttpClients *self)
{
  return gmcp_http_sessions_get_kept (self->sessions);
}

static void
check_emptied (gpointer data)
{
  GmcpHttpClients *self = data;
  void (*emptied) (gpointer data) = self->emptied;

  if (emptied == NULL || g_hash_table_size (self->alone) > 0
      || gmcp_http_sessions_get_n_open (self->sessions) > 0)
    return;

  self->emptied = NULL;
  emptied (self->emptied_data);
}

static void
on_answered (GmcpServerConnection *connection, gpointer data)
{
  GmcpHttpClients *self = data;

  g_hash_table_remove (self->alone, connection);
  gmcp_server_clients_remove (gmcp_server_get_clients (self->server), connection);
  check_emptied (self);
}

static void
end_alone (GmcpHttpClients *self)
{
  GHashTableIter iter;
  gpointer connection;

  while (g_hash_table_iter_init (&iter, self->alone),
         g_hash_table_iter_next (&iter, &connection, NULL))
    {
      g_hash_table_iter_remove (&iter);
      gmcp_server_clients_remove (gmcp_server_get_clients (self->server), connection);
    }
}

/* “ADDRESS (USER)”. Which program has the token is not known: it can be looked for only among the files that all
 * processes have open, and a connection can be open in several. */
static char *
name_client (GmcpHttpClients *self, const char *user)
{
  const char *address = gmcp_http_verifier_get_resource (self->verifier);

  if (address == NULL)
    address = "HTTP";
  return user != NULL ? g_strdup_printf ("%s (%s)", address, user) : g_strdup (address);
}

/* A request that stands alone is a client of its own. */
static void
serve_alone (GmcpHttpClients *self,
             GmcpHttpPost *post,
             const char *user,
             GmcpHttpResponse *response)
{
  GmcpServerClients *clients = gmcp_server_get_clients (self->server);
  g_autoptr (GmcpTransport) transport = NULL;
  g_autofree char *name = NULL;
  GmcpServerConnection *connection;

  /* No notification of a client is about anything but its connection. */
  if (post->ids->len == 0)
    {
      gmcp_http_response_send_status (response, SOUP_STATUS_ACCEPTED);
      return;
    }

  transport = gmcp_http_served_request_new (response, post->is_modern || post->is_initialize,
                                            self->settings->keep_alive_ms);
  connection = gmcp_server_clients_add (clients, transport, on_answered, self);
  name = name_client (self, user);
  gmcp_server_connection_set_user (connection, user);
  gmcp_server_connection_set_program (connection, name);
  gmcp_server_connection_set_passing (connection);
  g_hash_table_add (self->alone, connection);
  if (post->is_modern)
    gmcp_server_era_legacy_exclude (connection);
  else if (!post->is_initialize)
    gmcp_server_era_legacy_assume (connection, post->version);
  gmcp_http_served_request_deliver (GMCP_HTTP_SERVED_REQUEST (transport), post->doc);
}

static void
serve_initialize (GmcpHttpClients *self,
                  GmcpHttpPost *post,
                  const char *user,
                  GmcpHttpResponse *response)
{
  g_autofree char *name = name_client (self, user);
  GmcpHttpServedSession *session
    = gmcp_http_sessions_begin (self->sessions, self->settings, user, name);

  if (session == NULL)
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_SERVICE_UNAVAILABLE, GMCP_RPC_ERROR_INTERNAL,
                                 "Too many sessions are in use; try again later");
      return;
    }

  gmcp_http_response_set_header (response, HEADER_SESSION,
                                 gmcp_http_served_session_get_id (session));
  gmcp_http_served_session_post (session, post->doc, post->ids, response);
}

/* NULL: the request has been refused. */
static GmcpHttpServedSession *
find_session (GmcpHttpClients *self, const char *user, GmcpHttpResponse *response)
{
  const char *id = gmcp_http_response_get_request_header (response, HEADER_SESSION);
  GmcpHttpServedSession *session = NULL;

  if (id != NULL)
    session = gmcp_http_sessions_find (self->sessions, id, user);
  if (id == NULL)
    gmcp_http_response_refuse (response, SOUP_STATUS_BAD_REQUEST, GMCP_RPC_ERROR_INVALID_REQUEST,
                               "Invalid request: it names no session, and none was begun by it");
  else if (session == NULL)
    gmcp_http_response_refuse (response, SOUP_STATUS_NOT_FOUND, GMCP_RPC_ERROR_INVALID_REQUEST,
                               "There is no such session any more; initialize a new one");
  return session;
}

static void
serve_post (GmcpHttpClients *self,
            SoupServerMessage *message,
            const char *user,
            GmcpHttpResponse *response)
{
  g_auto (GmcpHttpPost) post = { 0 };
  GmcpHttpServedSession *session;

  if (!gmcp_http_post_read (&post, self->soup, message, response))
    return;

  if (post.is_modern || self->settings->max_sessions == 0)
    {
      serve_alone (self, &post, user, response);
      return;
    }
  if (post.is_initialize
      && gmcp_http_response_get_request_header (response, HEADER_SESSION) == NULL)
    {
      /* One that fails begins no session, and takes nobody's place. */
      if (post.opens_session)
        serve_initialize (self, &post, user, response);
      else
        serve_alone (self, &post, user, response);
      return;
    }
  session = find_session (self, user, response);
  if (session != NULL)
    gmcp_http_served_session_post (session, post.doc, post.ids, response);
}

static void
refuse_method (GmcpHttpResponse *response, const char *allowed)
{
  gmcp_http_response_set_header (response, "Allow", allowed);
  gmcp_http_response_send_status (response, SOUP_STATUS_METHOD_NOT_ALLOWED);
}

/* GET and DELETE are for sessions, which there are in the legacy era only. FALSE: the request has been refused.
 * Spec: MCP 2025-11-25, basic/transports, "Protocol Version Header". */
static gboolean
check_session_method (GmcpHttpClients *self, GmcpHttpResponse *response)
{
  const char *version = gmcp_http_response_get_version (response);

  if (version == NULL)
    {
      gmcp_http_response_refuse_version (response);
      return FALSE;
    }
  if (self->settings->max_sessions == 0 || gmcp_protocol_get_era (version) == GMCP_ERA_MODERN)
    {
      refuse_method (response, "POST");
      return FALSE;
    }
  return TRUE;
}

static void
serve_get (GmcpHttpClients *self,
           SoupServerMessage *message,
           const char *user,
           GmcpHttpResponse *response)
{
  GmcpHttpServedSession *session;

  if (!check_session_method (self, response))
    return;
  /* A client of the older way to speak HTTP, or a person with a browser: both understand this. */
  if (gmcp_http_response_get_request_header (response, HEADER_SESSION) == NULL)
    {
      refuse_method (response, "POST");
      return;
    }
  if (!gmcp_http_accepts (gmcp_http_response_get_request_header (response, "Accept"),
                          "text/event-stream"))
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_NOT_ACCEPTABLE,
                                 GMCP_RPC_ERROR_INVALID_REQUEST,
                                 "Invalid request: Accept has to allow text/event-stream");
      return;
    }
  session = find_session (self, user, response);
  if (session != NULL)
    gmcp_http_served_session_listen (
      session, gmcp_http_response_get_request_header (response, "Last-Event-ID"), response);
}

static void
serve_delete (GmcpHttpClients *self,
              SoupServerMessage *message,
              const char *user,
              GmcpHttpResponse *response)
{
  GmcpHttpServedSession *session;

  if (!check_session_method (self, response))
    return;
  session = find_session (self, user, response);
  if (session == NULL)
    return;
  gmcp_http_sessions_end (self->sessions, session);
  gmcp_http_response_send_status (response, SOUP_STATUS_NO_CONTENT);
}

static const struct
{
  const char *method;
  void (*serve) (GmcpHttpClients *self,
                 SoupServerMessage *message,
                 const char *user,
                 GmcpHttpResponse *response);
} methods[] = {
  { "POST", serve_post },
  { "GET", serve_get },
  { "DELETE", serve_delete },
};

void
gmcp_http_clients_serve (GmcpHttpClients *self,
                         SoupServerMessage *message,
                         const char *user,
                         GmcpHttpResponse *response)
{
  const char *method = self->soup->server_message_get_method (message);

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (g_str_equal (methods[i].method, method))
      {
        methods[i].serve (self, message, user, response);
        return;
      }
  refuse_method (response, "POST, GET, DELETE");
}

/* Birth and death */

GmcpHttpClients *
gmcp_http_clients_new (GmcpServer *server,
                       const GmcpHttpSettings *settings,
                       const GmcpSoupServer *soup,
                       GmcpHttpVerifier *verifier)
{
  GmcpHttpClients *self = g_rc_box_new0 (GmcpHttpClients);

  self->server = g_object_ref (server);
  self->settings = settings;
  self->soup = soup;
  self->verifier = verifier;
  self->alone = g_hash_table_new (NULL, NULL);
  self->sessions = gmcp_http_sessions_new (gmcp_server_get_clients (server));
  return self;
}

void
gmcp_http_clients_drain (GmcpHttpClients *self,
                         guint timeout_ms,
                         void (*emptied) (gpointer data),
                         gpointer data)
{
  g_autoptr (GList) connections = g_hash_table_get_keys (self->alone);

  self->emptied = emptied;
  self->emptied_data = data;
  for (GList *each = connections; each != NULL; each = each->next)
    gmcp_server_connection_drain (each->data, timeout_ms);
  gmcp_http_sessions_drain (self->sessions, timeout_ms, check_emptied, self);
}

void
gmcp_http_clients_close (GmcpHttpClients *self)
{
  self->emptied = NULL;
  g_clear_pointer (&self->sessions, gmcp_http_sessions_free);
  end_alone (self);
}

static void
clients_clear (gpointer data)
{
  GmcpHttpClients *self = data;

  g_hash_table_unref (self->alone);
  g_object_unref (self->server);
}

void
gmcp_http_clients_unref (GmcpHttpClients *self)
{
  g_rc_box_release_full (self, clients_clear);
}
