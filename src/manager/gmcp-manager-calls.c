/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-manager-names-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-thread-check-private.h"

#include <gmcp/core/gmcp-error.h>

/* A call that cannot be sent at once: its server, or the configuration, is not there yet. */
typedef struct
{
  GmcpManager *manager;
  GmcpToolCall *call;
  GmcpTool *allowed; /* what somebody has allowed this call of; NULL before that */
  GError *error;     /* why the server that the name speaks of did not start */
  guint n_starting;  /* servers that are waited for */
  guint n_starts;    /* of the tool's own server, on behalf of this call */
  gboolean config_asked;
  gboolean kept_recalled; /* the lists of tools of all servers, as far as they are kept */
  gboolean named_tried;
  gboolean all_tried;
  gboolean was_checked; /* its server, just now, for this call */
} WaitingCall;

/* How often a call starts its server, which may end again before the call can be sent. */
#define MAX_STARTS 2

static void advance_call (WaitingCall *waiting);

static void
waiting_call_free (WaitingCall *waiting)
{
  g_object_unref (waiting->manager);
  g_object_unref (waiting->call);
  g_clear_object (&waiting->allowed);
  g_clear_error (&waiting->error);
  g_free (waiting);
}

/* Whose tool an error is about, for a call that ends before it was resolved: a tool that was listed
 * once, or what the name says. */
static void
say_what_is_meant (GmcpManager *self, GmcpToolCall *call, gboolean is_servers_error)
{
  const char *name = gmcp_tool_call_get_name (call);
  const char *server, *tool;
  GmcpManagedServer *named;
  gboolean sure;

  if (gmcp_tool_catalog_recall (gmcp_manager_get_catalog (self), name, &server, &tool))
    {
      gmcp_call_record_set_meant (call, server, tool);
      return;
    }

  named = gmcp_manager_find_named_server (self, name, &sure, &tool);
  if (named != NULL && (sure || is_servers_error) && *tool != '\0')
    gmcp_call_record_set_meant (call, gmcp_managed_server_get_id (named), tool);
}

/* The error may be the waiting call's own. */
static void
fail_call (WaitingCall *waiting, const GError *error)
{
  say_what_is_meant (waiting->manager, waiting->call, waiting->error != NULL);
  gmcp_tool_call_return_error (waiting->call, error);
  waiting_call_free (waiting);
}

static const char *
get_role (GmcpToolCall *call)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);

  return options != NULL ? gmcp_call_options_get_role (options) : NULL;
}

/* Whether the rules allow the call of what its name was resolved to, if need be after somebody was
 * asked; *asks is then the rule that wants that. What becomes of the call is counted there from now
 * on. */
static gboolean
is_permitted (GmcpManager *self,
              GmcpToolCall *call,
              const GmcpToolName *found,
              char **asks,
              GError **error)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };

  gmcp_catalog_entry_resolve_call (found->data, call);
  gmcp_tool_catalog_judge (gmcp_manager_get_catalog (self), found->data, get_role (call),
                           &decision);
  if (!decision.allowed)
    g_propagate_error (error,
                       gmcp_policy_refused_error (found->server, found->tool, decision.rule));
  if (!decision.allowed || decision.asks)
    gmcp_call_record_set_rule (call, decision.rule);
  if (decision.allowed && decision.asks)
    *asks = g_steal_pointer (&decision.rule);
  return decision.allowed;
}

/* What was allowed is one tool as it was then, not whatever the name means later. */
static gboolean
was_allowed (WaitingCall *waiting, GmcpCatalogEntry *entry)
{
  GmcpTool *allowed = waiting->allowed;
  GmcpTool *tool = gmcp_catalog_entry_get_tool (entry);

  return allowed != NULL
         && g_str_equal (gmcp_tool_get_server_id (allowed), gmcp_tool_get_server_id (tool))
         && g_str_equal (gmcp_tool_get_server_tool_name (allowed),
                         gmcp_tool_get_server_tool_name (tool))
         && gmcp_tool_same_definition (allowed, tool);
}

static GmcpManagedServer *
get_server (const GmcpToolName *found)
{
  return gmcp_catalog_entry_get_server (found->data);
}

static gboolean
takes_calls (GmcpManagedServer *server, gboolean was_checked)
{
  return gmcp_managed_server_is_ready (server) && !gmcp_managed_server_is_doubtful (server)
         && (was_checked || !gmcp_managed_server_is_check_overdue (server));
}

