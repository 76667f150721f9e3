/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-text.h"

/* What tools were when they were first seen, and what has become of them. Starts no server. */

static GmcpManager *
open_manager (CliHost *host, CliExit *status)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManager *manager;

  *status = cli_host_open (host);
  if (*status != CLI_EXIT_OK)
    return NULL;

  manager = cli_host_get_manager (host);
  if (manager == NULL)
    {
      cli_host_explain_no_servers (host);
      *status = CLI_EXIT_UNREACHABLE;
      return NULL;
    }

  gmcp_manager_load_config_async (manager, host->cancellable, cli_store_result, &result);
  if (!gmcp_manager_load_config_finish (manager, cli_wait (&result), &error))
    {
      *status = cli_host_report (host, error);
      return NULL;
    }
  return manager;
}

static const char *
describe_status (GmcpPinStatus status)
{
  switch (status)
    {
    case GMCP_PIN_STATUS_NEW:
      return _ ("new");
    case GMCP_PIN_STATUS_CHANGED:
      return _ ("changed");
    case GMCP_PIN_STATUS_APPROVED:
    default:
      return _ ("approved");
    }
}

static void
print_pin (GmcpToolPin *pin, gboolean all)
{
  GmcpPinStatus status = gmcp_tool_pin_get_status (pin);
  g_autofree char *diff = NULL;
  g_autofree char *line = NULL;

  if (status == GMCP_PIN_STATUS_APPROVED && !all)
    return;

  line = g_strdup_printf ("%s.%s: %s\n", gmcp_tool_pin_get_server_id (pin),
                          gmcp_tool_pin_get_tool (pin), describe_status (status));
  cli_text_show (line);
  if (status == GMCP_PIN_STATUS_APPROVED)
    return;
  diff = gmcp_tool_pin_dup_diff (pin);
  cli_text_show (diff);
}

CliExit
cli_command_pins (CliHost *host, int argc, char *argv[])
{
  gboolean all = FALSE;
  const GOptionEntry entries[] = {
    { "all", 0, 0, G_OPTION_ARG_NONE, &all, N_ ("Print those that are approved, too"), NULL },
    CLI_TIMEOUT_ENTRY (host),
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context
    = g_option_context_new (_ ("– show the tools that are new or have changed"));
  g_autoptr (GPtrArray) pins = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManager *manager;
  CliExit status;

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("pins: %s", error->message);
  if (argc > 1)
    return cli_usage_error (_ ("pins: takes no arguments"));

  manager = open_manager (host, &status);
  if (manager == NULL)
    return status;

  pins = gmcp_manager_list_pins (manager);
  for (guint i = 0; i < pins->len; i++)
    print_pin (g_ptr_array_index (pins, i), all);
  return CLI_EXIT_OK;
}

/* SERVER, or SERVER.TOOL; NULL for all. */
static gboolean
approve_tools (CliHost *host, GmcpManager *manager, const char *name, CliExit *status)
{
  const char *dot = name != NULL ? strchr (name, '.') : NULL;
  g_autofree char *server = dot != NULL ? g_strndup (name, dot - name) : g_strdup (name);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  int n_approved;

  gmcp_manager_approve_tools_async (manager, server, dot != NULL ? dot + 1 : NULL,
                                    host->cancellable, cli_store_result, &result);
  n_approved = gmcp_manager_approve_tools_finish (manager, cli_wait (&result), &error);
  if (n_approved < 0)
    {
      *status = cli_host_report (host, error);
      return FALSE;
    }
  if (n_approved == 0 && name != NULL)
    {
      *status = cli_usage_error (_ ("approve: nothing of %s waits to be approved; “gmcp pins” "
                                    "shows what does"),
                                 name);
      return FALSE;
    }
  return TRUE;
}

CliExit
cli_command_approve (CliHost *host, int argc, char *argv[])
{
  gboolean all = FALSE;
  const GOptionEntry entries[] = {
    { "all", 0, 0, G_OPTION_ARG_NONE, &all, N_ ("Approve all that waits"), NULL },
    CLI_TIMEOUT_ENTRY (host),
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context
    = g_option_context_new (_ ("SERVER[.TOOL]… – approve tools as they are now"));
  g_autoptr (GError) error = NULL;
  GmcpManager *manager;
  CliExit status;

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("approve: %s", error->message);
  cli_drop_mark (&argc, argv);
  if (all == (argc > 1))
    return cli_usage_error (_ ("approve: which tools? SERVER.TOOL, SERVER, or --all"));

  manager = open_manager (host, &status);
  if (manager == NULL)
    return status;

  if (all)
    {
      approve_tools (host, manager, NULL, &status);
      return status;
    }
  for (int i = 1; i < argc; i++)
    if (!approve_tools (host, manager, argv[i], &status))
      return status;
  return CLI_EXIT_OK;
}
