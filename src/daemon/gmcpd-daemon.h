/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-door.h"
#include "gmcpd-options.h"
#include "gmcpd-runtime.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_DAEMON (gmcpd_daemon_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdDaemon, gmcpd_daemon, GMCPD, DAEMON, GObject)

/* The daemon of a session: it owns the one manager and the doors to it. Takes the runtime, and keeps the lock
 * with it. */
GmcpdDaemon *gmcpd_daemon_new (const GmcpdOptions *options, GmcpdRuntime *runtime);

GmcpManager *gmcpd_daemon_get_manager (GmcpdDaemon *self);
GmcpdRuntime *gmcpd_daemon_get_runtime (GmcpdDaemon *self);

/* Before it is opened. Where a door is lost, the signal “ended” tells that the daemon is to be closed. */
void gmcpd_daemon_add_door (GmcpdDaemon *self, GmcpdDoor *door);

/* Reads the configuration and opens the doors. */
void gmcpd_daemon_open_async (GmcpdDaemon *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean gmcpd_daemon_open_finish (GmcpdDaemon *self, GAsyncResult *result, GError **error);

/* Closes the doors, then stops the servers. Both have a time limit, so that it ends whatever they do. */
void gmcpd_daemon_close_async (GmcpdDaemon *self, GAsyncReadyCallback callback, gpointer user_data);
void gmcpd_daemon_close_finish (GmcpdDaemon *self, GAsyncResult *result);

G_END_DECLS
