/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A small file that several processes read and change, such as what the user has allowed. Nothing here
 * waits for the disk but a thread of GTask's. */

/* What the file is to hold now, given what it holds (NULL where it is not there); NULL to leave it as
 * it is. Called in a thread, while no other process is at the file. */
typedef GBytes *(*GmcpStateFileFunc) (GBytes *present, gpointer data, GError **error);

/* NULL without an error where it is not there. What is no file, or too big, is an error. */
void gmcp_state_file_read_async (const char *path,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
/* Reads a file of a cache folder, and notes that it is used: gmcp-cache-folder-private.h. */
void gmcp_state_file_read_used_async (const char *path,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
GBytes *gmcp_state_file_read_finish (GAsyncResult *result, GError **error);
/* For a thread that has more to do than this, which waits for the disk. The latter waits for a pipe, too, and
 * takes a missing file for an error. */
GBytes *gmcp_state_file_read_here (const char *path, GError **error);
GBytes *gmcp_state_file_read_stream_here (const char *path, GError **error);

typedef struct
{
  GBytes *bytes; /* NULL without an error where it is not there */
  GError *error;
  char *digest; /* of the bytes; NULL with an error */
} GmcpStateFileContent;

/* Several of them, one after the other: one GmcpStateFileContent each. */
void gmcp_state_file_read_all_async (const char *const *paths,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
GPtrArray *gmcp_state_file_read_all_finish (GAsyncResult *result, GError **error);

/* Makes the folder, too. What is larger than can be read is not written, and fails. The file is replaced as a whole; a new one is nobody else's to read, and one
 * that was there keeps its permissions. Takes data. */
void gmcp_state_file_change_async (const char *path,
                                   GmcpStateFileFunc func,
                                   gpointer data,
                                   GDestroyNotify destroy,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean gmcp_state_file_change_finish (GAsyncResult *result, GError **error);
/* The digests of what the file held before a change that did not fail, and holds now. Borrowed from
 * the result. */
void
gmcp_state_file_change_get_digests (GAsyncResult *result, const char **before, const char **after);

G_END_DECLS
