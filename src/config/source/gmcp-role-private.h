/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>
#include <gmcp/config/source/gmcp-role.h>
#include <gmcp/protocol/gmcp-tool.h>

#include "gmcp-policy-subject-private.h"

G_BEGIN_DECLS

/* What the rules say about one call. */
typedef struct
{
  gboolean allowed;
  gboolean asks; /* allowed only once somebody was asked */
  gboolean held; /* refused, but for nothing else than that the tool is not as it was approved */
  char *rule;    /* which rule refuses it, or wants the question; not translated; NULL for none */
} GmcpPolicyDecision;

void gmcp_policy_decision_clear (GmcpPolicyDecision *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpPolicyDecision, gmcp_policy_decision_clear)

/* Refuses, unless an earlier rule has refused it already. Takes the rule. */
void gmcp_policy_decision_refuse (GmcpPolicyDecision *self, char *rule);
void gmcp_policy_decision_ask (GmcpPolicyDecision *self, char *rule);

/* Whether what is known of the tool says that it changes nothing, or destroys nothing, and is to be
 * believed. */
gboolean gmcp_policy_subject_is_read_only (const GmcpPolicySubject *subject);
gboolean gmcp_policy_subject_is_harmless (const GmcpPolicySubject *subject);

/* Whether the role has something to say in a program. */
gboolean gmcp_role_is_for_host (GmcpRole *self, const char *host);
/* Whether there can be a tool of the server that the role allows. */
gboolean gmcp_role_may_reach (GmcpRole *self, const char *server);
/* Which rule allows the tool, if no other forbids it; NULL for none. Not translated. */
char *gmcp_role_dup_grant (GmcpRole *self, const GmcpPolicySubject *subject);
/* Makes the decision stricter where the role is, never looser. */
void
gmcp_role_judge (GmcpRole *self, const GmcpPolicySubject *subject, GmcpPolicyDecision *decision);

G_END_DECLS
