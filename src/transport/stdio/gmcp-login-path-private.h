/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The PATH that the user's login shell sets up, which a program that the desktop started does not
 * have. It is read at most once in a process. */

/* Whether the login shell's PATH is needed: the program was not started from a shell, or the
 * command is not where it would be looked for. */
gboolean gmcp_login_path_is_wanted (const char *command, const char *host_path);

/* The result is NULL where there is none: no such shell, one that says nothing, or not in time. It
 * fails only where it is cancelled. */
void gmcp_login_path_get_async (GMainContext *context,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean gmcp_login_path_get_finish (GAsyncResult *result, char **path, GError **error);

/* What only this process has comes first, somebody set that up; then what the user has elsewhere. */
char *gmcp_login_path_merge (const char *host_path, const char *login_path);

/* The next one reads it again. */
void gmcp_login_path_forget (void);
/* Forgets the PATH, and sets how long the shell is waited for. */
void gmcp_login_path_reset (guint limit_ms);

G_END_DECLS
