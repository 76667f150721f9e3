/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/registry/gmcp-meta-tools.h>
#include <gmcp/provider/registry/gmcp-tool-registry.h>

#include "gmcp-limits.h"
#include "gmcp-request-guard-private.h"
#include "list-provider.h"
#include "unit-test.h"

/* Providers and handlers that do not answer, or not as they should, and what their callers see. */

typedef struct
{
  GmcpRequestGuard guard;
  GError *error;
} Request;

static void
keep_error (GmcpRequestGuard *guard, GError *error)
{
  Request *request = (Request *) guard;

  g_assert_no_error (request->error);
  request->error = error;
}

static void
start (Request *request, GCancellable *cancellable, guint timeout_ms, guint max_timeout_ms)
{
  gmcp_request_guard_start (&request->guard, g_main_context_default (), cancellable, timeout_ms,
                            max_timeout_ms, keep_error);
}

static void
wait_for_error (Request *request)
{
  while (request->error == NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* Waits until the clock shows another time. */
static void
tick (void)
{
  gint64 now = g_get_monotonic_time ();

  while (g_get_monotonic_time () == now)
    g_thread_yield ();
}

static void
test_limits (void)
{
  Request short_one = { 0 }, capped = { 0 }, stopped = { 0 };

  start (&short_one, NULL, 1, 600000);
  start (&capped, NULL, 2, 2);
  start (&stopped, NULL, 1, 1);
  gmcp_request_guard_stop (&stopped.guard);
  gmcp_request_guard_stop (&stopped.guard);
  wait_for_error (&short_one);
  wait_for_error (&capped);
  g_assert_error (short_one.error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (short_one.error->message, "1 ms"));
  g_assert_error (capped.error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_cmpstr (capped.error->message, ==,
                   "There was no answer within 2 ms, which progress does not extend");
  g_assert_no_error (stopped.error);

  g_test_message ("one that has ended has no time that could begin anew");
  gmcp_request_guard_renew (&capped.guard);
  gmcp_request_guard_pause (&capped.guard);
  gmcp_request_guard_resume (&capped.guard);
  g_assert_cmpuint (capped.guard.deadline.position, ==, 0);
  g_clear_error (&short_one.error);
  g_clear_error (&capped.error);
}

static void
test_renewal (void)
{
  Request request = { 0 };
  gint64 first_us, latest_us;

  g_test_summary ("time begins anew with progress, but ends in any case");
  start (&request, NULL, 60000, 600000);
  first_us = request.guard.deadline.at_us;
  latest_us = request.guard.latest_us;
  g_assert_cmpint (first_us, <, latest_us);
  tick ();
  gmcp_request_guard_renew (&request.guard);
  g_assert_cmpint (request.guard.deadline.at_us, >, first_us);
  gmcp_request_guard_stop (&request.guard);

  start (&request, NULL, 60000, 60000);
  first_us = request.guard.deadline.at_us;
  tick ();
  gmcp_request_guard_renew (&request.guard);
  g_assert_cmpint (request.guard.deadline.at_us, ==, first_us);
  gmcp_request_guard_stop (&request.guard);
}

static void
test_pause (void)
{
  Request request = { 0 };
  gint64 latest_us;

  g_test_summary ("time stands still while a person is asked");
  start (&request, NULL, 1000, 2000);
  latest_us = request.guard.latest_us;
  gmcp_request_guard_resume (&request.guard);
  gmcp_request_guard_pause (&request.guard);
  gmcp_request_guard_pause (&request.guard);
  gmcp_request_guard_renew (&request.guard);
  g_assert_cmpint (request.guard.deadline.at_us, ==,
                   request.guard.paused_us + GMCP_DEFAULT_INPUT_TIMEOUT_MS * (gint64) 1000);
  tick ();
  gmcp_request_guard_resume (&request.guard);
  g_assert_cmpint (request.guard.paused_us, !=, 0);
  gmcp_request_guard_resume (&request.guard);
  g_assert_cmpint (request.guard.latest_us, >, latest_us);
  g_assert_cmpint (request.guard.deadline.at_us, <, request.guard.latest_us);
  gmcp_request_guard_stop (&request.guard);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Request request = { 0 }, stopped = { 0 };

  start (&request, cancellable, 600000, 600000);
  start (&stopped, cancellable, 600000, 600000);
  gmcp_request_guard_stop (&stopped.guard);
  g_cancellable_cancel (cancellable);
  g_assert_no_error (request.error);
  wait_for_error (&request);
  g_assert_error (request.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_no_error (stopped.error);
  g_clear_error (&request.error);
}

static void
test_ending (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GCancellable) kept = NULL;
  Request unguarded = { 0 }, late = { 0 }, asked_late = { 0 }, cancelled = { 0 }, answered = { 0 };

  g_test_summary ("whoever is to answer is told that no answer is wanted any more");
  g_assert_null (gmcp_request_guard_get_cancellable (&unguarded.guard, NULL));
  g_assert_true (gmcp_request_guard_get_cancellable (&unguarded.guard, cancellable) == cancellable);

  start (&late, NULL, 1, 1);
  start (&asked_late, NULL, 1, 1);
  kept = g_object_ref (gmcp_request_guard_get_cancellable (&late.guard, NULL));
  g_assert_true (gmcp_request_guard_get_cancellable (&late.guard, NULL) == kept);
  g_assert_false (g_cancellable_is_cancelled (kept));
  wait_for_error (&late);
  wait_for_error (&asked_late);
  g_assert_true (g_cancellable_is_cancelled (kept));
  g_assert_true (
    g_cancellable_is_cancelled (gmcp_request_guard_get_cancellable (&asked_late.guard, NULL)));

  g_test_message ("at once where who asked cancels, and its cancellable stays as it is otherwise");
  start (&cancelled, cancellable, 600000, 600000);
  start (&answered, cancellable, 600000, 600000);
  g_set_object (&kept, gmcp_request_guard_get_cancellable (&answered.guard, cancellable));
  gmcp_request_guard_clear (&answered.guard, cancellable);
  gmcp_request_guard_clear (&late.guard, NULL);
  gmcp_request_guard_clear (&asked_late.guard, NULL);
  g_assert_false (g_cancellable_is_cancelled (cancellable));
  gmcp_request_guard_get_cancellable (&cancelled.guard, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_true (g_cancellable_is_cancelled (
    gmcp_request_guard_get_cancellable (&cancelled.guard, cancellable)));
  g_assert_false (g_cancellable_is_cancelled (kept));
  gmcp_request_guard_clear (&cancelled.guard, cancellable);
  g_clear_error (&late.error);
  g_clear_error (&asked_late.error);
}

static gpointer
run_contexts (gpointer data)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GMainContext) context = g_main_context_new ();
      Request request = { 0 };

      gmcp_request_guard_start (&request.guard, context, NULL, 1, 1, keep_error);
      while (request.error == NULL)
        g_main_context_iteration (context, TRUE);
      g_assert_error (request.error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
      g_clear_error (&request.error);
    }
  return NULL;
}

static void
test_contexts (void)
{
  GThread *threads[3];

  g_test_summary ("each context has its own deadlines, which end with it");
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, run_contexts, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* A provider that keeps everything it is asked. */

#define SILENT_TYPE_PROVIDER (silent_provider_get_type ())
G_DECLARE_FINAL_TYPE (SilentProvider, silent_provider, SILENT, PROVIDER, GObject)

struct _SilentProvider
{
  GObject parent_instance;

  GListStore *tools;
  GmcpToolCall *call;
  GmcpToolLoad *load;
  GmcpToolSearch *search;
  GmcpProviderClose *close;
};

static void silent_provider_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SilentProvider,
                               silent_provider,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      silent_provider_iface_init))

static GListModel *
silent_provider_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (SILENT_PROVIDER (provider)->tools);
}

