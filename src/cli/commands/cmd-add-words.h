/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* The words of “gmcp add”: what they are, and what somebody meant who wrote other ones. argv[0] is “add”. */

/* Of a file that has what would be pasted; NULL where the word is the text itself. */
const char *cli_add_words_find_file (const char *word);
/* NAME and the JSON of one server. */
gboolean cli_add_words_are_named_json (int argc, char *argv[]);
/* Where the words of a command are not behind “--”, options end with the name of the server: those that follow are
 * the command's. */
gboolean cli_add_words_end_options (int argc, char *argv[]);
/* Whether the words are such as can be stored; otherwise it is told how to write them. */
CliExit cli_add_words_check (CliHost *host, int argc, char *argv[]);
/* Tells of words that are stored as they are, and were probably meant in another way. */
void cli_add_words_warn (CliHost *host, int argc, char *argv[]);

G_END_DECLS
