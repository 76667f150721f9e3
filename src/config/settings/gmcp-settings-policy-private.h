/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-settings-list-private.h"

G_BEGIN_DECLS

/* Roles, requirements and projects: the names in the keys of org.gmcp.Manager, and what is at
 * /org/gmcp/roles/NAME/ and so on. */
extern const GmcpSettingsListKind gmcp_settings_roles;
extern const GmcpSettingsListKind gmcp_settings_requirements;
extern const GmcpSettingsListKind gmcp_settings_projects;

G_END_DECLS
