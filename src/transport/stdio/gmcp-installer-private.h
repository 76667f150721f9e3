/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A command that fetches the program it runs, where it is not there yet: “npx -y PACKAGE” and the like. */
typedef struct
{
  const char *family;  /* those that share a cache: “npm”, “uv” */
  const char *names;   /* of the processes that fetch, with spaces between */
  const char *program; /* that was given: “npx” */
  char *package;       /* what is fetched; NULL where that cannot be told, or not be shown */
  GPtrArray *packages; /* all of them, as written; of char * */
  gboolean is_seen;    /* what it has fetched runs as a process of its own, or in its place */
  gboolean is_direct;  /* the command itself fetches, no shell in between */
  gboolean is_serial;  /* two at a time would be in each other's way */
} GmcpInstaller;

/* Finds an installer in a command, also behind env or in a line for a shell; NULL for none. */
GmcpInstaller *gmcp_installer_find (const char *const *argv);
void gmcp_installer_free (GmcpInstaller *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpInstaller, gmcp_installer_free)

/* The file that is locked while one of the family fetches; NULL where nothing has to wait. */
char *gmcp_installer_dup_lock_path (const GmcpInstaller *self);

/* A file that is there once the program has been fetched. is_ours says whether the package manager writes
 * it or whoever looks after the command has to. */
char *gmcp_installer_dup_present_path (const GmcpInstaller *self,
                                       const char *const *argv,
                                       const char *const *environment,
                                       gboolean *is_ours);

G_END_DECLS
