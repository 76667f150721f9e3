/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"
#include "cli-terminal.h"

G_BEGIN_DECLS

/* Shows a text, page by page where it is long, and asks; FALSE unless all of it was shown and the answer is
 * yes. The text is visible. Only where there is a terminal. */
gboolean cli_affirm (CliHost *host, const char *text, const char *question);

/* Whether what is typed is shown; FALSE where that cannot be changed. */
gboolean cli_set_echo (gboolean echo);

/* One line of what is typed, without showing it where that is asked for; NULL at the end of the input, and where
 * the command was cancelled. */
char *cli_read_line (CliHost *host, const char *prompt, gboolean hidden);

/* The same until another cancellable is cancelled. */
char *
cli_read_line_until (CliHost *host, const char *prompt, gboolean hidden, GCancellable *cancellable);

/* Shows a text, which is visible, page by page where it is long; FALSE where somebody has had enough of it. */
gboolean cli_show_pages (CliHost *host, const char *text);

/* The same until another cancellable is cancelled. */
gboolean cli_show_pages_until (CliHost *host, const char *text, GCancellable *cancellable);

G_END_DECLS
