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

/* The JSON of one server, which has no name in it, as a configuration of that kind. */
char *cli_new_server_dup_named (const char *name, const char *json);
/* Whether anything is said of the server. */
gboolean cli_new_server_is_set (const CliNewServer *self);

G_END_DECLS
