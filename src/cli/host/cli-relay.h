/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-exit.h"

G_BEGIN_DECLS

/* Connects to a socket of the session's daemon, by its name in $XDG_RUNTIME_DIR/gmcp. -1 where nobody listens, or
 * where who listens is another user. */
int cli_relay_connect (const char *name);

/* Passes on what comes from standard input, and to standard output what comes back, until the other end has ended.
 * Closes the socket. From here on a signal ends the process at once. */
CliExit cli_relay_run (int socket);

G_END_DECLS
