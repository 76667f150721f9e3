/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What nobody else may know, out of a file that nobody else can read. */

/* A key that several processes share: 32 bytes or more. */
GBytes *gmcp_tasks_secret_file_read_key (const char *filename, GError **error);

/* A text of one line. */
char *gmcp_tasks_secret_file_read_text (const char *filename, GError **error);

G_END_DECLS
