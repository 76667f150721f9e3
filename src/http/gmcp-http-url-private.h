/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where a server is: http://…, https://…, or unix:///SOCKET#/PATH, which is HTTP over that socket. */
typedef struct
{
  GUri *uri;     /* of the requests; without what was said of the user */
  char *socket;  /* nullable: the socket's path */
  char *user;    /* nullable: USER:PASSWORD of the text, decoded; a secret */
  char *display; /* for messages: no user, no query */
} GmcpHttpUrl;

GmcpHttpUrl *gmcp_http_url_parse (const char *text, GError **error);
void gmcp_http_url_free (GmcpHttpUrl *url);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpUrl, gmcp_http_url_free)

gboolean gmcp_http_uri_is_same_origin (GUri *a, GUri *b);
/* Without user, query and fragment. */
char *gmcp_http_uri_dup_display (GUri *uri);

/* What a server names, relative to where it said it; NULL where that is no http or https. */
GUri *gmcp_http_uri_resolve (GUri *base, const char *reference);

G_END_DECLS
