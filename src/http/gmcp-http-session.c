/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-session-private.h"

#include <gio/gunixsocketaddress.h>
#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

static GTlsDatabase *
open_ca_file (const char *ca_file, GError **error)
{
  g_autoptr (GError) why = NULL;
  GTlsDatabase *database = g_tls_file_database_new (ca_file, &why);

  if (database == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 /* Translators: a file name, an error message */
                 _ ("The file of trusted certificates “%s” cannot be used: %s"), ca_file,
                 why->message);
  return database;
}

GmcpHttpSession *
gmcp_http_session_new (GMainContext *context,
                       const GmcpHttpUrl *url,
                       const char *ca_file,
                       const char *const *redirect_origins,
                       GError **error)
{
  g_autoptr (GmcpHttpRedirectRule) redirects = NULL;
  g_autoptr (GTlsDatabase) database = NULL;
  g_autoptr (GSocketConnectable) peer = NULL;
  const GmcpSoup *soup = gmcp_soup_load (error);
  GmcpHttpSession *session;

  if (soup == NULL)
    return NULL;
  if (ca_file != NULL)
    {
      database = open_ca_file (ca_file, error);
      if (database == NULL)
        return NULL;
    }
  redirects = gmcp_http_redirect_rule_new (url->uri, redirect_origins, error);
  if (redirects == NULL)
    return NULL;
  if (url->socket != NULL)
    peer = G_SOCKET_CONNECTABLE (g_unix_socket_address_new (url->socket));

  session = g_new0 (GmcpHttpSession, 1);
  g_ref_count_init (&session->ref_count);
  session->soup = soup;
  session->context = g_main_context_ref (context);
  session->fixed_peer = peer != NULL;
  session->redirects = g_steal_pointer (&redirects);

  /* libsoup's own limits, two connections a host, are used up by two streams. An idle connection
   * is dropped before the usual server drops it (five seconds), so that hardly a request ever
   * meets one that is just being closed. Requests have their time limits elsewhere. */
  g_main_context_push_thread_default (context);
  session->connections = g_object_new (
    soup->session_get_type (), "max-conns", GMCP_LIMIT_HTTP_CONNECTIONS, "max-conns-per-host",
    GMCP_LIMIT_HTTP_CONNECTIONS, "idle-timeout", GMCP_DEFAULT_HTTP_IDLE_S, "timeout", 0,
    "user-agent", "gmcp/" GMCP_VERSION, "remote-connectable", peer, NULL);
  g_main_context_pop_thread_default (context);

  /* The system's is the default, and loaded only when it is needed. */
  if (database != NULL)
    soup->session_set_tls_database (session->connections, database);
  /* A socket is reached as it is. */
  if (peer != NULL)
    soup->session_set_proxy_resolver (session->connections, NULL);
  /* Credentials are sent by who knows them, and only where they belong. */
  soup->session_remove_feature_by_type (session->connections, soup->auth_manager_get_type ());

  return session;
}

GmcpHttpSession *
gmcp_http_session_ref (GmcpHttpSession *session)
{
  g_ref_count_inc (&session->ref_count);
  return session;
}

void
gmcp_http_session_unref (GmcpHttpSession *session)
{
  if (!g_ref_count_dec (&session->ref_count))
    return;

  g_object_unref (session->connections);
  g_main_context_unref (session->context);
  gmcp_http_redirect_rule_free (session->redirects);
  g_free (session);
}

void
gmcp_http_session_close (GmcpHttpSession *session)
{
  g_main_context_push_thread_default (session->context);
  session->soup->session_abort (session->connections);
  g_main_context_pop_thread_default (session->context);
}
