/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Text for a terminal. What a server sends may hold control characters, which could make a terminal
 * do things; they are never printed as they are. */

/* The columns of the terminal that the descriptor is, or a default. */
guint cli_text_width (int fd);
/* One line: white space runs become one space, control characters go, cut to so many columns. */
char *cli_text_plain (const char *text, guint columns);
/* The columns that a text takes. */
guint cli_text_columns (const char *text);
/* Several lines as they are, but for control characters other than the ends of lines and tabs. */
char *cli_text_without_controls (const char *text);
/* Prints several lines; where standard output is a terminal, without control characters. */
void cli_text_print (const char *text);

G_END_DECLS
