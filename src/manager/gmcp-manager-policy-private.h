/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"
#include "gmcp-role-private.h"
#include "gmcp-state-store-private.h"
#include "gmcp-pin-store-private.h"

G_BEGIN_DECLS

/* What the manager knows of what may be called. */
struct _GmcpManagerPolicy
{
  char *role;           /* that holds for all calls */
  GPtrArray *own_roles; /* of GmcpRole: added by the program */
  GPtrArray *roles;     /* of GmcpRole: of the configuration */

  GPtrArray *own_requirements; /* of GmcpRequirements, in the same way */
  GPtrArray *requirements;

  guint n_held;        /* changes that are under way, after which the tools are judged */
  gboolean is_stale;   /* what is kept of the judging of tools is of other rules */
  gboolean is_changed; /* that is still to be told of */
  guint n_judged;      /* how often a tool was judged for the list */

  GStrv ask_first;
  GPtrArray *asking_patterns; /* of GmcpToolPattern, the same */
  const char *invalid_asking; /* one of the texts that is no pattern */
  gboolean ask_destructive;
  GPtrArray *asking;   /* questions that are open: gmcp-manager-ask.c */
  GHashTable *answers; /* what was allowed for good: gmcp-approval-file-private.h */
  gboolean are_answers_read;
};

GmcpManagerPolicy *gmcp_manager_policy_new (void);
void gmcp_manager_policy_free (GmcpManagerPolicy *policy);

/* What the configuration says now. */
void gmcp_manager_set_config_policy (GmcpManager *self, GPtrArray *roles, GPtrArray *requirements);

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

/* Rules that hold whatever the role: gmcp-manager-rules.c */
void gmcp_manager_judge_asking (GmcpManagerPolicy *policy,
                                const GmcpPolicySubject *subject,
                                GmcpPolicyDecision *decision);

/* What is kept in files: gmcp-manager-state.c. */
GmcpStateStore *gmcp_manager_make_state_store (GmcpManager *self);
GmcpStateStore *gmcp_manager_get_state_store (GmcpManager *self);
GmcpStartedCommands *gmcp_manager_get_started_commands (GmcpManager *self);

/* What was allowed for good, of a tool of the program that is configured now: gmcp-manager-answers.c */
typedef struct _GmcpManagerAnswer GmcpManagerAnswer;

GmcpManagerAnswer *gmcp_manager_answer_new (GmcpManager *self, GmcpTool *tool, const char *role);
void gmcp_manager_answer_free (gpointer data);
/* Takes the answer. */
void gmcp_manager_remember_allowed (GmcpManager *self, GmcpManagerAnswer *answer);
gboolean gmcp_manager_is_remembered (GmcpManager *self, GmcpTool *tool, const char *role);

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

/* The error of a call that is not allowed. */
GError *gmcp_manager_refused_error (const char *server, const char *tool, const char *rule);

G_END_DECLS
