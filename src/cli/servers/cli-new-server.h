/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A server as it is described by the words of a command line. */
typedef struct
{
  char **environment; /* NAME=VALUE */
  char **headers;     /* NAME: VALUE */
  char *folder;
  char *transport;
  char *start;
  gboolean disabled;
} CliNewServer;

/* The server as a configuration of the kind `mcpServers`. words are a command with its arguments, or an
 * address. Paths of files that are there are made full. */
char *cli_new_server_dup_json (const CliNewServer *self,
                               const char *name,
                               const char *const *words,
                               GError **error);

G_END_DECLS
