/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-config-source.h>

G_BEGIN_DECLS

/* Like gmcp_config_source_set_findings(), for a configuration that counts but for what the errors
 * are about: those are signalled too. ids: the server of each finding, or NULL. */
void gmcp_config_source_set_left_out (GmcpConfigSource *self, GPtrArray *findings, GPtrArray *ids);

G_END_DECLS
