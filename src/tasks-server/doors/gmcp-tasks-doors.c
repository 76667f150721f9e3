/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/server/http/gmcp-http-endpoint.h>
#include <gmcp/server/socket/gmcp-activated-sockets.h>
#include <gmcp/server/socket/gmcp-socket-endpoint.h>

#include "gmcp-task-limits.h"
#include "gmcp-tasks-doors.h"
#include "gmcp-tasks-tokens.h"

struct _GmcpTasksDoors
{
  GmcpServer *server;
  const GmcpTasksDoorOptions *options;
  GmcpSocketEndpoint *sockets; /* NULL: there are none */
  GmcpTokenFile *tokens;       /* HTTP asks for tokens where there is this or the next */
  GmcpTokenIntrospection *introspection;
  GPtrArray *http; /* of GmcpHttpEndpoint: one for each socket */
  guint n_closing; /* doors that are not closed yet */
  void (*closed) (gpointer data);
  gpointer closed_data;
};

static GmcpSocketEndpoint *
get_sockets (GmcpTasksDoors *self)
{
  if (self->sockets == NULL)
    self->sockets = g_object_new (GMCP_TYPE_SOCKET_ENDPOINT, "server", self->server,
                                  "allowed-users", self->options->users, "max-message-bytes",
                                  (guint64) GMCP_TASK_LIMIT_MESSAGE_BYTES, "max-queued-bytes",
                                  (guint64) GMCP_TASK_LIMIT_QUEUED_BYTES, "max-unread-bytes",
                                  (guint64) GMCP_TASK_LIMIT_UNREAD_BYTES, NULL);
  return self->sockets;
}

/* As Host has it: an address of IPv6 in brackets. */
static char *
dup_host (GUri *uri)
{
  const char *host = g_uri_get_host (uri);

  return strchr (host, ':') != NULL ? g_strdup_printf ("[%s]", host) : g_strdup (host);
}

/* What clients may call this machine: by the public address, and by the one at which it listens. */
static char **
list_hosts (const char *public_url, GSocketAddress *address)
{
  g_autoptr (GUri) uri
    = public_url != NULL ? g_uri_parse (public_url, G_URI_FLAGS_NONE, NULL) : NULL;
  GInetAddress *inet = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address));
  g_autofree char *number = g_inet_address_to_string (inet);
  GPtrArray *hosts = g_ptr_array_new ();

  if (uri != NULL)
    g_ptr_array_add (hosts, dup_host (uri));
  if (!g_inet_address_get_is_any (inet))
    g_ptr_array_add (hosts, g_inet_address_get_family (inet) == G_SOCKET_FAMILY_IPV6
                              ? g_strdup_printf ("[%s]", number)
                              : g_strdup (number));
  g_ptr_array_add (hosts, NULL);
  return (char **) g_ptr_array_free (hosts, FALSE);
}

static GmcpHttpEndpoint *
make_http (GmcpTasksDoors *self, GSocketAddress *address)
{
  g_auto (GStrv) hosts = list_hosts (self->options->public_url, address);
  GmcpHttpEndpoint *http = gmcp_http_endpoint_new (self->server);

  g_object_set (http, "allowed-hosts", hosts, "max-message-bytes",
                (guint64) GMCP_TASK_LIMIT_MESSAGE_BYTES, "max-unread-bytes",
                (guint64) GMCP_TASK_LIMIT_UNREAD_BYTES, "max-unanswered-bytes",
                (guint64) GMCP_TASK_LIMIT_UNANSWERED_BYTES, "max-kept-bytes",
                (guint64) GMCP_TASK_LIMIT_KEPT_BYTES, NULL);
  if (self->options->public_url != NULL)
    g_object_set (http, "resource", self->options->public_url, NULL);
  if (self->tokens != NULL)
    g_signal_connect_object (http, "verify-token", G_CALLBACK (gmcp_token_file_verify),
                             self->tokens, G_CONNECT_SWAPPED);
  if (self->introspection != NULL)
    {
      const char *const issuers[] = { self->options->issuer, NULL };

      g_signal_connect_object (http, "verify-token", G_CALLBACK (gmcp_token_introspection_verify),
                               self->introspection, G_CONNECT_SWAPPED);
      g_object_set (http, "authorization-servers", issuers, "required-scopes",
                    self->options->scopes, NULL);
      /* Wrong tokens of anybody behind the proxy would keep out all others. */
      if (self->options->public_url != NULL)
        g_object_set (http, "max-failed-tokens", 0, NULL);
    }
  if (self->options->stateless)
    g_object_set (http, "max-sessions", 0, NULL);
  return http;
}

/* Who would be served, if no token is asked for, has to be said. */
static gboolean
check_http_users (GmcpTasksDoors *self, GSocketAddress *address, GError **error)
{
  if (self->tokens != NULL || self->introspection != NULL)
    return TRUE;
  if (self->options->http_user == NULL)
    {
      g_set_error_literal (
        error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
        _ ("HTTP does not say whose program asks: give --token-file or --introspection-url, or "
           "--http-user for a port that serves everybody on this machine the tasks of one user"));
      return FALSE;
    }
  if (G_IS_INET_SOCKET_ADDRESS (address)
      && !g_inet_address_get_is_loopback (
        g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address))))
    {
      g_set_error_literal (
        error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
        _ ("Other machines can reach that address, and without tokens nobody knows who asks: give "
           "--token-file or --introspection-url, or let HTTP listen at 127.0.0.1"));
      return FALSE;
    }
  return TRUE;
}

