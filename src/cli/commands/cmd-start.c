/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "cli-commands.h"
#include "cli-questions.h"
#include "cli-server.h"

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
  notice = g_signal_connect (server, "notice", G_CALLBACK (on_notice), NULL);
  status = keep_running (host, server);
  g_signal_handler_disconnect (server, notice);
  return status;
}

CliExit
cli_command_start (CliHost *host, int argc, char *argv[])
{
  gboolean foreground = FALSE;
  const GOptionEntry entries[] = {
    { "foreground", 0, 0, G_OPTION_ARG_NONE, &foreground,
      N_ ("Look after the server until Ctrl-C ends it"), NULL },
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("SERVER – run a server"));
  g_autoptr (GmcpManagedServer) server = NULL;
  GmcpManagedServer *found = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status;

  g_option_context_set_description (
    context,
    _ ("The server's id is printed once it is ready; what happens to it from then on goes to "
       "standard error."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("start: %s", error->message);
  if (argc < 2)
    return cli_usage_error (_ ("start: which server? “gmcp servers” lists them"));
  if (argc > 2)
    return cli_usage_error (_ ("start: one server at a time"));
  if (!foreground)
    return cli_usage_error (
      _ ("start: each program runs servers of its own, and one that is started "
         "here helps no other. So that programs start %s when they call it, set "
         "its “start” to “on-demand” (“auto_start: true” in YAML). To run it "
         "here for as long as you watch it, add --foreground"),
      argv[1]);

  status = cli_host_open (host);
  if (status == CLI_EXIT_OK)
    status = cli_server_find (host, argv[1], &found);
  if (status != CLI_EXIT_OK)
    return status;

  /* The configuration may change while it runs. */
  server = g_object_ref (found);
  return start_server (host, server);
}
