/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Standard input byte by byte, so that what is behind a line is left to the command that the line is. The main
 * loop runs meanwhile. */
typedef struct _CliInput CliInput;

#define CLI_INPUT_END         (-1)
#define CLI_INPUT_INTERRUPTED (-2)

/* Called when this process goes on after somebody stopped it, whose terminal may be in another state. */
typedef void (*CliInputResumedFunc) (gpointer data);

/* Reading ends when the cancellable is cancelled. From here on Ctrl-C ends reading, and not the process. */
CliInput *cli_input_new (GCancellable *cancellable);
void cli_input_free (CliInput *self);
void cli_input_set_resumed_func (CliInput *self, CliInputResumedFunc func, gpointer data);

/* Around the bytes of a line. */
void cli_input_begin (CliInput *self);
void cli_input_end (CliInput *self);
/* A byte, or one of the above. */
int cli_input_read_byte (CliInput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliInput, cli_input_free)

G_END_DECLS
