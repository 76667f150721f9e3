/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-confinement-private.h"

G_BEGIN_DECLS

/* Has the user's systemd start a guard as the main process of a service, which limits memory and processes
 * of all that it starts and ends with it. control_fd is what gmcp_guard_spawn() gave for it, and stays the
 * caller's, who has to keep it until the end of this. Fails with GMCP_ERROR_REQUIREMENT_MISSING where there
 * is no systemd, or it does not do it. */
void gmcp_systemd_service_start_async (const GmcpConfinement *confinement,
                                       int control_fd,
                                       GMainContext *context,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean gmcp_systemd_service_start_finish (GAsyncResult *result, GError **error);

/* Whether there is a session's bus at all; else the error that the start would end with. */
gboolean gmcp_systemd_service_check (const GmcpConfinement *confinement, GError **error);

G_END_DECLS
