/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* The commands, by the first word of the command line. */

typedef CliExit (*CliCommandFunc) (CliHost *host, int argc, char *argv[]);

/* In the order in which somebody meets them. */
typedef enum
{
  CLI_COMMAND_GROUP_FIRST, /* what a newcomer needs */
  CLI_COMMAND_GROUP_USE,   /* what else servers have */
  CLI_COMMAND_GROUP_RUN,   /* how servers are, and what happened */
  CLI_COMMAND_GROUP_RULES, /* what is configured, and what is allowed */
} CliCommandGroup;

typedef struct
{
  const char *name;
  CliCommandGroup group;
  const char *summary; /* not translated */
  CliCommandFunc func;
} CliCommand;

/* All of them, in the order of the groups. */
const CliCommand *cli_commands_get_all (guint *n_commands);
const CliCommand *cli_commands_find (const char *name);
/* Says that there is no such command, and which is near to it. */
CliExit cli_commands_report_unknown (const char *word);
/* For gmcp --help: what the program is for, and its commands by groups. */
char *cli_commands_describe (void);

CliExit cli_command_add (CliHost *host, int argc, char *argv[]);
CliExit cli_command_remove (CliHost *host, int argc, char *argv[]);
CliExit cli_command_enable (CliHost *host, int argc, char *argv[]);
CliExit cli_command_disable (CliHost *host, int argc, char *argv[]);
CliExit cli_command_show (CliHost *host, int argc, char *argv[]);
CliExit cli_command_tools (CliHost *host, int argc, char *argv[]);
CliExit cli_command_call (CliHost *host, int argc, char *argv[]);
CliExit cli_command_resources (CliHost *host, int argc, char *argv[]);
CliExit cli_command_read (CliHost *host, int argc, char *argv[]);
CliExit cli_command_prompts (CliHost *host, int argc, char *argv[]);
CliExit cli_command_prompt (CliHost *host, int argc, char *argv[]);
CliExit cli_command_context (CliHost *host, int argc, char *argv[]);
CliExit cli_command_complete (CliHost *host, int argc, char *argv[]);
CliExit cli_command_search (CliHost *host, int argc, char *argv[]);
CliExit cli_command_status (CliHost *host, int argc, char *argv[]);
CliExit cli_command_test (CliHost *host, int argc, char *argv[]);
CliExit cli_command_discover (CliHost *host, int argc, char *argv[]);
CliExit cli_command_stop (CliHost *host, int argc, char *argv[]);
CliExit cli_command_restart (CliHost *host, int argc, char *argv[]);
CliExit cli_command_start (CliHost *host, int argc, char *argv[]);
CliExit cli_command_audit (CliHost *host, int argc, char *argv[]);
CliExit cli_command_replay (CliHost *host, int argc, char *argv[]);
CliExit cli_command_logs (CliHost *host, int argc, char *argv[]);
CliExit cli_command_subscribe (CliHost *host, int argc, char *argv[]);
CliExit cli_command_pins (CliHost *host, int argc, char *argv[]);
CliExit cli_command_approve (CliHost *host, int argc, char *argv[]);
CliExit cli_command_config (CliHost *host, int argc, char *argv[]);
CliExit cli_command_import (CliHost *host, int argc, char *argv[]);
CliExit cli_command_secret (CliHost *host, int argc, char *argv[]);

G_END_DECLS
