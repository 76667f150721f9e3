/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-entry-private.h"

G_BEGIN_DECLS

/* The configurations of other programs: where they are, and how what stands there is read. */

typedef struct
{
  const char *name; /* as it is written on a command line */
  const char *title;
  GmcpConfigFormat format;
  const char *key;          /* what the map of servers stands under */
  const char *home[3];      /* files below the user's home, NULL for no more */
  const char *config[3];    /* below $XDG_CONFIG_HOME */
  const char *workspace[2]; /* below the folder of a project */
  const char *mark;         /* a folder of its own, where that of its files says nothing; or NULL */
  GmcpConfigEntryRules rules;
} GmcpConfigForeign;

const GmcpConfigForeign *gmcp_config_foreign_get_all (gsize *n_programs);
/* NULL for a name that is not known. */
const GmcpConfigForeign *gmcp_config_foreign_look_up (const char *name);
/* The program that a file is of, by where it is; NULL where that says nothing. */
const GmcpConfigForeign *gmcp_config_foreign_guess (const char *path);
/* The program that a file is of, by what stands in it; NULL where that says nothing. */
const GmcpConfigForeign *gmcp_config_foreign_recognize (GmcpConfigDocument *document);

G_END_DECLS
