/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/protocol/gmcp-annotations.h>
#include <gmcp/protocol/gmcp-definition.h>

G_BEGIN_DECLS

#define GMCP_TYPE_RESOURCE_TEMPLATE (gmcp_resource_template_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpResourceTemplate,
                      gmcp_resource_template,
                      GMCP,
                      RESOURCE_TEMPLATE,
                      GmcpDefinition)

GMCP_AVAILABLE_IN_0_1
GmcpResourceTemplate *
gmcp_resource_template_new (const char *uri_template, const char *name, const char *mime_type);

GMCP_AVAILABLE_IN_0_1
GmcpResourceTemplate *gmcp_resource_template_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_resource_template_get_uri_template (GmcpResourceTemplate *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_resource_template_get_mime_type (GmcpResourceTemplate *self);

GMCP_AVAILABLE_IN_0_1
char **gmcp_resource_template_list_variables (GmcpResourceTemplate *self, GError **error);

GMCP_AVAILABLE_IN_0_1
char *
gmcp_resource_template_expand (GmcpResourceTemplate *self, JsonNode *variables, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_resource_template_expand_json (GmcpResourceTemplate *self,
                                          const char *variables_json,
                                          GError **error);

GMCP_AVAILABLE_IN_0_1
GHashTable *gmcp_resource_template_match (GmcpResourceTemplate *self, const char *uri);

GMCP_AVAILABLE_IN_0_1
GmcpAnnotations *gmcp_resource_template_dup_annotations (GmcpResourceTemplate *self);

G_END_DECLS
