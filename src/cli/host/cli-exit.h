/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How the program ends, for scripts: these numbers stay. */
typedef enum
{
  CLI_EXIT_OK,
  CLI_EXIT_TOOL_ERROR,    /* the tool reported an error */
  CLI_EXIT_USAGE,         /* the command line, a file, or a name in it is wrong */
  CLI_EXIT_UNREACHABLE,   /* a server is not running, not reachable, or failed to start */
  CLI_EXIT_TIMED_OUT,     /* a time limit, or the user */
  CLI_EXIT_NOT_PERMITTED, /* by a rule, or before a sign-in */
  CLI_EXIT_PROTOCOL,      /* a JSON-RPC error, or a broken protocol */
  CLI_EXIT_OUTPUT,        /* what was to be printed could not be written */
} CliExit;

#define CLI_N_EXITS (CLI_EXIT_OUTPUT + 1)

/* The word for it in JSON, such as “tool-error”. */
const char *cli_exit_get_code (CliExit status);
/* What it says, not translated. */
const char *cli_exit_get_summary (CliExit status);

G_END_DECLS
