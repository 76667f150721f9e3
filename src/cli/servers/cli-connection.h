/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/import/gmcp-program-connection.h>
#include <json-glib/json-glib.h>

#include "cli-host.h"

G_BEGIN_DECLS

/* The gateway in other programs' configurations, for commands that write it there and take it out. */

/* Those that are there: of one program or of all, the user's or in a project's folder; NULL with an error. */
GPtrArray *
cli_connection_find (CliHost *host, const char *program, gboolean in_project, GError **error);
gboolean cli_connection_load (CliHost *host, GmcpProgramConnection *connection, GError **error);
/* Connects, or disconnects. */
gboolean cli_connection_write (CliHost *host,
                               GmcpProgramConnection *connection,
                               gboolean connected,
                               GError **error);
/* This program as others can start it; NULL where that is not known. */
char *cli_connection_dup_executable (void);

/* In a sentence, whether the program has the gateway; and as one of few words. */
char *cli_connection_describe_state (GmcpProgramConnection *connection);
const char *cli_connection_get_state_nick (GmcpProgramConnection *connection);
/* What would change, with where that is. */
char *cli_connection_make_preview (GmcpProgramConnection *connection, const char *diff);
/* Says which servers of the program are configured here, too; NULL for none. ids are those that are here. */
char *cli_connection_describe_doubled (GmcpProgramConnection *connection, const char *const *ids);
/* An object about it; diff is NULL for none, error for none. */
JsonNode *
cli_connection_describe (GmcpProgramConnection *connection, const char *diff, const GError *error);

G_END_DECLS
