/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The one of these (NULL after the last) that is nearest to the word, or NULL where none is near. */
const char *cli_suggest_find (const char *word, const char *const *known);
/* “. Near to it: X.” for a word that is none of these (NULL after the last), else ""; to follow a sentence
 * without its full stop. */
char *cli_suggest_near (const char *word, const char *const *known);

G_END_DECLS
