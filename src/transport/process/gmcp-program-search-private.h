/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The directories of a PATH that mean the same wherever a program runs: relative and empty ones would
 * be those of whoever made the folder that it runs in. The system's default where none is left, and where
 * path is NULL. */
char *gmcp_search_path_keep_absolute (const char *path);

/* The first file of that name in path that can be run, as the guard would find it; NULL where there is
 * none. path is NULL for the system's default; relative directories in it are not searched. A name with a
 * slash is looked for nowhere else. */
char *gmcp_program_search (const char *name, const char *path);

/* " Near to it: X, Y." for a name that no such file has, else ""; to follow a sentence. Reads the
 * directories, so only for a start that has failed. */
char *gmcp_program_suggest (const char *name, const char *path);

G_END_DECLS
