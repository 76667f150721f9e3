/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>

#include <gmcp/server/socket/gmcp-activated-sockets.h>

#include "gmcpd-api-door.h"
#include "gmcpd-bus-door.h"
#include "gmcpd-control-listener.h"
#include "gmcpd-control.h"
#include "gmcpd-daemon.h"
#include "gmcpd-names.h"
#include "gmcpd-tools-export.h"
#include "gmcpd-gateway-door.h"
#include "gmcpd-gateway-http.h"
#include "gmcpd-gateway-marks.h"
#include "gmcpd-share-door.h"

/* gmcpd: the daemon that looks after the servers of a session. */

#define EXIT_USAGE 2

/* In the folder of the sockets, where the command line looks for it; a socket unit calls it so, too. */
#define CONTROL_SOCKET_NAME "control"
/* In the folder of the sockets. */
#define GATEWAY_SOCKET_NAME "gateway"
#define GATEWAY_HTTP_NAME   "gateway-http"

typedef struct
{
  GMainLoop *loop;
  GmcpdDaemon *daemon;
  GCancellable *opening;
  gboolean is_open;
  gboolean is_closing;
  int exit_status;
} Run;

static void
on_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Run *run = user_data;

  gmcpd_daemon_close_finish (GMCPD_DAEMON (object), result);
  g_main_loop_quit (run->loop);
}

static void
close_daemon (Run *run)
{
  run->is_closing = TRUE;
  gmcpd_daemon_close_async (run->daemon, on_closed, run);
}

static void
on_opened (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  Run *run = user_data;

  run->is_open = gmcpd_daemon_open_finish (GMCPD_DAEMON (object), result, &error);
  if (run->is_open)
    return;

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_printerr ("%s: %s\n", g_get_prgname (), error->message);
      run->exit_status = EXIT_FAILURE;
    }
  close_daemon (run);
}

static void
on_ended (Run *run)
{
  if (run->is_open && !run->is_closing)
    close_daemon (run);
}

/* The first signal lets calls end and stops the servers; the second leaves both to the guards. */
static gboolean
on_signal (gpointer user_data)
{
  Run *run = user_data;

  if (run->is_closing)
    g_main_loop_quit (run->loop);
  else if (!run->is_open)
    g_cancellable_cancel (run->opening);
  else
    close_daemon (run);
  return G_SOURCE_CONTINUE;
}

static GSource *
watch_signal (int signal_number, Run *run)
{
  GSource *source = g_unix_signal_source_new (signal_number);

  g_source_set_static_name (source, "[gmcpd] signal");
  g_source_set_callback (source, on_signal, run, NULL);
  g_source_attach (source, NULL);
  return source;
}

static int
run_daemon (GmcpdDaemon *daemon)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) opening = g_cancellable_new ();
  Run run = { .loop = loop, .daemon = daemon, .opening = opening, .exit_status = EXIT_SUCCESS };
  g_autoptr (GSource) terminate = watch_signal (SIGTERM, &run);
  g_autoptr (GSource) interrupt = watch_signal (SIGINT, &run);

  gulong ended = g_signal_connect_swapped (daemon, "ended", G_CALLBACK (on_ended), &run);

  gmcpd_daemon_open_async (daemon, opening, on_opened, &run);
  g_main_loop_run (loop);
  g_signal_handler_disconnect (daemon, ended);

  g_source_destroy (terminate);
  g_source_destroy (interrupt);
  return run.exit_status;
}

/* What systemd, or another program in its way, has opened for this one. */
typedef struct
{
  GPtrArray *sockets; /* of GSocket */
  char **names;
} Activated;

