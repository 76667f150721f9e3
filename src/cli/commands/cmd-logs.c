/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-server.h"
#include "cli-text.h"

#define DEFAULT_LINES 50

/* The last lines of a text. */
static const char *
find_last_lines (const char *text, gsize length, guint n_lines)
{
  const char *from = text + length;

  if (from > text && from[-1] == '\n')
    from--;
  for (guint i = 0; i < n_lines && from != NULL; i++)
    from = g_strrstr_len (text, from - text, "\n");
  return from != NULL ? from + 1 : text;
}

CliExit
cli_command_logs (CliHost *host, int argc, char *argv[])
{
  int n_lines = DEFAULT_LINES;
  const GOptionEntry entries[] = {
    { "lines", 'n', 0, G_OPTION_ARG_INT, &n_lines, N_ ("How many lines"), N_ ("NUMBER") },
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context
    = g_option_context_new (_ ("SERVER – print what a server wrote, and what became of it"));
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  const char *path;
  g_autofree char *content = NULL;
  g_autofree char *valid = NULL;
  GmcpManagedServer *server = NULL;
  gsize length;
  CliExit status;

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("logs: %s", error->message);
  if (argc < 2)
    return cli_usage_error (_ ("logs: which server? “gmcp status” lists them"));
  if (argc > 2)
    return cli_usage_error (_ ("logs: one server at a time"));
  if (n_lines < 1)
    return cli_usage_error (_ ("logs: --lines has to be at least 1"));

  status = cli_host_open (host);
  if (status == CLI_EXIT_OK)
    status = cli_server_find (host, argv[1], &server);
  if (status != CLI_EXIT_OK)
    return status;

  file = gmcp_managed_server_dup_log_file (server);
  path = g_file_peek_path (file);
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)
      || !g_file_get_contents (path, &content, &length, NULL))
    {
      g_printerr (_ ("Nothing has been written to %s\n"), path);
      return CLI_EXIT_OK;
    }

  valid = g_utf8_make_valid (content, (gssize) length);
  cli_text_print (find_last_lines (valid, strlen (valid), (guint) n_lines));
  return CLI_EXIT_OK;
}
