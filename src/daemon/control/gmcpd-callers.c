/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gunixfdlist.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "gmcp-process-name-private.h"
#include "gmcpd-callers.h"

/* Connections whose callers are known. A bus never gives the name of a connection to another one, so that what was
 * found stays true. */
#define MAX_KNOWN 1000

struct _GmcpdCallers
{
  GObject parent_instance;

  GHashTable *known; /* name of a connection: GmcpdCaller */
};

G_DEFINE_FINAL_TYPE (GmcpdCallers, gmcpd_callers, G_TYPE_OBJECT)

static void
caller_clear (gpointer data)
{
  GmcpdCaller *caller = data;

  g_free (caller->application_id);
  g_free (caller->program);
  g_free (caller->counted_as);
}

void
gmcpd_caller_unref (GmcpdCaller *self)
{
  g_rc_box_release_full (self, caller_clear);
}

static void
gmcpd_callers_finalize (GObject *object)
{
  g_hash_table_unref (GMCPD_CALLERS (object)->known);

  G_OBJECT_CLASS (gmcpd_callers_parent_class)->finalize (object);
}

static void
gmcpd_callers_class_init (GmcpdCallersClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_callers_finalize;
}

static void
gmcpd_callers_init (GmcpdCallers *self)
{
  self->known
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) gmcpd_caller_unref);
}

GmcpdCallers *
gmcpd_callers_new (void)
{
  return g_object_new (GMCPD_TYPE_CALLERS, NULL);
}

static void
remember_caller (GmcpdCallers *self, const char *name, GmcpdCaller *caller)
{
  if (g_hash_table_size (self->known) >= MAX_KNOWN)
    g_hash_table_remove_all (self->known);
  g_hash_table_insert (self->known, g_strdup (name), g_rc_box_acquire (caller));
}

/* Newer buses give a descriptor of the process beside its number. */
static int
find_pidfd (GVariant *credentials, GUnixFDList *fds)
{
  gint32 handle;

  if (fds == NULL || !g_variant_lookup (credentials, "ProcessFD", "h", &handle))
    return -1;
  return g_unix_fd_list_get (fds, handle, NULL);
}

/* The file of a program in a sandbox is called as the sandbox likes. */
static char *
dup_program (GmcpdCaller *caller, int pid)
{
  if (pid <= 0)
    return NULL;
  if (caller->sandbox == GMCPD_SANDBOX_NONE)
    return gmcp_process_dup_name (pid);
  return g_strdup_printf ("%s (%d)", caller->application_id != NULL ? caller->application_id : "?",
                          pid);
}

static GmcpdCaller *
judge_credentials (GVariant *credentials, GUnixFDList *fds, GError **error)
{
  GmcpdCaller *caller;
  guint32 uid;
  guint32 pid = 0;
  int pidfd;

  if (!g_variant_lookup (credentials, "UnixUserID", "u", &uid) || uid != geteuid ())
    {
      g_set_error_literal (error, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED,
                           _ ("gmcpd serves programs of its own user only"));
      return NULL;
    }

  caller = g_rc_box_new0 (GmcpdCaller);
  pidfd = find_pidfd (credentials, fds);
  caller->sandbox = g_variant_lookup (credentials, "ProcessID", "u", &pid) && pid > 0
                      ? gmcpd_sandbox_look_up ((int) pid, pidfd, &caller->application_id)
                      : GMCPD_SANDBOX_UNKNOWN;
  if (pidfd >= 0)
    close (pidfd);
  caller->program = dup_program (caller, (int) pid);
  /* An application's ID has no number for a name. */
  caller->counted_as = caller->application_id != NULL ? g_strdup (caller->application_id)
                                                      : g_strdup_printf ("%u", pid);
  return caller;
}

static void
return_caller (GTask *task, GmcpdCaller *caller)
{
  g_task_return_pointer (task, caller, (GDestroyNotify) gmcpd_caller_unref);
}

static void
on_credentials (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) credentials = NULL;
  GmcpdCaller *caller = NULL;
  GError *error = NULL;

  reply = g_dbus_connection_call_with_unix_fd_list_finish (G_DBUS_CONNECTION (object), &fds, result,
                                                           &error);
  if (reply != NULL)
    credentials = g_variant_get_child_value (reply, 0);
  if (credentials != NULL)
    caller = judge_credentials (credentials, fds, &error);
  if (caller == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  if (caller->sandbox != GMCPD_SANDBOX_UNKNOWN)
    remember_caller (g_task_get_source_object (task), g_task_get_task_data (task), caller);
  return_caller (task, caller);
}

void
gmcpd_callers_identify_async (GmcpdCallers *self,
                              GDBusMethodInvocation *invocation,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GDBusConnection *connection = g_dbus_method_invocation_get_connection (invocation);
  const char *sender = g_dbus_method_invocation_get_sender (invocation);
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  gpointer known;

  g_task_set_source_tag (task, gmcpd_callers_identify_async);
  /* Without a bus a sender is whatever the caller has written there. */
  if (g_dbus_connection_get_unique_name (connection) == NULL)
    {
      return_caller (task, g_rc_box_new0 (GmcpdCaller));
      return;
    }
  if (sender != NULL && g_hash_table_lookup_extended (self->known, sender, NULL, &known))
    {
      return_caller (task, g_rc_box_acquire (known));
      return;
    }

  g_task_set_task_data (task, g_strdup (sender), g_free);
  g_dbus_connection_call_with_unix_fd_list (
    connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
    "GetConnectionCredentials", g_variant_new ("(s)", sender != NULL ? sender : ""),
    G_VARIANT_TYPE ("(a{sv})"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, on_credentials,
    g_steal_pointer (&task));
}

char *
gmcpd_callers_dup_program (GmcpdCallers *self, GDBusMethodInvocation *invocation)
{
  GDBusConnection *connection = g_dbus_method_invocation_get_connection (invocation);
  const char *sender = g_dbus_method_invocation_get_sender (invocation);
  GCredentials *credentials;
  GmcpdCaller *caller;
  int pid;

  if (g_dbus_connection_get_unique_name (connection) != NULL)
    {
      caller = sender != NULL ? g_hash_table_lookup (self->known, sender) : NULL;
      return caller != NULL ? g_strdup (caller->program) : NULL;
    }

  credentials = g_dbus_connection_get_peer_credentials (connection);
  pid = credentials != NULL ? (int) g_credentials_get_unix_pid (credentials, NULL) : -1;
  return pid > 0 ? gmcp_process_dup_name (pid) : NULL;
}

GmcpdCaller *
gmcpd_callers_identify_finish (GmcpdCallers *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
