/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-soup.h"

G_BEGIN_DECLS

/* The port that the API listens at, of this machine only, and its connections. */
typedef struct _GmcpdApiListener GmcpdApiListener;

/* 0 for any port. Connections go to the server. */
GmcpdApiListener *
gmcpd_api_listener_new (const GmcpdSoup *soup, SoupServer *http, guint16 port, GError **error);
void gmcpd_api_listener_free (GmcpdApiListener *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpdApiListener, gmcpd_api_listener_free)

guint16 gmcpd_api_listener_get_port (GmcpdApiListener *self);
/* Accepts no more connections. Those that are there stay. */
void gmcpd_api_listener_stop (GmcpdApiListener *self);

/* The client has shown that it may be here: others give way to it. */
void gmcpd_api_listener_trust (const GmcpdSoup *soup, SoupServerMessage *message);
/* Cuts the connection off, whatever is on its way. */
void gmcpd_api_listener_cut_off (const GmcpdSoup *soup, SoupServerMessage *message);
/* Where nobody can know where the next request begins: an answer of 400, and the end of the connection. */
void
gmcpd_api_listener_reject (const GmcpdSoup *soup, SoupServerMessage *message, const char *detail);

/* Calls the function once when the client has closed its connection. Free the source with g_source_destroy() and
 * g_source_unref(); NULL where the connection is gone. */
GSource *gmcpd_api_listener_watch (const GmcpdSoup *soup,
                                   SoupServerMessage *message,
                                   GSourceOnceFunc func,
                                   gpointer data);

G_END_DECLS
