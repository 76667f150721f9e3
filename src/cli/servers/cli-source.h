/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* Where a server is configured. */

/* The source whose word counts for the server, or NULL. Borrowed from the manager. */
GmcpConfigSource *cli_source_find (GmcpManager *manager, const char *server_id);
gboolean cli_source_has_server (GmcpConfigSource *source, const char *server_id);
/* A file, or “the settings”. */
char *cli_source_describe (GmcpConfigSource *source);
/* Whether a file that comes with a project says it, which others write, too. */
gboolean cli_source_is_project (GmcpConfigSource *source);

/* Takes the server out of its source, or switches it on or off there; what fails is reported. */
CliExit cli_source_remove (CliHost *host, GmcpConfigSource *source, const char *server_id);
CliExit cli_source_set_enabled (CliHost *host,
                                GmcpConfigSource *source,
                                const char *server_id,
                                gboolean enabled);

/* A path as people write it, with “~” for their home, which leaves room in a table; anything else is as it was. */
char *cli_source_shorten_place (const char *place);

G_END_DECLS
