/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONFIG_LOAD (gmcp_config_load_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpConfigLoad, gmcp_config_load, GMCP, CONFIG_LOAD, GObject)

GMCP_AVAILABLE_IN_0_1
GCancellable *gmcp_config_load_get_cancellable (GmcpConfigLoad *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_load_return_success (GmcpConfigLoad *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_load_return_error (GmcpConfigLoad *self, const GError *error);

G_END_DECLS
