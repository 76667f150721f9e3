/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* Servers whose tools are not in the list, for commands that print it and end. */

/* Waits for the first lists of servers that were never listed: each within its start-up time limit, and
 * those that failed the last time no longer than loading waits for any. */
void cli_unlisted_wait (CliHost *host);
/* Says which servers are not listed, and why; gives how many those are. *n_listed is how many others
 * there are. Those whose ids are in shared are listed in another way. */
guint cli_unlisted_report (CliHost *host, GHashTable *shared, guint *n_listed);

G_END_DECLS
