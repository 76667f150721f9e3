/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcp-config-stack-private.h"
#include "gmcp-effective-settings-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-auditor-private.h"
#include "gmcp-role-private.h"
#include "gmcp-server-table-private.h"
#include "gmcp-tool-names-private.h"

G_BEGIN_DECLS

typedef struct _GmcpManagerSection GmcpManagerSection;
typedef struct _GmcpManagerPolicy GmcpManagerPolicy;
typedef struct _GmcpManagerNaming GmcpManagerNaming;
typedef struct _GmcpManagerFilling GmcpManagerFilling;
typedef struct _GmcpFolderGate GmcpFolderGate;
typedef struct _GmcpApprovals GmcpApprovals;
typedef struct _GmcpConfigAnswers GmcpConfigAnswers;
typedef struct _GmcpNodeFinder GmcpNodeFinder;
typedef struct _GmcpPinStore GmcpPinStore;
typedef struct _GmcpPolicy GmcpPolicy;
typedef struct _GmcpProjectSet GmcpProjectSet;
typedef struct _GmcpPromptCatalog GmcpPromptCatalog;
typedef struct _GmcpRequirementSet GmcpRequirementSet;
typedef struct _GmcpStartedCommands GmcpStartedCommands;
typedef struct _GmcpStateStore GmcpStateStore;
typedef struct _GmcpUnlistedServers GmcpUnlistedServers;

/* One tool that is listed; what the table of names gives back. */
typedef struct
{
  GmcpManagerSection *section;
  GmcpTool *tool;                 /* under its listed name */
  GmcpPolicyDecision decision;    /* what the rules say where a call has no role of its own */
  GmcpToolStatistics *statistics; /* of its calls; not owned, NULL before the first */
  GmcpPinStatus pin_status;
} GmcpManagerEntry;

/* One server and its part of the list. */
struct _GmcpManagerSection
{
  GmcpManager *manager;
  GmcpManagedServer *server;
  GPtrArray *entries; /* of GmcpManagerEntry */
};

typedef struct
{
  GMainContext *context;

  /* Settings. */
  char *config_file;
  char *workspace;
  char *host;
  char *instructions;
  GmcpEffectiveSettings *settings; /* that hold for all servers */

  /* Configuration. */
  GmcpConfigStack *stack;  /* the places that it comes from */
  gboolean reads_projects; /* files of the workspace count */

  GmcpConfigAnswers *answers;
  GmcpManagerFilling *filling; /* gmcp-manager-fill.c */
  GmcpFolderGate *folder_gate; /* gmcp-manager-folders.c */
  GmcpRequirementSet *requirements;

  /* Servers. */
  GmcpServerTable *servers;
  gboolean wanted; /* the tools were asked for: the list is kept up to date from then on */
  gboolean closed;
  gboolean disposing; /* no signal is emitted any more */
  GQueue closers;     /* of GTask */

  GmcpUnlistedServers *unlisted;

  /* Tools. */
  GHashTable *sections; /* GmcpManagedServer, borrowed → GmcpManagerSection */
  GmcpToolNames *names;
  GmcpManagerNaming *naming; /* gmcp-manager-naming-private.h */
  GmcpObjectList *tools;
  guint n_held; /* changes of the list wait while it is not 0 */

  GmcpResponseCache *cache; /* of all servers */
  GmcpProjectSet *projects;
  GmcpPromptCatalog *prompts;

  GmcpManagerPolicy *policy; /* gmcp-manager-policy-private.h */
  GmcpPolicy *rules;
  GmcpApprovals *approvals;
  GmcpPinStore *pins; /* gmcp-manager-pins.c */
  GmcpStartedCommands *started;
  GmcpStateStore *state; /* gmcp-manager-state.c */

  GmcpNodeFinder *node_finder; /* gmcp-manager-preflight.c */
  GmcpAuditor *auditor;
} GmcpManagerPrivate;

GmcpManagerPrivate *gmcp_manager_get_private (GmcpManager *self);

