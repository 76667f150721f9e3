/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcp-daemon-activation-private.h"

G_BEGIN_DECLS

/* Whether other programs of the user reach this manager's servers, so that it looks for nobody who has them. */
void gmcp_manager_set_offers_servers (GmcpManager *self, gboolean offers_servers);
gboolean gmcp_manager_offers_servers (GmcpManager *self);

/* What holds for a server. */
GmcpShare gmcp_manager_find_share (GmcpManager *self, GmcpServerConfig *config);

/* The key of the process that the manager would start for a server (gmcp-share-key-private.h); NULL where that
 * process is for this manager only. */
char *gmcp_manager_dup_share_key (GmcpManager *self, GmcpServerConfig *config);
/* NULL where the session's daemon is not to be started: it was tried in vain, it is not allowed, or the servers are those of
 * one file, which that daemon does not have. */
GmcpDaemonActivation *gmcp_manager_find_activation (GmcpManager *self);
/* NULL also where there is nobody who could have the process. */
char *
gmcp_manager_dup_reachable_key (GmcpManager *self, GmcpServerConfig *config, GmcpShare *share);

/* For gmcp_manager_init(). */
GmcpDaemonActivation *gmcp_manager_make_activation (GmcpManager *self);

G_END_DECLS
