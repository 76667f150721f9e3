/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A text for people, with its long lines broken between words so that none is wider than so many columns. What stands
 * indented beside a name (two spaces before it) goes on below itself; lines that follow each other without an indent
 * are one paragraph, which is filled anew where one of them is too long. A line of a command, “  gmcp …”, is not
 * broken: somebody may copy it. */
char *cli_wrap (const char *text, guint columns);

G_END_DECLS
