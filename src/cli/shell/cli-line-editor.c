/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-line-editor.h"

#include <errno.h>
#include <glib-unix.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "cli-libedit.h"
#include "cli-text.h"
#include "cli-quoting.h"

#define MAX_CHARACTER_BYTES 8

/* Set before the first editor is there. */
static const CliLibedit *libedit;

struct _CliLineEditor
{
  CliInput *input;
  CliHistory *kept;
  CliPromptCompleteFunc complete;
  gpointer complete_data;
  EditLine *edit;
  History *history;
  guint n_known; /* lines of the kept history that are in that one */
  const char *prompt;
  int ended_by; /* what the last read of a byte gave that was none */
  GSource *resized;
};

static CliLineEditor *
get_editor (EditLine *edit)
{
  CliLineEditor *self = NULL;

  libedit->el_get (edit, EL_CLIENTDATA, &self);
  return self;
}

static char *
get_prompt (EditLine *edit)
{
  return (char *) get_editor (edit)->prompt;
}

/* The bytes of one character, in the encoding of the locale, which is what libedit writes. */
static int
read_character (EditLine *edit, wchar_t *character)
{
  CliLineEditor *self = get_editor (edit);
  mbstate_t state = { 0 };

  for (guint i = 0; i < MAX_CHARACTER_BYTES; i++)
    {
      int value = cli_input_read_byte (self->input);
      char byte = (char) value;
      size_t n;

      if (value < 0)
        {
          self->ended_by = value;
          errno = EINTR;
          return value == CLI_INPUT_END ? 0 : -1;
        }
      n = mbrtowc (character, &byte, 1, &state);
      if (n == 0 || n == 1)
        return 1;
      if (n == (size_t) -1)
        break;
    }
  *character = L'?';
  return 1;
}

static void
on_process_resumed (gpointer data)
{
  CliLineEditor *self = data;

  /* The shell that stopped and resumed this process has set the terminal to what commands expect. */
  libedit->el_set (self->edit, EL_PREP_TERM, 0);
  libedit->el_set (self->edit, EL_PREP_TERM, 1);
  fputs ("\r\033[J", stderr);
  fflush (stderr);
  libedit->el_set (self->edit, EL_REFRESH);
}

static gboolean
on_resized (gpointer data)
{
  CliLineEditor *self = data;

  libedit->el_resize (self->edit);
  return G_SOURCE_CONTINUE;
}

static gsize
measure_common (char **words)
{
  gsize length = strlen (words[0]);

  for (guint i = 1; words[i] != NULL; i++)
    {
      gsize same = 0;

      while (same < length && words[i][same] == words[0][same])
        same++;
      length = same;
    }
  while (length > 0 && (words[0][length] & 0xc0) == 0x80)
    length--;
  return length;
}

static void
replace_word (EditLine *edit, gsize n_bytes, const char *word)
{
  const LineInfo *info = libedit->el_line (edit);
  g_autofree char *old = g_strndup (info->cursor - n_bytes, n_bytes);

  libedit->el_deletestr (edit, (int) g_utf8_strlen (old, -1));
  libedit->el_insertstr (edit, word);
}

/* In columns, as many as fit. */
static void
show_words (CliLineEditor *self, char **words)
{
  guint width = cli_text_width (STDERR_FILENO);
  guint widest = 1;
  guint n_columns;

  for (guint i = 0; words[i] != NULL; i++)
    widest = MAX (widest, cli_text_columns (words[i]));
  n_columns = MAX (width / (widest + 2), 1);

  fputc ('\n', stderr);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *shown = cli_text_plain (words[i], width);
      gboolean ends = words[i + 1] == NULL || (i + 1) % n_columns == 0;

      fprintf (stderr, "%s%*s%s", shown, ends ? 0 : (int) (widest + 2 - cli_text_columns (shown)),
               "", ends ? "\n" : "");
    }
  fflush (stderr);
}

static unsigned char
complete_word (EditLine *edit, int character)
{
  CliLineEditor *self = get_editor (edit);
  const LineInfo *info = libedit->el_line (edit);
  g_autofree char *before = g_strndup (info->buffer, info->cursor - info->buffer);
  g_autofree char *word = NULL;
  g_autofree char *common = NULL;
  g_auto (GStrv) words = NULL;
  gsize start = strlen (before);

  words = self->complete (before, &start, self->complete_data);
  if (words == NULL || words[0] == NULL)
    return CC_REFRESH_BEEP;

  common = g_strndup (words[0], measure_common (words));
  word = cli_quoting_quote (common, words[1] == NULL);
  if (words[1] == NULL || strlen (common) > strlen (before + start))
    {
      replace_word (edit, strlen (before) - start, word);
      return CC_REFRESH;
    }
  show_words (self, words);
  return CC_REDISPLAY;
}

