/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"
#include "cli-style.h"

G_BEGIN_DECLS

/* What can be said of a server in a word or a line, from what is known without asking it. */

/* Running, Stopped, Failed and the like, translated. */
const char *cli_state_get_word (GmcpManagedServer *server);
CliStyle cli_state_get_style (GmcpManagedServer *server);
/* The same of a server that another process looks after. */
const char *cli_state_get_word_of (GmcpServerState state, gboolean is_manual);
CliStyle cli_state_get_style_of (GmcpServerState state);
/* How one is that runs. */
const char *cli_state_get_health_of (GmcpServerState state);
/* How the server is, or where it does not run, what became of it the last time. */
char *cli_state_describe_health (GmcpManagedServer *server);
/* The number of its tools; NULL where nobody knows it. */
char *cli_state_dup_tools (GmcpManagedServer *server);
/* Why the server is not well, and when that was; NULL where it is. */
char *cli_state_dup_problem (GmcpManagedServer *server);
/* The command that would help; NULL where none is needed. */
char *cli_state_dup_help (CliHost *host, GmcpManagedServer *server);

G_END_DECLS
