/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-daemon.h"
#include "cli-failure.h"
#include "cli-server.h"
#include "cli-start-steps.h"

/* gmcp stop, gmcp restart: of servers that the session daemon runs. */

typedef struct
{
  gboolean force;
} Options;

/* What runs in another program is not for this one to stop. */
static CliExit
refuse_to_stop (CliHost *host, char *argv[], const char *reason)
{
  GmcpManagedServer *server = NULL;
  g_autofree char *why = NULL;
  CliExit status = cli_host_open (host);

  if (status == CLI_EXIT_OK)
    status = cli_server_find (host, argv[1], &server);
  if (status != CLI_EXIT_OK)
    return status;

  why = g_strdup_printf ("%s: %s %s", argv[0], gmcp_managed_server_get_id (server), reason);
  cli_failure_tell (why);
  return CLI_EXIT_UNREACHABLE;
}

static CliExit
stop_server (CliHost *host, CliDaemon *daemon, const char *id, gboolean force)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = cli_daemon_find_server (daemon, id, &error);
  g_autoptr (GVariant) reply = NULL;

  if (path != NULL)
    reply = cli_daemon_call (daemon, path, CLI_DAEMON_SERVER, "Stop", g_variant_new ("(b)", force),
                             NULL, &error);
  if (reply == NULL)
    {
      CliExit status = cli_host_report (host, error);

      if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED))
        cli_server_explain_not_in_daemon (host, id);
      return status;
    }

  /* Translators: the id of a server */
  g_print (_ ("Server %s stopped\n"), id);
  return CLI_EXIT_OK;
}

static CliExit
run_stop (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autoptr (CliDaemon) daemon = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status = cli_server_check_one (host, argc, argv);

  if (status != CLI_EXIT_OK)
    return status;
  daemon = cli_daemon_reach (host, &error);
  if (error != NULL)
    return cli_host_report (host, error);
  if (daemon != NULL)
    return stop_server (host, daemon, argv[1], options->force);
  return refuse_to_stop (
    host, argv,
    /* Translators: stands behind the id of a server */
    _ (
      "does not run in a session daemon, as there is none. A program that started it stops it when "
      "it ends, and “gmcp start --foreground” when Ctrl-C is pressed"));
}

static CliExit
run_restart (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  g_autoptr (CliDaemon) daemon = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status = cli_server_check_one (host, argc, argv);

  if (status != CLI_EXIT_OK)
    return status;
  daemon = cli_daemon_reach (host, &error);
  if (error != NULL)
    return cli_host_report (host, error);
  if (daemon != NULL)
    return cli_start_steps_run (host, daemon, argv[1], TRUE);
  return refuse_to_stop (
    host, argv,
    /* Translators: stands behind the id of a server */
    _ (
      "does not run in a session daemon, as there is none, and each command of gmcp starts it anew. "
      "A program that runs it starts it anew when it is configured in another way"));
}

static const GOptionEntry stop_entries[] = {
  { "force", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, force),
    N_ ("Wait neither for its calls nor for its end"), NULL },
  { NULL },
};

const CliCommand cli_stop_command = {
  .name = "stop",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Stop a server"),
  .synopsis = N_ ("SERVER"),
  .takes = CLI_TAKES_CONFIG,
  .entries = stop_entries,
  .options_size = sizeof (Options),
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
