/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "catalog-fixture.h"
#include "gmcp-call-router-private.h"
#include "gmcp-tool-provider-private.h"
#include "new-audit-log.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* The way of a call, without a manager. */

typedef struct
{
  CatalogFixture catalog; /* first */
  GmcpAuditor *auditor;
  GmcpCallRouter *router;

  gboolean is_config_unread;
  GTask *reading; /* NULL while nothing is read */
  guint n_reads;
  char *untrusted_file;

  void (*answer) (GmcpCallPermission *request); /* NULL where the question is kept */
  gboolean drops_owner;                         /* when somebody is asked */
  GmcpCallPermission *asked;                    /* the last question that was kept */
  guint n_asked;

  gboolean begins_record; /* of each call, before the router does */
  GmcpTool *own;          /* the host's, for a call of which the gate is asked */
  gboolean is_admitted;
  guint n_gated;
} Fixture;

#define wait_until catalog_fixture_wait_until

static Fixture *
get_fixture (gpointer owner)
{
  return g_object_get_data (owner, "fixture");
}

static gboolean
is_config_read (gpointer owner)
{
  return !get_fixture (owner)->is_config_unread;
}

/* The reading is not cancelled with the call that wants the configuration. */
static void
read_config_async (gpointer owner,
                   GCancellable *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer user_data)
{
  Fixture *fixture = get_fixture (owner);

  g_assert_null (fixture->reading);
  fixture->reading = g_task_new (owner, NULL, callback, user_data);
  fixture->n_reads++;
}

