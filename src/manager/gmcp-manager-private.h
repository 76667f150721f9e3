/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcp-config-stack-private.h"
#include "gmcp-effective-settings-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-auditor-private.h"
#include "gmcp-server-table-private.h"
#include "gmcp-tool-catalog-private.h"

G_BEGIN_DECLS

typedef struct _GmcpDisplayContext GmcpDisplayContext;
typedef struct _GmcpCallRouter GmcpCallRouter;
typedef struct _GmcpFolderGate GmcpFolderGate;
typedef struct _GmcpManagerClosing GmcpManagerClosing;
typedef struct _GmcpConfigAnswers GmcpConfigAnswers;
typedef struct _GmcpDefaultSources GmcpDefaultSources;
typedef struct _GmcpNodeFinder GmcpNodeFinder;
typedef struct _GmcpProjectSet GmcpProjectSet;
typedef struct _GmcpPromptCatalog GmcpPromptCatalog;
typedef struct _GmcpRequirementSet GmcpRequirementSet;
typedef struct _GmcpStartedCommands GmcpStartedCommands;
typedef struct _GmcpUnlistedServers GmcpUnlistedServers;

/* The parts of a manager, of which none knows the manager: gmcp-manager-accessors.c */
GMainContext *gmcp_manager_get_main_context (GmcpManager *self);
/* A critical warning that names the function, and FALSE, where another thread runs the manager's context. */
gboolean gmcp_manager_check_thread (GmcpManager *self, const char *function);
GmcpConfigStack *gmcp_manager_get_config_stack (GmcpManager *self);
GmcpEffectiveSettings *gmcp_manager_get_settings (GmcpManager *self);
GmcpDefaultSources *gmcp_manager_get_default_sources (GmcpManager *self);
GmcpConfigAnswers *gmcp_manager_get_config_answers (GmcpManager *self);
GmcpDisplayContext *gmcp_manager_get_display_context (GmcpManager *self);
GmcpFolderGate *gmcp_manager_get_folder_gate (GmcpManager *self);
GmcpRequirementSet *gmcp_manager_get_requirement_set (GmcpManager *self);
GmcpServerTable *gmcp_manager_get_server_table (GmcpManager *self);
GmcpUnlistedServers *gmcp_manager_get_unlisted_servers (GmcpManager *self);
GmcpNodeFinder *gmcp_manager_get_node_finder (GmcpManager *self);
GmcpToolCatalog *gmcp_manager_get_catalog (GmcpManager *self);
GmcpCallRouter *gmcp_manager_get_call_router (GmcpManager *self);
GmcpProjectSet *gmcp_manager_get_project_set (GmcpManager *self);
GmcpPromptCatalog *gmcp_manager_get_prompt_catalog (GmcpManager *self);
GmcpPolicy *gmcp_manager_get_policy (GmcpManager *self);
GmcpApprovals *gmcp_manager_get_approvals (GmcpManager *self);
GmcpPinStore *gmcp_manager_get_pin_store (GmcpManager *self);
GmcpToolAccess *gmcp_manager_get_tool_access (GmcpManager *self);
GmcpStartedCommands *gmcp_manager_get_started_commands (GmcpManager *self);
GmcpStateStore *gmcp_manager_get_state_store (GmcpManager *self);
GmcpAuditor *gmcp_manager_get_auditor (GmcpManager *self);
GmcpManagerClosing *gmcp_manager_get_closing (GmcpManager *self);
gboolean gmcp_manager_is_closed (GmcpManager *self);
/* No signal is emitted any more. */
gboolean gmcp_manager_is_disposing (GmcpManager *self);
/* The tools were asked for: the list is kept up to date from then on. */
gboolean gmcp_manager_wants_tools (GmcpManager *self);
/* FALSE where they were asked for before. */
gboolean gmcp_manager_want_tools (GmcpManager *self);
/* The path of the workspace, as configurations have it; NULL for none. */
const char *gmcp_manager_peek_workspace_path (GmcpManager *self);

void gmcp_manager_notice (GmcpManager *self,
                          const char *server_id,
                          GmcpNoticeLevel level,
                          const char *message);
/* Passes on a notice of a server, which has logged it. */
void gmcp_manager_forward_notice (GmcpManager *self,
                                  const char *server_id,
                                  GmcpNoticeLevel level,
                                  const char *message);
GError *gmcp_manager_closed_error (void);
GError *gmcp_manager_not_configured_error (const char *server_id);

/* gmcp-manager-properties.c */
void gmcp_manager_install_properties (GObjectClass *object_class);