/* Sends the call where its server is ready and has a place for it. */
static gboolean
send_now (GmcpToolCall *call, const GmcpToolName *found, gboolean was_checked)
{
  GmcpManagedServer *server = get_server (found);

  if (!takes_calls (server, was_checked) || !gmcp_call_record_take_place (call))
    return FALSE;

  gmcp_managed_server_call (server, found->tool, call);
  return TRUE;
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  WaitingCall *waiting = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_manager_load_config_finish (waiting->manager, result, &error))
    advance_call (waiting);
  else
    fail_call (waiting, error);
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
on_named_started (GObject *object, GAsyncResult *result, gpointer data)
{
  WaitingCall *waiting = data;

  /* Another server may have a tool of that name yet. */
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &waiting->error);
  advance_call (waiting);
}

static void
on_one_started (GObject *object, GAsyncResult *result, gpointer data)
{
  WaitingCall *waiting = data;

  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  if (--waiting->n_starting == 0)
    advance_call (waiting);
}

static void
wait_for_one (WaitingCall *waiting)
{
  if (--waiting->n_starting == 0)
    advance_call (waiting);
}

static void
on_one_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  wait_for_one (data);
}

/* A server whose tools are known without a start need not be started to know. */
static void
recall_kept (WaitingCall *waiting)
{
  g_autoptr (GPtrArray) servers
    = gmcp_server_table_list (gmcp_manager_get_server_table (waiting->manager));

  waiting->kept_recalled = TRUE;
  waiting->n_starting = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_managed_server_is_untried (server)
          || !gmcp_manager_may_mean_server (waiting->manager, get_role (waiting->call), server))
        continue;
      waiting->n_starting++;
      gmcp_managed_server_recall_tools_async (server, NULL, on_one_recalled, waiting);
    }

  wait_for_one (waiting);
}

static gboolean
may_have (WaitingCall *waiting, GmcpManagedServer *server, const char *found)
{
  return found != NULL ? gmcp_manager_may_have_too (waiting->manager, server, found)
                       : gmcp_manager_may_have_unknown (waiting->manager, server,
                                                        gmcp_tool_call_get_name (waiting->call));
}

/* Starts servers whose tools are unknown and that may have the one that is called. found: the
 * tool's own name, where another server has it already. */
static void
start_all_untried (WaitingCall *waiting, const char *found)
{
  g_autoptr (GPtrArray) servers = NULL;
  GCancellable *cancellable = gmcp_tool_call_get_cancellable (waiting->call);

  if (!waiting->kept_recalled)
    {
      recall_kept (waiting);
      return;
    }

  servers = gmcp_server_table_list (gmcp_manager_get_server_table (waiting->manager));
  waiting->all_tried = TRUE;
  waiting->n_starting = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_managed_server_is_untried (server) || !may_have (waiting, server, found)
          || !gmcp_manager_may_mean_server (waiting->manager, get_role (waiting->call), server))
        continue;
      waiting->n_starting++;
      gmcp_managed_server_demand_async (server, cancellable, on_one_started, waiting);
    }

  wait_for_one (waiting);
}

static void
on_asked (const GError *error, gpointer data)
{
  WaitingCall *waiting = data;

  if (error == NULL)
    advance_call (waiting);
  else
    fail_call (waiting, error);
}

static void
ask_person (WaitingCall *waiting, GmcpCatalogEntry *entry, const char *rule)
{
  waiting->was_checked = FALSE;
  g_set_object (&waiting->allowed, gmcp_catalog_entry_get_tool (entry));
  gmcp_tool_access_ask (
    gmcp_manager_get_tool_access (waiting->manager), waiting->call, waiting->allowed,
    gmcp_managed_server_get_title (gmcp_catalog_entry_get_server (entry)), rule,
    gmcp_manager_get_limit (waiting->manager, GMCP_MANAGER_LIMIT_ASK_TIMEOUT_MS), on_asked,
    waiting);
}

