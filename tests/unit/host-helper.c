/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "host-helper.h"

#include <errno.h>
#include <gio/gunixfdlist.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>

#define PATH      "/org/freedesktop/Flatpak/Development"
#define INTERFACE "org.freedesktop.Flatpak.Development"

static const char xml[]
  = "<node><interface name='" INTERFACE "'>"
    "<method name='HostCommand'><arg type='ay' direction='in'/><arg type='aay' direction='in'/>"
    "<arg type='a{uh}' direction='in'/><arg type='a{ss}' direction='in'/>"
    "<arg type='u' direction='in'/><arg type='u' direction='out'/></method>"
    "<method name='HostCommandSignal'><arg type='u' direction='in'/><arg type='u' direction='in'/>"
    "<arg type='b' direction='in'/></method>"
    "<signal name='HostCommandExited'><arg type='u'/><arg type='u'/></signal>"
    "</interface></node>";

static void
on_child_ended (GPid pid, int status, gpointer data)
{
  HostHelper *helper = data;
  const char *sender = g_hash_table_lookup (helper->pids, GINT_TO_POINTER (pid));

  helper->n_children--;
  if (sender == NULL)
    return;

  g_dbus_connection_emit_signal (helper->connection, sender, PATH, INTERFACE, "HostCommandExited",
                                 g_variant_new ("(uu)", (guint32) pid, (guint32) status), NULL);
  g_hash_table_remove (helper->pids, GINT_TO_POINTER (pid));
}

static char **
make_environment (HostHelper *helper, GVariant *variables, guint32 flags)
{
  char **environment = (flags & 1) != 0 ? g_new0 (char *, 1) : g_strdupv (helper->environment);
  GVariantIter iter;
  const char *name, *value;

  g_variant_iter_init (&iter, variables);
  while (g_variant_iter_next (&iter, "{&s&s}", &name, &value))
    environment = g_environ_setenv (environment, name, value, TRUE);
  return environment;
}

static int
spawn (HostHelper *helper, GVariant *parameters, GUnixFDList *list, pid_t *pid)
{
  g_autofree const char **argv = NULL;
  g_autoptr (GVariant) fds = NULL;
  g_autoptr (GVariant) variables = NULL;
  g_auto (GStrv) environment = NULL;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  GVariantIter iter;
  guint32 flags, to;
  gint32 handle;
  int result;

  g_variant_get (parameters, "(^&ay^a&ay@a{uh}@a{ss}u)", NULL, &argv, &fds, &variables, &flags);
  environment = make_environment (helper, variables, flags);
  g_ptr_array_add (helper->commands, g_strjoinv ("\n", (char **) argv + 7));
  g_array_append_val (helper->flags, flags);

  posix_spawn_file_actions_init (&actions);
  g_variant_iter_init (&iter, fds);
  while (g_variant_iter_next (&iter, "{uh}", &to, &handle))
    posix_spawn_file_actions_adddup2 (&actions, g_unix_fd_list_peek_fds (list, NULL)[handle],
                                      (int) to);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSID);
  result = posix_spawn (pid, argv[0], &actions, &attributes, (char *const *) argv, environment);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  return result;
}

static void
handle_command (HostHelper *helper, GVariant *parameters, GDBusMethodInvocation *invocation)
{
  GDBusMessage *message = g_dbus_method_invocation_get_message (invocation);
  pid_t pid;
  int result;

  if (helper->refusal != NULL)
    {
      g_dbus_method_invocation_return_dbus_error (invocation, helper->refusal, "Not for you");
      return;
    }
  if (helper->mute)
    {
      g_ptr_array_add (helper->invocations, g_object_ref (invocation));
      return;
    }

  result = spawn (helper, parameters, g_dbus_message_get_unix_fd_list (message), &pid);
  if (result != 0)
    {
      g_dbus_method_invocation_return_dbus_error (invocation, "org.freedesktop.DBus.Error.Failed",
                                                  g_strerror (result));
      return;
    }

  g_hash_table_insert (helper->pids, GINT_TO_POINTER (pid),
                       g_strdup (g_dbus_method_invocation_get_sender (invocation)));
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", (guint32) pid));
  g_child_watch_add (pid, on_child_ended, helper);
  helper->n_children++;
}

