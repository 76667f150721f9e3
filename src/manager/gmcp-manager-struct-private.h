/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* Known to gmcp-manager.c and gmcp-manager-accessors.c. */
typedef struct
{
  GMainContext *context;

  /* Settings. */
  GFile *config_file; /* NULL for none */
  char *host;
  GmcpEffectiveSettings *settings; /* that hold for all servers */

  /* Configuration. */
  GmcpConfigStack *stack; /* the places that it comes from */
  GmcpDefaultSources *default_sources;
  GmcpConfigAnswers *answers;
  GmcpDisplayContext *display;
  GmcpFolderGate *folder_gate; /* gmcp-manager-folders.c */
  GmcpRequirementSet *requirements;

  /* Servers. */
  GmcpServerTable *servers;
  gboolean wanted;         /* the tools were asked for: the list is kept up to date from then on */
  gboolean offers_servers; /* to other programs */
  gboolean needs_input;    /* of all servers */
  GmcpDaemonActivation *activation;
  gboolean disposing; /* no signal is emitted any more */
  GmcpManagerClosing *closing;

  GmcpUnlistedServers *unlisted;

  GmcpToolCatalog *catalog;
  GmcpCallRouter *router;

  GmcpResponseCache *cache; /* of all servers */
  GmcpProjectSet *projects;
  GmcpPromptCatalog *prompts;
  GmcpGatheredLists *lists;     /* nullable: gmcp-manager-lists.c */
  GmcpResourceWatches *watches; /* nullable, too */

  /* Rules. */
  GmcpPolicy *rules;
  GmcpApprovals *approvals;
  GmcpPinStore *pins;
  GmcpToolAccess *access; /* rules, approvals and pins put together */
  GmcpStartedCommands *started;
  GmcpStateStore *state; /* gmcp-manager-state.c */

  GmcpNodeFinder *node_finder; /* gmcp-manager-preflight.c */
  GmcpAuditor *auditor;
} GmcpManagerPrivate;

GmcpManagerPrivate *gmcp_manager_get_private (GmcpManager *self);

G_END_DECLS