static void
silent_provider_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  g_set_object (&SILENT_PROVIDER (provider)->call, call);
}

static void
silent_provider_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  g_set_object (&SILENT_PROVIDER (provider)->load, load);
}

static void
silent_provider_search (GmcpToolProvider *provider, GmcpToolSearch *search)
{
  g_set_object (&SILENT_PROVIDER (provider)->search, search);
}

static void
silent_provider_close (GmcpToolProvider *provider, GmcpProviderClose *close)
{
  g_set_object (&SILENT_PROVIDER (provider)->close, close);
}

static void
silent_provider_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = silent_provider_get_tools;
  iface->call_tool = silent_provider_call_tool;
  iface->load = silent_provider_load;
  iface->search = silent_provider_search;
  iface->close = silent_provider_close;
}

static void
silent_provider_finalize (GObject *object)
{
  SilentProvider *self = SILENT_PROVIDER (object);

  g_clear_object (&self->tools);
  g_clear_object (&self->call);
  g_clear_object (&self->load);
  g_clear_object (&self->search);
  g_clear_object (&self->close);
  G_OBJECT_CLASS (silent_provider_parent_class)->finalize (object);
}

static void
silent_provider_class_init (SilentProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = silent_provider_finalize;
}

static void
silent_provider_init (SilentProvider *self)
{
  g_autoptr (GmcpTool) tool = list_provider_make_tool ("silent", NULL, NULL, NULL);

  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
  g_list_store_append (self->tools, tool);
}

