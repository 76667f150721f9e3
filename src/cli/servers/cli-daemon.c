/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-daemon.h"

#include <glib/gi18n.h>
#include <gmcp/json/gmcp-json.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-failure.h"

#define BUS_NAME      "org.freedesktop.DBus"
#define BUS_PATH      "/org/freedesktop/DBus"
#define PROPERTIES    "org.freedesktop.DBus.Properties"
#define SOCKET_FOLDER "gmcp"
#define SOCKET_NAME   "control"
#define RPC_ERROR     "org.gmcp.RpcError."
/* A command that can do without gmcpd waits no longer for it to be started. */
#define PATIENCE_MS 3000

struct _CliDaemon
{
  GDBusConnection *connection;
  const char *name; /* on the bus; NULL where there is none in between */
  GCancellable *cancellable;
};

void
cli_daemon_free (CliDaemon *self)
{
  g_object_unref (self->connection);
  g_object_unref (self->cancellable);
  g_free (self);
}

static char *
make_address (const char *path)
{
  g_autofree char *escaped = g_dbus_address_escape_value (path);

  return g_strconcat ("unix:path=", escaped, NULL);
}

/* NULL where there is no socket of this user's, or where others could have put one. */
static char *
find_socket_address (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), SOCKET_FOLDER, NULL);
  g_autofree char *path = g_build_filename (folder, SOCKET_NAME, NULL);
  struct stat status;

  if (lstat (folder, &status) != 0 || !S_ISDIR (status.st_mode) || status.st_uid != geteuid ()
      || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return NULL;
  return lstat (path, &status) == 0 && S_ISSOCK (status.st_mode) && status.st_uid == geteuid ()
           ? make_address (path)
           : NULL;
}

static char *
find_bus_address (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);

  if (address != NULL && *address != '\0')
    return g_strdup (address);
  return g_file_test (path, G_FILE_TEST_EXISTS) ? make_address (path) : NULL;
}

static CliDaemon *
connect_to (CliHost *host, const char *address, const char *name, GCancellable *cancellable)
{
  g_autoptr (GAsyncResult) result = NULL;
  GDBusConnectionFlags flags = name != NULL ? G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION
                                            : G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT;
  GDBusConnection *connection;
  CliDaemon *self;

  g_dbus_connection_new_for_address (address, flags, NULL, cancellable, cli_store_result, &result);
  connection = g_dbus_connection_new_for_address_finish (cli_wait (&result), NULL);
  if (connection == NULL)
    return NULL;

  self = g_new0 (CliDaemon, 1);
  self->connection = connection;
  self->name = name;
  self->cancellable = g_object_ref (host->cancellable);
  return self;
}

void
cli_daemon_call_async (CliDaemon *self,
                       const char *path,
                       const char *interface,
                       const char *method,
                       GVariant *parameters,
                       const char *reply_type,
                       GAsyncReadyCallback callback,
                       gpointer data)
{
  /* Their names on D-Bus are known once they have been used. */
  const GQuark domains[] G_GNUC_UNUSED = { GMCP_ERROR, GMCP_AUTH_ERROR };

  g_dbus_connection_call (self->connection, self->name, path, interface, method, parameters,
                          reply_type != NULL ? G_VARIANT_TYPE (reply_type) : NULL,
                          G_DBUS_CALL_FLAGS_NONE, G_MAXINT, self->cancellable, callback, data);
}

/* FALSE where it is not what a server has answered with. */
static gboolean
read_rpc_code (const GError *error, gint64 *code)
{
  g_autofree char *name = g_dbus_error_get_remote_error (error);
  const char *number;
  gboolean is_negative;

  if (name == NULL || !g_str_has_prefix (name, RPC_ERROR))
    return FALSE;

  number = name + strlen (RPC_ERROR);
  is_negative = g_str_has_prefix (number, "Minus");
  if (!is_negative && !g_str_has_prefix (number, "Plus"))
    return FALSE;

  number += strlen (is_negative ? "Minus" : "Plus");
  if (!g_ascii_string_to_signed (number, 10, 0, -(gint64) G_MININT, code, NULL))
    return FALSE;
  *code = CLAMP (is_negative ? -*code : *code, G_MININT, G_MAXINT);
  return TRUE;
}

GVariant *
cli_daemon_call_finish (CliDaemon *self, GAsyncResult *result, GError **error)
{
  GVariant *reply = g_dbus_connection_call_finish (self->connection, result, error);
  gboolean is_rpc_error;
  gint64 code;

  if (reply != NULL || error == NULL)
    return reply;

  is_rpc_error = read_rpc_code (*error, &code);
  g_dbus_error_strip_remote_error (*error);
  if (is_rpc_error)
    {
      g_autoptr (GError) sent = g_steal_pointer (error);

      g_set_error_literal (error, GMCP_RPC_ERROR, (int) code, sent->message);
    }
  return NULL;
}

