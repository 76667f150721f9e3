/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What is stored of a server is changed while the daemon runs. */

/* Names what is configured of the server, so that who changes it can say what it was meant to change. */
char *gmcpd_editing_dup_etag (GmcpManager *manager, GmcpManagedServer *server);

/* Changes what stands where it is configured, at the members that the patch has (RFC 7396). etag: what has to be stored until
 * then, or NULL; G_IO_ERROR_WRONG_ETAG where it is not. */
void gmcpd_editing_patch_async (GmcpManager *manager,
                                const char *name,
                                JsonObject *patch,
                                const char *etag,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
GmcpManagedServer *
gmcpd_editing_patch_finish (GmcpManager *manager, GAsyncResult *result, GError **error);

G_END_DECLS