static GmcpToolResult *
call (gpointer provider,
      const char *name,
      const char *arguments,
      guint timeout_ms,
      GCancellable *cancellable,
      GError **error)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GAsyncResult) done = NULL;

  gmcp_call_options_set_timeout_ms (options, timeout_ms);
  gmcp_tool_provider_call_tool_json_async (provider, name, arguments, options, cancellable,
                                           list_provider_store_result, &done);
  return gmcp_tool_provider_call_tool_finish (provider, list_provider_wait (&done), error);
}

static void
assert_call_times_out (gpointer provider, const char *name, const char *arguments)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (call (provider, name, arguments, 1, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "1 ms"));
}

static void
answer_late (GmcpToolCall *late)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("late");
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "late");

  gmcp_tool_call_return_result (late, result);
  gmcp_tool_call_return_error (late, error);
  gmcp_tool_call_report_progress (late, 1, 2, NULL);
  gmcp_tool_call_pause_timeout (late);
  gmcp_tool_call_resume_timeout (late);
}

static void
test_silent_call (void)
{
  SilentProvider *provider = g_object_new (SILENT_TYPE_PROVIDER, NULL);

  assert_call_times_out (provider, "silent", NULL);
  g_assert_true (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (provider->call)));
  g_test_message ("an answer that comes late is nobody's");
  answer_late (provider->call);
  g_assert_finalize_object (provider);
}

static void
test_silent_everywhere (void)
{
  SilentProvider *provider = g_object_new (SILENT_TYPE_PROVIDER, NULL);
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  GmcpMetaTools *meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (registry));
  g_autoptr (GError) error = NULL;

  g_assert_true (
    gmcp_tool_registry_add_provider (registry, "one", GMCP_TOOL_PROVIDER (provider), &error));
  g_assert_no_error (error);
  assert_call_times_out (registry, "silent", NULL);
  answer_late (provider->call);
  assert_call_times_out (meta, "call_tool", "{\"name\":\"silent\"}");
  answer_late (provider->call);

  g_assert_finalize_object (meta);
  g_assert_finalize_object (registry);
  g_assert_finalize_object (provider);
}

static void
keep_call (GmcpToolCall *kept, gpointer data)
{
  g_set_object ((GmcpToolCall **) data, kept);
}

typedef struct
{
  GmcpToolCall *call;
  GCancellable *cancellable;
} Watched;

static void
watch_call (GmcpToolCall *call, gpointer data)
{
  Watched *watched = data;

  watched->call = g_object_ref (call);
  watched->cancellable = g_object_ref (gmcp_tool_call_get_cancellable (call));
  g_assert_false (g_cancellable_is_cancelled (watched->cancellable));
}

static void
drop_call (GmcpToolCall *dropped, gpointer data)
{
}

static void
answer_twice (GmcpToolCall *twice, gpointer data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("once");

  gmcp_tool_call_return_result (twice, result);
  answer_late (twice);
}

