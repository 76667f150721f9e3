/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"
#include "gmcp-role-private.h"

G_BEGIN_DECLS

/* What the manager knows of what may be called. */
struct _GmcpManagerPolicy
{
  char *role;           /* that holds for all calls */
  GPtrArray *own_roles; /* of GmcpRole: added by the program */
  GPtrArray *roles;     /* of GmcpRole: of the configuration */

  GPtrArray *own_requirements; /* of GmcpRequirements, in the same way */
  GPtrArray *requirements;
};

GmcpManagerPolicy *gmcp_manager_policy_new (void);
void gmcp_manager_policy_free (GmcpManagerPolicy *policy);

/* What the configuration says now. */
void gmcp_manager_set_config_policy (GmcpManager *self, GPtrArray *roles, GPtrArray *requirements);

/* Looks at each tool anew: a rule, a role, or how far a server is trusted has changed. */
void gmcp_manager_refresh_policy (GmcpManager *self);
void gmcp_manager_judge_entry (GmcpManager *self, GmcpManagerEntry *entry);

/* What the rules say about a call under that role (nullable) beside the manager's own; what is there
 * is overwritten. */
void gmcp_manager_judge (GmcpManager *self,
                         const GmcpPolicySubject *subject,
                         const char *role,
                         GmcpPolicyDecision *decision);
/* The same for a tool that is known, and quick where there is nothing to look at. */
void gmcp_manager_judge_call (GmcpManager *self,
                              GmcpManagerEntry *entry,
                              GmcpCallOptions *options,
                              GmcpPolicyDecision *decision);

/* The error of a call that is not allowed. */
GError *gmcp_manager_refused_error (const char *server, const char *tool, const char *rule);

G_END_DECLS
