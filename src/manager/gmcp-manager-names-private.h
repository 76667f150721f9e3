/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* What the names of calls mean. The role is that of the call, beside the manager's own; NULL for none. */

/* The server that a name may speak of, whatever its style: its part of the name goes up to the first
 * character that no id has. Where what follows is no single underscore, which tools have in their own
 * names too, it can speak of no other. *tool is what follows that; it may be empty. */
GmcpManagedServer *gmcp_manager_find_named_server (GmcpManager *self,
                                                   const char *name,
                                                   gboolean *sure,
                                                   const char **tool);

/* Whether a name that does not say whose tool it is may be one of this server's. */
gboolean
gmcp_manager_may_mean_server (GmcpManager *self, const char *role, GmcpManagedServer *server);
/* Whether there is such a server that was never asked for its tools; found: and that may have a tool of
 * this name besides. */
gboolean gmcp_manager_has_untried (GmcpManager *self, const char *role, const char *found);
/* Whether a server whose tools nobody knows is to be asked for a tool that nobody has. */
gboolean
gmcp_manager_may_have_unknown (GmcpManager *self, GmcpManagedServer *server, const char *name);
/* Whether the server may have a tool that another server has as well; a server that failed the last
 * time holds nobody up. */
gboolean gmcp_manager_may_have_too (GmcpManager *self, GmcpManagedServer *server, const char *tool);
/* Whether what was found is known by a bare name, which says which tool it is only when the tools of all
 * servers are known, and those of one are not. */
gboolean gmcp_manager_may_be_ambiguous (GmcpManager *self,
                                        const char *name,
                                        const char *role,
                                        const GmcpToolName *found);
/* The error for such a name that nothing was found for. */
GError *gmcp_manager_unknown_error (GmcpManager *self, const char *role, const GError *unknown);

G_END_DECLS