static gboolean
read_config_finish (gpointer owner, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static char *
dup_untrusted_file (gpointer owner)
{
  return g_strdup (get_fixture (owner)->untrusted_file);
}

static void
on_notice (gpointer data, GmcpNoticeLevel level, const char *message)
{
}

static void
on_requested (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer data)
{
  Fixture *fixture = data;

  fixture->n_asked++;
  if (fixture->drops_owner)
    g_clear_object (&fixture->catalog.owner);
  if (fixture->answer != NULL)
    fixture->answer (request);
  else
    g_set_object (&fixture->asked, request);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const GmcpCallRouterHooks hooks = {
    .is_config_read = is_config_read,
    .read_config_async = read_config_async,
    .read_config_finish = read_config_finish,
    .includes_server = catalog_fixture_includes_server,
    .dup_untrusted_file = dup_untrusted_file,
  };
  GmcpCallRouterParts parts;
  GObject *owner;

  catalog_fixture_set_up (&fixture->catalog, data);
  fixture->auditor = gmcp_auditor_new (g_main_context_default (), on_notice, NULL);
  gmcp_auditor_set_enabled (fixture->auditor, FALSE);
  parts
    = (GmcpCallRouterParts){ fixture->catalog.servers, fixture->catalog.catalog,
                             fixture->catalog.access, fixture->auditor, &fixture->catalog.limits };
  owner = G_OBJECT (fixture->catalog.owner);
  fixture->router = gmcp_call_router_new (&parts, &hooks, owner);
  /* Freed with its owner, as any owner has it. */
  g_object_set_data_full (owner, "router", fixture->router, (GDestroyNotify) gmcp_call_router_free);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_null (fixture->reading);
  g_clear_object (&fixture->asked);
  g_clear_object (&fixture->own);
  catalog_fixture_tear_down (&fixture->catalog, data);
  gmcp_auditor_free (fixture->auditor);
  g_free (fixture->untrusted_file);
}

static void
on_gated (gboolean admitted, gpointer data)
{
  GmcpToolCall *call = data;
  Fixture *fixture = g_object_get_data (G_OBJECT (call), "fixture");

  fixture->n_gated++;
  fixture->is_admitted = admitted;
  if (admitted)
    {
      g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("done");

      gmcp_tool_call_return_result (call, result);
    }
  g_object_unref (call);
}

static void
take_call (GmcpToolProvider *provider, GmcpToolCall *call, gpointer data)
{
  Fixture *fixture = data;

  if (fixture->begins_record)
    gmcp_auditor_begin_call (fixture->auditor, call, NULL);
  if (fixture->own == NULL)
    {
      gmcp_call_router_take (fixture->router, call, NULL);
      return;
    }

  g_object_set_data (G_OBJECT (call), "fixture", fixture);
  gmcp_call_router_admit_own (fixture->router, call, fixture->own, on_gated, g_object_ref (call));
}

/* A call, and what becomes of it. */
typedef struct
{
  GmcpToolProvider *provider; /* borrowed from the result */
  GCancellable *cancellable;
  GAsyncResult *result;
} Call;

static void
call_clear (Call *call)
{
  g_clear_object (&call->cancellable);
  g_clear_object (&call->result);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Call, call_clear)

static void
begin_call_as (Fixture *fixture, const char *name, GmcpCallOptions *options, Call *call)
{
  const GmcpToolCarrier carrier = { take_call, fixture };

  call->provider = GMCP_TOOL_PROVIDER (fixture->catalog.owner);
  call->cancellable = g_cancellable_new ();
  gmcp_tool_provider_carry_call_async (call->provider, name, "{\"a\":1}", options, &carrier,
                                       call->cancellable, list_provider_store_result,
                                       &call->result);
}

static void
begin_call (Fixture *fixture, const char *name, Call *call)
{
  begin_call_as (fixture, name, NULL, call);
}

static char *
end_call (Call *call, GError **error)
{
  g_autoptr (GmcpToolResult) result = NULL;

  result = gmcp_tool_provider_call_tool_json_finish (call->provider,
                                                     list_provider_wait (&call->result), error);
  return result != NULL ? gmcp_tool_result_dup_text (result) : NULL;
}

static void
assert_succeeds (Call *call, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *got = end_call (call, &error);

  g_assert_no_error (error);
  if (text != NULL)
    g_assert_cmpstr (got, ==, text);
}

static void
assert_fails (Call *call, GQuark domain, int code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *got = end_call (call, &error);

  g_assert_null (got);
  g_assert_error (error, domain, code);
  if (part != NULL)
    g_assert_nonnull (strstr (error->message, part));
}

static void
assert_called (Fixture *fixture, const char *name)
{
  g_auto (Call) call = { 0 };

  begin_call (fixture, name, &call);
  assert_succeeds (&call, NULL);
}

static void
assert_refused (Fixture *fixture, const char *name, int code, const char *part)
{
  g_auto (Call) call = { 0 };

  begin_call (fixture, name, &call);
  assert_fails (&call, GMCP_ERROR, code, part);
}

static GmcpManagedServer *
find_server (Fixture *fixture, const char *id)
{
  return catalog_fixture_find_server (&fixture->catalog, id);
}

static GmcpCallLimiter *
get_limiter (Fixture *fixture, const char *id)
{
  return gmcp_managed_server_get_call_limiter (find_server (fixture, id));
}

static void
on_asked_server (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) answer
    = gmcp_client_call_tool_finish (GMCP_CLIENT (object), result, &error);

  g_assert_no_error (error);
  g_assert_nonnull (answer);
  *(gboolean *) data = TRUE;
}

/* A call that takes no place, and that the router does not know of. */
static void
ask_server (Fixture *fixture, const char *id, const char *tool)
{
  gboolean is_done = FALSE;

  gmcp_client_call_tool_json_async (gmcp_managed_server_get_client (find_server (fixture, id)),
                                    tool, NULL, NULL, NULL, on_asked_server, &is_done);
  wait_until (is_done);
}

static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) call = { 0 };

  g_test_summary ("a call that nothing stands against is under way before it is taken");
  catalog_fixture_start (&fixture->catalog, "one=wait,release");
  begin_call (fixture, "one__wait", &call);
  g_assert_cmpuint (gmcp_call_limiter_get_n_running (get_limiter (fixture, "one")), ==, 1);
  g_assert_cmpuint (gmcp_call_limiter_get_n_waiting (get_limiter (fixture, "one")), ==, 0);
  assert_called (fixture, "one.release");
  assert_succeeds (&call, "released");
  g_assert_cmpuint (gmcp_call_limiter_get_n_running (get_limiter (fixture, "one")), ==, 0);
  g_assert_cmpuint (fixture->n_reads, ==, 0);
}

static void
finish_reading (Fixture *fixture, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&fixture->reading);

  g_assert_nonnull (task);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
