/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <unistd.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
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

typedef struct
{
  char *path;
  GBytes *bytes;
} Output;

static Output *
output_new (const char *path, GBytes *bytes)
{
  Output *output = g_new (Output, 1);

  output->path = g_strdup (path);
  output->bytes = g_bytes_ref (bytes);
  return output;
}

static void
output_free (gpointer data)
{
  Output *output = data;

  g_free (output->path);
  g_bytes_unref (output->bytes);
  g_free (output);
}

static gboolean
write_all (int fd, const char *data, gsize length)
{
  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno != EINTR)
        return FALSE;
      if (n > 0)
        {
          data += n;
          length -= (gsize) n;
        }
    }
  return TRUE;
}

/* Into the file that is there, whatever it is: a link, a pipe and a device stay what they are. */
static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Output *output = data;
  int fd = open (output->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
  gsize length;
  const char *bytes = g_bytes_get_data (output->bytes, &length);
  gboolean written = fd != -1 && write_all (fd, bytes, length);
  int why = errno;

  /* Some file systems tell only then that the disk is full. */
  if (fd != -1 && close (fd) != 0 && written)
    {
      written = FALSE;
      why = errno;
    }

  if (written)
    g_task_return_boolean (task, TRUE);
  else
    {
      g_autofree char *shown = g_filename_display_name (output->path);

      /* Translators: the name of a file, and why */
      g_task_return_new_error (task, G_FILE_ERROR, (int) g_file_error_from_errno (why),
                               _ ("“%s” could not be written: %s"), shown, g_strerror (why));
    }
}

static CliExit
write_file (CliHost *host, GmcpResourceResult *result, const char *path)
{
  g_autoptr (GError) error = NULL;
  guint n = gmcp_resource_result_get_n_contents (result);
  g_autoptr (GAsyncResult) written = NULL;
  g_autoptr (GTask) task = NULL;
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

  task = g_task_new (NULL, host->cancellable, cli_store_result, &written);
  g_task_set_source_tag (task, write_file);
  g_task_set_task_data (task, output_new (path, bytes), output_free);
  /* A pipe may have no reader yet, which is no reason not to heed Ctrl-C and the time limit. */
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, write_in_thread);
  if (g_task_propagate_boolean (G_TASK (cli_wait (&written)), &error))
    return CLI_EXIT_OK;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return cli_host_report (host, error);
  g_printerr ("gmcp: %s\n", error->message);
  return CLI_EXIT_OUTPUT;
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
               const char *uri,
               const char *output,
               gboolean json)
{
  g_autoptr (GmcpCallOptions) options = cli_host_new_options (host);
  /* Before the server is started, which is told by that what it may ask. */
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new (host->providers);
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpResourceResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GmcpClient *client = NULL;
  CliExit status = cli_server_connect (host, server, &client);

  if (status != CLI_EXIT_OK)
    return status;

  gmcp_client_read_resource_async (client, uri, options, host->cancellable, cli_store_result,
                                   &pending);
  result = gmcp_client_read_resource_finish (client, cli_wait (&pending), &error);
  if (result == NULL)
    return cli_host_report (host, error);

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
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = read_entries,
  .options_size = sizeof (Options),
  .run = run_read,
};
