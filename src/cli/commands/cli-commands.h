/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* What main calls, by the first word of the command line. */

typedef CliExit (*CliCommandFunc) (CliHost *host, int argc, char *argv[]);

CliExit cli_command_tools (CliHost *host, int argc, char *argv[]);
CliExit cli_command_call (CliHost *host, int argc, char *argv[]);
CliExit cli_command_resources (CliHost *host, int argc, char *argv[]);
CliExit cli_command_read (CliHost *host, int argc, char *argv[]);
CliExit cli_command_prompts (CliHost *host, int argc, char *argv[]);
CliExit cli_command_prompt (CliHost *host, int argc, char *argv[]);
CliExit cli_command_context (CliHost *host, int argc, char *argv[]);
CliExit cli_command_complete (CliHost *host, int argc, char *argv[]);
CliExit cli_command_search (CliHost *host, int argc, char *argv[]);
CliExit cli_command_servers (CliHost *host, int argc, char *argv[]);
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
