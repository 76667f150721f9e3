/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-share-door.h"

#include <gmcp/gateway/gmcp-share-point.h>

struct _GmcpdShareDoor
{
  GObject parent_instance;

  GmcpSharePoint *point;
};

static void
gmcpd_share_door_open_async (GmcpdDoor *door,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GmcpdShareDoor *self = GMCPD_SHARE_DOOR (door);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GError *error = NULL;

  g_task_set_source_tag (task, gmcpd_share_door_open_async);
  if (gmcp_share_point_open (self->point, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static gboolean
gmcpd_share_door_open_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gmcp_share_point_close_finish (GMCP_SHARE_POINT (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
gmcpd_share_door_close_async (GmcpdDoor *door,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GmcpdShareDoor *self = GMCPD_SHARE_DOOR (door);
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcpd_share_door_close_async);
  gmcp_share_point_close_async (self->point, cancellable, on_closed, task);
}

static gboolean
gmcpd_share_door_close_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gmcpd_share_door_door_init (GmcpdDoorInterface *iface)
{
  iface->open_async = gmcpd_share_door_open_async;
  iface->open_finish = gmcpd_share_door_open_finish;
  iface->close_async = gmcpd_share_door_close_async;
  iface->close_finish = gmcpd_share_door_close_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdShareDoor,
                               gmcpd_share_door,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_DOOR, gmcpd_share_door_door_init))

static void
gmcpd_share_door_finalize (GObject *object)
{
  g_clear_object (&GMCPD_SHARE_DOOR (object)->point);

  G_OBJECT_CLASS (gmcpd_share_door_parent_class)->finalize (object);
}

static void
gmcpd_share_door_class_init (GmcpdShareDoorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_share_door_finalize;
}

static void
gmcpd_share_door_init (GmcpdShareDoor *self)
{
}

GmcpdDoor *
gmcpd_share_door_new (GmcpManager *manager)
{
  GmcpdShareDoor *self = g_object_new (GMCPD_TYPE_SHARE_DOOR, NULL);

  self->point = gmcp_share_point_new (manager);
  return GMCPD_DOOR (self);
}
