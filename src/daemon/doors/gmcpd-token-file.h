/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A token in a file that is the user's alone. NULL without an error where there is no file; one that others can read
 * or change is refused. */
char *gmcpd_token_file_read (const char *path, GError **error);

/* Makes the file and its folder. */
gboolean gmcpd_token_file_write (const char *path, const char *token, GError **error);

G_END_DECLS
