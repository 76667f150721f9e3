/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-daemon.h"

G_BEGIN_DECLS

/* Has gmcpd start a server, or start it anew, and prints each step; the one that fails is marked. */
CliExit cli_start_steps_run (CliHost *host, CliDaemon *daemon, const char *id, gboolean is_restart);

G_END_DECLS