/* Settings that hold for all servers: gmcp-manager-settings.c */
guint gmcp_manager_get_limit (GmcpManager *self, GmcpManagerLimit limit);
/* The parts of the manager go by the new values, and it is notified of; data is the manager. */
void gmcp_manager_use_settings (const GmcpSetting *changed, guint n_changed, gpointer data);

/* Configuration: gmcp-manager-config.c */
GmcpConfigStack *gmcp_manager_make_stack (GmcpManager *self);
/* Reads nothing any more; tasks that wait fail, as the manager is closed. */
void gmcp_manager_drop_config (GmcpManager *self);
/* Takes a task of the manager's, which the function goes on with as soon as the configuration is read; it fails
 * where that cannot be read. */
typedef void (*GmcpManagerTaskFunc) (GTask *task);
void gmcp_manager_when_configured (GTask *task, GmcpManagerTaskFunc func);

/* Servers: gmcp-manager-servers.c */
GmcpServerTable *gmcp_manager_make_server_table (GmcpManager *self);
GmcpUnlistedServers *gmcp_manager_make_unlisted_servers (GmcpManager *self);
void gmcp_manager_set_configs (GmcpManager *self, GPtrArray *configs);
void gmcp_manager_drop_servers (GmcpManager *self, const GError *reason);
/* While the tools are wanted, a server that is new or has changed is started for its list. */
void gmcp_manager_start_wanted (GmcpManager *self);

/* Tools: gmcp-manager-tools.c */
GmcpToolAccess *gmcp_manager_make_tool_access (GmcpManager *self);
GmcpToolCatalog *gmcp_manager_make_catalog (GmcpManager *self);

/* Roles of the configuration, as they are now: gmcp-manager-roles.c */
void gmcp_manager_set_config_roles (GmcpManager *self, GPtrArray *roles);
/* FALSE where the role of all calls, or that of the options (nullable), allows nothing of the server. */
gboolean gmcp_manager_check_reach (GmcpManager *self,
                                   GmcpManagedServer *server,
                                   GmcpCallOptions *options,
                                   GError **error);
/* The rules that hold whatever the role go by the settings that hold now: gmcp-manager-rules.c */
void gmcp_manager_use_asking (GmcpManager *self);
/* What is done about tools that are new or have changed goes by the setting that holds now:
 * gmcp-manager-pins.c */
void gmcp_manager_use_pin_policy (GmcpManager *self);

/* What is kept in files: gmcp-manager-state.c */
GmcpStateStore *gmcp_manager_make_state_store (GmcpManager *self);

/* Projects: gmcp-manager-projects.c */
/* Other projects of the configuration. */
void gmcp_manager_set_config_projects (GmcpManager *self, GPtrArray *projects);
/* Whether the server belongs to the project that is set. */
gboolean gmcp_manager_includes_server (GmcpManager *self, GmcpManagedServer *server);

/* The cache: gmcp-manager-cache.c */
GmcpResponseCache *gmcp_manager_make_cache (const GmcpManagerLimits *limits);

/* What is kept of calls: gmcp-manager-audit.c */
/* Keeps the secrets that the configurations give to their servers out of logs. */
void gmcp_manager_learn_secrets (GmcpManager *self, GPtrArray *configs);
/* The audit log, and the logs of servers, go by the settings that hold now. */
void gmcp_manager_use_audit (GmcpManager *self);
void gmcp_manager_limit_logs (GmcpManager *self);
void gmcp_manager_use_log_directory (GmcpManager *self);

/* What a provider does: gmcp-manager-calls.c, gmcp-manager-load.c */
GmcpCallRouter *gmcp_manager_make_call_router (GmcpManager *self);
/* FALSE where the request came in another thread, which it has failed with then. */
gboolean gmcp_manager_check_request_thread (GmcpManager *self,
                                            GmcpProviderRequest *request,
                                            const char *function);
/* FALSE, too, where the manager has been closed. */
gboolean
gmcp_manager_takes_request (GmcpManager *self, GmcpProviderRequest *request, const char *function);
/* Takes a call; replay_of is the id of the one that it repeats, or NULL. */
void gmcp_manager_take_call (GmcpManager *self, GmcpToolCall *call, const char *replay_of);
/* The rules and records hold for tools of the host's own as well. */
void gmcp_manager_open_gate (GmcpManager *self);
void gmcp_manager_provider_init (GmcpToolProviderInterface *iface);
void gmcp_manager_load_tools (GmcpToolProvider *provider, GmcpToolLoad *load);

G_END_DECLS
