/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-soup.h"

G_BEGIN_DECLS

/* Browsers that are signed in to the dashboard. Whoever has the token of the API, or the session's D-Bus, makes a link;
 * the browser that opens it first gets a cookie, which lets it in until the daemon ends. */
typedef struct _GmcpdApiSignIn GmcpdApiSignIn;

#define GMCPD_API_SIGN_IN_ROOT "/sign-in/"

/* port: that of the API, as text. */
GmcpdApiSignIn *gmcpd_api_sign_in_new (const char *port);
void gmcpd_api_sign_in_free (GmcpdApiSignIn *self);

/* Can be used once, within the seconds. */
char *gmcpd_api_sign_in_make_link (GmcpdApiSignIn *self, guint *seconds, GError **error);

/* Answers a request for a link. */
void gmcpd_api_sign_in_serve (GmcpdApiSignIn *self,
                              const GmcpdSoup *soup,
                              SoupServerMessage *message,
                              const char *path);

/* Whether the message comes with a cookie of these; SOUP_STATUS_OK, SOUP_STATUS_UNAUTHORIZED where it has none, or why it
 * is refused. Cookies of this machine are sent to all its ports, and from all of them to this one. So a cookie alone is
 * not enough: the page itself has to send the request, and a process of this user. */
guint gmcpd_api_sign_in_check (GmcpdApiSignIn *self,
                               const GmcpdSoup *soup,
                               SoupServerMessage *message,
                               const char **detail);

G_END_DECLS