static void
activated_clear (Activated *self)
{
  g_clear_pointer (&self->sockets, g_ptr_array_unref);
  g_strfreev (self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Activated, activated_clear)

static GSocket *
find_socket (const Activated *activated, const char *name)
{
  for (guint i = 0; i < activated->sockets->len; i++)
    if (g_str_equal (activated->names[i], name))
      return activated->sockets->pdata[i];
  return NULL;
}

static void
make_dashboard_link (gpointer door,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  gmcpd_api_door_make_link_async (door, cancellable, callback, user_data);
}

static char *
finish_dashboard_link (gpointer door, GAsyncResult *result, guint *seconds, GError **error)
{
  return gmcpd_api_door_make_link_finish (door, result, seconds, error);
}

static void
add_bus_door (GmcpdDaemon *daemon, GmcpdExport *export, const char *name)
{
  g_autoptr (GmcpdDoor) door = gmcpd_bus_door_new (export, name);

  gmcpd_daemon_add_door (daemon, door);
}

static void
add_gateway (GmcpdDaemon *daemon,
             const GmcpdOptions *options,
             const Activated *activated,
             GmcpdOpenQuestions *questions)
{
  GmcpdRuntime *runtime = gmcpd_daemon_get_runtime (daemon);
  g_autoptr (GmcpdGateways) gateways
    = gmcpd_gateways_new (gmcpd_daemon_get_manager (daemon), questions);
  g_autofree char *path = gmcpd_runtime_dup_path (runtime, GATEWAY_SOCKET_NAME);
  g_autofree char *address_path = gmcpd_runtime_dup_path (runtime, GATEWAY_HTTP_NAME);
  g_autoptr (GmcpdDoor) door
    = gmcpd_gateway_door_new (gateways, path, find_socket (activated, GATEWAY_SOCKET_NAME));
  g_autoptr (GmcpdDoor) http = NULL;

  gmcpd_daemon_add_door (daemon, door);
  if (!options->serves_http)
    return;
  http = gmcpd_gateway_http_new (gateways, options->http_port, address_path, !options->no_bus);
  gmcpd_daemon_add_door (daemon, http);
}

/* The socket first, the manager's name last: where the bus has that, all else is there. */
static void
add_doors (GmcpdDaemon *daemon, const GmcpdOptions *options, const Activated *activated)
{
  GmcpManager *manager = gmcpd_daemon_get_manager (daemon);
  g_autoptr (GmcpdOpenQuestions) questions = gmcpd_open_questions_new (manager);
  g_autoptr (GmcpdDoor) api
    = gmcpd_api_door_new (manager, questions, options->control_port, !options->no_bus);
  g_autoptr (GmcpdExport) control = gmcpd_control_new (
    manager, (GmcpdDashboard){ make_dashboard_link, finish_dashboard_link, api });
  g_autoptr (GmcpdExport) tools = gmcpd_tools_export_new (manager, options->tools_role);
  g_autofree char *path
    = gmcpd_runtime_dup_path (gmcpd_daemon_get_runtime (daemon), CONTROL_SOCKET_NAME);
  g_autoptr (GmcpdDoor) listener
    = gmcpd_control_listener_new (control, path, find_socket (activated, CONTROL_SOCKET_NAME));
  g_autoptr (GmcpdDoor) shares = gmcpd_share_door_new (manager);

  gmcpd_daemon_add_door (daemon, listener);
  gmcpd_daemon_add_door (daemon, shares);
  add_gateway (daemon, options, activated, questions);
  gmcpd_daemon_add_door (daemon, api);
  if (options->no_bus)
    return;
  add_bus_door (daemon, tools, GMCPD_TOOLS_NAME);
  add_bus_door (daemon, control, GMCPD_MANAGER_NAME);
}

static int
start_daemon (const GmcpdOptions *options)
{
  g_auto (Activated) activated = { NULL, NULL };
  g_autoptr (GmcpdDaemon) daemon = NULL;
  g_autoptr (GError) error = NULL;
  GmcpdRuntime *runtime = NULL;

  /* First, before there are threads that could read the environment. */
  activated.sockets = gmcp_take_activated_sockets (&activated.names, &error);
  gmcpd_gateway_marks_set (options->config_file);
  if (activated.sockets != NULL)
    runtime = gmcpd_runtime_new (&error);
  if (runtime == NULL)
    {
      g_printerr ("%s: %s\n", g_get_prgname (), error->message);
      return EXIT_FAILURE;
    }

  daemon = gmcpd_daemon_new (options, runtime);
  add_doors (daemon, options, &activated);
  return run_daemon (daemon);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GmcpdOptions) options = NULL;
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  textdomain (GETTEXT_PACKAGE);
  g_set_prgname ("gmcpd");
  /* All files here are local ones; GVfs would connect to the session bus for the first of them. */
  g_setenv ("GIO_USE_VFS", "local", FALSE);
  /* A peer that is gone is an error of the write, not a reason to be killed. */
  signal (SIGPIPE, SIG_IGN);

  options = gmcpd_options_new_from_arguments (argc, argv, &error);
  if (options == NULL)
    {
      g_printerr (_ ("%s: %s\nTry “%s --help”.\n"), g_get_prgname (), error->message,
                  g_get_prgname ());
      return EXIT_USAGE;
    }
  if (options->shows_version)
    {
      g_print ("%s %s\n", g_get_prgname (), GMCP_VERSION);
      return EXIT_SUCCESS;
    }
  return start_daemon (options);
}