static void
on_method (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *method,
           GVariant *parameters,
           GDBusMethodInvocation *invocation,
           gpointer data)
{
  HostHelper *helper = data;
  const char *owner;
  guint32 pid, number;
  gboolean to_group;

  if (g_str_equal (method, "HostCommand"))
    {
      handle_command (helper, parameters, invocation);
      return;
    }

  g_variant_get (parameters, "(uub)", &pid, &number, &to_group);
  owner = g_hash_table_lookup (helper->pids, GINT_TO_POINTER ((int) pid));
  if (g_strcmp0 (owner, sender) != 0)
    {
      g_dbus_method_invocation_return_dbus_error (
        invocation, "org.freedesktop.DBus.Error.UnixProcessIdUnknown", "No such pid");
      return;
    }

  g_array_append_val (helper->signals, number);
  kill (to_group ? -(int) pid : (int) pid, (int) number);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static const GDBusInterfaceVTable vtable = { .method_call = on_method };

static void
on_named (GDBusConnection *connection, const char *name, gpointer data)
{
  *(gboolean *) data = TRUE;
}

void
host_helper_set_up (HostHelper *helper)
{
  g_autoptr (GError) error = NULL;

  helper->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (helper->bus);
  helper->pids = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  helper->commands = g_ptr_array_new_with_free_func (g_free);
  helper->invocations = g_ptr_array_new_with_free_func (g_object_unref);
  helper->flags = g_array_new (FALSE, FALSE, sizeof (guint32));
  helper->signals = g_array_new (FALSE, FALSE, sizeof (guint32));
  helper->connection = g_dbus_connection_new_for_address_sync (
    g_test_dbus_get_bus_address (helper->bus),
    G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
    NULL, NULL, &error);
  g_assert_no_error (error);
  helper->info = g_dbus_node_info_new_for_xml (xml, &error);
  g_assert_no_error (error);
  helper->object = g_dbus_connection_register_object (
    helper->connection, PATH, helper->info->interfaces[0], &vtable, helper, NULL, &error);
  g_assert_no_error (error);
}

void
host_helper_appear (HostHelper *helper)
{
  gboolean is_owned = FALSE;

  helper->name
    = g_bus_own_name_on_connection (helper->connection, "org.freedesktop.Flatpak",
                                    G_BUS_NAME_OWNER_FLAGS_NONE, on_named, NULL, &is_owned, NULL);
  while (!is_owned)
    g_main_context_iteration (NULL, TRUE);
}

void
host_helper_vanish (HostHelper *helper)
{
  g_hash_table_remove_all (helper->pids);
  if (helper->name != 0)
    g_bus_unown_name (helper->name);
  helper->name = 0;
}

void
host_helper_tear_down (HostHelper *helper)
{
  while (helper->n_children > 0)
    g_main_context_iteration (NULL, TRUE);
  host_helper_vanish (helper);
  g_dbus_connection_unregister_object (helper->connection, helper->object);
  g_dbus_connection_close_sync (helper->connection, NULL, NULL);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (helper->connection);
  g_dbus_node_info_unref (helper->info);
  g_hash_table_unref (helper->pids);
  g_ptr_array_unref (helper->commands);
  g_ptr_array_unref (helper->invocations);
  g_array_unref (helper->flags);
  g_array_unref (helper->signals);
  g_test_dbus_down (helper->bus);
  g_object_unref (helper->bus);
}

gboolean
host_helper_was_sent (HostHelper *helper, int signal_number)
{
  for (guint i = 0; i < helper->signals->len; i++)
    {
      if (g_array_index (helper->signals, guint32, i) == (guint32) signal_number)
        return TRUE;
    }
  return FALSE;
}

guint
host_helper_count (HostHelper *helper, const char *part)
{
  guint n = 0;

  for (guint i = 0; i < helper->commands->len; i++)
    n += strstr (g_ptr_array_index (helper->commands, i), part) != NULL;
  return n;
}
