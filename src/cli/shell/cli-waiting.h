/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* Tells in a shell what waits for an answer at the session daemon, which asks there as long as the shell is open. The
 * command “questions” answers. */
typedef struct _CliWaiting CliWaiting;

CliWaiting *cli_waiting_new (CliHost *session);
void cli_waiting_free (CliWaiting *self);

/* Around the time in which a line is typed. A daemon that was started meanwhile is found. */
void cli_waiting_begin (CliWaiting *self);
void cli_waiting_end (CliWaiting *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliWaiting, cli_waiting_free)

G_END_DECLS
