/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/audit/gmcp-audit-log.h>
#include <gmcp/config/filling/gmcp-config-input.h>
#include <gmcp/config/source/gmcp-config-source.h>
#include <gmcp/policy/gmcp-folder-request.h>
#include <gmcp/supervisor/gmcp-managed-server.h>
#include <gmcp/manager/context/gmcp-project-context.h>
#include <gmcp/manager/context/gmcp-prompt-command.h>
#include <gmcp/config/source/gmcp-requirements.h>
#include <gmcp/config/source/gmcp-role.h>
#include <gmcp/supervisor/start/gmcp-server-report.h>
#include <gmcp/policy/gmcp-tool-pin.h>
#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

#define GMCP_TYPE_MANAGER (gmcp_manager_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_DERIVABLE_TYPE (GmcpManager, gmcp_manager, GMCP, MANAGER, GObject)

/**
 * GmcpManagerClass:
 * @parent_class: the parent class
 *
 * What a subclass starts from: it adds sources of configuration when it is constructed.
 *
 * Since: 0.1
 */
struct _GmcpManagerClass
{
  GObjectClass parent_class;

  gpointer _reserved[8];
};

GMCP_AVAILABLE_IN_0_1
GmcpManager *gmcp_manager_new (void);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_add_source (GmcpManager *self, GmcpConfigSource *source);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_forget_inputs (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_trust_folder_async (GmcpManager *self,
                                      GFile *folder,
                                      gboolean trusted,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_trust_folder_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_remove_source (GmcpManager *self, GmcpConfigSource *source);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_add_default_sources (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_manager_list_sources (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_manager_get_workspace (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_workspace (GmcpManager *self, GFile *workspace);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_manager_get_config_file (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_config_file (GmcpManager *self, GFile *config_file);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_manager_get_host (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_host (GmcpManager *self, const char *host);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_manager_get_instructions (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
GmcpToolNameStyle gmcp_manager_get_tool_name_style (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_tool_name_style (GmcpManager *self, GmcpToolNameStyle tool_name_style);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_get_auto_start_default (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_auto_start_default (GmcpManager *self, gboolean auto_start_default);

GMCP_AVAILABLE_IN_0_1
GmcpShare gmcp_manager_get_share (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_share (GmcpManager *self, GmcpShare share);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_get_needs_input (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_needs_input (GmcpManager *self, gboolean needs_input);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_get_activates_daemon (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_activates_daemon (GmcpManager *self, gboolean activates_daemon);

GMCP_AVAILABLE_IN_0_1
GStrv gmcp_manager_dup_awaited_server_ids (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_manager_get_role (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_role (GmcpManager *self, const char *role);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_manager_get_ask_first (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_ask_first (GmcpManager *self, const char *const *ask_first);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_get_ask_destructive (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_ask_destructive (GmcpManager *self, gboolean ask_destructive);

GMCP_AVAILABLE_IN_0_1
GmcpPinPolicy gmcp_manager_get_pin_policy (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_pin_policy (GmcpManager *self, GmcpPinPolicy pin_policy);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_manager_list_pins (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_approve_tools_async (GmcpManager *self,
                                       const char *server_id,
                                       const char *tool,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);

GMCP_AVAILABLE_IN_0_1
int gmcp_manager_approve_tools_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_approve_tool_async (GmcpManager *self,
                                      const char *server_id,
                                      const char *tool,
                                      const char *digest,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
int gmcp_manager_approve_tool_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_manager_get_state_directory (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_state_directory (GmcpManager *self, GFile *state_directory);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_add_role (GmcpManager *self, GmcpRole *role);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_remove_role (GmcpManager *self, GmcpRole *role);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_manager_list_roles (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_add_requirements (GmcpManager *self, GmcpRequirements *requirements);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_remove_requirements (GmcpManager *self, GmcpRequirements *requirements);

GMCP_AVAILABLE_IN_0_1
GmcpRequirements *gmcp_manager_dup_requirements (GmcpManager *self, const char *name);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_manager_list_requirements (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_manager_list_findings (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_check_config_async (GmcpManager *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *
gmcp_manager_check_config_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_check_requirements_async (GmcpManager *self,
                                            GmcpRequirements *requirements,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpRequirementsReport *
gmcp_manager_check_requirements_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_look_up_requirements_async (GmcpManager *self,
                                              GmcpRequirements *requirements,
                                              GCancellable *cancellable,
                                              GAsyncReadyCallback callback,
                                              gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpRequirementsReport *
gmcp_manager_look_up_requirements_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpPermission gmcp_manager_judge_tool (GmcpManager *self,
                                        const char *server_id,
                                        const char *tool,
                                        const char *role,
                                        char **rule);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_permits_tool (GmcpManager *self,
                                    const char *server_id,
                                    const char *tool,
                                    const char *role,
                                    GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_get_audit (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_audit (GmcpManager *self, gboolean audit);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_get_audit_hash_arguments (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_audit_hash_arguments (GmcpManager *self, gboolean audit_hash_arguments);

GMCP_AVAILABLE_IN_0_1
GmcpAuditLog *gmcp_manager_get_audit_log (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_audit_log (GmcpManager *self, GmcpAuditLog *audit_log);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_manager_get_log_directory (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_log_directory (GmcpManager *self, GFile *log_directory);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_replay_call_async (GmcpManager *self,
                                     const char *id,
                                     GmcpCallOptions *options,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *
gmcp_manager_replay_call_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpManagedServer *gmcp_manager_get_server (GmcpManager *self, const char *server_id);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_load_config_async (GmcpManager *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_load_config_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_recall_tools_async (GmcpManager *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_recall_tools_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_manager_dup_status_json (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_start_all_async (GmcpManager *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_manager_start_all_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_diagnose_server_async (GmcpManager *self,
                                         const char *server_id,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpServerReport *
gmcp_manager_diagnose_server_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_add_server_async (GmcpManager *self,
                                    GmcpServerConfig *config,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpManagedServer *
gmcp_manager_add_server_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_remove_server_async (GmcpManager *self,
                                       const char *server_id,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_manager_remove_server_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_manager_get_project (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_set_project (GmcpManager *self, const char *project);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_add_project (GmcpManager *self, GmcpProject *project);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_remove_project (GmcpManager *self, GmcpProject *project);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_manager_list_projects (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_get_context_async (GmcpManager *self,
                                     const char *project,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpProjectContext *
gmcp_manager_get_context_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_find_tool_async (GmcpManager *self,
                                   const char *name,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_manager_find_tool_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_list_prompts_async (GmcpManager *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *
gmcp_manager_list_prompts_finish (GmcpManager *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpResponseCache *gmcp_manager_get_response_cache (GmcpManager *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_manager_sync_async (GmcpManager *self,
                              const char *server_id,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_manager_sync_finish (GmcpManager *self, GAsyncResult *result, GError **error);

G_END_DECLS
