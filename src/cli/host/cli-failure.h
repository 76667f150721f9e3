/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "cli-exit.h"

G_BEGIN_DECLS

/* What ends a command is told on standard error: in words at once, or, where the command prints JSON, as one object
 * when the command is over. */

/* From now on it is held for the object. */
void cli_failure_hold (void);
/* A sentence without “gmcp:”. */
void cli_failure_tell (const char *message);
/* What a server sent with its error: the code, and JSON text or NULL. */
void cli_failure_tell_details (int rpc_code, const char *data_json);
/* Prints the object, where the command failed, and holds nothing any more. */
void cli_failure_release (CliExit status);

G_END_DECLS
