/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-start-steps.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <unistd.h>

#include "cli-server.h"
#include "cli-style.h"
#include "cli-text.h"

#define TITLE_COLUMNS 26

/* As “gmcp doctor” has it: a mark on a terminal, a word elsewhere. */
static void
print_step (gboolean done, const char *title, const char *detail)
{
  gboolean is_terminal = isatty (STDOUT_FILENO);
  guint columns = cli_text_columns (title);

  fputs ("  ", stdout);
  if (done)
    cli_style_print (CLI_STYLE_GOOD, is_terminal ? "✓" : "ok    ");
  else
    cli_style_print (CLI_STYLE_BAD, is_terminal ? "✗" : "failed");
  if (detail != NULL)
    g_print (" %s%*s  %s\n", title, (int) (MAX (TITLE_COLUMNS, columns) - columns), "", detail);
  else
    g_print (" %s\n", title);
  fflush (stdout);
}

static CliExit
fail_step (CliHost *host, const char *title, const char *detail, const GError *error)
{
  print_step (FALSE, title, detail);
  return cli_host_report (host, error);
}

/* A start, as far as it has come. */
typedef struct
{
  const char *title;
  gboolean has_process;
} Steps;

/* A server with an address has no process here. */
static void
print_started (Steps *self, guint pid)
{
  g_autofree char *detail = NULL;

  if (self->has_process)
    return;
  self->has_process = TRUE;
  if (pid > 0)
    /* Translators: the number of a process */
    detail = g_strdup_printf (_ ("PID %u"), pid);
  print_step (TRUE, self->title, detail);
}

static void
on_changed (GVariant *properties, gpointer data)
{
  guint pid;

  if (g_variant_lookup (properties, "Pid", "u", &pid) && pid > 0)
    print_started (data, pid);
}

/* The start ends with the first health check that the server passes. */
static CliExit
start_server (CliHost *host, CliDaemon *daemon, const char *path, gboolean is_restart)
{
  Steps steps
    = { is_restart ? _ ("Restarting server process") : _ ("Starting server process"), FALSE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) started
    = cli_daemon_call_watching (daemon, path, CLI_DAEMON_SERVER, is_restart ? "Restart" : "Start",
                                "(u)", on_changed, &steps, &error);
  guint pid;

  if (started == NULL && steps.has_process)
    return fail_step (host, _ ("Health check"), _ ("Health check failed"), error);
  if (started == NULL)
    return fail_step (host, steps.title, NULL, error);

  g_variant_get (started, "(u)", &pid);
  print_started (&steps, pid);
  print_step (TRUE, _ ("Health check"), _ ("Server healthy"));
  return CLI_EXIT_OK;
}

/* Nothing comes of it where it runs, but that the daemon, which may be about to end, says so. */
static CliExit
report_running (CliHost *host, CliDaemon *daemon, const char *path, const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) started
    = cli_daemon_call (daemon, path, CLI_DAEMON_SERVER, "Start", NULL, "(u)", &error);
  guint pid;

  if (started == NULL)
    return cli_host_report (host, error);

  g_variant_get (started, "(u)", &pid);
  if (pid > 0)
    /* Translators: the id of a server, and the number of its process */
    g_print (_ ("Server %s runs already (PID %d)\n"), id, (int) pid);
  else
    g_print (_ ("Server %s runs already\n"), id);
  return CLI_EXIT_OK;
}

CliExit
cli_start_steps_run (CliHost *host, CliDaemon *daemon, const char *id, gboolean is_restart)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = cli_daemon_find_server (daemon, id, &error);
  g_autoptr (JsonArray) servers = NULL;

  if (path == NULL)
    {
      CliExit status = fail_step (host, _ ("Validating configuration"), NULL, error);

      if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED))
        cli_server_explain_not_in_daemon (host, id);
      return status;
    }
  if (!is_restart)
    servers = cli_daemon_list_servers (daemon);
  if (cli_daemon_find_running (servers, id) != NULL)
    return report_running (host, daemon, path, id);

  print_step (TRUE, _ ("Validating configuration"), NULL);
  return start_server (host, daemon, path, is_restart);
}
