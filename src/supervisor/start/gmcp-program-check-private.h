/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Whether a server's program is there, without a start. */

/* Looks where the server would, and then where the user's login shell would. What cannot be known before a
 * start counts as there: an address, a name with variables, a program outside of a sandbox. */
void gmcp_program_check_async (GmcpServerConfig *config,
                               GMainContext *context,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean gmcp_program_check_finish (GAsyncResult *result, GError **error);

G_END_DECLS
