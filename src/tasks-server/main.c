/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include <gmcp/server/gmcp-server.h>

#include "gmcp-task-store.h"
#include "gmcp-task-tools.h"
#include "gmcp-tasks-doors.h"
#include "gmcp-tasks-secret-file.h"
#include "gmcp-tasks-options.h"
#include "gmcp-tasks-tokens.h"

/* gmcp-tasks: a task list as an MCP server. */

#define EXIT_USAGE 2

typedef struct
{
  GMainLoop *loop;
  int exit_status;
} Run;

static void
on_ended (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  Run *run = user_data;

  if (!gmcp_server_run_stdio_finish (GMCP_SERVER (object), result, &error)
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_printerr ("%s: %s\n", g_get_prgname (), error->message);
      run->exit_status = EXIT_FAILURE;
    }

  g_main_loop_quit (run->loop);
}

static gboolean
on_signal (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_CONTINUE;
}

static GSource *
watch_signal (int signal_number, GSourceFunc func, gpointer data)
{
  GSource *source = g_unix_signal_source_new (signal_number);

  g_source_set_static_name (source, "[gmcp-tasks] signal");
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, NULL);
  return source;
}

static int
serve_stdio (GmcpServer *server)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GSource) terminate = watch_signal (SIGTERM, on_signal, cancellable);
  g_autoptr (GSource) interrupt = watch_signal (SIGINT, on_signal, cancellable);
  Run run = { loop, EXIT_SUCCESS };

  if (isatty (STDIN_FILENO))
    g_printerr (_ ("%s waits for an MCP host on standard input; end it with Ctrl-D.\n"),
                g_get_prgname ());

  gmcp_server_run_stdio_async (server, cancellable, on_ended, &run);
  g_main_loop_run (loop);

  g_source_destroy (terminate);
  g_source_destroy (interrupt);
  return run.exit_status;
}

typedef struct
{
  GMainLoop *loop;
  GmcpTasksDoors *doors;
  gboolean is_closing;
} DoorsRun;

static void
on_doors_closed (gpointer user_data)
{
  g_main_loop_quit (((DoorsRun *) user_data)->loop);
}

/* The first signal lets calls end, the second does not wait for them. */
static gboolean
on_doors_signal (gpointer user_data)
{
  DoorsRun *run = user_data;

  if (run->is_closing)
    {
      g_main_loop_quit (run->loop);
      return G_SOURCE_CONTINUE;
    }

  run->is_closing = TRUE;
  gmcp_tasks_doors_close (run->doors, on_doors_closed, run);
  return G_SOURCE_CONTINUE;
}

static int
serve_doors (GmcpServer *server, const GmcpTasksDoorOptions *options)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTasksDoors) doors = gmcp_tasks_doors_open (server, options, &error);
  g_autoptr (GSource) terminate = NULL;
  g_autoptr (GSource) interrupt = NULL;
  DoorsRun run = { loop, doors, FALSE };

  if (doors == NULL)
    {
      g_printerr ("%s: %s\n", g_get_prgname (), error->message);
      return EXIT_FAILURE;
    }

  terminate = watch_signal (SIGTERM, on_doors_signal, &run);
  interrupt = watch_signal (SIGINT, on_doors_signal, &run);
  gmcp_tasks_doors_announce (doors);
  g_main_loop_run (loop);

  g_source_destroy (terminate);
  g_source_destroy (interrupt);
  return EXIT_SUCCESS;
}

static gboolean
set_key (GmcpServer *server, const char *filename, GError **error)
{
  g_autoptr (GBytes) key = NULL;

  if (filename == NULL)
    return TRUE;

  key = gmcp_tasks_secret_file_read_key (filename, error);
  return key != NULL && gmcp_server_set_state_key (server, key, error);
}

static GmcpServer *
new_server (const GmcpTasksOptions *options, GError **error)
{
  g_autoptr (GmcpTaskStore) store = gmcp_task_store_new (options->database, options->timeout_ms);
  g_autoptr (GmcpTaskProvider) provider = gmcp_task_provider_new (store, options->user, error);
  g_autoptr (GmcpServer) server = NULL;

  if (provider == NULL)
    return NULL;

  server = gmcp_server_new ("gmcp-tasks", GMCP_VERSION, GMCP_TOOL_PROVIDER (provider));
  gmcp_server_set_title (server, _ ("Tasks"));
  g_object_set (server, "description", _ ("Keeps a list of tasks for each user"), NULL);
  gmcp_server_set_instructions (
    server, "The user's task list. Tools take a task by its id, which list_tasks and create_task "
            "give. Each result says in “success” whether it worked, and in “error” what to do "
            "where it did not. Ask the user before a task is deleted.");
  gmcp_task_tools_answer_refusals (server);
  if (!set_key (server, options->doors.state_key_file, error))
    return NULL;
  return g_steal_pointer (&server);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GmcpTasksOptions) options = NULL;
  g_autoptr (GmcpServer) server = NULL;
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  textdomain (GETTEXT_PACKAGE);
  g_set_prgname ("gmcp-tasks");

  /* A host that is gone is an error of the write, not a reason to be killed. */
  signal (SIGPIPE, SIG_IGN);

  options = gmcp_tasks_options_new_from_arguments (argc, argv, &error);
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

  if (options->doors.add_token != NULL)
    return gmcp_tasks_tokens_add (options->doors.token_file, options->doors.add_token);

  server = new_server (options, &error);
  if (server == NULL)
    {
      g_printerr ("%s: %s\n", g_get_prgname (), error->message);
      return EXIT_FAILURE;
    }

  return gmcp_tasks_door_options_has_any (&options->doors) ? serve_doors (server, &options->doors)
                                                           : serve_stdio (server);
}
