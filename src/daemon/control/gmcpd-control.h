/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

#define GMCPD_TYPE_CONTROL (gmcpd_control_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdControl, gmcpd_control, GMCPD, CONTROL, GObject)

/* The manager and its servers as objects on D-Bus, on as many connections as there are. */
GmcpdControl *gmcpd_control_new (GmcpManager *manager);

gboolean gmcpd_control_export (GmcpdControl *self, GDBusConnection *connection, GError **error);
void gmcpd_control_unexport (GmcpdControl *self, GDBusConnection *connection);

/* Takes no more calls, and ends when those that are under way have ended. Once the cancellable is cancelled, they are,
 * and it waits no more. */
void gmcpd_control_drain_async (GmcpdControl *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
void gmcpd_control_drain_finish (GmcpdControl *self, GAsyncResult *result);

G_END_DECLS