GVariant *
cli_daemon_call (CliDaemon *self,
                 const char *path,
                 const char *interface,
                 const char *method,
                 GVariant *parameters,
                 const char *reply_type,
                 GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  cli_daemon_call_async (self, path, interface, method, parameters, reply_type, cli_store_result,
                         &result);
  return cli_daemon_call_finish (self, cli_wait (&result), error);
}

typedef struct
{
  void (*changed) (GVariant *properties, gpointer data);
  gpointer data;
} Watching;

static void
on_properties_changed (GDBusConnection *connection,
                       const char *sender,
                       const char *path,
                       const char *interface,
                       const char *signal,
                       GVariant *parameters,
                       gpointer user_data)
{
  Watching *watching = user_data;
  g_autoptr (GVariant) properties = NULL;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(sa{sv}as)")))
    return;
  properties = g_variant_get_child_value (parameters, 1);
  watching->changed (properties, watching->data);
}

GVariant *
cli_daemon_call_watching (CliDaemon *self,
                          const char *path,
                          const char *interface,
                          const char *method,
                          const char *reply_type,
                          void (*changed) (GVariant *properties, gpointer data),
                          gpointer data,
                          GError **error)
{
  Watching watching = { changed, data };
  guint id = g_dbus_connection_signal_subscribe (
    self->connection, self->name, PROPERTIES, "PropertiesChanged", path, interface,
    G_DBUS_SIGNAL_FLAGS_NONE, on_properties_changed, &watching, NULL);
  GVariant *reply = cli_daemon_call (self, path, interface, method, NULL, reply_type, error);

  g_dbus_connection_signal_unsubscribe (self->connection, id);
  return reply;
}

guint
cli_daemon_subscribe (CliDaemon *self,
                      const char *path,
                      const char *interface,
                      GDBusSignalCallback callback,
                      gpointer data)
{
  return g_dbus_connection_signal_subscribe (self->connection, self->name, interface, NULL, path,
                                             NULL, G_DBUS_SIGNAL_FLAGS_NONE, callback, data, NULL);
}

GDBusConnection *
cli_daemon_get_connection (CliDaemon *self)
{
  return self->connection;
}

/* A bus on which nothing starts it has no daemon. */
static gboolean
start_on_bus (CliDaemon *bus, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) own_error = NULL;
  g_autoptr (GVariant) reply = NULL;

  g_dbus_connection_call (bus->connection, BUS_NAME, BUS_PATH, BUS_NAME, "StartServiceByName",
                          g_variant_new ("(su)", CLI_DAEMON_MANAGER, 0), G_VARIANT_TYPE ("(u)"),
                          G_DBUS_CALL_FLAGS_NONE, G_MAXINT, cancellable, cli_store_result, &result);
  reply = g_dbus_connection_call_finish (bus->connection, cli_wait (&result), &own_error);
  if (reply != NULL)
    return TRUE;

  g_dbus_error_strip_remote_error (own_error);
  if (!g_error_matches (own_error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN))
    g_propagate_error (error, g_steal_pointer (&own_error));
  return FALSE;
}

static CliDaemon *
reach_on_bus (CliHost *host, GCancellable *cancellable, GError **error)
{
  g_autofree char *address = find_bus_address ();
  g_autoptr (CliDaemon) bus
    = address != NULL ? connect_to (host, address, CLI_DAEMON_MANAGER, cancellable) : NULL;

  return bus != NULL && start_on_bus (bus, cancellable, error) ? g_steal_pointer (&bus) : NULL;
}

/* One that has another file has other servers. Without --config it is the session's, whatever it has. */
static gboolean
has_configuration (CliDaemon *self, CliHost *host)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) value = NULL;

  if (host->config_file == NULL)
    return TRUE;

  file = cli_host_make_config_file (host);
  name = g_file_get_parse_name (file);
  reply = cli_daemon_call (self, CLI_DAEMON_PATH, PROPERTIES, "Get",
                           g_variant_new ("(ss)", CLI_DAEMON_MANAGER, "ConfigFile"), "(v)", NULL);
  if (reply != NULL)
    g_variant_get (reply, "(v)", &value);
  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
         && g_str_equal (g_variant_get_string (value, NULL), name);
}

CliDaemon *
cli_daemon_look_for (CliHost *host)
{
  g_autofree char *address = find_socket_address ();
  g_autoptr (CliDaemon) self
    = address != NULL ? connect_to (host, address, NULL, host->cancellable) : NULL;

  /* What is left of one that was killed is a socket at which nobody is. */
  return self != NULL && has_configuration (self, host) ? g_steal_pointer (&self) : NULL;
}

/* That of a file is no matter of the bus. */
static CliDaemon *
look_for_or_start (CliHost *host, GCancellable *cancellable, GError **error)
{
  CliDaemon *self = cli_daemon_look_for (host);

  return self == NULL && host->config_file == NULL ? reach_on_bus (host, cancellable, error) : self;
}

static char *
make_failure (const char *reason)
{
  /* Translators: why gmcpd, which the session bus starts, is not used */
  return g_strdup_printf (_ ("The session bus cannot start gmcpd: %s. “gmcpd” in a terminal shows "
                             "what is wrong with it"),
                          reason);
}

