/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-instance-private.h"

G_BEGIN_DECLS

/* One health check of a server that is connected, as its configuration says. */
void gmcp_health_check_async (GmcpServerConfig *config,
                              GmcpServerInstance *instance,
                              guint timeout_ms,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer data);
/* Fails with why it did not pass. */
gboolean gmcp_health_check_finish (GAsyncResult *result, GError **error);

/* The name of the tool as the server calls it. */
const char *gmcp_health_check_skip_server (const char *tool, const char *id);

G_END_DECLS
