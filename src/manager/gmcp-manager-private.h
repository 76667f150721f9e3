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
/* What somebody has answered; a failure is told of. */
void gmcp_manager_approve_held_tool (GmcpManager *self, GmcpPinApproval *approval);
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

G_END_DECLS
