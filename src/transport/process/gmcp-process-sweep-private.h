/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Kills what a server has left where the guard that would have done it was killed itself: what is in the
 * server's session (0 for none), and what has mark among its variables, in whatever session. In a
 * thread, since it reads of all processes. Never fails. */
void gmcp_process_sweep_async (pid_t session,
                               const char *mark,
                               GMainContext *context,
                               GAsyncReadyCallback callback,
                               gpointer user_data);

G_END_DECLS
