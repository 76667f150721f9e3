/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-prompt.h"

G_BEGIN_DECLS

/* A line that can be edited, with a history and completion, by libedit. */
typedef struct _CliLineEditor CliLineEditor;

/* NULL where the terminal cannot move its cursor. */
CliLineEditor *cli_line_editor_new (CliInput *input,
                                    CliHistory *history,
                                    CliPromptCompleteFunc complete,
                                    gpointer data);
void cli_line_editor_free (CliLineEditor *self);

CliPromptResult cli_line_editor_read (CliLineEditor *self, const char *prompt, char **line);
/* Takes prompt and line off the screen, so that something can be printed there, and shows them again. */
void cli_line_editor_clear (CliLineEditor *self);
void cli_line_editor_redraw (CliLineEditor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliLineEditor, cli_line_editor_free)

G_END_DECLS
