/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-call-options-private.h"
#include "gmcp-tool-access-private.h"

struct _GmcpToolAccess
{
  char *host;
  GmcpPolicy *rules;
  GmcpPinStore *pins;
  GmcpApprovals *approvals;
  GmcpToolAccessConfigFunc find_config;
  gpointer data;
};

GmcpToolAccess *
gmcp_tool_access_new (GmcpPolicy *rules,
                      GmcpPinStore *pins,
                      GmcpApprovals *approvals,
                      GmcpToolAccessConfigFunc find_config,
                      gpointer data)
{
  GmcpToolAccess *self = g_new0 (GmcpToolAccess, 1);

  self->rules = rules;
  self->pins = pins;
  self->approvals = approvals;
  self->find_config = find_config;
  self->data = data;
  return self;
}

void
gmcp_tool_access_free (GmcpToolAccess *self)
{
  g_free (self->host);
  g_free (self);
}

void
gmcp_tool_access_set_host (GmcpToolAccess *self, const char *host)
{
  g_free (self->host);
  self->host = g_strdup (host);
}

static GmcpServerConfig *
find_config (GmcpToolAccess *self, const char *server)
{
  return server != NULL ? self->find_config (server, self->data) : NULL;
}

static GmcpApprovalSubject
get_approval_subject (GmcpToolAccess *self, GmcpTool *tool, const char *role)
{
  return (GmcpApprovalSubject){
    .host = self->host,
    .role = role != NULL ? role : gmcp_policy_get_role (self->rules),
    .tool = tool,
    .config = find_config (self, gmcp_tool_get_server_id (tool)),
  };
}

static gboolean
is_remembered (GmcpToolAccess *self, GmcpTool *tool, const char *role)
{
  GmcpApprovalSubject subject;

  if (tool == NULL)
    return FALSE;

  subject = get_approval_subject (self, tool, role);
  return gmcp_approvals_is_remembered (self->approvals, &subject);
}

void
gmcp_tool_access_judge (GmcpToolAccess *self,
                        const GmcpPolicySubject *subject,
                        const char *role,
                        GmcpPolicyDecision *decision)
{
  GmcpServerConfig *config = find_config (self, subject->server);
  const GmcpPolicyCaller caller = { self->host, role };
  GmcpPolicySubject titled = *subject;

  titled.title = config != NULL ? gmcp_server_config_get_title (config) : NULL;
  *decision = (GmcpPolicyDecision){ .allowed = TRUE };
  gmcp_policy_judge_server (config, &titled, decision);
  gmcp_policy_judge_roles (self->rules, &caller, &titled, decision);
  gmcp_pin_store_judge (self->pins, &titled, decision);
  gmcp_policy_judge_asking (self->rules, &titled, decision);

  if (decision->asks && is_remembered (self, subject->definition, role))
    {
      decision->asks = FALSE;
      g_clear_pointer (&decision->rule, g_free);
    }
}

char *
gmcp_tool_access_dup_grant (GmcpToolAccess *self,
                            const GmcpPolicySubject *subject,
                            const char *role)
{
  const GmcpPolicyCaller caller = { self->host, role };

  return gmcp_policy_dup_grant (self->rules, &caller, subject);
}

gboolean
gmcp_tool_access_may_reach (GmcpToolAccess *self, const char *server, const char *role)
{
  const GmcpPolicyCaller caller = { self->host, role };

  return gmcp_policy_may_reach (self->rules, &caller, server);
}

gboolean
gmcp_tool_access_check_reach (GmcpToolAccess *self,
                              const char *server,
                              const char *role,
                              GError **error)
{
  GmcpServerConfig *config = find_config (self, server);
  const GmcpPolicyCaller caller = { self->host, role };

  return gmcp_policy_check_reach (self->rules, &caller, server,
                                  config != NULL ? gmcp_server_config_get_title (config) : NULL,
                                  error);
}

gboolean
gmcp_tool_access_can_ask_held (GmcpToolAccess *self)
{
  return gmcp_approvals_can_ask_held (self->approvals);
}

/* Where the tool, or a part of it, is kept as a digest at most, all of it is told. */
static GmcpPinApproval *
dup_pin_approval (GmcpToolAccess *self, GmcpTool *tool, char **change)
{
  GmcpPinApproval *approval = gmcp_pin_store_dup_approval (
    self->pins, gmcp_tool_get_server_id (tool), gmcp_tool_get_server_tool_name (tool), change);

  if (**change == '\0' || strstr (*change, "SHA-256 ") != NULL)
    {
      g_autofree char *kept = g_steal_pointer (change);
      g_autofree char *json = gmcp_definition_dup_json (GMCP_DEFINITION (tool));

      *change = g_strdup_printf ("%s+ %s\n", kept, json);
    }
  return approval;
}

void
gmcp_tool_access_ask (GmcpToolAccess *self,
                      GmcpToolCall *call,
                      GmcpTool *tool,
                      const char *server_name,
                      const char *rule,
                      gboolean held,
                      guint timeout_ms,
                      GmcpApprovalsFunc func,
                      gpointer data)
{
  const char *role = gmcp_call_options_peek_role (gmcp_tool_call_get_options (call));
  g_autofree char *change = NULL;
  GmcpPinApproval *pin = held ? dup_pin_approval (self, tool, &change) : NULL;
  const GmcpApprovalQuestion question = {
    .subject = get_approval_subject (self, tool, role),
    .server_name = server_name,
    .rule = rule,
    .pin = pin,
    .change = change,
    .arguments_json = gmcp_tool_call_get_arguments_json (call),
    .options = gmcp_tool_call_get_options (call),
    .timeout_ms = timeout_ms,
  };

  gmcp_approvals_ask (self->approvals, &question, gmcp_tool_call_get_cancellable (call), func,
                      data);
  g_clear_pointer (&pin, gmcp_pin_approval_release);
}
