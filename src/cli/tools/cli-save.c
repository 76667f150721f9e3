/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-save.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *path;
  GBytes *bytes;
  gboolean may_replace;
} Output;

static Output *
output_new (const char *path, GBytes *bytes, gboolean may_replace)
{
  Output *output = g_new (Output, 1);

  output->path = g_strdup (path);
  output->bytes = g_bytes_ref (bytes);
  output->may_replace = may_replace;
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
static int
open_file (const Output *output)
{
  const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  struct stat there;
  int fd;

  if (output->may_replace)
    return open (output->path, flags | O_CREAT | O_TRUNC, 0666);

  fd = open (output->path, flags | O_CREAT | O_EXCL, 0666);
  if (fd != -1 || errno != EEXIST)
    return fd;
  if (stat (output->path, &there) == 0 && !S_ISREG (there.st_mode))
    return open (output->path, flags);
  errno = EEXIST;
  return -1;
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Output *output = data;
  int fd = open_file (output);
  gsize length;
  const char *bytes = g_bytes_get_data (output->bytes, &length);
  gboolean written = fd != -1 && write_all (fd, bytes, length);
  int why = errno;
  g_autofree char *shown = NULL;

  /* Some file systems tell only then that the disk is full. */
  if (fd != -1 && close (fd) != 0 && written)
    {
      written = FALSE;
      why = errno;
    }

  if (written)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  shown = g_filename_display_name (output->path);
  if (fd == -1 && why == EEXIST && !output->may_replace)
    g_task_return_new_error (task, G_FILE_ERROR, G_FILE_ERROR_EXIST,
                             _ ("“%s” is there already; --force replaces it"), shown);
  else
    /* Translators: the name of a file, and why */
    g_task_return_new_error (task, G_FILE_ERROR, (int) g_file_error_from_errno (why),
                             _ ("“%s” could not be written: %s"), shown, g_strerror (why));
}

CliExit
cli_save_bytes (CliHost *host, const char *path, GBytes *bytes, gboolean may_replace)
{
  g_autoptr (GAsyncResult) written = NULL;
  g_autoptr (GTask) task = g_task_new (NULL, host->cancellable, cli_store_result, &written);
  g_autoptr (GError) error = NULL;

  g_task_set_source_tag (task, cli_save_bytes);
  g_task_set_task_data (task, output_new (path, bytes, may_replace), output_free);
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
