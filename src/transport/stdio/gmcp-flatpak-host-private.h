/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The host that a sandbox of Flatpak's is on, where the sandbox lets this program start others there.
 * It is asked once in a process what its environment is. */

/* Whether this program is in such a sandbox. */
gboolean gmcp_flatpak_is_inside (void);

/* Whether the application has it from its own package: then it is not to be found on the host. */
gboolean gmcp_flatpak_has_program (const char *command);

/* The environment that the user has there, PATH as a login shell sets it up. Fails where programs
 * cannot be started there. */
void gmcp_flatpak_host_get_async (GMainContext *context,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
GStrv gmcp_flatpak_host_get_finish (GAsyncResult *result, GError **error);

/* What to do so that it can be had. */
char *gmcp_flatpak_host_dup_hint (void);
/* Once in a process, that servers are started inside. */
void gmcp_flatpak_host_tell_of_denial (const GError *error);

/* The next one asks again, also whether it may. */
void gmcp_flatpak_host_forget (void);

G_END_DECLS
