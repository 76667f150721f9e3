/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-annotations.h>
#include <gmcp/protocol/gmcp-definition.h>

G_BEGIN_DECLS

#define GMCP_TYPE_RESOURCE (gmcp_resource_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpResource, gmcp_resource, GMCP, RESOURCE, GmcpDefinition)

GMCP_AVAILABLE_IN_0_1
GmcpResource *gmcp_resource_new (const char *uri, const char *name, const char *mime_type);

GMCP_AVAILABLE_IN_0_1
GmcpResource *gmcp_resource_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_resource_get_uri (GmcpResource *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_resource_get_mime_type (GmcpResource *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_resource_get_size (GmcpResource *self);

GMCP_AVAILABLE_IN_0_1
GmcpAnnotations *gmcp_resource_dup_annotations (GmcpResource *self);

G_END_DECLS
