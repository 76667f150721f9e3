/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-settings-private.h"

G_BEGIN_DECLS

/* The address of an endpoint as OAuth has it, which tokens are for, and the document that says where they are had.
 *
 * Spec: RFC 9728; RFC 8707, section 2. */

/* Whether one of these names the resource, however host and scheme are spelled. */
gboolean gmcp_http_resource_is_among (const char *resource, const char *const *audience);

/* Where the document is; NULL for a resource that is no address. */
char *gmcp_http_resource_dup_metadata_uri (const char *resource);
/* The path of that, which a proxy may have made another than the endpoint's is. */
char *gmcp_http_resource_dup_metadata_path (const char *resource);
/* Whether the document is asked for by this path. */
gboolean gmcp_http_resource_is_metadata_path (const GmcpHttpSettings *settings, const char *path);
/* JSON. NULL where there is nothing to say: nobody knows a server that gives tokens. */
char *gmcp_http_resource_describe (const char *resource, const GmcpHttpSettings *settings);

#define GMCP_HTTP_WELL_KNOWN_PATH "/.well-known/oauth-protected-resource"

G_END_DECLS
