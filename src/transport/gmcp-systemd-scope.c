/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-systemd-scope-private.h"

#include <gmcp/core/gmcp-error.h>

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
  int pid;
  GDBusConnection
    *connection; /* of this start only: what the program does with its own is its affair */
  guint subscription;
  char *job;           /* that is waited for; NULL until it is known */
  GHashTable *removed; /* jobs that were done before, and how: char * → char * */
  GSource *limit;      /* NULL once it is settled */
  GSource *cancelled;
} Scope;

static void
scope_free (gpointer data)
{
  Scope *scope = data;

  if (scope->connection != NULL)
    {
      if (scope->subscription != 0)
        g_dbus_connection_signal_unsubscribe (scope->connection, scope->subscription);
      g_dbus_connection_close (scope->connection, NULL, NULL, NULL);
      g_object_unref (scope->connection);
    }
  gmcp_confinement_free (scope->confinement);
  g_hash_table_unref (scope->removed);
  g_free (scope->job);
  g_free (scope);
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
settle (GTask *task, const char *reason)
{
  Scope *scope = g_task_get_task_data (task);

  if (scope->limit == NULL)
    return;

  g_source_destroy (scope->limit);
  g_clear_pointer (&scope->limit, g_source_unref);
  if (scope->cancelled != NULL)
    g_source_destroy (scope->cancelled);
  g_clear_pointer (&scope->cancelled, g_source_unref);
  if (scope->subscription != 0)
    g_dbus_connection_signal_unsubscribe (scope->connection, scope->subscription);
  scope->subscription = 0;

  if (reason == NULL)
    g_task_return_boolean (task, TRUE);
  else if (!g_task_return_error_if_cancelled (task))
    g_task_return_error (task, missing_error (scope->confinement, reason));
}

static void
settle_error (GTask *task, GError *error)
{
  g_autoptr (GError) reason = error;

  g_dbus_error_strip_remote_error (reason);
  settle (task, reason->message);
}

static void
look_at_job (GTask *task)
{
  Scope *scope = g_task_get_task_data (task);
  const char *outcome
    = scope->job != NULL ? g_hash_table_lookup (scope->removed, scope->job) : NULL;

  if (outcome != NULL)
    settle (task, g_str_equal (outcome, "done") ? NULL : outcome);
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
  Scope *scope = g_task_get_task_data (task);
  const char *job, *outcome;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uoss)")))
    return;

  g_variant_get (parameters, "(u&o&s&s)", NULL, &job, NULL, &outcome);
  if (g_hash_table_size (scope->removed) < GMCP_LIMIT_SCOPE_JOBS)
    g_hash_table_insert (scope->removed, g_strdup (job), g_strdup (outcome));
  look_at_job (task);
}

static void
on_unit_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Scope *scope = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GVariant) reply
    = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);

  if (reply == NULL)
    {
      settle_error (task, error);
      return;
    }

  g_variant_get (reply, "(o)", &scope->job);
  look_at_job (task);
}

static GVariant *
describe_unit (Scope *scope)
{
  const GmcpConfinement *confinement = scope->confinement;
  guint32 pid = (guint32) scope->pid;
  g_autofree char *unit = g_strdup_printf ("gmcp-%s-%d.scope", confinement->name, scope->pid);
  GVariantBuilder properties;

  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a(sv)"));
  g_variant_builder_add (&properties, "(sv)", "Description",
                         g_variant_new_printf ("MCP server %s", confinement->name));
  g_variant_builder_add (&properties, "(sv)", "PIDs",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, &pid, 1, sizeof pid));
  g_variant_builder_add (&properties, "(sv)", "CollectMode",
                         g_variant_new_string ("inactive-or-failed"));
  if (confinement->max_memory_mib > 0)
    {
      g_variant_builder_add (&properties, "(sv)", "MemoryMax",
                             g_variant_new_uint64 (confinement->max_memory_mib * MIB));
      g_variant_builder_add (&properties, "(sv)", "MemorySwapMax", g_variant_new_uint64 (0));
    }
  /* The guard is one of them. */
  if (confinement->max_processes > 0)
    g_variant_builder_add (&properties, "(sv)", "TasksMax",
                           g_variant_new_uint64 (confinement->max_processes + (guint64) 1));

  return g_variant_new ("(ssa(sv)a(sa(sv)))", unit, "fail", &properties, NULL);
}

static void
on_connected (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Scope *scope = g_task_get_task_data (task);
  GError *error = NULL;

  scope->connection = gmcp_session_bus_connect_finish (result, &error);
  if (scope->connection == NULL)
    {
      settle_error (task, error);
      return;
    }
  if (scope->limit == NULL)
    return;

  scope->subscription = g_dbus_connection_signal_subscribe (
    scope->connection, SYSTEMD_NAME, SYSTEMD_MANAGER, "JobRemoved", SYSTEMD_PATH, NULL,
    G_DBUS_SIGNAL_FLAGS_NONE, on_job_removed, g_object_ref (task), g_object_unref);
  /* Without it signals are sent to nobody. */
  g_dbus_connection_call (scope->connection, SYSTEMD_NAME, SYSTEMD_PATH, SYSTEMD_MANAGER,
                          "Subscribe", NULL, NULL, G_DBUS_CALL_FLAGS_NONE, GMCP_DEFAULT_SCOPE_MS,
                          NULL, NULL, NULL);
  g_dbus_connection_call (scope->connection, SYSTEMD_NAME, SYSTEMD_PATH, SYSTEMD_MANAGER,
                          "StartTransientUnit", describe_unit (scope), G_VARIANT_TYPE ("(o)"),
                          G_DBUS_CALL_FLAGS_NONE, GMCP_DEFAULT_SCOPE_MS,
                          g_task_get_cancellable (task), on_unit_started, g_object_ref (task));
}

static gboolean
on_limit (gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);

  settle (task, _ ("it did not answer in time"));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);

  settle (task, "");
  return G_SOURCE_REMOVE;
}

void
gmcp_systemd_scope_start_async (const GmcpConfinement *confinement,
                                int pid,
                                GMainContext *context,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *address = gmcp_session_bus_dup_address ();
  Scope *scope = g_new0 (Scope, 1);

  g_main_context_push_thread_default (context);
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_systemd_scope_start_async);
  scope->confinement = gmcp_confinement_copy (confinement);
  scope->pid = pid;
  scope->removed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_task_set_task_data (task, scope, scope_free);

  scope->limit = g_timeout_source_new (GMCP_DEFAULT_SCOPE_MS);
  g_source_set_static_name (scope->limit, "[gmcp] scope");
  g_source_set_callback (scope->limit, on_limit, g_object_ref (task), g_object_unref);
  g_source_attach (scope->limit, context);
  if (cancellable != NULL)
    {
      scope->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (scope->cancelled, "[gmcp] scope cancelled");
      g_source_set_callback (scope->cancelled, G_SOURCE_FUNC (on_cancelled), g_object_ref (task),
                             g_object_unref);
      g_source_attach (scope->cancelled, context);
    }

  if (address == NULL)
    settle (task, _ ("there is no session bus"));
  else
    gmcp_session_bus_connect_async (address, cancellable, on_connected, g_object_ref (task));
  g_main_context_pop_thread_default (context);
}

gboolean
gmcp_systemd_scope_start_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_systemd_scope_start_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
gmcp_systemd_scope_check (const GmcpConfinement *confinement, GError **error)
{
  g_autofree char *address = gmcp_session_bus_dup_address ();

  if (address == NULL)
    g_propagate_error (error, missing_error (confinement, _ ("there is no session bus")));
  return address != NULL;
}
