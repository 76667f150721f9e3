/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-door.h"

static guint lost_signal;

G_DEFINE_INTERFACE (GmcpdDoor, gmcpd_door, G_TYPE_OBJECT)

static void
gmcpd_door_default_init (GmcpdDoorInterface *iface)
{
  lost_signal = g_signal_new ("lost", GMCPD_TYPE_DOOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 0);
}

void
gmcpd_door_emit_lost (GmcpdDoor *self)
{
  g_signal_emit (self, lost_signal, 0);
}

void
gmcpd_door_open_async (GmcpdDoor *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  GMCPD_DOOR_GET_IFACE (self)->open_async (self, cancellable, callback, user_data);
}

gboolean
gmcpd_door_open_finish (GmcpdDoor *self, GAsyncResult *result, GError **error)
{
  return GMCPD_DOOR_GET_IFACE (self)->open_finish (self, result, error);
}

void
gmcpd_door_close_async (GmcpdDoor *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GMCPD_DOOR_GET_IFACE (self)->close_async (self, cancellable, callback, user_data);
}

gboolean
gmcpd_door_close_finish (GmcpdDoor *self, GAsyncResult *result, GError **error)
{
  return GMCPD_DOOR_GET_IFACE (self)->close_finish (self, result, error);
}