static void
set_up_keys (CliLineEditor *self)
{
  libedit->el_set (self->edit, EL_CLIENTDATA, self);
  libedit->el_set (self->edit, EL_PROMPT, get_prompt);
  libedit->el_set (self->edit, EL_GETCFN, read_character);
  libedit->el_set (self->edit, EL_EDITOR, "emacs");
  libedit->el_set (self->edit, EL_HIST, libedit->history, self->history);
  libedit->el_set (self->edit, EL_ADDFN, "gmcp-complete", "Complete the word", complete_word);
  libedit->el_set (self->edit, EL_BIND, "^I", "gmcp-complete", NULL);
  /* As in other shells, and in spite of the list that libedit would show. */
  libedit->el_set (self->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
  libedit->el_source (self->edit, NULL);
}

CliLineEditor *
cli_line_editor_new (CliInput *input,
                     CliHistory *kept,
                     CliPromptCompleteFunc complete,
                     gpointer data)
{
  const char *term = g_getenv ("TERM");
  const char *charset;
  CliLineEditor *self;
  HistEvent event;

  if (term == NULL || *term == '\0' || g_str_equal (term, "dumb"))
    return NULL;
  libedit = cli_libedit_load ();
  if (libedit == NULL)
    return NULL;

  /* The C locale is where no locale was chosen, not where there is no UTF-8. */
  if (!g_get_charset (&charset) && g_str_has_prefix (charset, "ANSI_X3.4"))
    setlocale (LC_CTYPE, "C.UTF-8");

  self = g_new0 (CliLineEditor, 1);
  self->input = input;
  self->kept = kept;
  self->complete = complete;
  self->complete_data = data;
  self->prompt = "";
  self->edit = libedit->el_init ("gmcp", stdin, stderr, stderr);
  self->history = libedit->history_init ();
  if (self->edit == NULL || self->history == NULL)
    {
      cli_line_editor_free (self);
      return NULL;
    }
  libedit->history (self->history, &event, H_SETSIZE, 1000);
  set_up_keys (self);
  cli_input_set_resumed_func (input, on_process_resumed, self);
  self->resized = g_unix_signal_source_new (SIGWINCH);
  g_source_set_callback (self->resized, on_resized, self, NULL);
  g_source_attach (self->resized, NULL);
  return self;
}

void
cli_line_editor_free (CliLineEditor *self)
{
  cli_input_set_resumed_func (self->input, NULL, NULL);
  if (self->resized != NULL)
    g_source_destroy (self->resized);
  g_clear_pointer (&self->resized, g_source_unref);
  g_clear_pointer (&self->history, libedit->history_end);
  g_clear_pointer (&self->edit, libedit->el_end);
  g_free (self);
}

/* The oldest of them leave the kept history when it is full, which moves the others. */
static void
take_history (CliLineEditor *self)
{
  HistEvent event;

  libedit->history (self->history, &event, H_CLEAR);
  for (guint i = 0; i < cli_history_get_n_lines (self->kept); i++)
    libedit->history (self->history, &event, H_ENTER, cli_history_get_line (self->kept, i));
}

static char *
dup_line (CliLineEditor *self)
{
  const LineInfo *info = libedit->el_line (self->edit);
  char *line = g_strndup (info->buffer, info->lastchar - info->buffer);

  g_strdelimit (line, "\r\n", '\0');
  return line;
}

CliPromptResult
cli_line_editor_read (CliLineEditor *self, const char *prompt, char **line)
{
  const char *text;
  int n = 0;

  take_history (self);
  self->prompt = prompt;
  self->ended_by = 0;
  /* Before the prompt is there, so that the terminal itself shows nothing of what is typed at once. */
  libedit->el_set (self->edit, EL_PREP_TERM, 1);
  text = libedit->el_gets (self->edit, &n);
  if (text != NULL && n > 0)
    {
      *line = dup_line (self);
      return CLI_PROMPT_LINE;
    }

  if (self->ended_by == CLI_INPUT_INTERRUPTED)
    {
      *line = dup_line (self);
      /* The line that was begun stays to be seen, as in other shells. */
      fputs ("^C\n", stderr);
      return CLI_PROMPT_INTERRUPTED;
    }
  fputs ("\n", stderr);
  return CLI_PROMPT_END;
}

void
cli_line_editor_clear (CliLineEditor *self)
{
  const LineInfo *info = libedit->el_line (self->edit);
  g_autofree char *before = g_strndup (info->buffer, info->cursor - info->buffer);
  guint columns = cli_text_columns (self->prompt) + cli_text_columns (before);
  guint row = columns / MAX (cli_text_width (STDERR_FILENO), 1);

  if (row > 0)
    fprintf (stderr, "\033[%uA", row);
  fputs ("\r\033[J", stderr);
  fflush (stderr);
}

void
cli_line_editor_redraw (CliLineEditor *self)
{
  libedit->el_set (self->edit, EL_REFRESH);
}
