/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"
#include "gmcp-server-install-private.h"

G_BEGIN_DECLS

/* The fetching of a server's program. */

typedef struct _GmcpServerFetch GmcpServerFetch;

GmcpServerFetch *gmcp_server_fetch_new (GmcpManagedServer *server, GMainContext *context);
void gmcp_server_fetch_free (GmcpServerFetch *fetch);

/* Somebody waits for the start, but not for ever. */
void gmcp_managed_server_note_waiter (GTask *task);
/* A GmcpInstallFunc, for the server. */
void gmcp_managed_server_on_install (GmcpGuardInstallPhase phase,
                                     const GmcpInstaller *installer,
                                     gpointer data);
/* The start has ended, or was given up since somebody stopped the server. */
void gmcp_managed_server_forget_install (GmcpManagedServer *self, gboolean is_stopped);

G_END_DECLS
