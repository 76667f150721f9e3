/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-affirm.h"

#include <gio/gunixinputstream.h>
#include <glib/gi18n.h>
#include <termios.h>
#include <unistd.h>

#include "cli-answer.h"
#include "cli-pages.h"
#include "cli-status-line.h"

gboolean
cli_set_echo (gboolean echo)
{
  struct termios settings;

  if (tcgetattr (STDIN_FILENO, &settings) != 0)
    return FALSE;
  if (echo)
    settings.c_lflag |= ECHO;
  else
    settings.c_lflag &= ~(tcflag_t) ECHO;
  return tcsetattr (STDIN_FILENO, TCSANOW, &settings) == 0;
}

char *
cli_read_line (CliHost *host, const char *prompt, gboolean hidden)
{
  return cli_read_line_until (host, prompt, hidden, host->cancellable);
}

char *
cli_read_line_until (CliHost *host, const char *prompt, gboolean hidden, GCancellable *cancellable)
{
  g_autoptr (GInputStream) terminal = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GDataInputStream) input = g_data_input_stream_new (terminal);
  g_autoptr (GAsyncResult) result = NULL;
  gboolean was_hidden = hidden && cli_set_echo (FALSE);
  guint n_interrupts = host->n_interrupts;
  char *line;

  /* What was typed before it was asked is no answer to it. */
  tcflush (STDIN_FILENO, TCIFLUSH);
  cli_status_line_hold ();
  g_printerr ("%s ", prompt);
  g_data_input_stream_read_line_async (input, G_PRIORITY_DEFAULT, cancellable, cli_store_result,
                                       &result);
  line = g_data_input_stream_read_line_finish_utf8 (input, cli_wait (&result), NULL, NULL);
  cli_status_line_release ();
  /* What was typed of an answer that is no longer needed is none to whoever reads next. */
  if (line == NULL)
    tcflush (STDIN_FILENO, TCIFLUSH);
  if (was_hidden)
    cli_set_echo (TRUE);
  /* Behind the “^C” of a terminal the line has ended already. */
  if ((was_hidden || line == NULL) && host->n_interrupts == n_interrupts)
    g_printerr ("\n");
  return line;
}

gboolean
cli_show_pages (CliHost *host, const char *text)
{
  return cli_show_pages_until (host, text, host->cancellable);
}

gboolean
cli_show_pages_until (CliHost *host, const char *text, GCancellable *cancellable)
{
  g_autoptr (CliPages) pages = cli_pages_new (text);
  gulong n_left;

  cli_pages_print (pages, FALSE);
  while ((n_left = cli_pages_count_left (pages)) > 0)
    {
      g_autofree char *prompt = g_strdup_printf (
        g_dngettext (NULL, "… %lu more character: [Enter] shows more, [r] all the rest, [n]o:",
                     "… %lu more characters: [Enter] shows more, [r] all the rest, [n]o:", n_left),
        n_left);
      g_autofree char *line = cli_read_line_until (host, prompt, FALSE, cancellable);
      CliAnswer answer = line != NULL ? cli_answer_read (line) : CLI_ANSWER_NO;

      if (answer == CLI_ANSWER_NO)
        return FALSE;
      if (answer == CLI_ANSWER_NOTHING || answer == CLI_ANSWER_REST)
        cli_pages_print (pages, answer == CLI_ANSWER_REST);
    }
  return TRUE;
}

gboolean
cli_affirm (CliHost *host, const char *text, const char *question)
{
  g_autofree char *answer = NULL;

  if (!cli_show_pages (host, text))
    return FALSE;

  answer = cli_read_line (host, question, FALSE);
  return answer != NULL && cli_answer_read (answer) == CLI_ANSWER_YES;
}
