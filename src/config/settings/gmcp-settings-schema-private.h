/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-server-config-private.h"
#include "gmcp-settings-path-private.h"

G_BEGIN_DECLS

/* The installed schemas, or those of the copy that comes with the library; GMCP_ERROR_NOT_SUPPORTED
 * where neither has every key that this version reads. g_settings_new() would end the process. */
GSettingsSchema *gmcp_settings_lookup_manager_schema (GError **error);
GSettingsSchema *gmcp_settings_lookup_server_schema (GError **error);
GSettingsSchema *gmcp_settings_lookup_role_schema (GError **error);
GSettingsSchema *gmcp_settings_lookup_requirements_schema (GError **error);
GSettingsSchema *gmcp_settings_lookup_project_schema (GError **error);

/* The key of org.gmcp.Server that a value comes from; NULL for the id, and for what only files and programs
 * say. */
const char *gmcp_settings_get_key (const GmcpConfigField *field);

G_END_DECLS
