/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The token of the control API, which stands in a file that only the user can read. It is made where there is none, and
 * stays until somebody removes the file. A file that others can read or change is not used. */
char *gmcpd_api_token_dup (const char *path, GError **error);

/* The folder of states of this user, with the name of the file in it. */
char *gmcpd_api_token_dup_path (void);

/* A secret of 256 bits, in hexadecimal digits. */
char *gmcpd_api_token_make (GError **error);

/* In a time that says nothing of how much of it is right. */
gboolean gmcpd_api_token_equal (const char *token, const char *given);

G_END_DECLS
