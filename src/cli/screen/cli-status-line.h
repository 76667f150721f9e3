/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The last line of the terminal that standard error is, while it says what is waited for. Whoever prints something else
 * clears it before. */

/* FALSE where there is no such terminal, or where its lines cannot be erased: then nothing is ever shown. */
gboolean cli_status_line_is_possible (void);
/* Text that is visible; it is cut to the width of the terminal. */
void cli_status_line_show (const char *text);
/* Whether there was something to clear. */
gboolean cli_status_line_clear (void);
/* Between these two nothing is shown: somebody is asked. They can be nested. */
void cli_status_line_hold (void);
void cli_status_line_release (void);
gboolean cli_status_line_is_held (void);
/* Prints a line on standard error that nobody has asked for; where somebody is asked, once that is over, as it would stand
 * behind the question. */
void cli_status_line_tell (const char *text);

G_END_DECLS
