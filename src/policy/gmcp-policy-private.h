/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-role-private.h"

G_BEGIN_DECLS

/* Rules for what may be called, about the pair of server and tool that a name was resolved to: roles, and what
 * somebody is asked about first. They are looked at only, and whatever they say makes a decision stricter, never
 * looser. */
typedef struct _GmcpPolicy GmcpPolicy;

GmcpPolicy *gmcp_policy_new (void);
void gmcp_policy_free (GmcpPolicy *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpPolicy, gmcp_policy_free)

/* The role that all calls are made under; NULL for none. FALSE where it is so already. */
gboolean gmcp_policy_set_role (GmcpPolicy *self, const char *role);
const char *gmcp_policy_get_role (GmcpPolicy *self);

/* Roles of the configuration: of GmcpRole. FALSE where they are the same. */
gboolean gmcp_policy_set_roles (GmcpPolicy *self, GPtrArray *roles);
/* Roles of the program, which take the place of one of the same name and host. */
void gmcp_policy_add_role (GmcpPolicy *self, GmcpRole *role);
gboolean gmcp_policy_remove_role (GmcpPolicy *self, GmcpRole *role);
/* The program's roles alone. Borrowed. */
GPtrArray *gmcp_policy_get_own_roles (GmcpPolicy *self);
/* All that hold in a program (nullable), of references. */
GPtrArray *gmcp_policy_list_roles (GmcpPolicy *self, const char *host);

/* What is asked about first, whatever the role. While a rule cannot be understood that is everything. Takes
 * the rules. */
void gmcp_policy_set_asking (GmcpPolicy *self, GStrv ask_first, gboolean ask_destructive);
const char *const *gmcp_policy_get_ask_first (GmcpPolicy *self);
gboolean gmcp_policy_get_ask_destructive (GmcpPolicy *self);

/* Who makes a call. */
typedef struct
{
  const char *host; /* NULL for none */
  const char *role; /* that holds beside the one of all calls; NULL for none */
} GmcpPolicyCaller;

/* What the roles say. One that is not configured for the host allows nothing. */
void gmcp_policy_judge_roles (GmcpPolicy *self,
                              const GmcpPolicyCaller *caller,
                              const GmcpPolicySubject *subject,
                              GmcpPolicyDecision *decision);
/* Which rule of a role allows a call that the roles allow; NULL where no role holds. Not translated. */
char *gmcp_policy_dup_grant (GmcpPolicy *self,
                             const GmcpPolicyCaller *caller,
                             const GmcpPolicySubject *subject);
/* Whether somebody is asked first. */
void gmcp_policy_judge_asking (GmcpPolicy *self,
                               const GmcpPolicySubject *subject,
                               GmcpPolicyDecision *decision);
/* What the configuration of a server (nullable) leaves of its tools. */
void gmcp_policy_judge_server (GmcpServerConfig *config,
                               const GmcpPolicySubject *subject,
                               GmcpPolicyDecision *decision);
/* Whether roles can allow a call of some tool of a server whose tools are not known yet. */
gboolean
gmcp_policy_may_reach (GmcpPolicy *self, const GmcpPolicyCaller *caller, const char *server);

/* The same for what else a server offers, its resources and prompts; the error names the rule that is in the
 * way, and the server by its title. */
gboolean gmcp_policy_check_reach (GmcpPolicy *self,
                                  const GmcpPolicyCaller *caller,
                                  const char *server,
                                  const char *title,
                                  GError **error);

/* The error of a call that is not allowed. server is NULL for a tool of the host's own. */
GError *gmcp_policy_refused_error (const char *server, const char *tool, const char *rule);

G_END_DECLS
