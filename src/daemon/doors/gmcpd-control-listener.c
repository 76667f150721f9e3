/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gmcpd-control-listener.h"
#include "gmcpd-gate.h"
#include "gmcpd-names.h"

/* Connections, and those of them that have not said yet who they are; each of these keeps a thread of GLib's pool, so
 * that others wait before they are accepted. */
#define MAX_CONNECTIONS    256
#define MAX_AUTHENTICATING 4
#define AUTHENTICATION_MS  10000

/* Linux 6.5; the C library of Debian 12 has no name for it. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

struct _GmcpdControlListener
{
  GObject parent_instance;

  GmcpdExport *control;
  char *path;
  GSocket *socket; /* that somebody else has opened; or NULL */
  char *guid;
  GSocketService *service; /* NULL until it is open */
  GPtrArray *connections;  /* of GDBusConnection */
  guint n_authenticating;
  gboolean is_closing;
};

static void gmcpd_control_listener_init_door (GmcpdDoorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdControlListener,
                               gmcpd_control_listener,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_DOOR,
                                                      gmcpd_control_listener_init_door))

static void
gmcpd_control_listener_finalize (GObject *object)
{
  GmcpdControlListener *self = GMCPD_CONTROL_LISTENER (object);

  g_ptr_array_unref (self->connections);
  g_clear_object (&self->service);
  g_clear_object (&self->socket);
  g_object_unref (self->control);
  g_free (self->guid);
  g_free (self->path);

  G_OBJECT_CLASS (gmcpd_control_listener_parent_class)->finalize (object);
}

static void
gmcpd_control_listener_class_init (GmcpdControlListenerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_control_listener_finalize;
}

static void
gmcpd_control_listener_init (GmcpdControlListener *self)
{
  self->connections = g_ptr_array_new_with_free_func (g_object_unref);
  self->guid = g_dbus_generate_guid ();
}

GmcpdDoor *
gmcpd_control_listener_new (GmcpdExport *control, const char *path, GSocket *socket)
{
  GmcpdControlListener *self = g_object_new (GMCPD_TYPE_CONTROL_LISTENER, NULL);

  self->control = g_object_ref (control);
  self->path = g_strdup (path);
  self->socket = socket != NULL ? g_object_ref (socket) : NULL;
  return GMCPD_DOOR (self);
}

/* Who connects */

static gboolean
check_peer (GSocketConnection *stream)
{
  GSocket *socket = g_socket_connection_get_socket (stream);
  g_autoptr (GCredentials) credentials = g_socket_get_credentials (socket, NULL);
  g_autoptr (GError) refusal = NULL;
  int pidfd = -1;
  socklen_t length = sizeof pidfd;
  int pid;

  if (credentials == NULL || g_credentials_get_unix_user (credentials, NULL) != geteuid ())
    return FALSE;

  pid = (int) g_credentials_get_unix_pid (credentials, NULL);
  if (getsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) != 0)
    pidfd = -1;
  refusal = gmcpd_gate_refuse (pid > 0 ? gmcpd_sandbox_look_up (pid, pidfd, NULL)
                                       : GMCPD_SANDBOX_UNKNOWN);
  if (pidfd >= 0)
    close (pidfd);
  return refusal == NULL;
}

static void
on_connection_closed (GDBusConnection *connection,
                      gboolean by_peer,
                      GError *error,
                      GmcpdControlListener *self)
{
  gmcpd_export_remove_from (self->control, connection);
  g_ptr_array_remove_fast (self->connections, connection);
}

/* One that says who it is, within a time limit. */
typedef struct
{
  GmcpdControlListener *listener;
  GCancellable *cancellable;
  GSource *limit;
} Authentication;

static gboolean
on_authentication_limit (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static Authentication *
authentication_new (GmcpdControlListener *listener)
{
  Authentication *self = g_new (Authentication, 1);

  self->listener = g_object_ref (listener);
  self->cancellable = g_cancellable_new ();
  self->limit = g_timeout_source_new (AUTHENTICATION_MS);
  g_source_set_static_name (self->limit, "[gmcpd] time to authenticate");
  g_source_set_callback (self->limit, on_authentication_limit, self->cancellable, NULL);
  g_source_attach (self->limit, g_main_context_get_thread_default ());
  return self;
}

static void
authentication_free (Authentication *self)
{
  g_source_destroy (self->limit);
  g_source_unref (self->limit);
  g_object_unref (self->cancellable);
  g_object_unref (self->listener);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Authentication, authentication_free)

static void
add_connection (GmcpdControlListener *self, GDBusConnection *connection)
{
  if (!gmcpd_export_add_to (self->control, connection, NULL))
    {
      g_dbus_connection_close (connection, NULL, NULL, NULL);
      return;
    }
  g_ptr_array_add (self->connections, g_object_ref (connection));
  g_signal_connect_object (connection, "closed", G_CALLBACK (on_connection_closed), self, 0);
  g_dbus_connection_start_message_processing (connection);
}

static void
on_authenticated (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Authentication) authentication = user_data;
  GmcpdControlListener *self = authentication->listener;
  g_autoptr (GDBusConnection) connection = g_dbus_connection_new_finish (result, NULL);

  self->n_authenticating--;
  if (!self->is_closing)
    g_socket_service_start (self->service);
  if (connection == NULL)
    return;

  if (self->is_closing || self->connections->len >= MAX_CONNECTIONS)
    g_dbus_connection_close (connection, NULL, NULL, NULL);
  else
    add_connection (self, connection);
}