static void
test_handlers (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  Watched watched = { 0 };
  g_autoptr (GmcpToolCall) kept = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_tool_registry_add_function (registry, "keep", NULL, NULL, keep_call, &kept, NULL, &error);
  gmcp_tool_registry_add_function (registry, "drop", NULL, NULL, drop_call, NULL, NULL, &error);
  gmcp_tool_registry_add_function (registry, "twice", NULL, NULL, answer_twice, NULL, NULL, &error);
  g_assert_no_error (error);

  assert_call_times_out (registry, "keep", NULL);
  g_assert_true (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (kept)));
  answer_late (kept);

  g_test_message ("a handler that does not keep the call keeps the cancellable");
  gmcp_tool_registry_add_function (registry, "watch", NULL, NULL, watch_call, &watched, NULL,
                                   &error);
  g_assert_no_error (error);
  assert_call_times_out (registry, "watch", NULL);
  g_assert_true (g_cancellable_is_cancelled (watched.cancellable));
  g_clear_object (&watched.call);
  g_clear_object (&watched.cancellable);

  g_assert_null (call (registry, "drop", NULL, 0, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  g_clear_error (&error);

  result = call (registry, "twice", NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "once");

  g_test_message ("a cancelled call ends, whatever its handler does");
  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (registry), "keep", NULL, NULL,
                                           cancellable, list_provider_store_result, &done);
  g_assert_null (done);
  g_cancellable_cancel (cancellable);
  g_assert_null (gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (registry),
                                                      list_provider_wait (&done), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  answer_late (kept);

  g_clear_object (&done);
  g_assert_finalize_object (registry);
}

static void
cancel_and_wait (GCancellable *cancellable, GAsyncResult **done)
{
  g_assert_null (*done);
  g_cancellable_cancel (cancellable);
  list_provider_wait (done);
}

static void
test_silent_requests (void)
{
  SilentProvider *silent = g_object_new (SILENT_TYPE_PROVIDER, NULL);
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (silent);
  g_autoptr (GError) late = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "late");
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GPtrArray) broken = g_ptr_array_new ();

  g_test_summary ("what was asked of a provider that is silent ends when it is cancelled");
  g_ptr_array_add (broken, NULL);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GAsyncResult) done = NULL;
      g_autoptr (GError) error = NULL;

      switch (i)
        {
        case 0:
          gmcp_tool_provider_load_async (provider, cancellable, list_provider_store_result, &done);
          cancel_and_wait (cancellable, &done);
          g_assert_false (gmcp_tool_provider_load_finish (provider, done, &error));
          gmcp_tool_load_return_success (silent->load);
          gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (silent->load), late);
          break;
        case 1:
          gmcp_tool_provider_search_async (provider, "x", 0, GMCP_TOOL_DETAIL_NAME, cancellable,
                                           list_provider_store_result, &done);
          cancel_and_wait (cancellable, &done);
          g_assert_null (gmcp_tool_provider_search_finish (provider, done, &error));
          gmcp_tool_search_return_matches (silent->search, none);
          g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*has_null (matches)*");
          gmcp_tool_search_return_matches (silent->search, broken);
          g_test_assert_expected_messages ();
          gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (silent->search), late);
          break;
        default:
          gmcp_tool_provider_close_async (provider, cancellable, list_provider_store_result, &done);
          cancel_and_wait (cancellable, &done);
          g_assert_false (gmcp_tool_provider_close_finish (provider, done, &error));
          gmcp_provider_close_return_success (silent->close);
          gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (silent->close), late);
          break;
        }
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  g_assert_finalize_object (provider);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_setenv ("GMCP_MODULE_PATH", "", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/request-guard/limits", test_limits);
  g_test_add_func ("/request-guard/renewal", test_renewal);
  g_test_add_func ("/request-guard/pause", test_pause);
  g_test_add_func ("/request-guard/cancelled", test_cancelled);
  g_test_add_func ("/request-guard/ending", test_ending);
  g_test_add_func ("/request-guard/contexts", test_contexts);
  g_test_add_func ("/request-guard/silent-call", test_silent_call);
  g_test_add_func ("/request-guard/silent-everywhere", test_silent_everywhere);
  g_test_add_func ("/request-guard/handlers", test_handlers);
  g_test_add_func ("/request-guard/silent-requests", test_silent_requests);
  return g_test_run ();
}
