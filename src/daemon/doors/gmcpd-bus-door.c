/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcpd-bus-door.h"

/* Of the method RequestName. */
#define NAME_FLAG_DO_NOT_QUEUE   4u
#define NAME_REPLY_PRIMARY_OWNER 1u

struct _GmcpdBusDoor
{
  GObject parent_instance;

  GmcpdExport *export;
  const char *name;
  GDBusConnection *bus; /* NULL: there is none */
  gulong closed_id;
};

static void gmcpd_bus_door_init_door (GmcpdDoorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdBusDoor,
                               gmcpd_bus_door,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_DOOR, gmcpd_bus_door_init_door))

static void
gmcpd_bus_door_finalize (GObject *object)
{
  GmcpdBusDoor *self = GMCPD_BUS_DOOR (object);

  if (self->bus != NULL)
    g_clear_signal_handler (&self->closed_id, self->bus);
  g_clear_object (&self->bus);
  g_object_unref (self->export);

  G_OBJECT_CLASS (gmcpd_bus_door_parent_class)->finalize (object);
}

static void
gmcpd_bus_door_class_init (GmcpdBusDoorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_bus_door_finalize;
}

static void
gmcpd_bus_door_init (GmcpdBusDoor *self)
{
}

GmcpdDoor *
gmcpd_bus_door_new (GmcpdExport *export, const char *name)
{
  GmcpdBusDoor *self = g_object_new (GMCPD_TYPE_BUS_DOOR, NULL);

  self->export = g_object_ref (export);
  self->name = name;
  return GMCPD_DOOR (self);
}

/* NULL where there is none. None is started for that. */
static char *
find_address (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);
  g_autofree char *escaped = NULL;

  if (address != NULL && *address != '\0')
    return g_strdup (address);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  escaped = g_dbus_address_escape_value (path);
  return g_strconcat ("unix:path=", escaped, NULL);
}

/* The session is over with its bus. */
static void
on_bus_closed (GmcpdBusDoor *self)
{
  gmcpd_door_emit_lost (GMCPD_DOOR (self));
}

static void
on_name_requested (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GVariant) reply = NULL;
  guint32 code = 0;
  GError *error = NULL;

  reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  if (reply != NULL)
    g_variant_get (reply, "(u)", &code);
  if (error != NULL)
    g_task_return_error (task, error);
  else if (code != NAME_REPLY_PRIMARY_OWNER)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_EXISTS,
                             /* Translators: a name on D-Bus */
                             _ ("Another program has the name %s on the session bus"),
                             ((GmcpdBusDoor *) g_task_get_source_object (task))->name);
  else
    g_task_return_boolean (task, TRUE);
}

/* The objects are there before the name is, which is what callers wait for. */
static void
use_bus (GTask *task, GDBusConnection *bus)
{
  GmcpdBusDoor *self = g_task_get_source_object (task);
  GError *error = NULL;

  self->bus = g_object_ref (bus);
  self->closed_id = g_signal_connect_swapped (bus, "closed", G_CALLBACK (on_bus_closed), self);
  if (!gmcpd_export_add_to (self->export, bus, &error))
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  g_dbus_connection_call (
    bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
    g_variant_new ("(su)", self->name, NAME_FLAG_DO_NOT_QUEUE), G_VARIANT_TYPE ("(u)"),
    G_DBUS_CALL_FLAGS_NONE, -1, g_task_get_cancellable (task), on_name_requested, task);
}

static void
on_connected (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_dbus_connection_new_for_address_finish (result, &error);

  if (bus != NULL)
    {
      use_bus (g_steal_pointer (&task), bus);
      return;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  /* Translators: why */
  g_printerr (_ ("gmcpd: the session bus cannot be reached, which leaves the socket: %s\n"),
              error->message);
  g_task_return_boolean (task, TRUE);
}

static void
gmcpd_bus_door_open_async (GmcpdDoor *door,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (door, cancellable, callback, user_data);
  g_autofree char *address = find_address ();

  g_task_set_source_tag (task, gmcpd_bus_door_open_async);
  if (address == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  /* A connection of its own for each name: whoever a proxy lets talk to one of two names on a connection, it lets talk
   * to the other. */
  g_dbus_connection_new_for_address (address,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                       | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                     NULL, cancellable, on_connected, g_steal_pointer (&task));
}

static void
on_bus_ended (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_dbus_connection_close_finish (G_DBUS_CONNECTION (object), result, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
on_flushed (GObject *object, GAsyncResult *result, gpointer task)
{
  g_dbus_connection_flush_finish (G_DBUS_CONNECTION (object), result, NULL);
  g_dbus_connection_close (G_DBUS_CONNECTION (object), NULL, on_bus_ended, task);
}

static void
on_drained (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpdBusDoor *self = g_task_get_source_object (task);

  gmcpd_export_drain_finish (self->export, result);
  gmcpd_export_remove_from (self->export, self->bus);
  g_clear_signal_handler (&self->closed_id, self->bus);
  /* With what was answered last. */
  g_dbus_connection_flush (self->bus, NULL, on_flushed, g_steal_pointer (&task));
}

static void
gmcpd_bus_door_close_async (GmcpdDoor *door,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GmcpdBusDoor *self = GMCPD_BUS_DOOR (door);
  g_autoptr (GTask) task = g_task_new (door, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcpd_bus_door_close_async);
  if (self->bus == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  gmcpd_export_drain_async (self->export, cancellable, on_drained, g_steal_pointer (&task));
}

static gboolean
gmcpd_bus_door_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gmcpd_bus_door_init_door (GmcpdDoorInterface *iface)
{
  iface->open_async = gmcpd_bus_door_open_async;
  iface->open_finish = gmcpd_bus_door_finish;
  iface->close_async = gmcpd_bus_door_close_async;
  iface->close_finish = gmcpd_bus_door_finish;
}
