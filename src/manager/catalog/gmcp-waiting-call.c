/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-visible-text-private.h"
#include "gmcp-waiting-call-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpWaitingCall
{
  GmcpCallRouter *router;
  GObject *owner;
  GmcpToolCall *call;
  GmcpCallProgress progress;
  GError *error;         /* why the server that the name speaks of did not start */
  guint n_asked;         /* servers that are waited for */
  guint n_starts;        /* of the tool's own server, on behalf of this call */
  GmcpToolGateFunc func; /* for a tool of the host's own */
  gpointer data;
};

/* How often a call starts its server, which may end again before the call can be sent. */
#define MAX_STARTS 2

GmcpWaitingCall *
gmcp_waiting_call_new (GmcpCallRouter *router, GmcpToolCall *call)
{
  GmcpWaitingCall *self = g_new0 (GmcpWaitingCall, 1);

  self->router = router;
  self->owner = g_object_ref (router->owner);
  self->call = g_object_ref (call);
  return self;
}

void
gmcp_waiting_call_set_own (GmcpWaitingCall *self,
                           GmcpTool *tool,
                           GmcpToolGateFunc func,
                           gpointer data)
{
  self->progress.own = g_object_ref (tool);
  self->func = func;
  self->data = data;
}

static void
end_waiting (GmcpWaitingCall *self, gboolean admitted)
{
  GmcpToolGateFunc func = self->func;
  gpointer data = self->data;

  g_object_unref (self->call);
  g_clear_object (&self->progress.own);
  g_clear_object (&self->progress.allowed);
  g_clear_error (&self->error);
  g_object_unref (self->owner);
  g_free (self);
  if (func != NULL)
    func (admitted, data);
}

/* The error may be the waiting call's own. */
static void
fail_call (GmcpWaitingCall *self, const GError *error)
{
  if (self->progress.own == NULL)
    gmcp_call_router_record_meant (self->router, self->call, self->error != NULL);
  gmcp_tool_call_return_error (self->call, error);
  end_waiting (self, FALSE);
}

static void
begin_step (GmcpWaitingCall *self, GmcpCallStep step)
{
  self->progress.step = step;
  if (step <= GMCP_CALL_STEP_ASK_ALL)
    self->progress.searched = MAX (self->progress.searched, step);
}

static void
on_config_read (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpWaitingCall *self = data;
  g_autoptr (GError) error = NULL;

  if (self->router->hooks->read_config_finish (self->owner, result, &error))
    gmcp_waiting_call_advance (self);
  else
    fail_call (self, error);
}

static void
read_config (GmcpWaitingCall *self)
{
  begin_step (self, GMCP_CALL_STEP_READ_CONFIG);
  self->router->hooks->read_config_async (self->owner, gmcp_tool_call_get_cancellable (self->call),
                                          on_config_read, self);
}

static void
on_named_started (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpWaitingCall *self = data;

  /* Another server may have a tool of that name yet. */
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &self->error);
  gmcp_waiting_call_advance (self);
}

static void
ask_named (GmcpWaitingCall *self, GmcpManagedServer *server)
{
  begin_step (self, GMCP_CALL_STEP_ASK_NAMED);
  gmcp_managed_server_demand_async (server, gmcp_tool_call_get_cancellable (self->call),
                                    on_named_started, self);
}

static void
one_asked (GmcpWaitingCall *self)
{
  if (--self->n_asked == 0)
    gmcp_waiting_call_advance (self);
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
recall_kept (GmcpWaitingCall *self)
{
  const GmcpNameScope *scope = &self->router->scope;
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (scope->servers);

  begin_step (self, GMCP_CALL_STEP_RECALL_KEPT);
  self->n_asked = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_managed_server_is_untried (server)
          || !gmcp_name_scope_has_server (scope, gmcp_call_router_get_role (self->call), server))
        continue;
      self->n_asked++;
      gmcp_managed_server_recall_tools_async (server, NULL, on_one_recalled, self);
    }

  one_asked (self);
}

static gboolean
may_have (GmcpWaitingCall *self, GmcpManagedServer *server, const char *found)
{
  const GmcpNameScope *scope = &self->router->scope;

  return found != NULL
           ? gmcp_name_scope_may_have_too (scope, server, found)
           : gmcp_name_scope_may_have_unknown (scope, server, gmcp_tool_call_get_name (self->call));
}

/* Those whose tools nobody knows, and that may have the one that is called. */
static void
ask_all (GmcpWaitingCall *self, const char *found)
{
  const GmcpNameScope *scope = &self->router->scope;
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (scope->servers);
  GCancellable *cancellable = gmcp_tool_call_get_cancellable (self->call);

  begin_step (self, GMCP_CALL_STEP_ASK_ALL);
  self->n_asked = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_managed_server_is_untried (server) || !may_have (self, server, found)
          || !gmcp_name_scope_has_server (scope, gmcp_call_router_get_role (self->call), server))
        continue;
      self->n_asked++;
      gmcp_managed_server_demand_async (server, cancellable, on_one_started, self);
    }

  one_asked (self);
}