static gboolean
on_incoming (GSocketService *service,
             GSocketConnection *stream,
             GObject *source,
             GmcpdControlListener *self)
{
  Authentication *authentication;

  if (!check_peer (stream))
    return TRUE;

  if (++self->n_authenticating >= MAX_AUTHENTICATING)
    g_socket_service_stop (self->service);
  authentication = authentication_new (self);
  g_dbus_connection_new (G_IO_STREAM (stream), self->guid,
                         G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER
                           | G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_REQUIRE_SAME_USER
                           | G_DBUS_CONNECTION_FLAGS_DELAY_MESSAGE_PROCESSING,
                         NULL, authentication->cancellable, on_authenticated, authentication);
  return TRUE;
}

/* The door */

/* What is left of a daemon that was killed is no longer in the way: the folder is locked. */
static gboolean
listen_at_path (GmcpdControlListener *self, GError **error)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (self->path);

  if (g_unlink (self->path) != 0 && errno != ENOENT)
    {
      int number = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", self->path,
                   g_strerror (number));
      return FALSE;
    }
  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), address,
                                      G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL,
                                      error))
    return FALSE;
  /* The folder is closed to others, too. */
  g_chmod (self->path, 0600);
  return TRUE;
}

static void
gmcpd_control_listener_open_async (GmcpdDoor *door,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GmcpdControlListener *self = GMCPD_CONTROL_LISTENER (door);
  g_autoptr (GTask) task = g_task_new (door, cancellable, callback, user_data);
  GError *error = NULL;

  g_task_set_source_tag (task, gmcpd_control_listener_open_async);
  self->service = g_socket_service_new ();
  g_signal_connect_object (self->service, "incoming", G_CALLBACK (on_incoming), self, 0);
  if (self->socket != NULL ? g_socket_listener_add_socket (G_SOCKET_LISTENER (self->service),
                                                           self->socket, NULL, &error)
                           : listen_at_path (self, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* A socket that this process has made goes with it, so that nobody tries it in vain. */
static void
stop_listening (GmcpdControlListener *self)
{
  self->is_closing = TRUE;
  if (self->service == NULL)
    return;

  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  if (self->socket == NULL)
    g_unlink (self->path);
}

/* The connections that are being closed are the task's data; it returns when the last is. */
static void
on_flushed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GPtrArray *connections = g_task_get_task_data (task);

  g_dbus_connection_flush_finish (G_DBUS_CONNECTION (object), result, NULL);
  g_dbus_connection_close (G_DBUS_CONNECTION (object), NULL, NULL, NULL);
  g_ptr_array_remove_fast (connections, object);
  if (connections->len == 0)
    g_task_return_boolean (task, TRUE);
}

static void
on_drained (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpdControlListener *self = g_task_get_source_object (task);
  GPtrArray *connections = g_steal_pointer (&self->connections);
  guint n = connections->len;

  gmcpd_export_drain_finish (self->control, result);
  self->connections = g_ptr_array_new_with_free_func (g_object_unref);
  g_task_set_task_data (task, connections, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < n; i++)
    {
      gmcpd_export_remove_from (self->control, connections->pdata[i]);
      /* With what was answered last. */
      g_dbus_connection_flush (connections->pdata[i], NULL, on_flushed, g_object_ref (task));
    }
  if (n == 0)
    g_task_return_boolean (task, TRUE);
}

static void
gmcpd_control_listener_close_async (GmcpdDoor *door,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  GmcpdControlListener *self = GMCPD_CONTROL_LISTENER (door);
  GTask *task = g_task_new (door, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcpd_control_listener_close_async);
  stop_listening (self);
  gmcpd_export_drain_async (self->control, cancellable, on_drained, task);
}

static gboolean
gmcpd_control_listener_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gmcpd_control_listener_init_door (GmcpdDoorInterface *iface)
{
  iface->open_async = gmcpd_control_listener_open_async;
  iface->open_finish = gmcpd_control_listener_finish;
  iface->close_async = gmcpd_control_listener_close_async;
  iface->close_finish = gmcpd_control_listener_finish;
}
