/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-router-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-name-scope-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-visible-text-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpCallRouter
{
  GmcpCallRouterParts parts;
  GmcpNameScope scope;
  const GmcpCallRouterHooks *hooks;
  gpointer owner;
  GError *closed; /* NULL while calls are taken */
};

/* What a call waited for last, in the order in which that is tried. */
typedef enum
{
  STEP_BEGIN,
  STEP_READ_CONFIG,
  STEP_ASK_NAMED,    /* the server that the name speaks of: for its tools */
  STEP_RECALL_KEPT,  /* the lists of tools of all servers, as far as they are kept */
  STEP_ASK_ALL,      /* all servers that may have the tool: for their tools */
  STEP_ASK_PERSON,   /* whether the call may be made */
  STEP_START_SERVER, /* whose tool it is */
  STEP_CHECK_SERVER,
  STEP_AWAIT_PLACE,
} Step;

/* How far a call has come. */
typedef struct
{
  Step step;         /* the last one */
  Step searched;     /* the furthest one up to STEP_ASK_ALL */
  GmcpTool *own;     /* of the host's; NULL for a tool of a server */
  GmcpTool *allowed; /* what somebody has allowed this call of; NULL before that */
} Progress;

/* A call that cannot be sent at once. */
typedef struct
{
  GmcpCallRouter *router;
  GObject *owner;
  GmcpToolCall *call;
  Progress progress;
  GError *error;         /* why the server that the name speaks of did not start */
  guint n_asked;         /* servers that are waited for */
  guint n_starts;        /* of the tool's own server, on behalf of this call */
  GmcpToolGateFunc func; /* for a tool of the host's own */
  gpointer data;
} WaitingCall;

/* What stands against a call as things are. */
typedef enum
{
  VERDICT_UNREAD,  /* the configuration is not read */
  VERDICT_UNKNOWN, /* no tool that is known has the name */
  VERDICT_UNCLEAR, /* a server whose tools are not known may have such a tool besides */
  VERDICT_REFUSED,
  VERDICT_ASKS, /* somebody has to allow it */
  VERDICT_FREE,
} Verdict;

typedef struct
{
  Verdict verdict;
  GmcpToolName found; /* from VERDICT_UNCLEAR on; not for a tool of the host's own */
  char *rule;         /* of VERDICT_ASKS */
  GError *error;      /* of VERDICT_UNKNOWN and VERDICT_REFUSED */
} Route;

/* How often a call starts its server, which may end again before the call can be sent. */
#define MAX_STARTS 2

static void advance_call (WaitingCall *waiting);

static void
route_clear (Route *route)
{
  g_clear_pointer (&route->rule, g_free);
  g_clear_error (&route->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Route, route_clear)

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

static const char *
get_role (GmcpToolCall *call)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);

  return options != NULL ? gmcp_call_options_get_role (options) : NULL;
}

static WaitingCall *
waiting_call_new (GmcpCallRouter *self, GmcpToolCall *call)
{
  WaitingCall *waiting = g_new0 (WaitingCall, 1);

  waiting->router = self;
  waiting->owner = g_object_ref (self->owner);
  waiting->call = g_object_ref (call);
  return waiting;
}

static void
end_waiting (WaitingCall *waiting, gboolean admitted)
{
  GmcpToolGateFunc func = waiting->func;
  gpointer data = waiting->data;

  g_object_unref (waiting->call);
  g_clear_object (&waiting->progress.own);
  g_clear_object (&waiting->progress.allowed);
  g_clear_error (&waiting->error);
  g_object_unref (waiting->owner);
  g_free (waiting);
  if (func != NULL)
    func (admitted, data);
}

/* Whose tool an error is about, for a call that ends before it was resolved: a tool that was listed
 * once, or what the name says. */
static void
record_meant (GmcpCallRouter *self, GmcpToolCall *call, gboolean is_servers_error)
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

