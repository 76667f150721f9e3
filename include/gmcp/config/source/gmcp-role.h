/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ROLE (gmcp_role_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpRole, gmcp_role, GMCP, ROLE, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpRole *
gmcp_role_new (const char *name, const char *const *allowed_tools, const char *const *denied_tools);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_role_get_name (GmcpRole *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_role_get_host (GmcpRole *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_role_get_allowed_tools (GmcpRole *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_role_get_denied_tools (GmcpRole *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_role_get_ask_first (GmcpRole *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_role_is_read_only (GmcpRole *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_role_validate (GmcpRole *self, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_role_allows (GmcpRole *self, const char *name);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_role_allows_tool (GmcpRole *self, const char *server_id, const char *tool);

G_END_DECLS
