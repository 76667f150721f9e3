/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-config-source.h>

G_BEGIN_DECLS

/* What a source says beside its servers: roles (of GmcpRole). NULL for none. The manager is told by
 * the signal policy-changed. */
void gmcp_config_source_set_roles (GmcpConfigSource *self, GPtrArray *roles);
/* Never NULL; borrowed until the next change. */
GPtrArray *gmcp_config_source_peek_roles (GmcpConfigSource *self);

G_END_DECLS