/* The error may be the waiting call's own. */
static void
fail_call (WaitingCall *waiting, const GError *error)
{
  if (waiting->progress.own == NULL)
    record_meant (waiting->router, waiting->call, waiting->error != NULL);
  gmcp_tool_call_return_error (waiting->call, error);
  end_waiting (waiting, FALSE);
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

/* Takes the rule of the decision. */
static Verdict
weigh_decision (GmcpToolCall *call,
                GmcpTool *tool,
                const Progress *progress,
                GmcpPolicyDecision *decision,
                Route *route)
{
  if (G_LIKELY (decision->allowed && !decision->asks))
    return VERDICT_FREE;

  gmcp_call_record_set_rule (call, decision->rule);
  if (!decision->allowed)
    return VERDICT_REFUSED;
  if (progress->allowed != NULL && is_same_tool (progress->allowed, tool))
    return VERDICT_FREE;

  route->rule = g_steal_pointer (&decision->rule);
  return VERDICT_ASKS;
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
route_own (GmcpCallRouter *self, GmcpToolCall *call, const Progress *progress, Route *route)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };

  judge_own (self, progress->own, get_role (call), &decision);
  route->verdict = weigh_decision (call, progress->own, progress, &decision, route);
  if (route->verdict == VERDICT_REFUSED)
    route->error = gmcp_policy_refused_error (
      NULL, gmcp_definition_get_name (GMCP_DEFINITION (progress->own)), decision.rule);
}

/* What becomes of the call is counted for the tool that was found from now on. */
static void
route_found (GmcpCallRouter *self, GmcpToolCall *call, const Progress *progress, Route *route)
{
  GmcpCatalogEntry *entry = route->found.data;
  g_auto (GmcpPolicyDecision) decision = { 0 };

  gmcp_catalog_entry_resolve_call (entry, call);
  gmcp_tool_catalog_judge (self->parts.catalog, entry, get_role (call), &decision);
  route->verdict
    = weigh_decision (call, gmcp_catalog_entry_get_tool (entry), progress, &decision, route);
  if (route->verdict == VERDICT_REFUSED)
    route->error
      = gmcp_policy_refused_error (route->found.server, route->found.tool, decision.rule);
}

/* Where the call goes as things are; what a cleared route holds is overwritten. */
static void
find_route (GmcpCallRouter *self, GmcpToolCall *call, const Progress *progress, Route *route)
{
  const char *name = gmcp_tool_call_get_name (call);
  const char *role = get_role (call);

  if (progress->step != STEP_READ_CONFIG && !self->hooks->is_config_read (self->owner))
    route->verdict = VERDICT_UNREAD;
  else if (progress->own != NULL)
    route_own (self, call, progress, route);
  else if (!gmcp_tool_catalog_find (self->parts.catalog, name, role, &route->found, &route->error))
    route->verdict = g_error_matches (route->error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL)
                       ? VERDICT_UNKNOWN
                       : VERDICT_REFUSED;
  else if (progress->searched < STEP_ASK_ALL
           && gmcp_name_scope_is_unclear (&self->scope, name, role, &route->found))
    route->verdict = VERDICT_UNCLEAR;
  else
    route_found (self, call, progress, route);
}

static gboolean
takes_calls (GmcpManagedServer *server, Step step)
{
  return gmcp_managed_server_is_ready (server) && !gmcp_managed_server_is_doubtful (server)
         && (step == STEP_CHECK_SERVER || !gmcp_managed_server_is_check_overdue (server));
}

static void
begin_step (WaitingCall *waiting, Step step)
{
  waiting->progress.step = step;
  if (step <= STEP_ASK_ALL)
    waiting->progress.searched = MAX (waiting->progress.searched, step);
}

static void
on_config_read (GObject *object, GAsyncResult *result, gpointer data)
{
  WaitingCall *waiting = data;
  g_autoptr (GError) error = NULL;

  if (waiting->router->hooks->read_config_finish (waiting->owner, result, &error))
    advance_call (waiting);
  else
    fail_call (waiting, error);
}

static void
read_config (WaitingCall *waiting)
{
  begin_step (waiting, STEP_READ_CONFIG);
  waiting->router->hooks->read_config_async (
    waiting->owner, gmcp_tool_call_get_cancellable (waiting->call), on_config_read, waiting);
}

static void
on_named_started (GObject *object, GAsyncResult *result, gpointer data)
{
  WaitingCall *waiting = data;

  /* Another server may have a tool of that name yet. */
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &waiting->error);
  advance_call (waiting);
}

