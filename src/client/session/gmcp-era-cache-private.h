/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>

G_BEGIN_DECLS

/* Which era a server turned out to speak, kept in $XDG_CACHE_HOME/gmcp/eras, a small file for each
 * key, so that the next start need not ask. Losing it costs a probe and nothing else. */

void gmcp_era_cache_load_async (const char *key,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
/* GMCP_ERA_AUTO where nothing is known. */
GmcpEra gmcp_era_cache_load_finish (GAsyncResult *result);
void gmcp_era_cache_save (const char *key, GmcpEra era);

G_END_DECLS
