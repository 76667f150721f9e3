/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The name, and after it the words of a name that is writtenLikeThis. */
char *gmcp_search_words_of_name (const char *name);

/* What to look for, as the index has it: any of the words of a query, which may be any text. NULL
 * where there is none. */
char *gmcp_search_words_to_expression (const char *query);

/* The beginning of a text, at most so many bytes of it. */
char *gmcp_search_words_cut (const char *text, gsize max_bytes);

G_END_DECLS