/* The socket is NULL where the endpoint opens one at the address. */
static gboolean
open_http (GmcpTasksDoors *self, GSocketAddress *address, GSocket *socket, GError **error)
{
  g_autoptr (GmcpHttpEndpoint) http = NULL;

  if (!check_http_users (self, address, error))
    return FALSE;

  http = make_http (self, address);
  if (socket != NULL ? !gmcp_http_endpoint_listen_socket (http, socket, error)
                     : !gmcp_http_endpoint_listen_address (http, address, error))
    return FALSE;

  g_ptr_array_add (self->http, g_steal_pointer (&http));
  return TRUE;
}

/* HTTP knows its users by tokens, and sockets know them without; TCP on its own knows none. */
static gboolean
open_socket (GmcpTasksDoors *self, GSocket *socket, GError **error)
{
  g_autoptr (GSocketAddress) address = g_socket_get_local_address (socket, error);

  if (address == NULL)
    return FALSE;
  return G_IS_INET_SOCKET_ADDRESS (address)
           ? open_http (self, address, socket, error)
           : gmcp_socket_endpoint_listen_socket (get_sockets (self), socket, error);
}

static gboolean
open_handed_over (GmcpTasksDoors *self, GError **error)
{
  g_autoptr (GPtrArray) sockets = gmcp_take_activated_sockets (NULL, error);

  if (sockets == NULL)
    return FALSE;
  if (sockets->len == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                           _ ("--listen-fds was given, but nobody has opened a socket for this "
                              "program: it is for services that have a socket unit"));
      return FALSE;
    }

  for (guint i = 0; i < sockets->len; i++)
    if (!open_socket (self, sockets->pdata[i], error))
      return FALSE;
  return TRUE;
}

GmcpTasksDoors *
gmcp_tasks_doors_open (GmcpServer *server, const GmcpTasksDoorOptions *options, GError **error)
{
  g_autoptr (GmcpTasksDoors) self = g_new0 (GmcpTasksDoors, 1);

  self->server = g_object_ref (server);
  self->options = options;
  self->http = g_ptr_array_new_with_free_func (g_object_unref);
  if (options->token_file != NULL)
    self->tokens = gmcp_tasks_tokens_open (options->token_file);
  if (options->introspection_url != NULL)
    {
      self->introspection = gmcp_tasks_tokens_open_introspection (options, error);
      if (self->introspection == NULL)
        return NULL;
    }

  /* First, before there are threads that could read the environment. */
  if (options->takes_handed_over && !open_handed_over (self, error))
    return NULL;
  if (options->socket != NULL
      && !gmcp_socket_endpoint_listen (get_sockets (self), options->socket, error))
    return NULL;
  if (options->http_address != NULL && !open_http (self, options->http_address, NULL, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
gmcp_tasks_doors_free (GmcpTasksDoors *self)
{
  if (self->sockets != NULL)
    gmcp_socket_endpoint_close (self->sockets);
  for (guint i = 0; i < self->http->len; i++)
    gmcp_http_endpoint_close (self->http->pdata[i]);
  g_clear_object (&self->sockets);
  g_clear_object (&self->tokens);
  g_clear_object (&self->introspection);
  g_ptr_array_unref (self->http);
  g_object_unref (self->server);
  g_free (self);
}

void
gmcp_tasks_doors_announce (GmcpTasksDoors *self)
{
  g_autoptr (GPtrArray) addresses
    = self->sockets != NULL ? gmcp_socket_endpoint_list_addresses (self->sockets) : NULL;

  for (guint i = 0; addresses != NULL && i < addresses->len; i++)
    {
      const char *path = g_unix_socket_address_get_path (addresses->pdata[i]);
      g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
      g_autofree char *address = g_strconcat ("unix", strchr (uri, ':'), NULL);

      /* Translators: the address of a server */
      g_print (_ ("Serving at %s\n"), address);
    }
  for (guint i = 0; i < self->http->len; i++)
    {
      g_autofree char *uri = gmcp_http_endpoint_dup_uri (self->http->pdata[i]);

      if (uri != NULL)
        g_print (_ ("Serving at %s\n"), uri);
    }
}

static void
count_closed (GmcpTasksDoors *self)
{
  if (--self->n_closing == 0)
    self->closed (self->closed_data);
}

static void
on_http_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  gmcp_http_endpoint_close_finish (GMCP_HTTP_ENDPOINT (object), result, NULL);
  count_closed (user_data);
}

static void
on_sockets_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  gmcp_socket_endpoint_close_finish (GMCP_SOCKET_ENDPOINT (object), result, NULL);
  count_closed (user_data);
}

void
gmcp_tasks_doors_close (GmcpTasksDoors *self, void (*closed) (gpointer data), gpointer data)
{
  self->closed = closed;
  self->closed_data = data;
  self->n_closing = self->http->len + (self->sockets != NULL ? 1 : 0);
  for (guint i = 0; i < self->http->len; i++)
    gmcp_http_endpoint_close_async (self->http->pdata[i], NULL, on_http_closed, self);
  if (self->sockets != NULL)
    gmcp_socket_endpoint_close_async (self->sockets, NULL, on_sockets_closed, self);
}
