/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A folder of its own for a server to run in: `work/ID` in the folder of the program's state. It is nobody
 * else's to read, so nothing that another put there is run. */

char *gmcp_work_folder_dup_path (const char *state_dir, const char *id);

/* Makes the folder where it is missing, and returns its full path. A link, or what belongs to
 * another user, in its place is an error. Waits for the disk. */
char *gmcp_work_folder_make (const char *state_dir, const char *id, GError **error);

G_END_DECLS