static void
start_own (WaitingCall *waiting, GmcpManagedServer *server)
{
  g_autoptr (GError) error = NULL;

  /* The end of a health check is waited for as often as need be: too many failures end that. */
  waiting->was_checked = gmcp_managed_server_is_ready (server);
  if (gmcp_managed_server_is_ready (server) || waiting->n_starts++ < MAX_STARTS)
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

/* Nothing that the server may have can be called. */
static void
refuse_unknown (WaitingCall *waiting, GmcpManagedServer *server, const char *tool)
{
  GmcpPolicySubject subject = { .server = gmcp_managed_server_get_id (server), .tool = tool };
  g_auto (GmcpPolicyDecision) decision = { 0 };
  g_autoptr (GError) error = NULL;

  gmcp_tool_access_judge (gmcp_manager_get_tool_access (waiting->manager), &subject,
                          get_role (waiting->call), &decision);
  gmcp_call_record_set_rule (waiting->call, decision.rule);
  error = gmcp_policy_refused_error (subject.server, tool, decision.rule);
  fail_call (waiting, error);
}

/* The name is unknown: perhaps only because its server has not been started yet. A name that says for
 * sure whose tool it is starts no other. */
static void
look_further (WaitingCall *waiting, const GError *unknown)
{
  const char *role = get_role (waiting->call);
  const char *tool;
  gboolean sure;
  GmcpManagedServer *server = gmcp_manager_find_named_server (
    waiting->manager, gmcp_tool_call_get_name (waiting->call), &sure, &tool);
  gboolean reached = server != NULL
                     && gmcp_tool_access_may_reach (gmcp_manager_get_tool_access (waiting->manager),
                                                    gmcp_managed_server_get_id (server), role);

  sure = sure && server != NULL;
  if (sure && waiting->error != NULL)
    {
      fail_call (waiting, waiting->error);
    }
  else if (sure && !reached)
    {
      refuse_unknown (waiting, server, tool);
    }
  else if (reached && !waiting->named_tried && !gmcp_managed_server_is_ready (server))
    {
      waiting->named_tried = TRUE;
      gmcp_managed_server_demand_async (server, gmcp_tool_call_get_cancellable (waiting->call),
                                        on_named_started, waiting);
    }
  else if (!sure && !waiting->all_tried && gmcp_manager_has_untried (waiting->manager, role, NULL))
    {
      start_all_untried (waiting, NULL);
    }
  else
    {
      g_autoptr (GError) error = NULL;

      if (waiting->error != NULL)
        error = g_error_copy (waiting->error);
      else
        error = sure ? g_error_copy (unknown)
                     : gmcp_manager_unknown_error (waiting->manager, role, unknown);
      fail_call (waiting, error);
    }
}

static void
on_place (GError *error, gpointer data)
{
  WaitingCall *waiting = data;
  g_autoptr (GError) reason = error;

  if (error == NULL)
    {
      gmcp_call_record_got_place (waiting->call);
      if (gmcp_manager_is_closed (waiting->manager))
        reason = gmcp_manager_closed_error ();
    }

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

  waiting->was_checked = FALSE;
  if (timeout_ms == 0)
    timeout_ms = gmcp_server_config_get_call_timeout_ms (gmcp_managed_server_get_config (server));
  if (timeout_ms == 0)
    timeout_ms = gmcp_manager_get_limit (waiting->manager, GMCP_MANAGER_LIMIT_CALL_TIMEOUT_MS);

  if (!gmcp_call_limiter_await_place (gmcp_managed_server_get_call_limiter (server), timeout_ms,
                                      gmcp_tool_call_get_cancellable (waiting->call), on_place,
                                      waiting, &error))
    fail_call (waiting, error);
}

/* Takes the call one step further; ends in sending it, in an error, or in waiting for something. */
static void
advance_call (WaitingCall *waiting)
{
  const char *name = gmcp_tool_call_get_name (waiting->call);
  GmcpToolName found;
  g_autofree char *asks = NULL;
  g_autoptr (GError) error = NULL;

  if (g_cancellable_set_error_if_cancelled (gmcp_tool_call_get_cancellable (waiting->call), &error))
    fail_call (waiting, error);
  else if (!gmcp_config_stack_is_loaded (gmcp_manager_get_config_stack (waiting->manager))
           && !waiting->config_asked)
    {
      waiting->config_asked = TRUE;
      gmcp_manager_load_config_async (waiting->manager,
                                      gmcp_tool_call_get_cancellable (waiting->call),
                                      on_config_loaded, waiting);
    }
  else if (!gmcp_tool_catalog_find (gmcp_manager_get_catalog (waiting->manager), name,
                                    get_role (waiting->call), &found, &error))
    {
      if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL))
        look_further (waiting, error);
      else
        fail_call (waiting, error);
    }
  else if (!waiting->all_tried
           && gmcp_manager_may_be_ambiguous (waiting->manager, name, get_role (waiting->call),
                                             &found))
    start_all_untried (waiting, found.tool);
  else if (!is_permitted (waiting->manager, waiting->call, &found, &asks, &error))
    fail_call (waiting, error);
  else if (asks != NULL && !was_allowed (waiting, found.data))
    ask_person (waiting, found.data, asks);
  else if (send_now (waiting->call, &found, waiting->was_checked))
    waiting_call_free (waiting);
  else if (takes_calls (get_server (&found), waiting->was_checked))
    await_place (waiting, get_server (&found));
  else
    start_own (waiting, get_server (&found));
}