test_config (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) call = { 0 };

  g_test_summary ("the configuration is read before anything is looked up, and once");
  fixture->is_config_unread = TRUE;
  begin_call (fixture, "one__echo", &call);
  g_assert_cmpuint (fixture->n_reads, ==, 1);
  catalog_fixture_configure (&fixture->catalog, "one=echo");
  fixture->is_config_unread = FALSE;
  finish_reading (fixture, NULL);
  assert_succeeds (&call, "{\"a\": 1}");
  assert_called (fixture, "one__echo");
  g_assert_cmpuint (fixture->n_reads, ==, 1);
}

static void
test_config_fails (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) call = { 0 };

  g_test_summary ("a configuration that cannot be read ends the call");
  fixture->is_config_unread = TRUE;
  begin_call (fixture, "one__echo", &call);
  finish_reading (fixture,
                  g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, "not like that"));
  assert_fails (&call, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, "not like that");
  g_assert_cmpuint (fixture->n_reads, ==, 1);
}

static void
test_named (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a name that says whose tool it is starts that server and no other");
  fixture->catalog.limits.servers.max_restart_attempts = 0;
  catalog_fixture_configure (&fixture->catalog, "one=echo two=pid three=pid=--fail,start");
  assert_called (fixture, "one__echo");
  g_assert_false (catalog_fixture_is_started (&fixture->catalog, "two"));
  assert_refused (fixture, "one__none", GMCP_ERROR_UNKNOWN_TOOL, "one__none");
  assert_refused (fixture, "three.pid", GMCP_ERROR_START_FAILED, "three");
  g_assert_false (catalog_fixture_is_started (&fixture->catalog, "two"));

  /* A bare name may be a tool of any server. */
  assert_refused (fixture, "none", GMCP_ERROR_UNKNOWN_TOOL, "1 server could not be asked");
  g_assert_true (catalog_fixture_is_started (&fixture->catalog, "two"));
}

static void
test_untrusted (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what is unknown may be in a file that nobody trusts");
  fixture->untrusted_file = g_strdup ("/home/me/a project/mcp.json");
  catalog_fixture_start (&fixture->catalog, "one=echo");
  assert_refused (fixture, "none", GMCP_ERROR_UNKNOWN_TOOL, "'/home/me/a project/mcp.json'");
  /* The server that is named has no such tool, and no other is looked for. */
  {
    g_auto (Call) call = { 0 };
    g_autoptr (GError) error = NULL;

    begin_call (fixture, "one.none", &call);
    g_assert_null (end_call (&call, &error));
    g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
    g_assert_null (strstr (error->message, "project"));
  }
}

static void
test_bare (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a bare name asks each server that may have such a tool");
  catalog_fixture_configure (&fixture->catalog, "one=echo,pid two=pid,wait three=list");
  catalog_fixture_start_server (&fixture->catalog, "one");
  g_assert_false (catalog_fixture_is_started (&fixture->catalog, "two"));
  fixture->catalog.excluded = "three";
  assert_called (fixture, "echo");
  g_assert_true (catalog_fixture_is_started (&fixture->catalog, "two"));
  g_assert_false (catalog_fixture_is_started (&fixture->catalog, "three"));
  assert_refused (fixture, "pid", GMCP_ERROR_AMBIGUOUS_TOOL, "two");
}

/* From now on calls are written down. */
static GmcpAuditLog *
begin_log (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->catalog.dir, "audit.jsonl", NULL);
  GmcpAuditLog *log = new_audit_log (path);

  gmcp_auditor_set_enabled (fixture->auditor, TRUE);
  gmcp_auditor_set_log (fixture->auditor, log);
  return log;
}

