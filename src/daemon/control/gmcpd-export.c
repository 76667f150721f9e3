/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-calls.h"
#include "gmcpd-export.h"

G_DEFINE_INTERFACE (GmcpdExport, gmcpd_export, G_TYPE_OBJECT)

static void
gmcpd_export_default_init (GmcpdExportInterface *iface)
{
}

gboolean
gmcpd_export_add_to (GmcpdExport *self, GDBusConnection *connection, GError **error)
{
  return GMCPD_EXPORT_GET_IFACE (self)->add_to (self, connection, error);
}

void
gmcpd_export_remove_from (GmcpdExport *self, GDBusConnection *connection)
{
  GMCPD_EXPORT_GET_IFACE (self)->remove_from (self, connection);
}

void
gmcpd_export_drain_async (GmcpdExport *self,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GMCPD_EXPORT_GET_IFACE (self)->drain_async (self, cancellable, callback, user_data);
}

void
gmcpd_export_drain_finish (GmcpdExport *self, GAsyncResult *result)
{
  gmcpd_calls_drain_finish (result);
}
