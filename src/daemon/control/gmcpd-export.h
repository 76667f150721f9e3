/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GMCPD_TYPE_EXPORT (gmcpd_export_get_type ())

G_DECLARE_INTERFACE (GmcpdExport, gmcpd_export, GMCPD, EXPORT, GObject)

/* Objects on D-Bus that belong together, as a door puts them on a connection. */
struct _GmcpdExportInterface
{
  GTypeInterface parent_interface;

  gboolean (*add_to) (GmcpdExport *self, GDBusConnection *connection, GError **error);
  void (*remove_from) (GmcpdExport *self, GDBusConnection *connection);
  void (*drain_async) (GmcpdExport *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data);
};

gboolean gmcpd_export_add_to (GmcpdExport *self, GDBusConnection *connection, GError **error);
/* Where it is on it. */
void gmcpd_export_remove_from (GmcpdExport *self, GDBusConnection *connection);

/* Takes no more calls, and ends when those that are under way have ended. Once the cancellable is cancelled, they are,
 * and it waits no more. */
void gmcpd_export_drain_async (GmcpdExport *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
void gmcpd_export_drain_finish (GmcpdExport *self, GAsyncResult *result);

G_END_DECLS
