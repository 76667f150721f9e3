/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>

#include <gmcp/server/socket/gmcp-activated-sockets.h>

#include "gmcpd-daemon.h"
#include "gmcpd-doors.h"
#include "gmcpd-gateway-marks.h"

/* gmcpd: the daemon that looks after the servers of a session. */

#define EXIT_USAGE 2

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

static int
start_daemon (const GmcpdOptions *options)
{
  g_auto (GmcpdActivated) activated = { NULL, NULL };
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
  gmcpd_doors_add (daemon, options, &activated);
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
