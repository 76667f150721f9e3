/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads a key that several processes share, out of a file that nobody else can read. */
GBytes *gmcp_tasks_key_file_read (const char *filename, GError **error);

G_END_DECLS
