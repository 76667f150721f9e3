/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The arguments of a call, from the words of a command line: none, one JSON object, @FILE, - for
 * standard input, or any number of key=text and key:=JSON. Gives JSON text. */
char *cli_arguments_parse (char *const *words, guint n_words, GError **error);
/* All of standard input. */
char *cli_arguments_read_input (GError **error);
/* Any number of key=text, as strings by strings. */
GHashTable *cli_arguments_parse_strings (char *const *words, guint n_words, GError **error);

G_END_DECLS
