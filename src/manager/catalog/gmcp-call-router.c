/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-waiting-call-private.h"

#include <gmcp/core/gmcp-error.h>

void
gmcp_call_route_clear (GmcpCallRoute *self)
{
  g_clear_pointer (&self->rule, g_free);
  g_clear_error (&self->error);
}

GmcpCallRouter *
gmcp_call_router_new (const GmcpCallRouterParts *parts,
                      const GmcpCallRouterHooks *hooks,
                      GObject *owner)
{
  GmcpCallRouter *self = g_new0 (GmcpCallRouter, 1);

  self->parts = *parts;
  self->scope = (GmcpNameScope){ parts->servers, parts->access, hooks->includes_server, owner };
  self->hooks = hooks;
  self->owner = owner;
  return self;
}

void
gmcp_call_router_free (GmcpCallRouter *self)
{
  g_clear_error (&self->closed);
  g_free (self);
}

void
gmcp_call_router_close (GmcpCallRouter *self, const GError *reason)
{
  if (self->closed == NULL)
    self->closed = g_error_copy (reason);
}

const char *
gmcp_call_router_get_role (GmcpToolCall *call)
{
  return gmcp_call_options_peek_role (gmcp_tool_call_get_options (call));
}

void
gmcp_call_router_record_meant (GmcpCallRouter *self, GmcpToolCall *call, gboolean is_servers_error)
{
  const char *name = gmcp_tool_call_get_name (call);
  const char *server, *tool;
  GmcpManagedServer *named;
  gboolean is_sure;

  if (gmcp_tool_catalog_recall (self->parts.catalog, name, &server, &tool))
    {
      gmcp_call_record_set_meant (call, server, tool);
      return;
    }

  named = gmcp_name_scope_find_server (&self->scope, name, &is_sure, &tool);
  if (named != NULL && (is_sure || is_servers_error) && *tool != '\0')
    gmcp_call_record_set_meant (call, gmcp_managed_server_get_id (named), tool);
}

/* What was allowed is one tool as it was then, not whatever the name means later. */
static gboolean
is_same_tool (GmcpTool *allowed, GmcpTool *tool)
{
  return g_strcmp0 (gmcp_tool_get_server_id (allowed), gmcp_tool_get_server_id (tool)) == 0
         && g_strcmp0 (gmcp_tool_get_server_tool_name (allowed),
                       gmcp_tool_get_server_tool_name (tool))
              == 0
         && gmcp_tool_same_definition (allowed, tool);
}

static gboolean
was_allowed (const GmcpCallProgress *progress, GmcpTool *tool, gboolean held)
{
  return progress->allowed != NULL && (progress->allowed_held || !held)
         && is_same_tool (progress->allowed, tool);
}

/* Takes the rule of the decision. A program that asks by itself before it calls, or was asked for another reason, has not
 * seen how the tool changed. */
static GmcpCallVerdict
weigh_decision (GmcpCallRouter *self,
                GmcpToolCall *call,
                GmcpTool *tool,
                const GmcpCallProgress *progress,
                GmcpPolicyDecision *decision,
                GmcpCallRoute *route)
{
  if (G_LIKELY (decision->allowed && !decision->asks))
    return GMCP_CALL_VERDICT_FREE;

  gmcp_call_record_set_rule (call, decision->rule);
  if (!decision->allowed && !(decision->held && gmcp_tool_access_can_ask_held (self->parts.access)))
    return GMCP_CALL_VERDICT_REFUSED;
  if ((!decision->held && gmcp_call_options_is_agreed (gmcp_tool_call_get_options (call)))
      || was_allowed (progress, tool, decision->held))
    return GMCP_CALL_VERDICT_FREE;

  route->rule = g_steal_pointer (&decision->rule);
  route->held = decision->held;
  return GMCP_CALL_VERDICT_ASKS;
}

static void
judge_own (GmcpCallRouter *self, GmcpTool *tool, const char *role, GmcpPolicyDecision *decision)
{
  const GmcpPolicySubject subject = { .tool = gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                                      .definition = tool,
                                      .trusted = TRUE };

  gmcp_tool_access_judge (self->parts.access, &subject, role, decision);
}

static void
route_own (GmcpCallRouter *self,
           GmcpToolCall *call,
           const GmcpCallProgress *progress,
           GmcpCallRoute *route)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };

  judge_own (self, progress->own, gmcp_call_router_get_role (call), &decision);
  route->verdict = weigh_decision (self, call, progress->own, progress, &decision, route);
  if (route->verdict == GMCP_CALL_VERDICT_REFUSED)
    route->error = gmcp_policy_refused_error (
      NULL, gmcp_definition_get_name (GMCP_DEFINITION (progress->own)), decision.rule);
}