static gboolean
on_slow (gpointer host)
{
  cli_host_tell (host, _ ("Waiting for gmcpd, which the session bus starts"));
  return G_SOURCE_REMOVE;
}

CliDaemon *
cli_daemon_reach (CliHost *host, GError **error)
{
  g_autoptr (GSource) slow = g_timeout_source_new (PATIENCE_MS);
  g_autoptr (GError) reason = NULL;
  g_autofree char *message = NULL;
  CliDaemon *self;

  g_source_set_callback (slow, on_slow, host, NULL);
  g_source_attach (slow, NULL);
  self = look_for_or_start (host, host->cancellable, &reason);
  g_source_destroy (slow);
  if (reason == NULL)
    return self;

  if (!g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      message = make_failure (reason->message);
      g_set_error_literal (error, reason->domain, reason->code, message);
    }
  else
    g_propagate_error (error, g_steal_pointer (&reason));
  return NULL;
}

static void
tell_not_started (CliHost *host, const char *reason)
{
  g_autofree char *message = make_failure (reason);

  cli_host_tell (host, message);
}

static gboolean
on_patience_over (gpointer waiting)
{
  g_cancellable_cancel (waiting);
  return G_SOURCE_REMOVE;
}

static void
on_cancelled (GCancellable *cancellable, gpointer waiting)
{
  g_cancellable_cancel (waiting);
}

CliDaemon *
cli_daemon_bring_up (CliHost *host)
{
  g_autoptr (GCancellable) waiting = g_cancellable_new ();
  g_autoptr (GSource) patience = g_timeout_source_new (PATIENCE_MS);
  g_autoptr (GError) error = NULL;
  gulong cancelled = g_cancellable_connect (host->cancellable, G_CALLBACK (on_cancelled),
                                            g_object_ref (waiting), g_object_unref);
  CliDaemon *self;

  g_source_set_callback (patience, on_patience_over, waiting, NULL);
  g_source_attach (patience, NULL);
  self = look_for_or_start (host, waiting, &error);
  g_source_destroy (patience);
  g_cancellable_disconnect (host->cancellable, cancelled);

  if (error != NULL && !g_cancellable_is_cancelled (waiting))
    tell_not_started (host, error->message);
  else if (error != NULL && !g_cancellable_is_cancelled (host->cancellable))
    {
      g_autofree char *late
        = g_strdup_printf (_ ("it was not there within %g seconds"), PATIENCE_MS / 1000.);

      tell_not_started (host, late);
    }
  return self;
}

CliExit
cli_daemon_report_none_of_file (const char *command)
{
  g_autofree char *message
    /* Translators: a command of gmcp */
    = g_strdup_printf (_ ("%s: no session daemon looks after the servers of that file; “gmcpd "
                          "--config FILE” is one"),
                       command);

  cli_failure_tell (message);
  return CLI_EXIT_UNREACHABLE;
}

char *
cli_daemon_find_server (CliDaemon *self, const char *id, GError **error)
{
  g_autoptr (GVariant) reply
    = cli_daemon_call (self, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, "GetServer",
                       g_variant_new ("(s)", id), "(o)", error);
  char *path = NULL;

  if (reply != NULL)
    g_variant_get (reply, "(o)", &path);
  return path;
}

JsonArray *
cli_daemon_list_servers (CliDaemon *self)
{
  g_autoptr (GVariant) reply
    = cli_daemon_call (self, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, "GetStatus", NULL, "(s)", NULL);
  g_autoptr (JsonNode) status = NULL;
  const char *text;

  if (reply == NULL)
    return NULL;

  g_variant_get (reply, "(&s)", &text);
  status = gmcp_json_parse (text, -1, NULL);
  return status != NULL && JSON_NODE_HOLDS_OBJECT (status)
             && json_object_has_member (json_node_get_object (status), "servers")
           ? json_array_ref (
             json_object_get_array_member (json_node_get_object (status), "servers"))
           : NULL;
}

static JsonObject *
find_server (JsonArray *servers, const char *id)
{
  for (guint i = 0; servers != NULL && i < json_array_get_length (servers); i++)
    {
      JsonObject *server = json_array_get_object_element (servers, i);

      if (g_str_equal (json_object_get_string_member (server, "name"), id))
        return server;
    }
  return NULL;
}

JsonObject *
cli_daemon_find_running (JsonArray *servers, const char *id)
{
  JsonObject *server = find_server (servers, id);

  return server != NULL && g_str_equal (json_object_get_string_member (server, "state"), "running")
           ? server
           : NULL;
}

gboolean
cli_daemon_is_up (JsonObject *server)
{
  const char *state = json_object_get_string_member (server, "fine_state");

  return g_str_equal (json_object_get_string_member (server, "state"), "running")
         || g_str_equal (state, "starting") || g_str_equal (state, "installing");
}

JsonObject *
cli_daemon_find_up (JsonArray *servers, const char *id)
{
  JsonObject *server = find_server (servers, id);

  return server != NULL && cli_daemon_is_up (server) ? server : NULL;
}
