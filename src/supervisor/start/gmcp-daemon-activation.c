/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-daemon-activation-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-pending-tasks-private.h"
#include "gmcp-session-bus-private.h"

#define BUS_NAME    "org.freedesktop.DBus"
#define BUS_PATH    "/org/freedesktop/DBus"
#define DAEMON_NAME "org.gmcp.Manager1"

typedef enum
{
  ACTIVATION_DUE = 0,
  ACTIVATION_UNDER_WAY,
  ACTIVATION_OVER, /* nothing comes of it */
} ActivationState;

struct _GmcpDaemonActivation
{
  ActivationState state;
  gboolean is_allowed;
  void (*failed) (const char *reason, gpointer data); /* NULL once closed */
  gpointer data;
  GQueue waiters; /* of GTask */
  GCancellable *cancellable;
  GSource *deadline;    /* NULL before it begins, and once it is over */
  GDBusConnection *bus; /* nullable; while it is under way */
};

GmcpDaemonActivation *
gmcp_daemon_activation_new (void (*failed) (const char *reason, gpointer data), gpointer data)
{
  GmcpDaemonActivation *self = g_rc_box_new0 (GmcpDaemonActivation);

  self->is_allowed = TRUE;
  self->failed = failed;
  self->data = data;
  self->cancellable = g_cancellable_new ();
  g_queue_init (&self->waiters);
  return self;
}

static void
activation_clear (gpointer data)
{
  GmcpDaemonActivation *self = data;

  g_object_unref (self->cancellable);
}

GmcpDaemonActivation *
gmcp_daemon_activation_ref (GmcpDaemonActivation *self)
{
  return g_rc_box_acquire (self);
}

void
gmcp_daemon_activation_unref (GmcpDaemonActivation *self)
{
  g_rc_box_release_full (self, activation_clear);
}

static void
end_activation (GmcpDaemonActivation *self, ActivationState state)
{
  self->state = state;
  if (self->deadline != NULL)
    g_source_destroy (self->deadline);
  g_clear_pointer (&self->deadline, g_source_unref);
  if (self->bus != NULL)
    g_dbus_connection_close (self->bus, NULL, NULL, NULL);
  g_clear_object (&self->bus);
  gmcp_pending_tasks_settle_value (&self->waiters, TRUE);
}

static void
fail_activation (GmcpDaemonActivation *self, const char *reason)
{
  if (self->failed != NULL)
    self->failed (reason, self->data);
  end_activation (self, ACTIVATION_OVER);
}

void
gmcp_daemon_activation_close (GmcpDaemonActivation *self)
{
  self->failed = NULL;
  g_cancellable_cancel (self->cancellable);
  end_activation (self, ACTIVATION_OVER);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpDaemonActivation) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply
    = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);

  if (self->state == ACTIVATION_OVER)
    return;

  if (reply != NULL)
    {
      /* It may end, and be needed again. */
      end_activation (self, ACTIVATION_DUE);
    }
  else if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN))
    {
      end_activation (self, ACTIVATION_OVER);
    }
  else
    {
      g_dbus_error_strip_remote_error (error);
      fail_activation (self, error->message);
    }
}

static void
on_connected (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpDaemonActivation) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = gmcp_session_bus_connect_finish (result, &error);

  if (self->state == ACTIVATION_OVER)
    {
      if (bus != NULL)
        g_dbus_connection_close (bus, NULL, NULL, NULL);
      return;
    }
  if (bus == NULL)
    {
      g_debug ("The session bus cannot be reached: %s", error->message);
      end_activation (self, ACTIVATION_OVER);
      return;
    }

  self->bus = g_object_ref (bus);
  g_dbus_connection_call (bus, BUS_NAME, BUS_PATH, BUS_NAME, "StartServiceByName",
                          g_variant_new ("(su)", DAEMON_NAME, 0), G_VARIANT_TYPE ("(u)"),
                          G_DBUS_CALL_FLAGS_NONE, G_MAXINT, self->cancellable, on_started,
                          gmcp_daemon_activation_ref (self));
}

static gboolean
on_deadline (gpointer data)
{
  g_autoptr (GmcpDaemonActivation) self = gmcp_daemon_activation_ref (data);
  g_autofree char *reason
    /* Translators: why gmcpd, which the session bus starts, is not used */
    = g_strdup_printf (_ ("it was not there within %g seconds"),
                       GMCP_DEFAULT_SHARED_OPENING_MS / 1000.);

  if (self->bus != NULL)
    fail_activation (self, reason);
  else
    end_activation (self, ACTIVATION_OVER);
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

static void
begin_activation (GmcpDaemonActivation *self)
{
  g_autofree char *address = gmcp_session_bus_dup_address ();

  if (address == NULL)
    {
      end_activation (self, ACTIVATION_OVER);
      return;
    }

  self->state = ACTIVATION_UNDER_WAY;
  self->deadline = g_timeout_source_new (GMCP_DEFAULT_SHARED_OPENING_MS);
  g_source_set_static_name (self->deadline, "[gmcp] start of gmcpd");
  g_source_set_callback (self->deadline, on_deadline, self, NULL);
  g_source_attach (self->deadline, g_main_context_get_thread_default ());
  gmcp_session_bus_connect_async (address, self->cancellable, on_connected,
                                  gmcp_daemon_activation_ref (self));
}

gboolean
gmcp_daemon_activation_allow (GmcpDaemonActivation *self, gboolean is_allowed)
{
  gboolean was_allowed = self->is_allowed;

  self->is_allowed = is_allowed != FALSE;
  return self->is_allowed != was_allowed;
}

gboolean
gmcp_daemon_activation_is_allowed (GmcpDaemonActivation *self)
{
  return self->is_allowed;
}

gboolean
gmcp_daemon_activation_is_due (GmcpDaemonActivation *self)
{
  return self->is_allowed && self->state != ACTIVATION_OVER;
}

void
gmcp_daemon_activation_wait_async (GmcpDaemonActivation *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_daemon_activation_wait_async);
  if (self->state == ACTIVATION_OVER)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  gmcp_pending_tasks_add (&self->waiters, task);
  if (self->state == ACTIVATION_DUE)
    begin_activation (self);
}

gboolean
gmcp_daemon_activation_wait_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_daemon_activation_wait_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
