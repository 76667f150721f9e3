/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where a configuration file is: trust, workspace, the folder that its relative paths start from, the
 * origin of its servers and what is shown of it go by these names, links followed, and by no others. It does
 * not change. */
typedef struct
{
  char *file;       /* in its real folder */
  char *folder;     /* that folder */
  char *workspace;  /* NULL for the manager's */
  char *trusted_as; /* what the store of trusted files calls it */
  gboolean is_regular;
} GmcpConfigLocation;

GmcpConfigLocation *gmcp_config_location_ref (GmcpConfigLocation *self);
void gmcp_config_location_unref (GmcpConfigLocation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigLocation, gmcp_config_location_unref)

/* workspace is the one that the source was given (nullable); without one, the workspace of a project's
 * file is its folder. */
void gmcp_config_location_find_async (const char *path,
                                      const char *workspace,
                                      gboolean project,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
GmcpConfigLocation *gmcp_config_location_find_finish (GAsyncResult *result, GError **error);

/* Finds it and reads it, in one go. At a place where a file may be there may be a pipe that nobody writes to as
 * well; one that the user names is waited for, and has to be there. */
void gmcp_config_location_read_async (const char *path,
                                      const char *workspace,
                                      gboolean project,
                                      gboolean optional,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
/* The location is there also where the file could not be read, and NULL where it was not looked for. Without an
 * error and bytes there is no file. */
GBytes *gmcp_config_location_read_finish (GAsyncResult *result,
                                          GmcpConfigLocation **location,
                                          GError **error);

G_END_DECLS
