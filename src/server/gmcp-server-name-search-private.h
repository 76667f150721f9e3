/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-late-names-private.h"
#include "gmcp-server-exchange-private.h"

G_BEGIN_DECLS

/* A name that the provider does not list, but may before long. */

/* FALSE where the name was looked for already, or the provider lists all that it has. Otherwise the request is handled
 * anew when the provider has looked. */
gboolean
gmcp_server_search_name (GmcpServerExchange *exchange, GmcpLateKind kind, const char *name);

/* The tool of that name that is not listed, and may be called all the same. Borrowed; NULL for none. */
GmcpTool *gmcp_server_search_get_unlisted (GmcpServerExchange *exchange);
/* Whether whatever is called so cannot be reached. */
gboolean gmcp_server_search_failed (GmcpServerExchange *exchange);
/* Says that nothing is called so, or why it cannot be reached; what is “tool”, or the like. */
void gmcp_server_reply_unknown (GmcpServerExchange *exchange, const char *what, GmcpJsonValue name);

G_END_DECLS
