/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-url-private.h"

G_BEGIN_DECLS

/* The one rule of where a redirection may lead. What is sent for a server goes to the origin that is
 * configured for it, and to those that its configuration allows beside; a document that holds nothing
 * of the user's may come from any origin. Nothing goes to an address of this machine or of a network that is not on
 * the internet, unless that address itself is configured. */
typedef struct _GmcpHttpRedirectRule GmcpHttpRedirectRule;

typedef enum
{
  GMCP_HTTP_REDIRECT_MESSAGE,
  GMCP_HTTP_REDIRECT_DOCUMENT,
} GmcpHttpRedirectPurpose;

/* origins: nullable; those allowed beside the one of home. */
GmcpHttpRedirectRule *
gmcp_http_redirect_rule_new (GUri *home, const char *const *origins, GError **error);
void gmcp_http_redirect_rule_free (GmcpHttpRedirectRule *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpRedirectRule, gmcp_http_redirect_rule_free)

/* Whether a URI is of the origin that credentials belong to. */
gboolean gmcp_http_redirect_rule_is_home (GmcpHttpRedirectRule *self, GUri *uri);

/* Where a redirection leads; NULL with an error for one that is not followed. */
GUri *gmcp_http_redirect_rule_follow (GmcpHttpRedirectRule *self,
                                      GmcpHttpRedirectPurpose purpose,
                                      GUri *from,
                                      const char *method,
                                      guint status,
                                      const char *location,
                                      GError **error);

/* For what is away from home, once it is known which address its host has, and before anything is sent
 * there: a name can mean any address. Behind a proxy only an address that is written as one is known. */
gboolean gmcp_http_redirect_rule_check_address (GmcpHttpRedirectRule *self,
                                                GUri *uri,
                                                GSocketAddress *address,
                                                GError **error);

/* Scheme, host and perhaps port, and nothing else. */
gboolean gmcp_http_origin_is_valid (const char *text);

G_END_DECLS