void gmcp_manager_notice (GmcpManager *self,
                          const char *server_id,
                          GmcpNoticeLevel level,
                          const char *message);
/* Of a server, which has logged it. */
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
/* Reads nothing any more; whoever waits is told that the manager is closed. */
void gmcp_manager_drop_config (GmcpManager *self);

/* Servers: gmcp-manager-servers.c */
GmcpServerTable *gmcp_manager_make_server_table (GmcpManager *self);
GmcpServerTable *gmcp_manager_get_server_table (GmcpManager *self);
GmcpUnlistedServers *gmcp_manager_make_unlisted_servers (GmcpManager *self);
void gmcp_manager_set_configs (GmcpManager *self, GPtrArray *configs);
/* Whoever waits for the end is told of it, where it is there. */
void gmcp_manager_settle_closers (GmcpManager *self);
void gmcp_manager_drop_servers (GmcpManager *self, const GError *reason);
/* While the tools are wanted, a server that is new or has changed is started for its list. */
void gmcp_manager_start_wanted (GmcpManager *self);

/* The list of tools: gmcp-manager-tools.c */
GmcpManagerSection *gmcp_manager_find_section (GmcpManager *self, GmcpManagedServer *server);
/* The tools of the server are listed from now on; and not any more, so that their names are nobody's. */
void gmcp_manager_add_section (GmcpManager *self, GmcpManagedServer *server);
void gmcp_manager_remove_section (GmcpManager *self, GmcpManagedServer *server);
void gmcp_manager_section_free (gpointer section);
/* The server has other tools. */
void gmcp_manager_refresh_section (GmcpManagerSection *section);
/* A tool of the server as it is listed, or would be if the rules allowed it. */
GmcpTool *
gmcp_manager_dup_listed_tool (GmcpManager *self, GmcpManagedServer *server, GmcpTool *original);
/* What changes between these two is signalled once. */
void gmcp_manager_hold_list (GmcpManager *self);
void gmcp_manager_release_list (GmcpManager *self);
void gmcp_manager_refresh_list (GmcpManager *self);
void gmcp_manager_refresh_names (GmcpManager *self);
/* Tools are named otherwise than they are listed. */
void gmcp_manager_relabel_tools (GmcpManager *self);
void gmcp_manager_refresh_instructions (GmcpManager *self);

/* Projects: gmcp-manager-projects.c */
/* Other projects of the configuration. */
void gmcp_manager_set_config_projects (GmcpManager *self, GPtrArray *projects);
/* Whether the server belongs to the project that is set. */
gboolean gmcp_manager_includes_server (GmcpManager *self, GmcpManagedServer *server);

/* The cache: gmcp-manager-cache.c */
GmcpResponseCache *gmcp_manager_make_cache (const GmcpManagerLimits *limits);
/* What is kept of calls: gmcp-manager-audit.c */
GmcpAuditor *gmcp_manager_get_auditor (GmcpManager *self);
void gmcp_manager_resolve_call (GmcpManagerEntry *entry, GmcpToolCall *call, const char *tool);
/* Nothing that these give to their servers gets into a log. */
void gmcp_manager_learn_secrets (GmcpManager *self, GPtrArray *configs);
/* The audit log, and the logs of servers, go by the settings that hold now. */
void gmcp_manager_use_audit (GmcpManager *self);
void gmcp_manager_limit_logs (GmcpManager *self);
void gmcp_manager_use_log_directory (GmcpManager *self);

/* What a provider does: gmcp-manager-calls.c, gmcp-manager-load.c */
/* Takes a call; replay_of is the id of the one that it repeats, or NULL. */
void gmcp_manager_take_call (GmcpManager *self, GmcpToolCall *call, const char *replay_of);
void gmcp_manager_provider_init (GmcpToolProviderInterface *iface);
void gmcp_manager_load_tools (GmcpToolProvider *provider, GmcpToolLoad *load);

G_END_DECLS
