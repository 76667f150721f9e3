/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "cli-commands.h"
#include "cli-failure.h"
#include "cli-questions.h"
#include "cli-server.h"

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

/* No program looks after servers for others; each runs its own. */
static CliExit
refuse_background (CliHost *host, GmcpManagedServer *server)
{
  g_autofree char *words = cli_server_dup_words (host, gmcp_managed_server_get_id (server));

  if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
    return cli_usage_error (_ ("start: %s is disabled; “gmcp enable %s” switches it on"),
                            gmcp_managed_server_get_id (server), words);
  if (gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL)
    return cli_usage_error (
      /* Translators: the id of a server, twice */
      _ (
        "start: each program runs servers of its own, and one that is started here helps no other. "
        "“gmcp start --foreground %s” runs it here until Ctrl-C; with its “start” set to “on-demand” "
        "programs start %s when they call it"),
      words, gmcp_managed_server_get_id (server));
  return cli_usage_error (
    /* Translators: the id of a server, twice */
    _ ("start: each program runs servers of its own, and starts %s when it calls it. “gmcp start "
       "--foreground %s” runs it here until Ctrl-C"),
    gmcp_managed_server_get_id (server), words);
}

/* The one server that is named. */
static CliExit
find_server (CliHost *host, int argc, char *argv[], GmcpManagedServer **server)
{
  CliExit status;

  if (argc < 2)
    return cli_usage_error (_ ("%s: which server? “gmcp status” lists them"), argv[0]);
  if (argc > 2)
    return cli_usage_error (_ ("%s: one server at a time"), argv[0]);

  status = cli_host_open (host);
  if (status == CLI_EXIT_OK)
    status = cli_server_find (host, argv[1], server);
  /* The configuration may change while it runs. */
  if (status == CLI_EXIT_OK)
    g_object_ref (*server);
  return status;
}

static CliExit
run_start (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autoptr (GmcpManagedServer) server = NULL;
  CliExit status = find_server (host, argc, argv, &server);

  if (status != CLI_EXIT_OK)
    return status;
  return options->foreground ? start_server (host, server) : refuse_background (host, server);
}

/* What runs in another program is not for this one to stop. */
static CliExit
refuse_to_stop (CliHost *host, int argc, char *argv[], const char *format)
{
  g_autoptr (GmcpManagedServer) server = NULL;
  g_autofree char *why = NULL;
  CliExit status = find_server (host, argc, argv, &server);

  if (status != CLI_EXIT_OK)
    return status;

  why = g_strdup_printf ("%s: %s %s", argv[0], gmcp_managed_server_get_id (server), format);
  cli_failure_tell (why);
  return CLI_EXIT_UNREACHABLE;
}

static CliExit
run_stop (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  return refuse_to_stop (
    host, argc, argv,
    /* Translators: stands behind the id of a server */
    _ ("does not run here. A program that started it stops it when it ends, and “gmcp start "
       "--foreground” when Ctrl-C is pressed"));
}

static CliExit
run_restart (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  return refuse_to_stop (
    host, argc, argv,
    /* Translators: stands behind the id of a server */
    _ (
      "does not run here, and each command of gmcp starts it anew. A program that runs it starts it "
      "anew when it is configured in another way"));
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
  .description
  = N_ ("The server's id is printed once it is ready; what happens to it from then on goes to "
        "standard error."),
  .takes = CLI_TAKES_CONFIG,
  .entries = start_entries,
  .options_size = sizeof (Options),
  .run = run_start,
};

const CliCommand cli_stop_command = {
  .name = "stop",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Stop a server"),
  .synopsis = N_ ("SERVER"),
  .takes = CLI_TAKES_CONFIG,
  .run = run_stop,
};

const CliCommand cli_restart_command = {
  .name = "restart",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Start a server anew"),
  .synopsis = N_ ("SERVER"),
  .takes = CLI_TAKES_CONFIG,
  .run = run_restart,
};
