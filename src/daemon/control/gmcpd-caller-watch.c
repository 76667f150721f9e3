/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-caller-watch.h"

struct _GmcpdCallerWatch
{
  GDBusConnection *connection;
  char *name; /* NULL without a bus */
  void (*gone) (gpointer data);
  gpointer data;
  gulong closed_id;
  guint watch_id;
};

static const char *
get_caller (GDBusMethodInvocation *invocation)
{
  GDBusConnection *connection = g_dbus_method_invocation_get_connection (invocation);

  return g_dbus_connection_get_unique_name (connection) != NULL
           ? g_dbus_method_invocation_get_sender (invocation)
           : NULL;
}

static void
on_connection_closed (GmcpdCallerWatch *self)
{
  self->gone (self->data);
}

static void
on_name_vanished (GDBusConnection *connection, const char *name, gpointer user_data)
{
  GmcpdCallerWatch *self = user_data;

  self->gone (self->data);
}

GmcpdCallerWatch *
gmcpd_caller_watch_new (GDBusMethodInvocation *invocation,
                        void (*gone) (gpointer data),
                        gpointer data)
{
  GmcpdCallerWatch *self = g_new0 (GmcpdCallerWatch, 1);

  self->connection = g_object_ref (g_dbus_method_invocation_get_connection (invocation));
  self->name = g_strdup (get_caller (invocation));
  self->gone = gone;
  self->data = data;
  self->closed_id = g_signal_connect_swapped (self->connection, "closed",
                                              G_CALLBACK (on_connection_closed), self);
  if (self->name != NULL)
    self->watch_id
      = g_bus_watch_name_on_connection (self->connection, self->name, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                        NULL, on_name_vanished, self, NULL);
  return self;
}

void
gmcpd_caller_watch_free (GmcpdCallerWatch *self)
{
  g_clear_signal_handler (&self->closed_id, self->connection);
  if (self->watch_id != 0)
    g_bus_unwatch_name (self->watch_id);
  g_object_unref (self->connection);
  g_free (self->name);
  g_free (self);
}

GDBusConnection *
gmcpd_caller_watch_get_connection (GmcpdCallerWatch *self)
{
  return self->connection;
}

const char *
gmcpd_caller_watch_get_name (GmcpdCallerWatch *self)
{
  return self->name;
}

gboolean
gmcpd_caller_watch_is_of (GmcpdCallerWatch *self, GDBusMethodInvocation *invocation)
{
  return g_dbus_method_invocation_get_connection (invocation) == self->connection
         && g_strcmp0 (get_caller (invocation), self->name) == 0;
}