static void
ask_named (WaitingCall *waiting, GmcpManagedServer *server)
{
  begin_step (waiting, STEP_ASK_NAMED);
  gmcp_managed_server_demand_async (server, gmcp_tool_call_get_cancellable (waiting->call),
                                    on_named_started, waiting);
}

static void
one_asked (WaitingCall *waiting)
{
  if (--waiting->n_asked == 0)
    advance_call (waiting);
}

static void
on_one_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  one_asked (data);
}

static void
on_one_started (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  one_asked (data);
}

/* A server whose tools are known without a start need not be started to know. */
static void
recall_kept (WaitingCall *waiting)
{
  const GmcpNameScope *scope = &waiting->router->scope;
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (scope->servers);

  begin_step (waiting, STEP_RECALL_KEPT);
  waiting->n_asked = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_managed_server_is_untried (server)
          || !gmcp_name_scope_has_server (scope, get_role (waiting->call), server))
        continue;
      waiting->n_asked++;
      gmcp_managed_server_recall_tools_async (server, NULL, on_one_recalled, waiting);
    }

  one_asked (waiting);
}

static gboolean
may_have (WaitingCall *waiting, GmcpManagedServer *server, const char *found)
{
  const GmcpNameScope *scope = &waiting->router->scope;

  return found != NULL ? gmcp_name_scope_may_have_too (scope, server, found)
                       : gmcp_name_scope_may_have_unknown (scope, server,
                                                           gmcp_tool_call_get_name (waiting->call));
}

/* Those whose tools nobody knows, and that may have the one that is called. */
static void
ask_all (WaitingCall *waiting, const char *found)
{
  const GmcpNameScope *scope = &waiting->router->scope;
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (scope->servers);
  GCancellable *cancellable = gmcp_tool_call_get_cancellable (waiting->call);

  begin_step (waiting, STEP_ASK_ALL);
  waiting->n_asked = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_managed_server_is_untried (server) || !may_have (waiting, server, found)
          || !gmcp_name_scope_has_server (scope, get_role (waiting->call), server))
        continue;
      waiting->n_asked++;
      gmcp_managed_server_demand_async (server, cancellable, on_one_started, waiting);
    }

  one_asked (waiting);
}

/* found: the tool's own name, where a server has it already. */
static void
search_all (WaitingCall *waiting, const char *found)
{
  if (waiting->progress.searched < STEP_RECALL_KEPT)
    recall_kept (waiting);
  else
    ask_all (waiting, found);
}

/* Nothing that the server may have can be called. */
static void
refuse_unknown (WaitingCall *waiting, GmcpManagedServer *server, const char *tool)
{
  GmcpPolicySubject subject = { .server = gmcp_managed_server_get_id (server), .tool = tool };
  g_auto (GmcpPolicyDecision) decision = { 0 };
  g_autoptr (GError) error = NULL;

  gmcp_tool_access_judge (waiting->router->parts.access, &subject, get_role (waiting->call),
                          &decision);
  gmcp_call_record_set_rule (waiting->call, decision.rule);
  error = gmcp_policy_refused_error (subject.server, tool, decision.rule);
  fail_call (waiting, error);
}

/* What is unknown may be of a server that did not start, or of a project whose file nobody trusts, and of
 * which nothing is known. */
static GError *
make_unknown_error (GmcpCallRouter *self, const char *role, const GError *unknown)
{
  guint n_failed = gmcp_name_scope_count_failed (&self->scope, role);
  g_autofree char *file = n_failed == 0 ? self->hooks->dup_untrusted_file (self->owner) : NULL;
  g_autofree char *word = file != NULL ? gmcp_dup_shell_word (file) : NULL;

  if (n_failed > 0)
    return g_error_new (unknown->domain, unknown->code,
                        /* TRANSLATORS: “There is no tool called …”, and a number */
                        g_dngettext (GETTEXT_PACKAGE, "%s %u server could not be asked.",
                                     "%s %u servers could not be asked.", n_failed),
                        unknown->message, n_failed);
  if (word != NULL)
    return g_error_new (unknown->domain, unknown->code,
                        /* TRANSLATORS: “There is no tool called …”, and the path of a file */
                        _ ("%s The file of a project is not trusted; to use what it brings: gmcp "
                           "config trust %s"),
                        unknown->message, word);
  return g_error_copy (unknown);
}