void
gmcp_manager_take_call (GmcpManager *self, GmcpToolCall *call, const char *replay_of)
{
  const char *name = gmcp_tool_call_get_name (call);
  g_autofree char *asks = NULL;
  WaitingCall *waiting;
  GmcpToolName found;

  if (!gmcp_check_thread (self, gmcp_manager_get_main_context (self),
                          "gmcp_tool_provider_call_tool_async"))
    {
      g_autoptr (GError) error
        = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_FAILED,
                               _ ("The manager belongs to the main context of another thread"));

      gmcp_tool_call_return_error (call, error);
      return;
    }

  gmcp_auditor_begin_call (gmcp_manager_get_auditor (self), call, replay_of);
  if (gmcp_config_stack_is_loaded (gmcp_manager_get_config_stack (self))
      && gmcp_tool_catalog_find (gmcp_manager_get_catalog (self), name, get_role (call), &found,
                                 NULL)
      && !gmcp_manager_may_be_ambiguous (self, name, get_role (call), &found)
      && is_permitted (self, call, &found, &asks, NULL) && asks == NULL
      && send_now (call, &found, FALSE))
    return;

  if (gmcp_manager_is_closed (self))
    {
      g_autoptr (GError) error = gmcp_manager_closed_error ();

      say_what_is_meant (self, call, FALSE);
      gmcp_tool_call_return_error (call, error);
      return;
    }

  waiting = g_new0 (WaitingCall, 1);
  waiting->manager = g_object_ref (self);
  waiting->call = g_object_ref (call);
  advance_call (waiting);
}

static void
gmcp_manager_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  gmcp_manager_take_call (GMCP_MANAGER (provider), call, NULL);
}

static GmcpTool *
gmcp_manager_find_tool (GmcpToolProvider *provider, const char *name, GError **error)
{
  GmcpToolCatalog *catalog = gmcp_manager_get_catalog (GMCP_MANAGER (provider));
  const GmcpPolicyDecision *decision;
  GmcpToolName found;

  if (!gmcp_tool_catalog_find (catalog, name, NULL, &found, error))
    return NULL;

  decision = gmcp_tool_catalog_peek_decision (catalog, found.data);
  if (!decision->allowed)
    {
      g_propagate_error (error,
                         gmcp_policy_refused_error (found.server, found.tool, decision->rule));
      return NULL;
    }

  return g_object_ref (gmcp_catalog_entry_get_tool (found.data));
}

static GListModel *
gmcp_manager_get_tools (GmcpToolProvider *provider)
{
  return gmcp_tool_catalog_get_tools (gmcp_manager_get_catalog (GMCP_MANAGER (provider)));
}

static char *
gmcp_manager_dup_instructions (GmcpToolProvider *provider)
{
  return g_strdup (gmcp_manager_get_instructions (GMCP_MANAGER (provider)));
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpProviderClose) close = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_manager_close_finish (GMCP_MANAGER (object), result, &error))
    gmcp_provider_close_return_success (close);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (close), error);
}

static void
gmcp_manager_close (GmcpToolProvider *provider, GmcpProviderClose *close)
{
  gmcp_manager_close_async (GMCP_MANAGER (provider),
                            gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (close)),
                            on_closed, g_object_ref (close));
}

void
gmcp_manager_provider_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_manager_get_tools;
  iface->load = gmcp_manager_load_tools;
  iface->call_tool = gmcp_manager_call_tool;
  iface->find_tool = gmcp_manager_find_tool;
  iface->dup_instructions = gmcp_manager_dup_instructions;
  iface->close = gmcp_manager_close;
  iface->keeps_time = TRUE;
}