static char *
end_log (Fixture *fixture, GmcpAuditLog *log)
{
  g_autoptr (GFile) file = gmcp_audit_log_dup_file (log);
  char *text = dup_audit_log (log);

  gmcp_auditor_set_enabled (fixture->auditor, FALSE);
  g_assert_cmpint (g_unlink (g_file_peek_path (file)), ==, 0);
  return text;
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpAuditLog) log = begin_log (fixture);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_auto (Call) call = { 0 };
  g_autofree char *text = NULL;
  g_autofree char *more = NULL;

  g_test_summary ("what a role does not allow is not sent, and the record says which rule it was");
  catalog_fixture_add_role (&fixture->catalog, "reader", "*.pid");
  catalog_fixture_start (&fixture->catalog, "one=echo,pid");
  gmcp_call_options_set_role (options, "reader");
  begin_call_as (fixture, "one__echo", options, &call);
  assert_fails (&call, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED, "role reader");
  text = dup_audit_log (log);
  g_assert_nonnull (strstr (text, "\"rule\":\"role reader"));
  g_assert_nonnull (strstr (text, "\"server\":\"one\""));
  g_assert_nonnull (strstr (text, "\"tool\":\"echo\""));
  call_clear (&call);

  begin_call_as (fixture, "one__pid", options, &call);
  assert_succeeds (&call, NULL);
  assert_called (fixture, "one__echo");
  more = end_log (fixture, log);
  g_assert_true (g_str_has_prefix (more, text));
  g_assert_cmpuint (strlen (more), >, strlen (text));
  g_assert_null (strstr (more + strlen (text), "\"rule\":"));
}

static void
test_refused_unknown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpAuditLog) log = begin_log (fixture);
  g_autofree char *text = NULL;
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_auto (Call) call = { 0 };

  g_test_summary ("a server that the role does not reach is not started");
  catalog_fixture_add_role (&fixture->catalog, "reader", "two.*");
  catalog_fixture_configure (&fixture->catalog, "one=echo two=pid");
  gmcp_call_options_set_role (options, "reader");
  begin_call_as (fixture, "one__echo", options, &call);
  assert_fails (&call, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED, "role reader");
  text = end_log (fixture, log);
  g_assert_nonnull (strstr (text, "\"rule\":\"role reader"));
  g_assert_false (catalog_fixture_is_started (&fixture->catalog, "one"));
  g_assert_false (catalog_fixture_is_started (&fixture->catalog, "two"));
}

static void
set_ask_first (Fixture *fixture, const char *words)
{
  gmcp_policy_set_asking (fixture->catalog.rules, g_strsplit (words, " ", -1), FALSE);
  gmcp_tool_catalog_refresh_rules (fixture->catalog.catalog);
}

/* From now on there is somebody to ask. */
static void
listen_for_questions (Fixture *fixture, void (*answer) (GmcpCallPermission *request))
{
  fixture->answer = answer;
  g_signal_connect (fixture->catalog.owner, "call-requested", G_CALLBACK (on_requested), fixture);
}

static void
deny_call (GmcpCallPermission *request)
{
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (request));
}

static void
test_asked (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a call that a rule asks about is sent when somebody allows it");
  catalog_fixture_start (&fixture->catalog, "one=echo,pid");
  set_ask_first (fixture, "*.echo");
  assert_refused (fixture, "one__echo", GMCP_ERROR_NOT_PERMITTED, "ask-first: *.echo");
  listen_for_questions (fixture, gmcp_call_permission_allow_once);
  assert_called (fixture, "one__echo");
  assert_called (fixture, "one__pid");
  g_assert_cmpuint (fixture->n_asked, ==, 1);

  fixture->answer = deny_call;
  assert_refused (fixture, "one__echo", GMCP_ERROR_NOT_PERMITTED, "it was not allowed");
  g_assert_cmpuint (fixture->n_asked, ==, 2);
}

static const char *
get_description (Fixture *fixture, const char *id, const char *tool)
{
  GmcpCatalogEntry *entry = gmcp_tool_catalog_lookup (fixture->catalog.catalog, id, tool);

  return gmcp_definition_get_description (GMCP_DEFINITION (gmcp_catalog_entry_get_tool (entry)));
}

static void
test_asked_anew (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) call = { 0 };
  g_autoptr (GmcpCallPermission) first = NULL;

  g_test_summary ("what was allowed is the tool as it was: it is asked about anew as it is now");
  catalog_fixture_start (&fixture->catalog, "one=describe");
  set_ask_first (fixture, "*.describe");
  listen_for_questions (fixture, NULL);
  begin_call (fixture, "one__describe", &call);
  first = g_steal_pointer (&fixture->asked);
  g_assert_nonnull (first);
  ask_server (fixture, "one", "describe");
  wait_until (g_str_equal (get_description (fixture, "one", "describe"), "Another description"));

  gmcp_call_permission_allow_once (first);
  wait_until (fixture->asked != NULL);
  g_assert_cmpuint (fixture->n_asked, ==, 2);
  g_assert_cmpstr (gmcp_definition_get_description (
                     GMCP_DEFINITION (gmcp_call_permission_get_tool (fixture->asked))),
                   ==, "Another description");
  gmcp_call_permission_allow_once (fixture->asked);
  assert_succeeds (&call, "describe");
  g_assert_cmpuint (fixture->n_asked, ==, 2);
}