/* found: the tool's own name, where a server has it already. */
static void
search_all (GmcpWaitingCall *self, const char *found)
{
  if (self->progress.searched < GMCP_CALL_STEP_RECALL_KEPT)
    recall_kept (self);
  else
    ask_all (self, found);
}

/* Nothing that the server may have can be called. */
static void
refuse_unknown (GmcpWaitingCall *self, GmcpManagedServer *server, const char *tool)
{
  GmcpPolicySubject subject = { .server = gmcp_managed_server_get_id (server), .tool = tool };
  g_auto (GmcpPolicyDecision) decision = { 0 };
  g_autoptr (GError) error = NULL;

  gmcp_tool_access_judge (self->router->parts.access, &subject,
                          gmcp_call_router_get_role (self->call), &decision);
  gmcp_call_record_set_rule (self->call, decision.rule);
  error = gmcp_policy_refused_error (subject.server, tool, decision.rule);
  fail_call (self, error);
}

/* What is unknown may be of a server that did not start, or of a project whose file nobody trusts, and of
 * which nothing is known. */
static GError *
make_unknown_error (GmcpCallRouter *router, const char *role, const GError *unknown)
{
  guint n_failed = gmcp_name_scope_count_failed (&router->scope, role);
  g_autofree char *file = n_failed == 0 ? router->hooks->dup_untrusted_file (router->owner) : NULL;
  g_autofree char *word = file != NULL ? gmcp_dup_shell_word (file) : NULL;
  g_autofree char *place
    = n_failed == 0 && word == NULL ? router->hooks->dup_file_for_servers (router->owner) : NULL;

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
  if (place != NULL)
    return g_error_new (unknown->domain, unknown->code,
                        /* TRANSLATORS: “There is no tool called …”, and a file */
                        _ ("%s No server is configured; write one into %s, or take over those of "
                           "another program: gmcp import"),
                        unknown->message, place);
  return g_error_copy (unknown);
}

/* The name is unknown: perhaps only because its server has not been started yet. A name that says for
 * sure whose tool it is starts no other. */
static void
look_further (GmcpWaitingCall *self, const GError *unknown)
{
  GmcpCallRouter *router = self->router;
  const char *role = gmcp_call_router_get_role (self->call);
  const char *tool;
  gboolean is_sure;
  GmcpManagedServer *server = gmcp_name_scope_find_server (
    &router->scope, gmcp_tool_call_get_name (self->call), &is_sure, &tool);
  gboolean is_reached = server != NULL
                        && gmcp_tool_access_may_reach (router->parts.access,
                                                       gmcp_managed_server_get_id (server), role);

  is_sure = is_sure && server != NULL;
  if (is_sure && self->error != NULL)
    {
      fail_call (self, self->error);
    }
  else if (is_sure && !is_reached)
    {
      refuse_unknown (self, server, tool);
    }
  else if (is_reached && self->progress.searched < GMCP_CALL_STEP_ASK_NAMED
           && !gmcp_managed_server_is_ready (server))
    {
      ask_named (self, server);
    }
  else if (!is_sure && self->progress.searched < GMCP_CALL_STEP_ASK_ALL
           && gmcp_name_scope_has_untried (&router->scope, role, NULL))
    {
      search_all (self, NULL);
    }
  else
    {
      g_autoptr (GError) error = NULL;

      if (self->error != NULL)
        error = g_error_copy (self->error);
      else
        error = is_sure ? g_error_copy (unknown) : make_unknown_error (router, role, unknown);
      fail_call (self, error);
    }
}

static void
on_answered (GmcpApprovalOutcome outcome, const GError *error, gpointer data)
{
  GmcpWaitingCall *self = data;

  if (outcome == GMCP_APPROVAL_OUTDATED)
    g_clear_object (&self->progress.allowed);
  if (outcome == GMCP_APPROVAL_REFUSED)
    fail_call (self, error);
  else
    gmcp_waiting_call_advance (self);
}

static void
ask_person (GmcpWaitingCall *self, const GmcpCallRoute *route)
{
  GmcpCallRouter *router = self->router;
  GmcpTool *tool = self->progress.own;
  const char *title = NULL;

  if (tool == NULL)
    {
      tool = gmcp_catalog_entry_get_tool (route->found.data);
      title = gmcp_managed_server_get_title (gmcp_catalog_entry_get_server (route->found.data));
    }
  begin_step (self, GMCP_CALL_STEP_ASK_PERSON);
  g_set_object (&self->progress.allowed, tool);
  self->progress.allowed_held = route->held;
  gmcp_tool_access_ask (router->parts.access, self->call, tool, title, route->rule, route->held,
                        router->parts.limits->ask_timeout_ms, on_answered, self);
}

