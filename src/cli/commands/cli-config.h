/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* Prints what the configuration that was read comes to: gmcp config show. */
void cli_config_show (GmcpManager *manager, gboolean json);
/* Reads what the sources of the manager say. */
void cli_config_load (CliHost *host, GmcpManager *manager, GError **error);
/* A file, and the servers of it that are to be taken in place of others: gmcp config trust, distrust. With
 * yes nobody is asked. */
CliExit cli_config_set_trusted (CliHost *host,
                                const char *path,
                                char *servers[],
                                gboolean trusted,
                                gboolean yes);

/* Whether what is said is a folder, and no file. */
gboolean cli_config_is_folder (const char *path);
/* Says whether servers may be run in a folder. */
CliExit
cli_config_set_folder_trusted (CliHost *host, const char *path, gboolean trusted, gboolean yes);

G_END_DECLS
