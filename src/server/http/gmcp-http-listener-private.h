/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-watch-private.h"
#include "gmcp-soup-server-private.h"

G_BEGIN_DECLS

/* Takes the clients of a SoupServer before libsoup does, which listens to nobody any more once it has failed to
 * take one, and has only ten wait. */
typedef struct _GmcpHttpListener GmcpHttpListener;

typedef struct
{
  void (*take) (GSocket *socket, gpointer data);
  /* There are no descriptors left. FALSE: none could be closed. */
  gboolean (*make_room) (gpointer data);
} GmcpHttpListenerFuncs;

/* On all sockets that http listens on now. */
GmcpHttpListener *gmcp_http_listener_new (const GmcpSoupServer *soup,
                                          SoupServer *http,
                                          GmcpHttpWatch *watch,
                                          const GmcpHttpListenerFuncs *funcs,
                                          gpointer data);
/* Whoever wants to connect from now on is told by the system that nobody listens. */
void gmcp_http_listener_shut (GmcpHttpListener *self);
void gmcp_http_listener_free (GmcpHttpListener *self);

G_END_DECLS
