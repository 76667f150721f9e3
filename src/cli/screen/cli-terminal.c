/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-terminal.h"

#include <unistd.h>

gboolean
cli_may_ask (void)
{
  return isatty (STDIN_FILENO) && isatty (STDERR_FILENO);
}
