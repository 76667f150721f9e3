/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* All of standard input. */
char *cli_arguments_read_input (GError **error);
/* All of a file, which has to be text. */
char *cli_arguments_read_file (const char *path, GError **error);
/* What one word stands for that is all arguments of a call: @FILE, - for standard input, or JSON. */
char *cli_arguments_read_whole (const char *word, GError **error);
/* Whether what follows the “:=” of a word is JSON. */
gboolean cli_arguments_check_json (const char *word, const char *json, GError **error);
/* A string in JSON. */
char *cli_arguments_quote (const char *text);
/* Any number of key=text, as strings by strings. */
GHashTable *cli_arguments_parse_strings (char *const *words, guint n_words, GError **error);

G_END_DECLS
