/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What files and folders are called where links could give them several names. The first two wait for
 * the disk. */

/* A folder, links followed. What is not there keeps its name. */
char *gmcp_real_path_of_folder (const char *path);

/* A file in its real folder. Where the file itself is a link, the name is that of the link: what is beside
 * the link counts, and not what is beside the file that it leads to. */
char *gmcp_real_path_of_file (const char *path);

/* Whether a path is that of the folder, or of something in it. Both are full and real. */
gboolean gmcp_real_path_is_within (const char *path, const char *folder);

G_END_DECLS
