/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <unistd.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-save.h"
#include "cli-questions.h"
#include "cli-resource-find.h"
#include "cli-server.h"
#include "cli-text.h"

typedef struct
{
  char *output;
} Options;

static CliExit
report_part (CliHost *host, GmcpResourceContents *contents, GBytes **bytes)
{
  g_autoptr (GError) error = NULL;

  *bytes = gmcp_resource_contents_get_bytes (contents, &error);
  return *bytes != NULL ? CLI_EXIT_OK : cli_host_report (host, error);
}

static CliExit
write_file (CliHost *host, GmcpResourceResult *result, const char *path)
{
  guint n = gmcp_resource_result_get_n_contents (result);
  GBytes *bytes = NULL;
  CliExit status;

  if (n != 1)
    {
      g_printerr (g_dngettext (NULL, "gmcp: the resource has %u part, and a file can take one:\n",
                               "gmcp: the resource has %u parts, and a file can take one:\n", n),
                  n);
      for (guint i = 0; i < n; i++)
        {
          const char *uri
            = gmcp_resource_contents_get_uri (gmcp_resource_result_get_contents (result, i));
          g_autofree char *plain = cli_text_plain (uri != NULL ? uri : "", G_MAXUINT / 2);

          g_printerr ("  %s\n", plain);
        }
      return CLI_EXIT_USAGE;
    }

  status = report_part (host, gmcp_resource_result_get_contents (result, 0), &bytes);
  if (status != CLI_EXIT_OK)
    return status;

  return cli_save_bytes (host, path, bytes, TRUE);
}

/* What a terminal is to show is text. Elsewhere the bytes come as they are. */
static CliExit
print_part (CliHost *host, GmcpResourceContents *contents)
{
  gboolean terminal = isatty (STDOUT_FILENO);
  GBytes *bytes = NULL;
  CliExit status;

  if (terminal && gmcp_resource_contents_is_text (contents))
    {
      cli_text_print (gmcp_resource_contents_get_text (contents));
      return CLI_EXIT_OK;
    }

  status = report_part (host, contents, &bytes);
  if (status != CLI_EXIT_OK)
    return status;
  if (terminal)
    {
      const char *type = gmcp_resource_contents_get_mime_type (contents);
      g_autofree char *plain = cli_text_plain (type != NULL ? type : _ ("unknown type"), 60);
      g_autofree char *size = g_format_size (g_bytes_get_size (bytes));

      /* Translators: a type such as image/png, and a size */
      return cli_usage_error (_ ("the resource is not text (%s, %s); --output FILE saves it"),
                              plain, size);
    }
  fwrite (g_bytes_get_data (bytes, NULL), 1, g_bytes_get_size (bytes), stdout);
  return CLI_EXIT_OK;
}

static CliExit
print_contents (CliHost *host, GmcpResourceResult *result)
{
  guint n = gmcp_resource_result_get_n_contents (result);
  CliExit status = CLI_EXIT_OK;

  for (guint i = 0; i < n && status == CLI_EXIT_OK; i++)
    status = print_part (host, gmcp_resource_result_get_contents (result, i));
  return status;
}

static CliExit
read_resource (CliHost *host,
               const char *server,
               const char *word,
               const char *output,
               gboolean json)
{
  g_autoptr (GmcpCallOptions) options = cli_host_new_options (host);
  /* Before the server is started, which is told by that what it may ask. */
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new (host->providers);
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpResourceResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;
  g_autofree char *text = NULL;
  GmcpClient *client = NULL;
  CliExit status = cli_server_connect (host, server, &client);

  if (status == CLI_EXIT_OK)
    status = cli_resource_find_uri (host, client, word, &uri);
  if (status != CLI_EXIT_OK)
    return status;

  gmcp_client_read_resource_async (client, uri, options, host->cancellable, cli_store_result,
                                   &pending);
  result = gmcp_client_read_resource_finish (client, cli_wait (&pending), &error);
  if (result == NULL)
    return cli_resource_report (host, client, uri, error);

  if (!json)
    return output != NULL ? write_file (host, result, output) : print_contents (host, result);
  text = gmcp_resource_result_dup_json (result);
  cli_json_print (text);
  return CLI_EXIT_OK;
}

static CliExit
run_read (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  CliExit status;

  if (argc != 3)
    return cli_usage_error (_ ("read: a server and a URI; “gmcp resources” lists them"));
  if (host->json && options->output != NULL)
    return cli_usage_error (_ ("read: either --json or --output"));
  if (!g_utf8_validate (argv[2], -1, NULL))
    return cli_usage_error (_ ("read: the URI is not UTF-8"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  return read_resource (host, argv[1], argv[2], options->output, host->json);
}

static const GOptionEntry read_entries[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, CLI_OFFSET (Options, output),
    N_ ("Write the contents into FILE"), N_ ("FILE") },
  { NULL },
};

const CliCommand cli_read_command = {
  .name = "read",
  .group = CLI_COMMAND_GROUP_USE,
  .summary = N_ ("Print what is in a resource, or save it"),
  .synopsis = N_ ("SERVER URI"),
  .description
  = N_ ("In place of the URI, the name of a resource that the server lists can be given."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = read_entries,
  .options_size = sizeof (Options),
  .run = run_read,
};