/* The name is unknown: perhaps only because its server has not been started yet. A name that says for
 * sure whose tool it is starts no other. */
static void
look_further (WaitingCall *waiting, const GError *unknown)
{
  GmcpCallRouter *self = waiting->router;
  const char *role = get_role (waiting->call);
  const char *tool;
  gboolean is_sure;
  GmcpManagedServer *server = gmcp_name_scope_find_server (
    &self->scope, gmcp_tool_call_get_name (waiting->call), &is_sure, &tool);
  gboolean is_reached
    = server != NULL
      && gmcp_tool_access_may_reach (self->parts.access, gmcp_managed_server_get_id (server), role);

  is_sure = is_sure && server != NULL;
  if (is_sure && waiting->error != NULL)
    {
      fail_call (waiting, waiting->error);
    }
  else if (is_sure && !is_reached)
    {
      refuse_unknown (waiting, server, tool);
    }
  else if (is_reached && waiting->progress.searched < STEP_ASK_NAMED
           && !gmcp_managed_server_is_ready (server))
    {
      ask_named (waiting, server);
    }
  else if (!is_sure && waiting->progress.searched < STEP_ASK_ALL
           && gmcp_name_scope_has_untried (&self->scope, role, NULL))
    {
      search_all (waiting, NULL);
    }
  else
    {
      g_autoptr (GError) error = NULL;

      if (waiting->error != NULL)
        error = g_error_copy (waiting->error);
      else
        error = is_sure ? g_error_copy (unknown) : make_unknown_error (self, role, unknown);
      fail_call (waiting, error);
    }
}

static void
on_answered (const GError *error, gpointer data)
{
  WaitingCall *waiting = data;

  if (error == NULL)
    advance_call (waiting);
  else
    fail_call (waiting, error);
}

static void
ask_person (WaitingCall *waiting, const Route *route)
{
  GmcpCallRouter *self = waiting->router;
  GmcpTool *tool = waiting->progress.own;
  const char *title = NULL;

  if (tool == NULL)
    {
      tool = gmcp_catalog_entry_get_tool (route->found.data);
      title = gmcp_managed_server_get_title (gmcp_catalog_entry_get_server (route->found.data));
    }
  begin_step (waiting, STEP_ASK_PERSON);
  g_set_object (&waiting->progress.allowed, tool);
  gmcp_tool_access_ask (self->parts.access, waiting->call, tool, title, route->rule,
                        self->parts.limits->ask_timeout_ms, on_answered, waiting);
}

static void
on_own_started (GObject *object, GAsyncResult *result, gpointer data)
{
  WaitingCall *waiting = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &error))
    advance_call (waiting);
  else
    fail_call (waiting, error);
}

static void
start_server (WaitingCall *waiting, GmcpManagedServer *server)
{
  gboolean is_ready = gmcp_managed_server_is_ready (server);
  g_autoptr (GError) error = NULL;

  /* The end of a health check is waited for as often as need be: too many failures end that. */
  begin_step (waiting, is_ready ? STEP_CHECK_SERVER : STEP_START_SERVER);
  if (is_ready || waiting->n_starts++ < MAX_STARTS)
    {
      gmcp_managed_server_demand_async (server, gmcp_tool_call_get_cancellable (waiting->call),
                                        on_own_started, waiting);
      return;
    }

  error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                   _ ("Server “%s” was started for the call of “%s” and ended again; nothing "
                      "was sent"),
                   gmcp_managed_server_get_title (server), gmcp_tool_call_get_name (waiting->call));
  fail_call (waiting, error);
}

static void
on_place (GError *error, gpointer data)
{
  WaitingCall *waiting = data;
  g_autoptr (GError) reason = error;

  if (error == NULL)
    gmcp_call_record_got_place (waiting->call);
  if (error == NULL && waiting->router->closed != NULL)
    reason = g_error_copy (waiting->router->closed);

  if (reason != NULL)
    fail_call (waiting, reason);
  else
    advance_call (waiting);
}

