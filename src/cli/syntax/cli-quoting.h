/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Words of a line, quoted as shells have it. */

/* The words before the last one, which begins at start; it may be empty, and a quote in it open. */
GPtrArray *cli_quoting_split_unfinished (const char *text, gsize *start, char **last);
/* What a word that was typed means; a quote in it may be open. */
char *cli_quoting_unquote (const char *word);
/* A word as it can be typed; with a space behind it where it is finished, and not by itself the beginning of
 * something, as “key=” is. */
char *cli_quoting_quote (const char *word, gboolean finished);

G_END_DECLS
