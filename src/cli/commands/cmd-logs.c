/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-server.h"
#include "cli-text.h"

typedef struct
{
  int n_lines;
} Options;

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

static CliExit
run_logs (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autoptr (GFile) file = NULL;
  const char *path;
  g_autofree char *content = NULL;
  g_autofree char *valid = NULL;
  GmcpManagedServer *server = NULL;
  gsize length;
  CliExit status;

  if (argc < 2)
    return cli_usage_error (_ ("logs: which server? “gmcp status” lists them"));
  if (argc > 2)
    return cli_usage_error (_ ("logs: one server at a time"));
  if (options->n_lines < 1)
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
  cli_text_print (find_last_lines (valid, strlen (valid), (guint) options->n_lines));
  return CLI_EXIT_OK;
}

static const GOptionEntry logs_entries[] = {
  { "lines", 'n', 0, G_OPTION_ARG_INT, CLI_OFFSET (Options, n_lines), N_ ("How many lines"),
    N_ ("NUMBER") },
  { NULL },
};

static const Options logs_defaults = { .n_lines = DEFAULT_LINES };

const CliCommand cli_logs_command = {
  .name = "logs",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Print what a server wrote to its standard error, and what became of it"),
  .synopsis = N_ ("SERVER"),
  .takes = CLI_TAKES_CONFIG,
  .entries = logs_entries,
  .options_size = sizeof (Options),
  .defaults = &logs_defaults,
  .run = run_logs,
};
