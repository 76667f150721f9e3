/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CAPABILITIES (gmcp_capabilities_get_type ())

typedef struct _GmcpCapabilities GmcpCapabilities;

GMCP_AVAILABLE_IN_0_1
GType gmcp_capabilities_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpCapabilities *gmcp_capabilities_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpCapabilities *gmcp_capabilities_ref (GmcpCapabilities *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_capabilities_unref (GmcpCapabilities *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_capabilities_has (GmcpCapabilities *self, const char *path);

GMCP_AVAILABLE_IN_0_1
char *gmcp_capabilities_dup_json (GmcpCapabilities *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCapabilities, gmcp_capabilities_unref)

G_END_DECLS