/* A server that does not stay. */
typedef struct
{
  guint n_starts;
  guint max_starts;
} Fickle;

static void await_start (GmcpManagedServer *server, Fickle *fickle);

static void
on_ready (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  Fickle *fickle = data;
  g_autoptr (GError) error = NULL;

  gmcp_managed_server_demand_finish (server, result, &error);
  g_assert_no_error (error);
  if (++fickle->n_starts > fickle->max_starts)
    return;

  gmcp_managed_server_restart_async (server, NULL, NULL, NULL);
  await_start (server, fickle);
}

/* Who waits first is told first, and restarts the server before the next one is told. */
static void
await_start (GmcpManagedServer *server, Fickle *fickle)
{
  gmcp_managed_server_demand_async (server, NULL, on_ready, fickle);
}

static void
test_ends_twice (Fixture *fixture, gconstpointer data)
{
  Fickle fickle = { .max_starts = GPOINTER_TO_UINT (data) };
  g_auto (Call) call = { 0 };
  GmcpManagedServer *server;

  g_test_summary ("a server is started twice for one call, and no more");
  catalog_fixture_configure (&fixture->catalog, "one=echo");
  server = find_server (fixture, "one");
  await_start (server, &fickle);
  begin_call (fixture, "one__echo", &call);
  /* The first start is for the tools. */
  if (fickle.max_starts < 3)
    assert_succeeds (&call, "{\"a\": 1}");
  else
    assert_fails (&call, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED, "nothing was sent");
  wait_until (fickle.n_starts == fickle.max_starts + 1);
}

/* Two calls, the first of which has the only place. */
static void
begin_crowd (Fixture *fixture, Call *first, Call *second)
{
  fixture->catalog.keys = ",\"maxCalls\":1";
  catalog_fixture_start (&fixture->catalog, "one=wait,release,echo");
  begin_call (fixture, "one__wait", first);
  begin_call (fixture, "one__echo", second);
  g_assert_cmpuint (gmcp_call_limiter_get_n_running (get_limiter (fixture, "one")), ==, 1);
  g_assert_cmpuint (gmcp_call_limiter_get_n_waiting (get_limiter (fixture, "one")), ==, 1);
}

static void
test_place (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) first = { 0 };
  g_auto (Call) second = { 0 };

  g_test_summary ("a call waits for its place");
  begin_crowd (fixture, &first, &second);
  ask_server (fixture, "one", "release");
  assert_succeeds (&first, "released");
  assert_succeeds (&second, "{\"a\": 1}");
  g_assert_cmpuint (gmcp_call_limiter_get_n_running (get_limiter (fixture, "one")), ==, 0);
}

static void
test_queue_full (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) first = { 0 };
  g_auto (Call) second = { 0 };

  g_test_summary ("where too many wait already, a call ends");
  fixture->catalog.limits.servers.max_queued_calls = 1;
  begin_crowd (fixture, &first, &second);
  assert_refused (fixture, "one__echo", GMCP_ERROR_LIMIT_EXCEEDED, NULL);
  ask_server (fixture, "one", "release");
  assert_succeeds (&first, "released");
  assert_succeeds (&second, NULL);
}

static void
close_router (Fixture *fixture)
{
  g_autoptr (GError) reason = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "over");

  gmcp_call_router_close (fixture->router, reason);
}

static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) first = { 0 };
  g_auto (Call) second = { 0 };

  g_test_summary ("a call that gets a place of a router that is closed is not sent");
  begin_crowd (fixture, &first, &second);
  close_router (fixture);
  ask_server (fixture, "one", "release");
  assert_succeeds (&first, "released");
  assert_fails (&second, GMCP_ERROR, GMCP_ERROR_CLOSED, "over");
  g_assert_cmpuint (gmcp_call_limiter_get_n_running (get_limiter (fixture, "one")), ==, 0);
  assert_refused (fixture, "one__none", GMCP_ERROR_CLOSED, "over");
  assert_refused (fixture, "one__echo", GMCP_ERROR_CLOSED, "over");
}