/* What becomes of the call is counted for the tool that was found from now on. */
static void
route_found (GmcpCallRouter *self,
             GmcpToolCall *call,
             const GmcpCallProgress *progress,
             GmcpCallRoute *route)
{
  GmcpCatalogEntry *entry = route->found.data;
  g_auto (GmcpPolicyDecision) decision = { 0 };

  gmcp_catalog_entry_resolve_call (entry, call);
  gmcp_tool_catalog_judge (self->parts.catalog, entry, gmcp_call_router_get_role (call), &decision);
  route->verdict
    = weigh_decision (self, call, gmcp_catalog_entry_get_tool (entry), progress, &decision, route);
  if (route->verdict == GMCP_CALL_VERDICT_REFUSED)
    route->error
      = gmcp_policy_refused_error (route->found.server, route->found.tool, decision.rule);
}

void
gmcp_call_router_find_route (GmcpCallRouter *self,
                             GmcpToolCall *call,
                             const GmcpCallProgress *progress,
                             GmcpCallRoute *route)
{
  const char *name = gmcp_tool_call_get_name (call);
  const char *role = gmcp_call_router_get_role (call);

  if (progress->step != GMCP_CALL_STEP_READ_CONFIG && !self->hooks->is_config_read (self->owner))
    route->verdict = GMCP_CALL_VERDICT_UNREAD;
  else if (progress->own != NULL)
    route_own (self, call, progress, route);
  else if (!gmcp_tool_catalog_find (self->parts.catalog, name, role, &route->found, &route->error))
    route->verdict = g_error_matches (route->error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL)
                       ? GMCP_CALL_VERDICT_UNKNOWN
                       : GMCP_CALL_VERDICT_REFUSED;
  else if (progress->searched < GMCP_CALL_STEP_ASK_ALL
           && gmcp_name_scope_is_unclear (&self->scope, name, role, &route->found))
    route->verdict = GMCP_CALL_VERDICT_UNCLEAR;
  else
    route_found (self, call, progress, route);
}

gboolean
gmcp_call_router_server_takes_calls (GmcpManagedServer *server, GmcpCallStep step)
{
  return gmcp_managed_server_is_ready (server) && !gmcp_managed_server_is_doubtful (server)
         && (step == GMCP_CALL_STEP_CHECK_SERVER || !gmcp_managed_server_is_check_overdue (server));
}

/* Where nothing stands against the call it does not wait, and nothing is made for it. */
static gboolean
send_at_once (GmcpToolCall *call, const GmcpCallRoute *route)
{
  GmcpManagedServer *server;

  if (route->verdict != GMCP_CALL_VERDICT_FREE)
    return FALSE;

  server = gmcp_catalog_entry_get_server (route->found.data);
  if (!gmcp_call_router_server_takes_calls (server, GMCP_CALL_STEP_BEGIN)
      || !gmcp_call_record_take_place (call))
    return FALSE;

  gmcp_managed_server_call (server, route->found.tool, call);
  return TRUE;
}

void
gmcp_call_router_take (GmcpCallRouter *self, GmcpToolCall *call, const char *replay_of)
{
  static const GmcpCallProgress beginning = { GMCP_CALL_STEP_BEGIN };
  g_auto (GmcpCallRoute) route = { 0 };
  g_autoptr (GError) error = NULL;

  gmcp_auditor_begin_call (self->parts.auditor, call, replay_of);
  gmcp_call_router_find_route (self, call, &beginning, &route);
  if (self->closed == NULL && send_at_once (call, &route))
    return;

  if (self->closed != NULL)
    {
      gmcp_call_router_record_meant (self, call, FALSE);
      gmcp_tool_call_return_error (call, self->closed);
    }
  else if (g_cancellable_set_error_if_cancelled (gmcp_tool_call_get_cancellable (call), &error))
    {
      gmcp_call_router_record_meant (self, call, FALSE);
      gmcp_tool_call_return_error (call, error);
    }
  else
    {
      gmcp_waiting_call_follow (gmcp_waiting_call_new (self, call), &route);
    }
}

gboolean
gmcp_call_router_permits_own (GmcpCallRouter *self, GmcpTool *tool, GError **error)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };

  judge_own (self, tool, NULL, &decision);
  if (!decision.allowed)
    g_propagate_error (
      error, gmcp_policy_refused_error (NULL, gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                                        decision.rule));
  return decision.allowed;
}

void
gmcp_call_router_admit_own (GmcpCallRouter *self,
                            GmcpToolCall *call,
                            GmcpTool *tool,
                            GmcpToolGateFunc func,
                            gpointer data)
{
  GmcpWaitingCall *waiting = gmcp_waiting_call_new (self, call);

  gmcp_waiting_call_set_own (waiting, tool, func, data);
  /* A registry may have begun the record. */
  if (gmcp_tool_call_get_watch (call) == NULL)
    gmcp_auditor_begin_call (self->parts.auditor, call, NULL);
  gmcp_waiting_call_advance (waiting);
}
