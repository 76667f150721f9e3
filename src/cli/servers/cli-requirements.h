/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* The servers that hosts and tools need. Nothing is started to find out about them. */

/* Says for each host and tool what it requires, and how to get what is missing. */
CliExit cli_requirements_print (CliHost *host, GmcpManager *manager);
/* Tells of each required and recommended server that is missing for this host, once. */
void cli_requirements_warn (CliHost *host);

G_END_DECLS
