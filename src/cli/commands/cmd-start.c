/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "cli-commands.h"
#include "cli-daemon.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-start-steps.h"

/* gmcp start: by the session daemon, or here in the foreground. */

typedef struct
{
  gboolean foreground;
} Options;

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
  /* Warnings are printed for all commands. */
  if (level != GMCP_NOTICE_LEVEL_WARNING)
    g_printerr ("gmcp: %s\n", message);
}

/* Until the user ends it, or the server is given up. */
static CliExit
keep_running (CliHost *host, GmcpManagedServer *server)
{
  const GError *error;

  while (!g_cancellable_is_cancelled (host->cancellable)
         && gmcp_managed_server_get_state (server) != GMCP_SERVER_STATE_FAILED
         && gmcp_managed_server_get_state (server) != GMCP_SERVER_STATE_NEEDS_SIGN_IN
         && gmcp_managed_server_get_state (server) != GMCP_SERVER_STATE_STOPPED
         && gmcp_managed_server_get_state (server) != GMCP_SERVER_STATE_DISABLED)
    g_main_context_iteration (NULL, TRUE);

  if (g_cancellable_is_cancelled (host->cancellable))
    return CLI_EXIT_OK;

  error = gmcp_managed_server_get_last_error (server);
  return error != NULL ? cli_host_report (host, error) : CLI_EXIT_UNREACHABLE;
}

static CliExit
start_server (CliHost *host, GmcpManagedServer *server)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new_for_start (host->providers);
  g_autoptr (GAsyncResult) started = NULL;
  g_autoptr (GError) error = NULL;
  gulong notice;
  CliExit status;

  gmcp_managed_server_start_async (server, host->cancellable, cli_store_result, &started);
  if (!gmcp_managed_server_start_finish (server, cli_wait (&started), &error))
    return cli_host_report (host, error);

  /* A reader at the other end of a pipe may wait for the line. */
  g_print ("%s\n", gmcp_managed_server_get_id (server));
  fflush (stdout);
  cli_host_end_with_reader (host);
  notice = g_signal_connect (server, "notice", G_CALLBACK (on_notice), NULL);
  status = keep_running (host, server);
  g_signal_handler_disconnect (server, notice);
  return status;
}

/* Nothing here outlives the command to run it. */
static CliExit
refuse_background (CliHost *host, GmcpManagedServer *server)
{
  g_autofree char *words = cli_server_dup_words (host, gmcp_managed_server_get_id (server));

  if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
    return cli_usage_error (_ ("start: %s is disabled; “gmcp enable %s” switches it on"),
                            gmcp_managed_server_get_id (server), words);
  if (host->config_file != NULL)
    cli_usage_error (
      /* Translators: the id of a server */
      _ ("start: no session daemon looks after the servers of that file; “gmcpd --config FILE” is "
         "one. “gmcp start --foreground %s” runs it here until Ctrl-C"),
      words);
  else
    cli_usage_error (
      /* Translators: the id of a server, twice */
      _ (
        "start: there is no session daemon to run %s: “gmcpd” is one, which a session bus starts by "
        "itself. “gmcp start --foreground %s” runs it here until Ctrl-C"),
      gmcp_managed_server_get_id (server), words);
  return CLI_EXIT_UNREACHABLE;
}

static CliExit
start_here (CliHost *host, const char *id, gboolean in_foreground)
{
  GmcpManagedServer *found = NULL;
  g_autoptr (GmcpManagedServer) server = NULL;
  CliExit status = cli_host_open (host);

  if (status == CLI_EXIT_OK)
    status = cli_server_find (host, id, &found);
  if (status != CLI_EXIT_OK)
    return status;

  /* The configuration may change while it runs. */
  server = g_object_ref (found);
  return in_foreground ? start_server (host, server) : refuse_background (host, server);
}

static CliExit
run_start (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autoptr (CliDaemon) daemon = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status = cli_server_check_one (host, argc, argv);

  if (status != CLI_EXIT_OK)
    return status;
  if (!options->foreground)
    daemon = cli_daemon_reach (host, &error);
  if (error != NULL)
    return cli_host_report (host, error);
  return daemon != NULL ? cli_start_steps_run (host, daemon, argv[1], FALSE)
                        : start_here (host, argv[1], options->foreground);
}

static const GOptionEntry start_entries[] = {
  { "foreground", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, foreground),
    N_ ("Look after the server until Ctrl-C ends it"), NULL },
  { NULL },
};

const CliCommand cli_start_command = {
  .name = "start",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Run a server and look after it"),
  .synopsis = N_ ("SERVER"),
  .description = N_ (
    "The session daemon gmcpd runs it, and all programs of the session have it until “gmcp stop”; where\n"
    "there is a session bus, that starts the daemon. With --foreground it runs here: its id is printed\n"
    "once it is ready, and what happens to it from then on goes to standard error."),
  .takes = CLI_TAKES_CONFIG,
  .entries = start_entries,
  .options_size = sizeof (Options),
  .run = run_start,
};