static void
on_own_started (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpWaitingCall *self = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &error))
    gmcp_waiting_call_advance (self);
  else
    fail_call (self, error);
}

static void
start_server (GmcpWaitingCall *self, GmcpManagedServer *server)
{
  gboolean is_ready = gmcp_managed_server_is_ready (server);
  g_autoptr (GError) error = NULL;

  /* The end of a health check is waited for as often as need be: too many failures end that. */
  begin_step (self, is_ready ? GMCP_CALL_STEP_CHECK_SERVER : GMCP_CALL_STEP_START_SERVER);
  if (is_ready || self->n_starts++ < MAX_STARTS)
    {
      gmcp_managed_server_demand_async (server, gmcp_tool_call_get_cancellable (self->call),
                                        on_own_started, self);
      return;
    }

  error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                   _ ("Server “%s” was started for the call of “%s” and ended again; nothing "
                      "was sent"),
                   gmcp_managed_server_get_title (server), gmcp_tool_call_get_name (self->call));
  fail_call (self, error);
}

static void
on_place (GError *error, gpointer data)
{
  GmcpWaitingCall *self = data;
  g_autoptr (GError) reason = error;

  if (error == NULL)
    gmcp_call_record_got_place (self->call);
  if (error == NULL && self->router->closed != NULL)
    reason = g_error_copy (self->router->closed);

  if (reason != NULL)
    fail_call (self, reason);
  else
    gmcp_waiting_call_advance (self);
}

/* The server has as many calls under way as it may. */
static void
await_place (GmcpWaitingCall *self, GmcpManagedServer *server)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (self->call);
  guint timeout_ms = options != NULL ? gmcp_call_options_get_timeout_ms (options) : 0;
  g_autoptr (GError) error = NULL;

  begin_step (self, GMCP_CALL_STEP_AWAIT_PLACE);
  if (timeout_ms == 0)
    timeout_ms = gmcp_server_config_get_call_timeout_ms (gmcp_managed_server_get_config (server));
  if (timeout_ms == 0)
    timeout_ms = self->router->parts.limits->servers.call_timeout_ms;

  if (!gmcp_call_limiter_await_place (gmcp_managed_server_get_call_limiter (server), timeout_ms,
                                      gmcp_tool_call_get_cancellable (self->call), on_place, self,
                                      &error))
    fail_call (self, error);
}

/* Nothing but the server can stand against the call. */
static void
send_call (GmcpWaitingCall *self, const GmcpCallRoute *route)
{
  GmcpManagedServer *server
    = self->progress.own == NULL ? gmcp_catalog_entry_get_server (route->found.data) : NULL;

  if (server == NULL)
    {
      end_waiting (self, TRUE);
    }
  else if (!gmcp_call_router_server_takes_calls (server, self->progress.step))
    {
      start_server (self, server);
    }
  else if (!gmcp_call_record_take_place (self->call))
    {
      await_place (self, server);
    }
  else
    {
      gmcp_managed_server_call (server, route->found.tool, self->call);
      end_waiting (self, TRUE);
    }
}

void
gmcp_waiting_call_follow (GmcpWaitingCall *self, const GmcpCallRoute *route)
{
  switch (route->verdict)
    {
    case GMCP_CALL_VERDICT_UNREAD:
      read_config (self);
      break;
    case GMCP_CALL_VERDICT_UNKNOWN:
      look_further (self, route->error);
      break;
    case GMCP_CALL_VERDICT_UNCLEAR:
      search_all (self, route->found.tool);
      break;
    case GMCP_CALL_VERDICT_REFUSED:
      fail_call (self, route->error);
      break;
    case GMCP_CALL_VERDICT_ASKS:
      ask_person (self, route);
      break;
    case GMCP_CALL_VERDICT_FREE:
    default:
      send_call (self, route);
      break;
    }
}

/* Whatever was waited for, things may be otherwise than before: the name may mean another tool, and other
 * rules may hold. */
void
gmcp_waiting_call_advance (GmcpWaitingCall *self)
{
  g_auto (GmcpCallRoute) route = { 0 };

  if (g_cancellable_set_error_if_cancelled (gmcp_tool_call_get_cancellable (self->call),
                                            &route.error))
    {
      fail_call (self, route.error);
      return;
    }

  gmcp_call_router_find_route (self->router, self->call, &self->progress, &route);
  gmcp_waiting_call_follow (self, &route);
}
