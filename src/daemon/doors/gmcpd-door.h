/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GMCPD_TYPE_DOOR (gmcpd_door_get_type ())

G_DECLARE_INTERFACE (GmcpdDoor, gmcpd_door, GMCPD, DOOR, GObject)

/* A way into the daemon: the session bus, a socket, HTTP. The daemon opens its doors once it has read the
 * configuration, one after the other, and closes them together before it stops the servers. */
struct _GmcpdDoorInterface
{
  GTypeInterface parent_interface;

  /* Begins to let in. A door that fails keeps the daemon from starting. */
  void (*open_async) (GmcpdDoor *self,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
  gboolean (*open_finish) (GmcpdDoor *self, GAsyncResult *result, GError **error);

  /* Lets nobody in any more, and ends when what is under way has ended. Once the cancellable is cancelled, it
   * does not wait for that. A door that was not opened can be closed, too. */
  void (*close_async) (GmcpdDoor *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data);
  gboolean (*close_finish) (GmcpdDoor *self, GAsyncResult *result, GError **error);
};

/* The signal “lost”: what the door leads to is over, such as the session with its bus, and so is the daemon. */
void gmcpd_door_emit_lost (GmcpdDoor *self);

void gmcpd_door_open_async (GmcpdDoor *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean gmcpd_door_open_finish (GmcpdDoor *self, GAsyncResult *result, GError **error);

void gmcpd_door_close_async (GmcpdDoor *self,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean gmcpd_door_close_finish (GmcpdDoor *self, GAsyncResult *result, GError **error);

G_END_DECLS
