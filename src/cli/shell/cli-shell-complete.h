/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* For a prompt: what the last word of a line in the session can become, out of what is known without starting a
 * server for it. */
GStrv cli_shell_complete (const char *text, gsize *start, gpointer session);

G_END_DECLS
