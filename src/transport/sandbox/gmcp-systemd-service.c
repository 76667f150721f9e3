/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-systemd-service-private.h"

#include <fcntl.h>
#include <gio/gunixfdlist.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-fd-private.h"
#include "gmcp-guard-spawn-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-session-bus-private.h"

#define SYSTEMD_NAME    "org.freedesktop.systemd1"
#define SYSTEMD_PATH    "/org/freedesktop/systemd1"
#define SYSTEMD_MANAGER "org.freedesktop.systemd1.Manager"

#define MIB             (G_GUINT64_CONSTANT (1) << 20)

typedef struct
{
  GmcpConfinement *confinement;
  int control_fd; /* a copy */
  GDBusConnection
    *connection; /* of this start only: what the program does with its own is its affair */
  guint subscription;
  char *job;           /* that is waited for; NULL until it is known */
  GHashTable *removed; /* jobs that were done before, and how: char * → char * */
  GSource *limit;      /* NULL once it is settled */
  GSource *cancelled;
} Service;

static void
service_free (gpointer data)
{
  Service *service = data;

  if (service->connection != NULL)
    {
      if (service->subscription != 0)
        g_dbus_connection_signal_unsubscribe (service->connection, service->subscription);
      g_dbus_connection_close (service->connection, NULL, NULL, NULL);
      g_object_unref (service->connection);
    }
  gmcp_clear_fd (&service->control_fd);
  gmcp_confinement_free (service->confinement);
  g_hash_table_unref (service->removed);
  g_free (service->job);
  g_free (service);
}

static GError *
missing_error (const GmcpConfinement *confinement, const char *reason)
{
  return g_error_new (
    GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
    _ ("Server “%s” was not started: limits of memory and processes take the systemd of a user’s "
       "session, which did not set them: %s. Where there is none, take “max-memory-mib” and "
       "“max-processes” out of the configuration"),
    confinement->name, reason);
}

/* Ends once; what comes after that is nobody's. */
static void
return_outcome (GTask *task, const char *reason)
{
  Service *service = g_task_get_task_data (task);

  if (service->limit == NULL)
    return;

  g_source_destroy (service->limit);
  g_clear_pointer (&service->limit, g_source_unref);
  if (service->cancelled != NULL)
    g_source_destroy (service->cancelled);
  g_clear_pointer (&service->cancelled, g_source_unref);
  if (service->subscription != 0)
    g_dbus_connection_signal_unsubscribe (service->connection, service->subscription);
  service->subscription = 0;

  if (reason == NULL)
    g_task_return_boolean (task, TRUE);
  else if (!g_task_return_error_if_cancelled (task))
    g_task_return_error (task, missing_error (service->confinement, reason));
}

static void
settle_error (GTask *task, GError *error)
{
  g_autoptr (GError) reason = error;

  g_dbus_error_strip_remote_error (reason);
  return_outcome (task, reason->message);
}

static void
look_at_job (GTask *task)
{
  Service *service = g_task_get_task_data (task);
  const char *outcome
    = service->job != NULL ? g_hash_table_lookup (service->removed, service->job) : NULL;

  if (outcome != NULL)
    return_outcome (task, g_str_equal (outcome, "done") ? NULL : outcome);
}

static void
on_job_removed (GDBusConnection *connection,
                const char *sender,
                const char *path,
                const char *interface,
                const char *signal,
                GVariant *parameters,
                gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Service *service = g_task_get_task_data (task);
  const char *job, *outcome;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uoss)")))
    return;

  g_variant_get (parameters, "(u&o&s&s)", NULL, &job, NULL, &outcome);
  if (g_hash_table_size (service->removed) < GMCP_LIMIT_SYSTEMD_JOBS)
    g_hash_table_insert (service->removed, g_strdup (job), g_strdup (outcome));
  look_at_job (task);
}

static void
on_unit_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Service *service = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_finish (
    G_DBUS_CONNECTION (object), NULL, result, &error);

  if (reply == NULL)
    {
      settle_error (task, error);
      return;
    }

  g_variant_get (reply, "(o)", &service->job);
  look_at_job (task);
}

static void
add_text (GVariantBuilder *properties, const char *name, const char *value)
{
  g_variant_builder_add (properties, "(sv)", name, g_variant_new_string (value));
}

static void
add_number (GVariantBuilder *properties, const char *name, guint64 value)
{
  g_variant_builder_add (properties, "(sv)", name, g_variant_new_uint64 (value));
}

/* The guard is the main process: when it ends, however it does, systemd ends the rest. */
static void
add_command (GVariantBuilder *properties)
{
  g_autofree char *guard = gmcp_guard_find ();
  const char *const argv[] = { guard, GMCP_GUARD_SERVICE_OPTION, NULL };
  GVariantBuilder commands;

  g_variant_builder_init (&commands, G_VARIANT_TYPE ("a(sasb)"));
  g_variant_builder_add (&commands, "(s^asb)", guard, argv, FALSE);
  g_variant_builder_add (properties, "(sv)", "ExecStart", g_variant_builder_end (&commands));
  add_text (properties, "Type", "exec");
  add_text (properties, "KillMode", "control-group");
  /* One process that takes too much memory must not end the others. */
  add_text (properties, "OOMPolicy", "continue");
  add_number (properties, "TimeoutStopUSec", GMCP_DEFAULT_UNIT_STOP_MS * G_GUINT64_CONSTANT (1000));
  g_variant_builder_add (properties, "(sv)", "StandardInputFileDescriptor",
                         g_variant_new_handle (0));
  add_text (properties, "StandardOutput", "null");
  add_text (properties, "StandardError", "null");
}

