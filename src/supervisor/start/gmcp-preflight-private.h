/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* What a server's program needs before it is worth being started: Node.js, so far. */

/* Whether the server needs Node.js, seen with that PATH. */
gboolean gmcp_preflight_needs_node (GmcpServerConfig *config, const char *path);
/* Whether the server's program is looked for in a PATH of its own. */
gboolean gmcp_preflight_has_own_path (GmcpServerConfig *config);

/* Looks where the server would, and then where the user's login shell would. The configuration is one
 * whose variables have been filled in. */
void gmcp_preflight_async (GmcpServerConfig *config,
                           GMainContext *context,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
/* Whether the server can be started. searched is set to where Node.js is not, which is no error here, else to
 * NULL. */
gboolean gmcp_preflight_finish (GAsyncResult *result, char **searched, GError **error);

/* How to get the package that the program comes in; NULL where none is known. From the configuration as
 * it is written, since it is shown. */
char *gmcp_preflight_dup_hint (GmcpServerConfig *config);

/* The error of a server that needs Node.js, which is not in these directories. start_words follow “gmcp start
 * --foreground”. */
GError *
gmcp_preflight_node_error (GmcpServerConfig *config, const char *start_words, const char *searched);

G_END_DECLS
