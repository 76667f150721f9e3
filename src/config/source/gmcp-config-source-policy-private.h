/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-config-source.h>

#include "gmcp-config-policy-data-private.h"

G_BEGIN_DECLS

/* What a source says beside its servers: roles (of GmcpRole), who needs which servers (of
 * GmcpRequirements) and what is worked on (of GmcpProject). To be set before the servers, so that no server
 * is there without its rules. The arrays are copied; policy-changed is emitted, once, where an object is
 * another one than before. */
void gmcp_config_source_set_policy (GmcpConfigSource *self,
                                    GPtrArray *roles,
                                    GPtrArray *requirements,
                                    GPtrArray *projects);
/* Sets the policy that stands in a file; NULL for none. Emits nothing, and returns whether a signal
 * is due. */
gboolean gmcp_config_source_replace_policy_data (GmcpConfigSource *self, GmcpConfigPolicy *policy);
/* What was set so last; NULL for nothing, and where objects were set. */
GmcpConfigPolicy *gmcp_config_source_peek_policy_data (GmcpConfigSource *self);
/* NULL for none; borrowed until the next change. */
GPtrArray *gmcp_config_source_peek_roles (GmcpConfigSource *self);
GPtrArray *gmcp_config_source_peek_requirements (GmcpConfigSource *self);
GPtrArray *gmcp_config_source_peek_projects (GmcpConfigSource *self);

/* gmcp-config-source.c */
void gmcp_config_source_policy_changed (GmcpConfigSource *self);

G_END_DECLS
