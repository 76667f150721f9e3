/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-approvals-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-pin-store-private.h"
#include "gmcp-policy-private.h"
#include "gmcp-state-store-private.h"

G_BEGIN_DECLS

/* What the manager knows of the judging of tools. */
struct _GmcpManagerPolicy
{
  guint n_held;        /* changes that are under way, after which the tools are judged */
  gboolean is_stale;   /* what is kept of the judging of tools is of other rules */
  gboolean is_changed; /* that is still to be told of */
  guint n_judged;      /* how often a tool was judged for the list */
};

GmcpManagerPolicy *gmcp_manager_policy_new (void);
void gmcp_manager_policy_free (GmcpManagerPolicy *policy);

/* Roles of the configuration, as they are now. */
void gmcp_manager_set_config_roles (GmcpManager *self, GPtrArray *roles);

/* Looks at each tool anew: a rule, a role, or how far a server is trusted has changed. */
void gmcp_manager_refresh_policy (GmcpManager *self);
/* However much changes between these two, each tool is judged once, and it is told of once. Whoever asks
 * for what is listed or allowed meanwhile gets what the newest rules say. */
void gmcp_manager_hold_policy (GmcpManager *self);
void gmcp_manager_release_policy (GmcpManager *self);
/* So that the decisions that stand in the entries are those of the newest rules. */
void gmcp_manager_ensure_judged (GmcpManager *self);
void gmcp_manager_judge_entry (GmcpManager *self, GmcpManagerEntry *entry);

/* What the rules say about a call under that role (nullable) beside the manager's own; what is there
 * is overwritten. */
void gmcp_manager_judge (GmcpManager *self,
                         const GmcpPolicySubject *subject,
                         const char *role,
                         GmcpPolicyDecision *decision);
/* The same for a tool that is known, and quick where there is nothing to look at. */
void gmcp_manager_judge_role (GmcpManager *self,
                              GmcpManagerEntry *entry,
                              const char *role,
                              GmcpPolicyDecision *decision);

/* Whether roles can allow a call, made under that role (nullable) beside the manager's own, of some tool
 * of a server whose tools are not known yet. */
gboolean gmcp_manager_may_reach (GmcpManager *self, const char *server, const char *role);

/* What is kept in files: gmcp-manager-state.c. */
GmcpStateStore *gmcp_manager_make_state_store (GmcpManager *self);
GmcpStateStore *gmcp_manager_get_state_store (GmcpManager *self);
GmcpStartedCommands *gmcp_manager_get_started_commands (GmcpManager *self);
GmcpApprovals *gmcp_manager_get_approvals (GmcpManager *self);

/* Somebody has to allow the call: emits call-requested. server_name is NULL for a tool of the
 * host's own. */
void gmcp_manager_ask (GmcpManager *self,
                       GmcpToolCall *call,
                       GmcpTool *tool,
                       const char *server_name,
                       const char *rule,
                       GmcpApprovalsFunc func,
                       gpointer data);

/* The rules that hold whatever the role go by the settings that hold now. */
void gmcp_manager_use_asking (GmcpManager *self);

/* What tools were before: gmcp-manager-pins.c */
void gmcp_manager_use_pin_policy (GmcpManager *self);
GmcpPinStore *gmcp_manager_get_pin_store (GmcpManager *self);
void gmcp_manager_see_section (GmcpManagerSection *section);
void gmcp_manager_see_all (GmcpManager *self);
gboolean gmcp_manager_take_pins (GmcpManager *self, GBytes *bytes, GError **error);

/* The rules and records also for tools of the host's own: gmcp-manager-gate.c */
void gmcp_manager_open_gate (GmcpManager *self);

G_END_DECLS
