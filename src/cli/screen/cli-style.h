/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Colours, where a terminal shows them and NO_COLOR does not forbid them. */

typedef enum
{
  CLI_STYLE_PLAIN,
  CLI_STYLE_BOLD,
  CLI_STYLE_DIM,
  CLI_STYLE_GOOD,
  CLI_STYLE_WARNING,
  CLI_STYLE_BAD,
} CliStyle;

/* Whether text on this descriptor has styles. */
gboolean cli_style_is_on (int fd);
/* What to write before and behind a text; the empty string where styles are off. Neither may go through
 * g_print(), which makes escapes visible. */
const char *cli_style_begin (int fd, CliStyle style);
const char *cli_style_end (int fd, CliStyle style);
/* Prints a text to standard output, visibly where that is a terminal. */
void cli_style_print (CliStyle style, const char *text);

G_END_DECLS
