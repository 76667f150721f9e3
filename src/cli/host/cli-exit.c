/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-exit.h"

#include <glib/gi18n.h>

static const struct
{
  const char *code;
  const char *summary;
} exits[CLI_N_EXITS] = {
  [CLI_EXIT_OK] = { "ok", N_ ("All is well") },
  [CLI_EXIT_TOOL_ERROR] = { "tool-error", N_ ("The tool reported an error") },
  [CLI_EXIT_USAGE] = { "usage", N_ ("The command line, a file or a name in it is wrong") },
  [CLI_EXIT_UNREACHABLE] = { "unreachable", N_ ("A server cannot be reached or did not start") },
  [CLI_EXIT_TIMED_OUT] = { "timed-out", N_ ("The time was over, or somebody ended it") },
  [CLI_EXIT_NOT_PERMITTED]
  = { "not-permitted", N_ ("A rule forbids it, or signing in comes first") },
  [CLI_EXIT_PROTOCOL]
  = { "protocol", N_ ("The server answered with an error, or broke the protocol") },
  [CLI_EXIT_OUTPUT] = { "output", N_ ("What was to be printed could not be written") },
};

const char *
cli_exit_get_code (CliExit status)
{
  return exits[status].code;
}

const char *
cli_exit_get_summary (CliExit status)
{
  return exits[status].summary;
}
