/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-confinement-private.h"

G_BEGIN_DECLS

/* Puts a process, and what it starts from then on, into a scope of the user's systemd that limits memory
 * and processes. Fails with GMCP_ERROR_REQUIREMENT_MISSING where there is none, or it does not do it. */
void gmcp_systemd_scope_start_async (const GmcpConfinement *confinement,
                                     int pid,
                                     GMainContext *context,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean gmcp_systemd_scope_start_finish (GAsyncResult *result, GError **error);

/* Whether there is a session's bus at all; else the error that the start would end with. */
gboolean gmcp_systemd_scope_check (const GmcpConfinement *confinement, GError **error);

G_END_DECLS
