/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-history.h"
#include "cli-input.h"

G_BEGIN_DECLS

/* Asks for lines: with a line editor where this build has one and the terminal can, else with a plain prompt, and
 * where standard input is no terminal without any. What is printed to standard error meanwhile stands above. */
typedef struct _CliPrompt CliPrompt;

typedef enum
{
  CLI_PROMPT_LINE,
  CLI_PROMPT_END,         /* of the input */
  CLI_PROMPT_INTERRUPTED, /* by Ctrl-C; the line is what was typed till then, as far as that is known */
  CLI_PROMPT_TOO_LONG, /* a line, which was read over */
} CliPromptResult;

/* What the word that the text ends in can become: whole words, the last NULL. start is where the word begins. */
typedef GStrv (*CliPromptCompleteFunc) (const char *text, gsize *start, gpointer data);

CliPrompt *cli_prompt_new (CliInput *input,
                           CliHistory *history,
                           CliPromptCompleteFunc complete,
                           gpointer data);
void cli_prompt_free (CliPrompt *self);

CliPromptResult cli_prompt_read (CliPrompt *self, const char *prompt, char **line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliPrompt, cli_prompt_free)

G_END_DECLS
