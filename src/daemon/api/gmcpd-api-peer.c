/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gmcpd-api-peer.h"

/* The connections over IPv4 of this machine, both ends of each, with who owns the socket. One that no process has open
 * any more has the inode 0, and belongs to nobody, whom the table calls root. */
#define TABLE "/proc/net/tcp"

/* As the table has an address: the bytes in the order of the network read as a number of this machine. */
static gboolean
read_address (GSocketAddress *address, guint *host, guint *port)
{
  GInetSocketAddress *inet;
  GInetAddress *ip;

  if (!G_IS_INET_SOCKET_ADDRESS (address))
    return FALSE;
  inet = G_INET_SOCKET_ADDRESS (address);
  ip = g_inet_socket_address_get_address (inet);
  if (g_inet_address_get_family (ip) != G_SOCKET_FAMILY_IPV4)
    return FALSE;
  memcpy (host, g_inet_address_to_bytes (ip), sizeof *host);
  *port = g_inet_socket_address_get_port (inet);
  return TRUE;
}

/* FALSE where no process is at that end. */
static gboolean
find_owner (guint host, guint port, guint own_host, guint own_port, uid_t *owner)
{
  g_autofree char *table = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (TABLE, &table, NULL, NULL))
    return FALSE;

  lines = g_strsplit (table, "\n", -1);
  for (guint i = 1; lines[i] != NULL; i++)
    {
      guint local;
      guint local_port;
      guint remote;
      guint remote_port;
      guint uid;
      gulong inode;

      if (sscanf (lines[i], "%*u: %8X:%4X %8X:%4X %*2X %*8X:%*8X %*2X:%*8X %*8X %u %*u %lu", &local,
                  &local_port, &remote, &remote_port, &uid, &inode)
            == 6
          && local == host && local_port == port && remote == own_host && remote_port == own_port)
        {
          *owner = uid;
          return inode != 0;
        }
    }
  return FALSE;
}

gboolean
gmcpd_api_peer_is_own_user (const GmcpdSoup *soup, SoupServerMessage *message)
{
  guint host;
  guint port;
  guint own_host;
  guint own_port;
  uid_t owner;

  return read_address (soup->server_message_get_remote_address (message), &host, &port)
         && read_address (soup->server_message_get_local_address (message), &own_host, &own_port)
         && find_owner (host, port, own_host, own_port, &owner) && owner == geteuid ();
}
