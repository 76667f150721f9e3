/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-record-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-gate-private.h"

/* The rules and the records of the manager, for tools of the host's own. */

typedef struct
{
  GmcpManager *manager;
  GmcpToolCall *call;
  GmcpTool *tool;
  GmcpToolGateFunc func;
  gpointer data;
} Admission;

static void
end_admission (Admission *admission, const GError *error)
{
  GmcpToolGateFunc func = admission->func;
  gpointer data = admission->data;

  if (error != NULL)
    gmcp_tool_call_return_error (admission->call, error);
  g_object_unref (admission->manager);
  g_object_unref (admission->call);
  g_object_unref (admission->tool);
  g_free (admission);
  func (error == NULL, data);
}

static void
on_asked (const GError *error, gpointer data)
{
  end_admission (data, error);
}

/* What the host says of its own tools is believed. */
static void
judge_tool (GmcpManager *self, GmcpTool *tool, const char *role, GmcpPolicyDecision *decision)
{
  const GmcpPolicySubject subject = { .tool = gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                                      .definition = tool,
                                      .trusted = TRUE };

  gmcp_tool_access_judge (gmcp_manager_get_tool_access (self), &subject, role, decision);
}

static void
decide_call (Admission *admission)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (admission->call);
  const char *role = options != NULL ? gmcp_call_options_get_role (options) : NULL;
  g_auto (GmcpPolicyDecision) decision = { 0 };
  g_autoptr (GError) error = NULL;

  judge_tool (admission->manager, admission->tool, role, &decision);
  if (!decision.allowed || decision.asks)
    gmcp_call_record_set_rule (admission->call, decision.rule);
  if (!decision.allowed)
    error = gmcp_policy_refused_error (
      NULL, gmcp_definition_get_name (GMCP_DEFINITION (admission->tool)), decision.rule);

  if (error == NULL && decision.asks)
    gmcp_tool_access_ask (
      gmcp_manager_get_tool_access (admission->manager), admission->call, admission->tool, NULL,
      decision.rule, gmcp_manager_get_limit (admission->manager, GMCP_MANAGER_LIMIT_ASK_TIMEOUT_MS),
      on_asked, admission);
  else
    end_admission (admission, error);
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Admission *admission = data;
  g_autoptr (GError) error = NULL;

  /* Without the rules nothing can be said. */
  if (gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error))
    decide_call (admission);
  else
    end_admission (admission, error);
}

static gboolean
gmcp_manager_gate_permits (GmcpToolProvider *provider, GmcpTool *tool, GError **error)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };

  judge_tool (GMCP_MANAGER (provider), tool, NULL, &decision);
  if (!decision.allowed && error != NULL)
    *error = gmcp_policy_refused_error (NULL, gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                                        decision.rule);
  return decision.allowed;
}

static void
gmcp_manager_gate_admit (GmcpToolProvider *provider,
                         GmcpToolCall *call,
                         GmcpTool *tool,
                         GmcpToolGateFunc func,
                         gpointer data)
{
  GmcpManager *self = GMCP_MANAGER (provider);
  Admission *admission = g_new (Admission, 1);

  *admission = (Admission){
    .manager = g_object_ref (self),
    .call = g_object_ref (call),
    .tool = g_object_ref (tool),
    .func = func,
    .data = data,
  };
  if (gmcp_tool_call_get_watch (call) == NULL)
    gmcp_auditor_begin_call (gmcp_manager_get_auditor (self), call, NULL);

  if (gmcp_config_stack_is_loaded (gmcp_manager_get_config_stack (self)))
    decide_call (admission);
  else
    gmcp_manager_load_config_async (self, gmcp_tool_call_get_cancellable (call), on_config_loaded,
                                    admission);
}

void
gmcp_manager_open_gate (GmcpManager *self)
{
  static const GmcpToolGate gate = {
    .permits = gmcp_manager_gate_permits,
    .admit = gmcp_manager_gate_admit,
  };

  gmcp_tool_provider_set_gate (GMCP_TOOL_PROVIDER (self), &gate);
}
