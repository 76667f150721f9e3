/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROJECT (gmcp_project_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpProject, gmcp_project, GMCP, PROJECT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpProject *
gmcp_project_new (const char *id, const char *const *server_ids, const char *const *resources);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_project_get_id (GmcpProject *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_project_get_title (GmcpProject *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_project_get_instructions (GmcpProject *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_project_get_server_ids (GmcpProject *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_project_has_server (GmcpProject *self, const char *server_id);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_project_get_resources (GmcpProject *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_project_validate (GmcpProject *self, GError **error);

G_END_DECLS
