/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

#include "gmcp-approvals-private.h"
#include "gmcp-pin-store-private.h"
#include "gmcp-policy-private.h"

G_BEGIN_DECLS

/* Who may call which tool: all that has a say in it, put together. That is the configuration of the tool's
 * server, roles, what tools were before, and what somebody is asked about first or has allowed for good. */
typedef struct _GmcpToolAccess GmcpToolAccess;

/* The configuration of a server, borrowed; NULL where the server is not configured. */
typedef GmcpServerConfig *(*GmcpToolAccessConfigFunc) (const char *server, gpointer data);

/* All that is given has to outlive the object. */
GmcpToolAccess *gmcp_tool_access_new (GmcpPolicy *rules,
                                      GmcpPinStore *pins,
                                      GmcpApprovals *approvals,
                                      GmcpToolAccessConfigFunc find_config,
                                      gpointer data);
void gmcp_tool_access_free (GmcpToolAccess *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolAccess, gmcp_tool_access_free)

/* The program that the rules are for; NULL for none. */
void gmcp_tool_access_set_host (GmcpToolAccess *self, const char *host);

/* What the rules say about a call under that role (nullable) beside the one of all calls; what is in the
 * decision is overwritten. */
void gmcp_tool_access_judge (GmcpToolAccess *self,
                             const GmcpPolicySubject *subject,
                             const char *role,
                             GmcpPolicyDecision *decision);
/* Which rule allows a call that is allowed so; NULL where no role holds. Not translated. */
char *gmcp_tool_access_dup_grant (GmcpToolAccess *self,
                                  const GmcpPolicySubject *subject,
                                  const char *role);
/* Whether roles can allow a call, made under that role (nullable) beside the one of all calls, of some tool
 * of a server whose tools are not known yet. */
gboolean gmcp_tool_access_may_reach (GmcpToolAccess *self, const char *server, const char *role);

/* Whether roles leave something of the server, under that role (nullable) beside the one of all calls: where
 * they do not, its resources and prompts are not for the caller either, and the error names the rule. */
gboolean gmcp_tool_access_check_reach (GmcpToolAccess *self,
                                       const char *server,
                                       const char *role,
                                       GError **error);

/* Whether there is somebody who may be asked about a tool that is held. */
gboolean gmcp_tool_access_can_ask_held (GmcpToolAccess *self);
/* Somebody has to allow the call, since the rule wants the question, or the tool is held. server_name is NULL for a tool of the
 * host's own. */
void gmcp_tool_access_ask (GmcpToolAccess *self,
                           GmcpToolCall *call,
                           GmcpTool *tool,
                           const char *server_name,
                           const char *rule,
                           gboolean held,
                           guint timeout_ms,
                           GmcpApprovalsFunc func,
                           gpointer data);

G_END_DECLS
