/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* The servers of the manager, for commands that speak to one of them or to all. */

/* Reads the configuration; what fails is reported. */
CliExit cli_server_load_config (CliHost *host, GmcpManager *manager);
/* Reads the configuration, and finds a server by its id; what fails is reported. */
CliExit cli_server_find (CliHost *host, const char *id, GmcpManagedServer **server);
/* That one server is named behind the command; what is wrong is reported. */
CliExit cli_server_check_one (CliHost *host, int argc, char *argv[]);
/* Those that may be connected to unasked: they start by themselves, or have an address, where that starts nothing. */
GPtrArray *cli_server_list_unattended (GmcpManager *manager);
/* Starts a server, and gives its client, which lives as long as the server runs. */
CliExit cli_server_connect (CliHost *host, const char *id, GmcpClient **client);
/* Starts the one server, or where id is NULL all that are enabled, and gives those that started. Of
 * all servers some may fail, which is reported; status is that of one of them where all did. */
GPtrArray *cli_server_start (CliHost *host, const char *id, CliExit *status);
/* The client of a server that was started. It may have ended since: NULL, and reported. */
GmcpClient *cli_server_get_client (CliHost *host, GmcpManagedServer *server, CliExit *status);
/* Says why which servers failed; gives CLI_EXIT_OK where another did not. */
CliExit cli_server_report_failures (CliHost *host);
/* Whether there is such a role; where not, that is reported. */
CliExit cli_server_check_role (GmcpManager *manager, const char *role);
/* Says that there is no such server, and which there are, or how to add one. */
CliExit cli_server_report_unknown (CliHost *host, const char *id);
/* Says more of one that the session daemon does not have: whether the command has it, or what is near to it. */
void cli_server_explain_not_in_daemon (CliHost *host, const char *id);

/* What follows a command of this program to name the server, for a shell: with the file that was given. */
char *cli_server_dup_words (CliHost *host, const char *id);
/* Where the id of a server ends in SERVER.NAME, or in SERVER__NAME as hosts have it, and how long what separates it
 * is; NULL for a name without a server. */
const char *cli_server_find_separator (const char *name, gsize *length);
/* Such a name in its two parts; FALSE, and reported, where it is not of that form. */
gboolean cli_server_split_name (const char *command, const char *name, char **server, char **rest);
/* SERVER.NAME of two words of which the first is a server's id, for those who write them apart; else NULL. Reads
 * the configuration. */
char *cli_server_dup_joined (CliHost *host, const char *id, const char *rest);
/* A command needs the name of a server, and there is none; where none is configured that is told, too. */
CliExit cli_server_report_missing (CliHost *host, const char *command);

G_END_DECLS
