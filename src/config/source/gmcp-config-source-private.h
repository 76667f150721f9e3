/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-config-source.h>

G_BEGIN_DECLS

/* As gmcp_config_source_set_findings() does, of a configuration that counts but for what the errors are
 * about: those are signalled too. ids are of the servers, one for each finding, NULL where it is about
 * none. */
void gmcp_config_source_set_left_out (GmcpConfigSource *self, GPtrArray *findings, GPtrArray *ids);

G_END_DECLS
