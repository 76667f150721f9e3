/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-door.h"

G_DEFINE_INTERFACE (GmcpdDoor, gmcpd_door, G_TYPE_OBJECT)

static void
gmcpd_door_default_init (GmcpdDoorInterface *iface)
{
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
