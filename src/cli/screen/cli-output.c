/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-output.h"

#include <glib/gi18n.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

gboolean
cli_output_has_lost_reader (void)
{
  struct pollfd poller = { .fd = STDOUT_FILENO };

  return poll (&poller, 1, 0) > 0 && (poller.revents & POLLERR) != 0;
}

gboolean
cli_output_flush (void)
{
  gboolean failed = ferror (stdout) != 0;

  if (fflush (stdout) == 0 && !failed)
    return TRUE;

  clearerr (stdout);
  if (!cli_output_has_lost_reader ())
    g_printerr ("gmcp: %s\n", _ ("not all output could be written"));
  return FALSE;
}