static void
assert_cancels (Call *call)
{
  g_cancellable_cancel (call->cancellable);
  assert_fails (call, G_IO_ERROR, G_IO_ERROR_CANCELLED, NULL);
}

static void
test_cancel_reading (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) call = { 0 };

  g_test_summary ("a call that is cancelled while the configuration is read goes no further");
  catalog_fixture_configure (&fixture->catalog, "one=echo");
  fixture->is_config_unread = TRUE;
  begin_call (fixture, "one__echo", &call);
  g_cancellable_cancel (call.cancellable);
  finish_reading (fixture, NULL);
  assert_fails (&call, G_IO_ERROR, G_IO_ERROR_CANCELLED, NULL);
  g_assert_false (catalog_fixture_is_started (&fixture->catalog, "one"));
}

static void
test_cancel_search (Fixture *fixture, gconstpointer data)
{
  const char *name = data;
  g_auto (Call) call = { 0 };

  g_test_summary (
    "a call that is cancelled while servers are asked for their tools goes no further");
  catalog_fixture_configure (&fixture->catalog, "one=echo=--hang,initialize two=pid");
  begin_call (fixture, name, &call);
  wait_until (catalog_fixture_is_started (&fixture->catalog, "one"));
  assert_cancels (&call);
}

static void
test_cancel_question (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) call = { 0 };

  g_test_summary ("a call that is cancelled closes its question");
  catalog_fixture_start (&fixture->catalog, "one=echo");
  set_ask_first (fixture, "*.echo");
  listen_for_questions (fixture, NULL);
  begin_call (fixture, "one__echo", &call);
  g_assert_true (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (fixture->asked)));
  assert_cancels (&call);
  g_assert_false (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (fixture->asked)));
  gmcp_call_permission_allow_once (fixture->asked);
  g_assert_cmpuint (gmcp_call_limiter_get_n_running (get_limiter (fixture, "one")), ==, 0);
}

static void
test_cancel_start (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) call = { 0 };

  g_test_summary ("a call that is cancelled while its server starts is not sent");
  catalog_fixture_start (&fixture->catalog, "one=echo");
  gmcp_managed_server_restart_async (find_server (fixture, "one"), NULL, NULL, NULL);
  g_assert_false (gmcp_managed_server_is_ready (find_server (fixture, "one")));
  begin_call (fixture, "one__echo", &call);
  assert_cancels (&call);
  wait_until (gmcp_managed_server_is_ready (find_server (fixture, "one")));
}

static void
test_cancel_place (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) first = { 0 };
  g_auto (Call) second = { 0 };

  g_test_summary ("a call that is cancelled does not wait for a place any longer");
  begin_crowd (fixture, &first, &second);
  assert_cancels (&second);
  g_assert_cmpuint (gmcp_call_limiter_get_n_waiting (get_limiter (fixture, "one")), ==, 0);
  ask_server (fixture, "one", "release");
  assert_succeeds (&first, "released");
}

static void
test_own (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("the gate of the host's own tools goes by the rules");
  fixture->own = list_provider_make_tool ("clock", NULL, "Tells the time", NULL);
  g_assert_true (gmcp_call_router_permits_own (fixture->router, fixture->own, &error));
  g_assert_no_error (error);
  assert_called (fixture, "clock");
  g_assert_true (fixture->is_admitted);

  set_ask_first (fixture, "clock");
  g_assert_true (gmcp_call_router_permits_own (fixture->router, fixture->own, &error));
  listen_for_questions (fixture, gmcp_call_permission_allow_once);
  assert_called (fixture, "clock");
  g_assert_cmpuint (fixture->n_asked, ==, 1);
  fixture->answer = deny_call;
  assert_refused (fixture, "clock", GMCP_ERROR_NOT_PERMITTED, "it was not allowed");
  g_assert_false (fixture->is_admitted);
  g_assert_cmpuint (fixture->n_asked, ==, 2);
  g_assert_cmpuint (fixture->n_gated, ==, 3);
}