static GVariant *
describe_unit (Service *service)
{
  const GmcpConfinement *confinement = service->confinement;
  g_autofree char *unit
    = g_strdup_printf ("gmcp-%s-%08x.service", confinement->name, g_random_int ());
  GVariantBuilder properties;

  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a(sv)"));
  g_variant_builder_add (&properties, "(sv)", "Description",
                         g_variant_new_printf ("MCP server %s", confinement->name));
  add_command (&properties);
  add_text (&properties, "CollectMode", "inactive-or-failed");
  if (confinement->max_memory_mib > 0)
    {
      add_number (&properties, "MemoryMax", confinement->max_memory_mib * MIB);
      add_number (&properties, "MemorySwapMax", 0);
    }
  /* The guard is one of them. */
  if (confinement->max_processes > 0)
    add_number (&properties, "TasksMax", confinement->max_processes + (guint64) 1);

  return g_variant_new ("(ssa(sv)a(sa(sv)))", unit, "fail", &properties, NULL);
}

static void
on_connected (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  Service *service = g_task_get_task_data (task);
  GError *error = NULL;

  service->connection = gmcp_session_bus_connect_finish (result, &error);
  if (service->connection == NULL)
    {
      settle_error (task, error);
      return;
    }
  if (service->limit == NULL)
    return;

  if (g_unix_fd_list_append (fds, service->control_fd, &error) < 0)
    {
      settle_error (task, error);
      return;
    }

  service->subscription = g_dbus_connection_signal_subscribe (
    service->connection, SYSTEMD_NAME, SYSTEMD_MANAGER, "JobRemoved", SYSTEMD_PATH, NULL,
    G_DBUS_SIGNAL_FLAGS_NONE, on_job_removed, g_object_ref (task), g_object_unref);
  /* Without it signals are sent to nobody. */
  g_dbus_connection_call (service->connection, SYSTEMD_NAME, SYSTEMD_PATH, SYSTEMD_MANAGER,
                          "Subscribe", NULL, NULL, G_DBUS_CALL_FLAGS_NONE, GMCP_DEFAULT_SYSTEMD_MS,
                          NULL, NULL, NULL);
  g_dbus_connection_call_with_unix_fd_list (
    service->connection, SYSTEMD_NAME, SYSTEMD_PATH, SYSTEMD_MANAGER, "StartTransientUnit",
    describe_unit (service), G_VARIANT_TYPE ("(o)"), G_DBUS_CALL_FLAGS_NONE,
    GMCP_DEFAULT_SYSTEMD_MS, fds, g_task_get_cancellable (task), on_unit_started,
    g_object_ref (task));
}

static gboolean
on_limit (gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);

  return_outcome (task, _ ("it did not answer in time"));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);

  return_outcome (task, "");
  return G_SOURCE_REMOVE;
}

void
gmcp_systemd_service_start_async (const GmcpConfinement *confinement,
                                  int control_fd,
                                  GMainContext *context,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *address = gmcp_session_bus_dup_address ();
  Service *service = g_new0 (Service, 1);

  g_main_context_push_thread_default (context);
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_systemd_service_start_async);
  service->confinement = gmcp_confinement_copy (confinement);
  service->control_fd = fcntl (control_fd, F_DUPFD_CLOEXEC, 0);
  service->removed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_task_set_task_data (task, service, service_free);

  service->limit = g_timeout_source_new (GMCP_DEFAULT_SYSTEMD_MS);
  g_source_set_static_name (service->limit, "[gmcp] systemd");
  g_source_set_callback (service->limit, on_limit, g_object_ref (task), g_object_unref);
  g_source_attach (service->limit, context);
  if (cancellable != NULL)
    {
      service->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (service->cancelled, "[gmcp] systemd cancelled");
      g_source_set_callback (service->cancelled, G_SOURCE_FUNC (on_cancelled), g_object_ref (task),
                             g_object_unref);
      g_source_attach (service->cancelled, context);
    }

  if (address == NULL)
    return_outcome (task, _ ("there is no session bus"));
  else
    gmcp_session_bus_connect_async (address, cancellable, on_connected, g_object_ref (task));
  g_main_context_pop_thread_default (context);
}

gboolean
gmcp_systemd_service_start_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_systemd_service_start_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
gmcp_systemd_service_check (const GmcpConfinement *confinement, GError **error)
{
  g_autofree char *address = gmcp_session_bus_dup_address ();

  if (address == NULL)
    g_propagate_error (error, missing_error (confinement, _ ("there is no session bus")));
  return address != NULL;
}
