/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-history.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmcp/redaction/gmcp-secret-text.h>

#define MAX_LINES      1000
#define MAX_LINE_BYTES 4096
/* Several sessions may have added to it before one shortens it. */
#define MAX_FILE_BYTES (4 * MAX_LINES * MAX_LINE_BYTES)

struct _CliHistory
{
  char *path;
  GPtrArray *lines;
};

static gboolean
is_kept (const char *line)
{
  return *line != '\0' && *line != ' ' && strlen (line) <= MAX_LINE_BYTES
         && g_utf8_validate (line, -1, NULL) && strpbrk (line, "\n\r\033") == NULL
         && !gmcp_text_has_secret (line);
}

static gboolean
is_last (CliHistory *self, const char *line)
{
  return self->lines->len > 0
         && g_str_equal (g_ptr_array_index (self->lines, self->lines->len - 1), line);
}

static void
take_line (CliHistory *self, const char *line)
{
  g_ptr_array_add (self->lines, g_strdup (line));
  if (self->lines->len > MAX_LINES)
    g_ptr_array_remove_index (self->lines, 0);
}

/* A link or a pipe of that name is none of ours. */
static int
open_file (const char *path, int flags)
{
  int fd = open (path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  struct stat status;

  if (fd >= 0 && (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode)))
    {
      close (fd);
      return -1;
    }
  return fd;
}

static char *
read_file (const char *path)
{
  int fd = open_file (path, O_RDONLY);
  GString *text = g_string_new (NULL);
  char bytes[4096];
  ssize_t n;

  while (fd >= 0 && text->len < MAX_FILE_BYTES && (n = read (fd, bytes, sizeof bytes)) > 0)
    g_string_append_len (text, bytes, n);
  if (fd >= 0)
    close (fd);
  return g_string_free (text, FALSE);
}

static void
shorten_file (CliHistory *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->lines->len; i++)
    {
      g_string_append (text, g_ptr_array_index (self->lines, i));
      g_string_append_c (text, '\n');
    }
  g_file_set_contents_full (self->path, text->str, (gssize) text->len,
                            G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

CliHistory *
cli_history_new (const char *path)
{
  CliHistory *self = g_new0 (CliHistory, 1);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n_lines;

  self->path = path != NULL
                 ? g_strdup (path)
                 : g_build_filename (g_get_user_state_dir (), "gmcp", "shell-history", NULL);
  self->lines = g_ptr_array_new_with_free_func (g_free);

  text = read_file (self->path);
  lines = g_strsplit (text, "\n", -1);
  n_lines = g_strv_length (lines);
  for (guint i = 0; i < n_lines; i++)
    if (is_kept (lines[i]) && !is_last (self, lines[i]))
      take_line (self, lines[i]);
  if (n_lines > 2 * MAX_LINES)
    shorten_file (self);
  return self;
}

void
cli_history_free (CliHistory *self)
{
  g_ptr_array_unref (self->lines);
  g_free (self->path);
  g_free (self);
}

/* Where it cannot be written, this session has it all the same. */
static void
append_to_file (CliHistory *self, const char *line)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autofree char *whole = g_strconcat (line, "\n", NULL);
  int fd;

  g_mkdir_with_parents (folder, 0700);
  fd = open_file (self->path, O_WRONLY | O_APPEND | O_CREAT);
  if (fd < 0)
    return;
  /* It may have been made by hand. */
  if (fchmod (fd, 0600) == 0)
    (void) !write (fd, whole, strlen (whole));
  close (fd);
}

gboolean
cli_history_add (CliHistory *self, const char *line)
{
  if (!is_kept (line) || is_last (self, line))
    return FALSE;

  take_line (self, line);
  append_to_file (self, line);
  return TRUE;
}

guint
cli_history_get_n_lines (CliHistory *self)
{
  return self->lines->len;
}

const char *
cli_history_get_line (CliHistory *self, guint i)
{
  return g_ptr_array_index (self->lines, i);
}
