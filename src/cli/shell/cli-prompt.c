/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-prompt.h"

#include <gio/gio.h>
#include <stdio.h>

#include "cli-affirm.h"
#ifdef HAVE_LIBEDIT
#include "cli-line-editor.h"
#endif

#define MAX_LINE_BYTES (1024 * 1024)

struct _CliPrompt
{
  CliInput *input;
  CliHistory *history;
  gboolean is_interactive;
#ifdef HAVE_LIBEDIT
  CliLineEditor *editor; /* NULL where the terminal has no use for it */
#endif
  GPrintFunc print_error; /* what prints errors but for the prompt */
  const char *shown;      /* the prompt, while a line is read */
};

/* What is printed now stands above its prompt. GLib's handler knows no data. */
static CliPrompt *reading;

CliPrompt *
cli_prompt_new (CliInput *input, CliHistory *history, CliPromptCompleteFunc complete, gpointer data)
{
  CliPrompt *self = g_new0 (CliPrompt, 1);

  self->input = input;
  self->history = history;
  self->is_interactive = cli_may_ask ();
#ifdef HAVE_LIBEDIT
  if (self->is_interactive)
    self->editor = cli_line_editor_new (input, history, complete, data);
#endif
  return self;
}

void
cli_prompt_free (CliPrompt *self)
{
#ifdef HAVE_LIBEDIT
  g_clear_pointer (&self->editor, cli_line_editor_free);
#endif
  g_free (self);
}

static void
print_above (const char *text)
{
  CliPrompt *self = reading;

#ifdef HAVE_LIBEDIT
  if (self->editor != NULL)
    {
      cli_line_editor_clear (self->editor);
      self->print_error (text);
      cli_line_editor_redraw (self->editor);
      return;
    }
#endif
  /* What was typed stays with the terminal, which shows it when it is printed again. */
  self->print_error ("\n");
  self->print_error (text);
  self->print_error (self->shown);
}

static CliPromptResult
read_plain_line (CliPrompt *self, char **line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  int byte;

  while ((byte = cli_input_read_byte (self->input)) >= 0 && byte != '\n')
    if (text->len <= MAX_LINE_BYTES)
      g_string_append_c (text, (char) byte);

  if (byte == CLI_INPUT_INTERRUPTED)
    return CLI_PROMPT_INTERRUPTED;
  if (byte == CLI_INPUT_END && text->len == 0)
    return CLI_PROMPT_END;
  if (text->len > MAX_LINE_BYTES)
    return CLI_PROMPT_TOO_LONG;
  if (text->len > 0 && text->str[text->len - 1] == '\r')
    g_string_truncate (text, text->len - 1);
  *line = g_string_free (g_steal_pointer (&text), FALSE);
  return CLI_PROMPT_LINE;
}

static CliPromptResult
read_line (CliPrompt *self, char **line)
{
  CliPromptResult result;

#ifdef HAVE_LIBEDIT
  if (self->editor != NULL)
    return cli_line_editor_read (self->editor, self->shown, line);
#endif
  self->print_error (self->shown);
  result = read_plain_line (self, line);
  if (result != CLI_PROMPT_LINE && result != CLI_PROMPT_TOO_LONG)
    self->print_error ("\n");
  return result;
}

CliPromptResult
cli_prompt_read (CliPrompt *self, const char *prompt, char **line)
{
  CliPromptResult result;

  *line = NULL;
  cli_input_begin (self->input);
  if (self->is_interactive)
    {
      reading = self;
      self->shown = prompt;
      self->print_error = g_set_printerr_handler (print_above);
      result = read_line (self, line);
      g_set_printerr_handler (self->print_error);
      reading = NULL;
    }
  else
    {
      result = read_plain_line (self, line);
    }
  cli_input_end (self->input);
  return result;
}
