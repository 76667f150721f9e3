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

typedef struct
{
  GmcpdSandbox sandbox;
  char *program; /* nullable */
} Caller;

struct _GmcpdCallers
{
  GObject parent_instance;

  GHashTable *known; /* name of a connection: Caller */
};

G_DEFINE_FINAL_TYPE (GmcpdCallers, gmcpd_callers, G_TYPE_OBJECT)

static void
caller_free (gpointer data)
{
  Caller *caller = data;

  g_free (caller->program);
  g_free (caller);
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
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, caller_free);
}

GmcpdCallers *
gmcpd_callers_new (void)
{
  return g_object_new (GMCPD_TYPE_CALLERS, NULL);
}

/* Takes the program. */
static void
remember_caller (GmcpdCallers *self, const char *name, GmcpdSandbox sandbox, char *program)
{
  Caller *caller = g_new (Caller, 1);

  caller->sandbox = sandbox;
  caller->program = program;
  if (g_hash_table_size (self->known) >= MAX_KNOWN)
    g_hash_table_remove_all (self->known);
  g_hash_table_insert (self->known, g_strdup (name), caller);
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

static gboolean
judge_credentials (GVariant *credentials,
                   GUnixFDList *fds,
                   GmcpdSandbox *sandbox,
                   char **program,
                   GError **error)
{
  guint32 uid;
  guint32 pid = 0;
  int pidfd;

  if (!g_variant_lookup (credentials, "UnixUserID", "u", &uid) || uid != geteuid ())
    {
      g_set_error_literal (error, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED,
                           _ ("gmcpd serves programs of its own user only"));
      return FALSE;
    }

  pidfd = find_pidfd (credentials, fds);
  *sandbox = g_variant_lookup (credentials, "ProcessID", "u", &pid) && pid > 0
               ? gmcpd_sandbox_look_up ((int) pid, pidfd)
               : GMCPD_SANDBOX_UNKNOWN;
  if (pidfd >= 0)
    close (pidfd);
  *program = pid > 0 ? gmcp_process_dup_name ((int) pid) : NULL;
  return TRUE;
}

static void
on_credentials (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) credentials = NULL;
  GmcpdSandbox sandbox = GMCPD_SANDBOX_UNKNOWN;
  char *program = NULL;
  GError *error = NULL;

  reply = g_dbus_connection_call_with_unix_fd_list_finish (G_DBUS_CONNECTION (object), &fds, result,
                                                           &error);
  if (reply != NULL)
    credentials = g_variant_get_child_value (reply, 0);
  if (credentials == NULL || !judge_credentials (credentials, fds, &sandbox, &program, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  remember_caller (g_task_get_source_object (task), g_task_get_task_data (task), sandbox, program);
  g_task_return_int (task, (gssize) sandbox);
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
      g_task_return_int (task, GMCPD_SANDBOX_NONE);
      return;
    }
  if (sender != NULL && g_hash_table_lookup_extended (self->known, sender, NULL, &known))
    {
      g_task_return_int (task, (gssize) ((Caller *) known)->sandbox);
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
  Caller *caller;
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

gboolean
gmcpd_callers_identify_finish (GmcpdCallers *self,
                               GAsyncResult *result,
                               GmcpdSandbox *sandbox,
                               GError **error)
{
  gssize value = g_task_propagate_int (G_TASK (result), error);

  *sandbox = value >= 0 ? (GmcpdSandbox) value : GMCPD_SANDBOX_UNKNOWN;
  return value >= 0;
}
