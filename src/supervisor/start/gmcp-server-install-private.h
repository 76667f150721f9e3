/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-stdio-link-private.h"

#include <gmcp/client/gmcp-client.h>

G_BEGIN_DECLS

/* The fetching of a server's program by its own command, for one run of the server: how long it may take,
 * and how it gets on. */
typedef struct _GmcpServerInstall GmcpServerInstall;

/* The client must live until it is freed. */
GmcpServerInstall *gmcp_server_install_new (GmcpClient *client);
void gmcp_server_install_free (GmcpServerInstall *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerInstall, gmcp_server_install_free)

/* Used by the next start. */
void gmcp_server_install_set_timeout_ms (GmcpServerInstall *self, guint timeout_ms);
/* Who is told; NULL for nobody. */
void gmcp_server_install_watch (GmcpServerInstall *self, GmcpInstallFunc func, gpointer data);
/* The client is being opened. argv is what is started. */
void gmcp_server_install_begin (GmcpServerInstall *self, const char *const *argv);

G_END_DECLS
