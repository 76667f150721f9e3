/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-visible-text.h>

#include "gmcpd-door-switch.h"

struct _GmcpdDoorSwitch
{
  GObject parent_instance;

  GmcpdDoorMaker make_door;
  gpointer data;
  GDestroyNotify free_data;
  gboolean is_required;
  GmcpdDoor *door;
  gboolean is_in_use;     /* from the daemon's opening to its closing */
  gboolean is_opening;    /* a door, be it the present one or the one before */
  guint n_pending;        /* doors that are being opened or closed */
  GCancellable *opening;  /* of doors that are opened later on; cancelled when the daemon ends */
  GCancellable *draining; /* cancelled when nothing is waited for any more */
  GTask *closing;         /* until nothing is pending */
};

static void gmcpd_door_switch_init_door (GmcpdDoorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdDoorSwitch,
                               gmcpd_door_switch,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_DOOR, gmcpd_door_switch_init_door))

static void
gmcpd_door_switch_finalize (GObject *object)
{
  GmcpdDoorSwitch *self = GMCPD_DOOR_SWITCH (object);

  g_object_unref (self->door);
  self->free_data (self->data);
  g_object_unref (self->opening);
  g_object_unref (self->draining);

  G_OBJECT_CLASS (gmcpd_door_switch_parent_class)->finalize (object);
}

static void
gmcpd_door_switch_class_init (GmcpdDoorSwitchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_door_switch_finalize;
}

static void
gmcpd_door_switch_init (GmcpdDoorSwitch *self)
{
  self->opening = g_cancellable_new ();
  self->draining = g_cancellable_new ();
}

GmcpdDoorSwitch *
gmcpd_door_switch_new (GmcpdDoorMaker make_door,
                       gpointer data,
                       GDestroyNotify free_data,
                       gboolean is_required)
{
  GmcpdDoorSwitch *self = g_object_new (GMCPD_TYPE_DOOR_SWITCH, NULL);

  self->make_door = make_door;
  self->data = data;
  self->free_data = free_data;
  self->is_required = is_required;
  self->door = make_door (data);
  return self;
}

GmcpdDoor *
gmcpd_door_switch_get_door (GmcpdDoorSwitch *self)
{
  return self->door;
}

static void
end_pending (GmcpdDoorSwitch *self)
{
  g_autoptr (GTask) task = NULL;

  self->n_pending--;
  if (self->closing == NULL || self->n_pending > 0)
    return;

  task = g_steal_pointer (&self->closing);
  g_task_return_boolean (task, TRUE);
}

static void
on_door_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpdDoorSwitch) self = user_data;

  gmcpd_door_close_finish (GMCPD_DOOR (object), result, NULL);
  end_pending (self);
}

static void
close_door (GmcpdDoorSwitch *self, GmcpdDoor *door)
{
  self->n_pending++;
  gmcpd_door_close_async (door, self->draining, on_door_closed, g_object_ref (self));
}

/* A door on its way, and who waits for it. */
typedef struct
{
  GmcpdDoorSwitch *owner;
  GTask *task; /* of the daemon's opening, where it waits for the door; or NULL */
} Opening;

static void open_door (GmcpdDoorSwitch *self, GTask *task);

static void
tell_failure (const GError *error)
{
  g_autofree char *visible = gmcp_dup_visible_text (error->message);

  g_printerr ("gmcpd: %s\n", visible);
}

static void
finish_opening (GmcpdDoorSwitch *self, GTask *task, GError *error)
{
  g_autoptr (GError) failure = error;
  gboolean was_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  if (task != NULL && error != NULL)
    g_task_return_error (task, g_steal_pointer (&failure));
  else if (task != NULL)
    g_task_return_boolean (task, TRUE);
  else if (error != NULL && !was_cancelled && self->is_in_use)
    tell_failure (error);
}

static void
on_door_opened (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autofree Opening *opening = user_data;
  g_autoptr (GmcpdDoorSwitch) self = opening->owner;
  g_autoptr (GTask) task = opening->task;
  GmcpdDoor *door = GMCPD_DOOR (object);
  GError *error = NULL;
  gboolean is_open = gmcpd_door_open_finish (door, result, &error);

  self->is_opening = FALSE;
  if (is_open && (door != self->door || !self->is_in_use))
    close_door (self, door);
  if (door != self->door && self->is_in_use)
    {
      g_clear_error (&error);
      open_door (self, g_steal_pointer (&task));
    }
  else
    finish_opening (self, task, error);
  end_pending (self);
}

/* Takes the task. */
static void
open_door (GmcpdDoorSwitch *self, GTask *task)
{
  Opening *opening = g_new (Opening, 1);

  *opening = (Opening){ g_object_ref (self), task };
  self->is_opening = TRUE;
  self->n_pending++;
  gmcpd_door_open_async (self->door, task != NULL ? g_task_get_cancellable (task) : self->opening,
                         on_door_opened, opening);
}

void
gmcpd_door_switch_renew (GmcpdDoorSwitch *self)
{
  g_autoptr (GmcpdDoor) last = g_steal_pointer (&self->door);

  self->door = self->make_door (self->data);
  if (!self->is_in_use || self->is_opening)
    return;
  close_door (self, last);
  open_door (self, NULL);
}

static void
gmcpd_door_switch_open_async (GmcpdDoor *door,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GmcpdDoorSwitch *self = GMCPD_DOOR_SWITCH (door);
  g_autoptr (GTask) task = g_task_new (door, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcpd_door_switch_open_async);
  self->is_in_use = TRUE;
  if (self->is_required)
    {
      open_door (self, g_steal_pointer (&task));
      return;
    }
  open_door (self, NULL);
  g_task_return_boolean (task, TRUE);
}

static gboolean
gmcpd_door_switch_open_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gmcpd_door_switch_close_async (GmcpdDoor *door,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GmcpdDoorSwitch *self = GMCPD_DOOR_SWITCH (door);

  self->closing = g_task_new (door, NULL, callback, user_data);
  g_task_set_source_tag (self->closing, gmcpd_door_switch_close_async);
  self->is_in_use = FALSE;
  g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (g_cancellable_cancel),
                           self->draining, G_CONNECT_SWAPPED);
  g_cancellable_cancel (self->opening);
  close_door (self, self->door);
}

static gboolean
gmcpd_door_switch_close_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gmcpd_door_switch_init_door (GmcpdDoorInterface *iface)
{
  iface->open_async = gmcpd_door_switch_open_async;
  iface->open_finish = gmcpd_door_switch_open_finish;
  iface->close_async = gmcpd_door_switch_close_async;
  iface->close_finish = gmcpd_door_switch_close_finish;
}
