/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-completion.h"

G_BEGIN_DECLS

/* What the words of synopses and of options stand for. */

/* A word that is being typed. */
typedef struct
{
  CliHost *host;
  CliCompletion *completion;
  const char *typed;  /* so far, without “--option=” */
  const char *prefix; /* “--option=”, or "" */
  GPtrArray *before;  /* the arguments before it, without options and verb */
} CliTyping;

/* Adds what the word can be to the completion; a word that is not known can be anything, and adds nothing. */
void cli_words_offer (const char *word, CliTyping *typing);
/* Whether it is known. */
gboolean cli_words_has (const char *word);
/* Adds a value that begins with what was typed. */
void cli_words_add (CliTyping *typing, const char *value, const char *text, gboolean is_partial);

G_END_DECLS
