/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* A command, and all that it takes: its help, completion and manual page are made from this. */

/* argv[0] is the command's name, or its verb's; what follows are its arguments, without options. The options are
 * a struct of the command's own, or NULL. */
typedef CliExit (*CliCommandFunc) (CliHost *host, gconstpointer options, int argc, char *argv[]);

/* In the order in which somebody meets them. */
typedef enum
{
  CLI_COMMAND_GROUP_FIRST,  /* what a newcomer needs */
  CLI_COMMAND_GROUP_USE,    /* what else servers have */
  CLI_COMMAND_GROUP_RUN,    /* how servers are, and what happened */
  CLI_COMMAND_GROUP_RULES,  /* what is configured, and what is allowed */
  CLI_COMMAND_GROUP_HIDDEN, /* for other programs */
} CliCommandGroup;

/* Options that several commands have. Their values are in the host. */
typedef enum
{
  CLI_TAKES_NOTHING = 0,
  CLI_TAKES_CONFIG = 1 << 0,  /* --config FILE */
  CLI_TAKES_TIMEOUT = 1 << 1, /* --timeout SECONDS */
  CLI_TAKES_JSON = 1 << 2,    /* --json */
} CliTakes;

/* The second word of a command that does several things. */
typedef struct
{
  const char *name;
  const char *synopsis; /* as that of a command */
  const char *summary;
  CliCommandFunc run;
} CliVerb;

/* Texts are not translated here, but marked with N_(). */
typedef struct
{
  const char *name;
  CliCommandGroup group;
  const char *summary;
  /* Arguments as “TOOL [ARGUMENT…]”: [] for what may be left out, … for what may be repeated, “ | ” between ways to
   * use the command. What the words stand for is in cli-words.c. NULL for a command without arguments. */
  const char *synopsis;
  const char *description;
  char *(*dup_description) (void); /* what is known only when the program runs, instead */
  CliTakes takes;
  const GOptionEntry *entries; /* with CLI_OFFSET() in place of the address of a variable */
  const char *unknown_option;  /* what to say behind one that is not known, and near to none */
  gsize options_size;          /* of the struct that they are in */
  gconstpointer defaults;      /* such a struct, or NULL for zeros */
  gboolean is_raw;             /* words that look like options are arguments, too */
  const CliVerb *verbs;        /* the last has no name; such a command has no “run” */
  CliCommandFunc run;
  CliCommandFunc
    help; /* for --help with an argument: about that; NULL for the help of the command */
  gboolean (*ends_options) (int argc, char *argv[]); /* at the first argument; NULL for no */
} CliCommand;

#define CLI_CONFIG_SUMMARY                                                                         \
  N_ ("Take the servers from FILE ({\"mcpServers\": …}) and from nowhere else")

#define CLI_OFFSET(type, member) (GSIZE_TO_POINTER (G_STRUCT_OFFSET (type, member)))

/* Reads what follows the command's name in argv[0], and runs it. */
CliExit cli_command_run (const CliCommand *self, CliHost *host, int argc, char *argv[]);

/* Options with their values in a struct, as CLI_OFFSET() has them. */
void cli_command_append_entries (GArray *entries, const GOptionEntry *from, gpointer options);

/* What help says below the options, or NULL. */
char *cli_command_dup_description (const CliCommand *self);
/* Says what is wrong with the options of a command, or of the program (NULL), and which is near to one that is not
 * known. */
CliExit cli_command_report_options (const CliCommand *self,
                                    const GArray *entries,
                                    const GError *error,
                                    char *const *argv);
/* Its own options, and those that it has from the host; the last has no name. Where the values go is not in these. */
GArray *cli_command_list_entries (const CliCommand *self);

G_END_DECLS
