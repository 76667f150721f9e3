/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-status-line.h"

#include <stdio.h>
#include <unistd.h>

#include "cli-text.h"

/* A process has one standard error. */
static gboolean is_shown;
static guint n_holds;
static GString *untold; /* lines for when nobody is asked any more */

gboolean
cli_status_line_is_possible (void)
{
  const char *term = g_getenv ("TERM");

  return isatty (STDERR_FILENO) && term != NULL && *term != '\0' && !g_str_equal (term, "dumb");
}

void
cli_status_line_show (const char *text)
{
  guint width = cli_text_width (STDERR_FILENO);
  g_autofree char *line = NULL;

  if (n_holds > 0 || !cli_status_line_is_possible ())
    return;

  /* In the last column some terminals begin a new line. */
  line = cli_text_plain (text, width > 1 ? width - 1 : 1);
  /* What was printed before stands above. */
  fflush (stdout);
  fprintf (stderr, "\r\033[K%s", line);
  fflush (stderr);
  is_shown = TRUE;
}

gboolean
cli_status_line_clear (void)
{
  if (!is_shown)
    return FALSE;

  fputs ("\r\033[K", stderr);
  fflush (stderr);
  is_shown = FALSE;
  return TRUE;
}

void
cli_status_line_hold (void)
{
  cli_status_line_clear ();
  n_holds++;
}

void
cli_status_line_release (void)
{
  g_autoptr (GString) told = NULL;

  if (--n_holds > 0 || untold == NULL)
    return;
  told = g_steal_pointer (&untold);
  g_printerr ("%s", told->str);
}

gboolean
cli_status_line_is_held (void)
{
  return n_holds > 0;
}

void
cli_status_line_tell (const char *text)
{
  if (n_holds == 0)
    {
      g_printerr ("%s\n", text);
      return;
    }
  if (untold == NULL)
    untold = g_string_new (NULL);
  g_string_append_printf (untold, "%s\n", text);
}
