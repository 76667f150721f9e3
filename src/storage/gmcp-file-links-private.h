/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The symbolic links that lead from a full path to its file, folders that are links among them, and
 * last where the file is (or would be). Each has no link in it but its last word. Reads no file. */
GStrv gmcp_file_links_list (const char *path);

G_END_DECLS
