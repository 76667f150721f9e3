/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/config/gmcp-manager-enums.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SERVER_CONFIG (gmcp_server_config_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpServerConfig, gmcp_server_config, GMCP, SERVER_CONFIG, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpServerConfig *gmcp_server_config_new (const char *id, const char *const *argv);

GMCP_AVAILABLE_IN_0_1
GmcpServerConfig *
gmcp_server_config_new_from_json (const char *id, const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_id (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_title (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_is_enabled (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerTransport gmcp_server_config_get_transport (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_server_config_get_argv (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_server_config_get_environment (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_get_inherit_environment (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_get_allow_sampling (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_cwd (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_url (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_server_config_get_headers (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_ca_file (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_server_config_get_allowed_redirect_origins (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
GmcpEra gmcp_server_config_get_era (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_call_timeout_ms (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_startup_timeout_ms (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_install_timeout_ms (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerStart gmcp_server_config_get_start (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_package (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_instructions (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_is_trusted (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
GmcpHealthMethod gmcp_server_config_get_health_method (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_health_tool (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_config_get_health_arguments (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_health_interval_ms (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_health_timeout_ms (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_get_restart_on_failure (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_max_restart_attempts (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_idle_timeout_ms (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_shutdown_timeout_ms (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_max_calls (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_max_queued_calls (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_server_config_get_allowed_tools (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_server_config_get_denied_tools (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_validate (GmcpServerConfig *self, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_equal (GmcpServerConfig *self, GmcpServerConfig *other);

GMCP_AVAILABLE_IN_0_1
char *gmcp_server_config_dup_hash (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_server_config_dup_command_text (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_server_config_dup_json (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerConfig *
gmcp_server_config_dup_patched (GmcpServerConfig *self, const char *patch, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_server_config_dup_details (GmcpServerConfig *self, gboolean with_values);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_is_valid_id (const char *id);

GMCP_AVAILABLE_IN_0_1
char *gmcp_server_config_make_id (const char *name);

GMCP_AVAILABLE_IN_0_1
GmcpSandbox gmcp_server_config_get_sandbox (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_server_config_get_writable_paths (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_get_no_network (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_config_get_unix_sockets (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_max_cpu_ms (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_max_memory_mib (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_server_config_get_max_processes (GmcpServerConfig *self);

GMCP_AVAILABLE_IN_0_1
GmcpShare gmcp_server_config_get_share (GmcpServerConfig *self);

G_END_DECLS
