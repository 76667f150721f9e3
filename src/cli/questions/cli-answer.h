/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What somebody answers to a question: the English words are understood in any language, those of the user's
 * language beside them. */
typedef enum
{
  CLI_ANSWER_OTHER,
  CLI_ANSWER_NOTHING, /* an empty line */
  CLI_ANSWER_YES,
  CLI_ANSWER_NO,
  CLI_ANSWER_ALWAYS,
  CLI_ANSWER_EDIT,
  CLI_ANSWER_REST,
} CliAnswer;

CliAnswer cli_answer_read (const char *line);

G_END_DECLS
