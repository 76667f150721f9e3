/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-daemon.h"
#include "cli-failure.h"
#include "cli-token.h"

/* gmcp dashboard: the session daemon's page in a browser, signed in. */

typedef struct
{
  gboolean print;
  gboolean token;
} Options;

static CliExit
refuse_without_daemon (CliHost *host)
{
  if (host->config_file != NULL)
    return cli_daemon_report_none_of_file ("dashboard");
  cli_failure_tell (_ ("dashboard: there is no session daemon, whose page it is: “gmcpd” is one, "
                       "which a session bus starts by itself"));
  return CLI_EXIT_UNREACHABLE;
}

/* A browser that opens no window would be started in vain. */
static gboolean
has_display (void)
{
  return g_getenv ("WAYLAND_DISPLAY") != NULL || g_getenv ("DISPLAY") != NULL;
}

static gboolean
launch_browser (CliHost *host, const char *url, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  if (!has_display ())
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("there is no display"));
      return FALSE;
    }
  g_app_info_launch_default_for_uri_async (url, NULL, host->cancellable, cli_store_result, &result);
  return g_app_info_launch_default_for_uri_finish (cli_wait (&result), error);
}

/* Without a browser here the link is what helps: for one elsewhere, through a tunnel. */
static CliExit
show_page (CliHost *host, const char *url, guint seconds)
{
  g_autoptr (GError) error = NULL;

  if (launch_browser (host, url, &error))
    {
      g_print ("%s\n", _ ("The dashboard is open in your browser."));
      return CLI_EXIT_OK;
    }
  /* Translators: what went wrong, and a number of seconds */
  g_printerr (_ ("gmcp: No browser could be opened: %s. This link signs in the browser that opens "
                 "it within %u seconds, once:\n"),
              error->message, seconds);
  g_print ("%s\n", url);
  return CLI_EXIT_OK;
}

static CliExit
print_token (CliHost *host)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *token = cli_token_dup (host, CLI_TOKEN_CONTROL, &error);

  if (error != NULL)
    return cli_host_report (host, error);
  if (token == NULL)
    {
      cli_failure_tell (
        _ ("dashboard: there is no token yet; gmcpd makes one when its control API is "
           "opened for the first time"));
      return CLI_EXIT_UNREACHABLE;
    }
  g_print ("%s\n", token);
  return CLI_EXIT_OK;
}

static CliExit
run_dashboard (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CliDaemon) daemon = NULL;
  g_autoptr (GVariant) reply = NULL;
  const char *url;
  guint seconds;

  if (argc > 1)
    return cli_usage_error (_ ("dashboard: takes no arguments: %s"), argv[1]);
  if (options->print && options->token)
    return cli_usage_error (_ ("dashboard: --print and --token do not go together"));
  if (options->token)
    return print_token (host);

  daemon = cli_daemon_reach (host, &error);
  if (error != NULL)
    return cli_host_report (host, error);
  if (daemon == NULL)
    return refuse_without_daemon (host);

  reply = cli_daemon_call (daemon, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, "OpenDashboard", NULL,
                           "(su)", &error);
  if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD))
    {
      cli_failure_tell (_ ("dashboard: the session daemon that runs is an older one, which has no "
                           "dashboard. It is another once it was started anew"));
      return CLI_EXIT_UNREACHABLE;
    }
  if (reply == NULL)
    return cli_host_report (host, error);

  g_variant_get (reply, "(&su)", &url, &seconds);
  if (!options->print)
    return show_page (host, url, seconds);
  g_print ("%s\n", url);
  return CLI_EXIT_OK;
}

static const GOptionEntry entries[] = {
  { "print", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, print),
    N_ ("Print the link, which signs in the browser that opens it first, and open nothing"), NULL },
  { "token", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, token),
    N_ ("Print the token that programs show at the control API, and open nothing"), NULL },
  { NULL },
};

const CliCommand cli_dashboard_command = {
  .name = "dashboard",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Open the page that shows and steers all servers"),
  .description = N_ (
    "The session daemon gmcpd serves the page, to browsers of this machine that are signed in: each\n"
    "time by a new link that can be used once. Where there is a session bus, that starts the daemon."),
  .takes = CLI_TAKES_CONFIG,
  .entries = entries,
  .options_size = sizeof (Options),
  .run = run_dashboard,
};
