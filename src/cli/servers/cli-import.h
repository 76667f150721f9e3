/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/import/gmcp-config-import.h>

#include "cli-host.h"

G_BEGIN_DECLS

/* Servers on their way into the configuration, for “add” and “import”. */

/* A file, or “the settings”, as a sentence names it. */
char *cli_import_describe_target (GmcpConfigImport *import);

/* Whether the server is one of those that were named, by its name or its id; without names all are. */
gboolean cli_import_is_chosen (GmcpConfigImportItem *item, const char *const *servers);

gboolean cli_import_load (CliHost *host, GmcpConfigImport *import, GError **error);

/* Stores the servers with these ids, or all for NULL. What keeps it from being done is told, with the way out. */
CliExit cli_import_apply (CliHost *host, GmcpConfigImport *import, const char *const *ids);

G_END_DECLS