/* The server has as many calls under way as it may. */
static void
await_place (WaitingCall *waiting, GmcpManagedServer *server)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (waiting->call);
  guint timeout_ms = options != NULL ? gmcp_call_options_get_timeout_ms (options) : 0;
  g_autoptr (GError) error = NULL;

  begin_step (waiting, STEP_AWAIT_PLACE);
  if (timeout_ms == 0)
    timeout_ms = gmcp_server_config_get_call_timeout_ms (gmcp_managed_server_get_config (server));
  if (timeout_ms == 0)
    timeout_ms = waiting->router->parts.limits->servers.call_timeout_ms;

  if (!gmcp_call_limiter_await_place (gmcp_managed_server_get_call_limiter (server), timeout_ms,
                                      gmcp_tool_call_get_cancellable (waiting->call), on_place,
                                      waiting, &error))
    fail_call (waiting, error);
}

/* Nothing but the server can stand against the call. */
static void
send_call (WaitingCall *waiting, const Route *route)
{
  GmcpManagedServer *server
    = waiting->progress.own == NULL ? gmcp_catalog_entry_get_server (route->found.data) : NULL;

  if (server == NULL)
    {
      end_waiting (waiting, TRUE);
    }
  else if (!takes_calls (server, waiting->progress.step))
    {
      start_server (waiting, server);
    }
  else if (!gmcp_call_record_take_place (waiting->call))
    {
      await_place (waiting, server);
    }
  else
    {
      gmcp_managed_server_call (server, route->found.tool, waiting->call);
      end_waiting (waiting, TRUE);
    }
}

/* Takes the call one step further; ends in sending it, in an error, or in waiting for something. */
static void
follow_route (WaitingCall *waiting, const Route *route)
{
  switch (route->verdict)
    {
    case VERDICT_UNREAD:
      read_config (waiting);
      break;
    case VERDICT_UNKNOWN:
      look_further (waiting, route->error);
      break;
    case VERDICT_UNCLEAR:
      search_all (waiting, route->found.tool);
      break;
    case VERDICT_REFUSED:
      fail_call (waiting, route->error);
      break;
    case VERDICT_ASKS:
      ask_person (waiting, route);
      break;
    case VERDICT_FREE:
    default:
      send_call (waiting, route);
      break;
    }
}

/* Whatever was waited for, things may be otherwise than before: the name may mean another tool, and other
 * rules may hold. */
static void
advance_call (WaitingCall *waiting)
{
  g_auto (Route) route = { 0 };

  if (g_cancellable_set_error_if_cancelled (gmcp_tool_call_get_cancellable (waiting->call),
                                            &route.error))
    {
      fail_call (waiting, route.error);
      return;
    }

  find_route (waiting->router, waiting->call, &waiting->progress, &route);
  follow_route (waiting, &route);
}

/* Where nothing stands against the call it does not wait, and nothing is made for it. */
static gboolean
send_at_once (GmcpToolCall *call, const Route *route)
{
  GmcpManagedServer *server;

  if (route->verdict != VERDICT_FREE)
    return FALSE;

  server = gmcp_catalog_entry_get_server (route->found.data);
  if (!takes_calls (server, STEP_BEGIN) || !gmcp_call_record_take_place (call))
    return FALSE;

  gmcp_managed_server_call (server, route->found.tool, call);
  return TRUE;
}

void
gmcp_call_router_take (GmcpCallRouter *self, GmcpToolCall *call, const char *replay_of)
{
  static const Progress beginning = { STEP_BEGIN };
  g_auto (Route) route = { 0 };
  g_autoptr (GError) error = NULL;

  gmcp_auditor_begin_call (self->parts.auditor, call, replay_of);
  find_route (self, call, &beginning, &route);
  if (send_at_once (call, &route))
    return;

  if (self->closed != NULL)
    {
      record_meant (self, call, FALSE);
      gmcp_tool_call_return_error (call, self->closed);
    }
  else if (g_cancellable_set_error_if_cancelled (gmcp_tool_call_get_cancellable (call), &error))
    {
      record_meant (self, call, FALSE);
      gmcp_tool_call_return_error (call, error);
    }
  else
    {
      follow_route (waiting_call_new (self, call), &route);
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
  WaitingCall *waiting = waiting_call_new (self, call);

  waiting->progress.own = g_object_ref (tool);
  waiting->func = func;
  waiting->data = data;
  /* A registry may have begun the record. */
  if (gmcp_tool_call_get_watch (call) == NULL)
    gmcp_auditor_begin_call (self->parts.auditor, call, NULL);
  advance_call (waiting);
}
