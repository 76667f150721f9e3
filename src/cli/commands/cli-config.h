/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* Prints what the configuration that was read comes to: gmcp config show. */
void cli_config_show (GmcpManager *manager, gboolean json);
/* Reads the files, or without any the places that count. */
GmcpManager *cli_config_read (CliHost *host, char *paths[], int n_paths, GError **error);
/* Says what is wrong, and on wish which servers are required: gmcp config validate. */
CliExit cli_config_check (CliHost *host, char *paths[], int n_paths, gboolean requirements);

typedef struct
{
  gboolean yaml;
  gboolean json;
  gboolean force; /* a file that is there is replaced */
} CliTemplateOptions;

/* Writes a file with every key, at the place that is read where path is NULL, or prints it for “-”: gmcp config
 * init. */
CliExit
cli_config_write_template (CliHost *host, const char *path, const CliTemplateOptions *options);

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
