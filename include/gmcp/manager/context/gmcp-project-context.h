/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/context/gmcp-context-resource.h>
#include <gmcp/config/source/gmcp-project.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROJECT_CONTEXT (gmcp_project_context_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpProjectContext, gmcp_project_context, GMCP, PROJECT_CONTEXT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpProject *gmcp_project_context_get_project (GmcpProjectContext *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_project_context_get_instructions (GmcpProjectContext *self);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_project_context_list_resources (GmcpProjectContext *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_project_context_get_notes (GmcpProjectContext *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_project_context_is_complete (GmcpProjectContext *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_project_context_dup_text (GmcpProjectContext *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_project_context_dup_json (GmcpProjectContext *self);

G_END_DECLS
