/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-command.h"

G_BEGIN_DECLS

/* What can follow a command line that somebody is typing. No server is started for it: tools are those that were
 * listed the last time. */

/* The commands, and the options that stand before them. */
typedef struct
{
  const CliCommand *const *commands; /* NULL after the last */
  const GOptionEntry *entries;
} CliProgram;

typedef struct
{
  char *value;         /* all of the word that is typed; “NAME=” where a value follows */
  char *text;          /* what it is, in one line; or NULL */
  gboolean is_partial; /* the word goes on */
} CliCandidate;

typedef struct
{
  GPtrArray *candidates; /* of CliCandidate */
  GHashTable *values;    /* of the candidates, so that each comes once */
  gboolean files; /* names of files fit, too, behind the last “=” or “@” of the word */
  gboolean folders;
} CliCompletion;

/* words are those behind the program's name, unquoted, NULL after the last; the last is being typed, and may be
 * empty. What is wrong with the configuration is not told. */
CliCompletion *cli_completion_new (CliHost *host, const CliProgram *program, char *const *words);
void cli_completion_free (CliCompletion *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliCompletion, cli_completion_free)

G_END_DECLS
