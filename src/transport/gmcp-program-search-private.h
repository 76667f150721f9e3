/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The first file of that name in path that can be run, as the guard would find it; NULL where there is
 * none. path is NULL for the system's default. A name with a slash is looked for nowhere else. */
char *gmcp_program_search (const char *name, const char *path);

G_END_DECLS
