/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-soup-server-private.h"

#include "gmcp-http-connections-private.h"

#include <string.h>
#include <sys/socket.h>

#define SONAME     "libsoup-3.0.so.0"

#define NAME(name) "soup_" #name,

const GmcpSoupServer *
gmcp_soup_server_load (GError **error)
{
  static const char *const names[] = { GMCP_SOUP_SERVER_FUNCTIONS (NAME) NULL };
  static GmcpSoupServer functions;
  static GmcpLibrary library = { SONAME, names, (gpointer *) &functions, 0 };

  return gmcp_library_load (&library, error) ? &functions : NULL;
}

void
gmcp_soup_server_reset_socket (GSocket *socket)
{
  const struct linger reset = { .l_onoff = 1 };

  /* Else a peer that is about to send more may never hear of it. */
  setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  g_socket_shutdown (socket, TRUE, TRUE, NULL);
}

char *
gmcp_soup_server_dup_peer (const GmcpSoupServer *soup, SoupServerMessage *message)
{
  GmcpHttpConnection *connection = gmcp_http_connection_find (soup, message);
  const char *peer = connection != NULL ? gmcp_http_connection_get_peer (connection) : NULL;
  GSocket *socket = gmcp_http_connection_get_socket (soup, message);
  g_autoptr (GSocketAddress) address
    = socket != NULL ? g_socket_get_remote_address (socket, NULL) : NULL;

  if (peer != NULL)
    return g_strdup (peer);
  if (address == NULL || !G_IS_INET_SOCKET_ADDRESS (address))
    return g_strdup ("");
  return g_inet_address_to_string (
    g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));
}
