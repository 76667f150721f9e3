/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Text of others for a person to read: what is hidden in it, or would make a terminal do things, is shown
 * as gmcp_dup_visible_text() does. */

/* The columns and rows of the terminal that the descriptor is, or a default. */
guint cli_text_width (int fd);
guint cli_text_height (int fd);
/* One visible line: white space runs become one space; cut to so many columns, with the number of characters
 * that are left out where there is room for it. */
char *cli_text_plain (const char *text, guint columns);
/* The text up to its first empty line: of an error what is wrong, without what only a diagnosis needs. */
char *cli_text_dup_first_paragraph (const char *text);
/* The columns that a text takes. */
guint cli_text_columns (const char *text);
/* The text, with spaces behind it up to so many columns. */
char *cli_text_pad (const char *text, guint columns);
/* Prints several lines, visibly. */
void cli_text_show (const char *text);
/* Prints several lines that may be meant for another program: visibly where standard output is a terminal,
 * and as they are elsewhere. */
void cli_text_print (const char *text);
/* Prints a text of gmcp's own, with its lines broken between words where standard output or error is a terminal. */
void cli_text_print_filled (const char *text);
void cli_text_tell_filled (const char *text);
/* Prints JSON; escapes keep its meaning where standard output is a terminal. */
void cli_text_print_json (const char *text);

G_END_DECLS
