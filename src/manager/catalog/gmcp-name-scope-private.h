/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-table-private.h"
#include "gmcp-tool-access-private.h"
#include "gmcp-tool-names-private.h"

G_BEGIN_DECLS

/* Which servers the name of a call may mean, as long as the tools of some are not known. The role is that of the
 * call, beside the one of all calls; NULL for none. */
typedef struct
{
  GmcpServerTable *servers;
  GmcpToolAccess *access;
  /* Whether the server's tools are listed. */
  gboolean (*includes_server) (GmcpManagedServer *server, gpointer owner);
  gpointer owner;
} GmcpNameScope;

/* The server that a name may speak of, whatever its style: its part of the name goes up to the first
 * character that no id has. Where what follows is no single underscore, which tools have in their own
 * names too, it can speak of no other, and *is_sure is set. *tool is what follows that; it may be empty. */
GmcpManagedServer *gmcp_name_scope_find_server (const GmcpNameScope *scope,
                                                const char *name,
                                                gboolean *is_sure,
                                                const char **tool);

/* Whether a name that does not say whose tool it is may be one of this server's. */
gboolean gmcp_name_scope_has_server (const GmcpNameScope *scope,
                                     const char *role,
                                     GmcpManagedServer *server);
/* Whether a server whose tools nobody knows is to be asked for a tool that nobody has. */
gboolean gmcp_name_scope_may_have_unknown (const GmcpNameScope *scope,
                                           GmcpManagedServer *server,
                                           const char *name);
/* Whether such a server is to be asked for a tool that another server has. One that failed the last time holds
 * nobody up. */
gboolean gmcp_name_scope_may_have_too (const GmcpNameScope *scope,
                                       GmcpManagedServer *server,
                                       const char *tool);
/* Whether there is a server that was never asked for its tools; found: and that may have a tool of this name
 * besides. */
gboolean
gmcp_name_scope_has_untried (const GmcpNameScope *scope, const char *role, const char *found);
/* Whether what was found is known by a bare name, which says which tool it is only when the tools of all
 * servers are known, and those of one are not. */
gboolean gmcp_name_scope_is_unclear (const GmcpNameScope *scope,
                                     const char *name,
                                     const char *role,
                                     const GmcpToolName *found);
/* How many servers did not start, and may have the tool. */
guint gmcp_name_scope_count_failed (const GmcpNameScope *scope, const char *role);

G_END_DECLS
