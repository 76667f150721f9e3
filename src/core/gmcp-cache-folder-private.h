/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A folder with a file for each key, whose names are the digests of them, as g_file_set_contents_full()
 * writes them. Losing one costs time and nothing else. These wait for the disk: for threads. */

/* Makes the folder, writes the file (0600) and tidies the folder. An error is only told of in the log. */
void gmcp_cache_folder_write (const char *path,
                              const char *text,
                              gsize length,
                              GFileSetContentsFlags flags);

/* A file that is used stays longer. */
void gmcp_cache_folder_mark_used (const char *path);

/* Removes what was not used for GMCP_LIMIT_CACHE_FILE_DAYS, the oldest of more than max_files, and what
 * a program left behind that ended while it wrote. Nothing else. */
void gmcp_cache_folder_tidy (const char *folder, guint max_files);

G_END_DECLS