static void
test_own_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a role refuses a tool of the host's own as any other");
  catalog_fixture_add_role (&fixture->catalog, "reader", "one.*");
  fixture->own = list_provider_make_tool ("clock", NULL, "Tells the time", NULL);
  fixture->is_admitted = TRUE;
  gmcp_policy_set_role (fixture->catalog.rules, "reader");
  g_assert_false (gmcp_call_router_permits_own (fixture->router, fixture->own, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  assert_refused (fixture, "clock", GMCP_ERROR_NOT_PERMITTED, "role reader");
  g_assert_false (fixture->is_admitted);
  g_assert_cmpuint (fixture->n_gated, ==, 1);
}

static void
test_own_record (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpAuditLog) log = begin_log (fixture);
  g_autofree char *text = NULL;

  g_test_summary ("a call of the host's own tool has one record, which may have been begun");
  fixture->own = list_provider_make_tool ("clock", NULL, "Tells the time", NULL);
  fixture->begins_record = GPOINTER_TO_INT (data);
  assert_called (fixture, "clock");
  text = end_log (fixture, log);
  g_assert_nonnull (strstr (text, "\"clock\""));
  g_assert_true (strchr (text, '\n') == text + strlen (text) - 1);
}

static void
test_owner_dropped (Fixture *fixture, gconstpointer data)
{
  g_auto (Call) call = { 0 };
  gpointer owner = fixture->catalog.owner;

  g_test_summary ("a call that waits keeps the owner of the router");
  g_object_add_weak_pointer (owner, &owner);
  fixture->own = list_provider_make_tool ("clock", NULL, "Tells the time", NULL);
  fixture->drops_owner = TRUE;
  set_ask_first (fixture, "clock");
  listen_for_questions (fixture, data != NULL ? deny_call : gmcp_call_permission_allow_once);
  begin_call (fixture, "clock", &call);
  g_assert_null (fixture->catalog.owner);
  g_assert_nonnull (owner);
  if (data != NULL)
    assert_fails (&call, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED, NULL);
  else
    assert_succeeds (&call, "done");
  call_clear (&call);
  wait_until (owner == NULL);
  g_assert_cmpuint (fixture->n_gated, ==, 1);
}

static void
add_case (const char *path, gconstpointer data, void (*func) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, data, set_up, func, tear_down);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  add_case ("/call-router/at-once", NULL, test_at_once);
  add_case ("/call-router/config", NULL, test_config);
  add_case ("/call-router/config-fails", NULL, test_config_fails);
  add_case ("/call-router/named", NULL, test_named);
  add_case ("/call-router/untrusted", NULL, test_untrusted);
  add_case ("/call-router/bare", NULL, test_bare);
  add_case ("/call-router/refused", NULL, test_refused);
  add_case ("/call-router/refused-unknown", NULL, test_refused_unknown);
  add_case ("/call-router/asked", NULL, test_asked);
  add_case ("/call-router/asked-anew", NULL, test_asked_anew);
  add_case ("/call-router/ends-once", GUINT_TO_POINTER (2), test_ends_twice);
  add_case ("/call-router/ends-twice", GUINT_TO_POINTER (3), test_ends_twice);
  add_case ("/call-router/place", NULL, test_place);
  add_case ("/call-router/queue-full", NULL, test_queue_full);
  add_case ("/call-router/closed", NULL, test_closed);
  add_case ("/call-router/cancel/reading", NULL, test_cancel_reading);
  add_case ("/call-router/cancel/named", "one__echo", test_cancel_search);
  add_case ("/call-router/cancel/all", "none", test_cancel_search);
  add_case ("/call-router/cancel/question", NULL, test_cancel_question);
  add_case ("/call-router/cancel/start", NULL, test_cancel_start);
  add_case ("/call-router/cancel/place", NULL, test_cancel_place);
  add_case ("/call-router/own", NULL, test_own);
  add_case ("/call-router/own-refused", NULL, test_own_refused);
  add_case ("/call-router/own-record", GINT_TO_POINTER (FALSE), test_own_record);
  add_case ("/call-router/own-record-begun", GINT_TO_POINTER (TRUE), test_own_record);
  add_case ("/call-router/owner-dropped/allowed", NULL, test_owner_dropped);
  add_case ("/call-router/owner-dropped/denied", GINT_TO_POINTER (TRUE), test_owner_dropped);

  return g_test_run ();
}
