/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/gmcp.h>

#include "gmcp-tool-provider-private.h"
#include "unit-test.h"

/* Calls that somebody waits for without a GTask: nothing is made that nobody asks for, and an answer comes at once. */

#define MESSAGE                                                                                    \
  "{\"before\":[1,2],\"arguments\":{\"text\":\"as it was\",\"more\":{\"a\":[]}},\"after\":0}"

typedef struct
{
  GmcpToolRegistry *registry;
  GmcpToolCall *call; /* as the waiter was told; not owned */
  GmcpToolCall *kept; /* by the handler; nullable */
  GCancellable *cancellable;
  guint n_options, n_ended, n_handed, n_released;
  GError *error;
  char *text;
  char *arguments;
} Fixture;

static void
on_ended (gpointer waiter, GmcpToolResult *result, const GError *error)
{
  Fixture *fixture = waiter;

  fixture->n_ended++;
  fixture->call = NULL;
  g_assert_true ((result != NULL) != (error != NULL));
  if (result != NULL)
    fixture->text = gmcp_tool_result_dup_text (result);
  else
    fixture->error = g_error_copy (error);
}

static void
on_handed_to (gpointer waiter, GmcpToolCall *call)
{
  ((Fixture *) waiter)->call = call;
  ((Fixture *) waiter)->n_handed++;
}

static GmcpCallOptions *
make_options (gpointer waiter)
{
  ((Fixture *) waiter)->n_options++;
  return gmcp_call_options_new ();
}

static GCancellable *
get_cancellable (gpointer waiter)
{
  Fixture *fixture = waiter;

  if (fixture->cancellable == NULL)
    {
      fixture->cancellable = g_cancellable_new ();
      if (fixture->call != NULL)
        gmcp_tool_call_set_cancellable (fixture->call, fixture->cancellable);
    }
  return fixture->cancellable;
}

static void
release_waiter (gpointer waiter)
{
  ((Fixture *) waiter)->n_released++;
}

static const GmcpToolCallWaiterFuncs funcs = {
  .ended = on_ended,
  .handed_to = on_handed_to,
  .make_options = make_options,
  .get_cancellable = get_cancellable,
  .release = release_waiter,
};

static void
on_echo (GmcpToolCall *call, gpointer data)
{
  Fixture *fixture = data;
  JsonObject *arguments = json_node_get_object (gmcp_tool_call_get_arguments (call));
  g_autoptr (GmcpToolResult) result
    = gmcp_tool_result_new_text (json_object_get_string_member (arguments, "text"));

  fixture->arguments = g_strdup (gmcp_tool_call_get_arguments_json (call));
  gmcp_tool_call_return_result (call, result);
  g_assert_cmpuint (fixture->n_ended, ==, 1);
  /* Which is ignored. */
  gmcp_tool_call_return_result (call, result);
}

static void
on_keep (GmcpToolCall *call, gpointer data)
{
  ((Fixture *) data)->kept = g_object_ref (call);
}

static void
on_drop (GmcpToolCall *call, gpointer data)
{
}

static void
set_up (Fixture *fixture, gconstpointer func)
{
  g_autoptr (GmcpTool) tool = gmcp_tool_new ("own", NULL, NULL, NULL);

  fixture->registry = gmcp_tool_registry_new ();
  g_assert_true (gmcp_tool_registry_add_tool (fixture->registry, tool, (GmcpToolFunc) func, fixture,
                                              NULL, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer func)
{
  g_assert_cmpuint (fixture->n_ended, ==, 1);
  g_assert_cmpuint (fixture->n_released, ==, 1);
  g_assert_finalize_object (fixture->registry);
  g_clear_object (&fixture->cancellable);
  g_clear_error (&fixture->error);
  g_free (fixture->text);
  g_free (fixture->arguments);
}

static void
call_tool (Fixture *fixture, const char *name)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (MESSAGE, strlen (MESSAGE), NULL, 0, NULL);
  GmcpJsonValue arguments = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "arguments");
  const GmcpToolCallWaiter waiter = { &funcs, fixture, 60000 };

  gmcp_tool_provider_call_waited (GMCP_TOOL_PROVIDER (fixture->registry), name, arguments, NULL,
                                  &waiter);
}

static void
test_at_once (Fixture *fixture, gconstpointer func)
{
  call_tool (fixture, "own");

  g_assert_cmpstr (fixture->text, ==, "as it was");
  g_assert_cmpstr (fixture->arguments, ==, "{\"text\":\"as it was\",\"more\":{\"a\":[]}}");
  g_assert_cmpuint (fixture->n_options, ==, 0);
  g_assert_null (fixture->cancellable);
}

/* By another name the call is handed on, and what was made of its arguments goes with it. */
static void
test_renamed (Fixture *fixture, gconstpointer func)
{
  g_autoptr (GmcpToolRegistry) outer = gmcp_tool_registry_new ();
  g_autoptr (GmcpToolRegistry) inner = fixture->registry;

  g_assert_true (
    gmcp_tool_registry_add_provider (outer, "inner", GMCP_TOOL_PROVIDER (inner), NULL));
  fixture->registry = outer;
  call_tool (fixture, "own");
  fixture->registry = g_steal_pointer (&inner);
  g_assert_finalize_object (g_steal_pointer (&outer));

  g_assert_cmpuint (fixture->n_handed, ==, 2);
  g_assert_cmpstr (fixture->text, ==, "as it was");
  g_assert_cmpstr (fixture->arguments, ==, "{\"text\":\"as it was\",\"more\":{\"a\":[]}}");
}

static void
test_later (Fixture *fixture, gconstpointer func)
{
  g_autoptr (GmcpToolCall) call = NULL;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("late");

  call_tool (fixture, "own");
  g_assert_cmpuint (fixture->n_ended, ==, 0);
  call = g_steal_pointer (&fixture->kept);
  g_assert_nonnull (gmcp_tool_call_get_options (call));
  g_assert_true (gmcp_tool_call_get_options (call) == gmcp_tool_call_get_options (call));
  g_assert_cmpuint (fixture->n_options, ==, 1);
  gmcp_tool_call_return_result (call, result);
  g_assert_cmpstr (fixture->text, ==, "late");
  /* Whoever calls can be spoken to behind the end. */
  g_assert_nonnull (gmcp_tool_call_get_caller (call));
  g_assert_finalize_object (g_steal_pointer (&call));
}

/* What the handler has asked for before there was anything that could be cancelled. */
static void
test_cancelled (Fixture *fixture, gconstpointer func)
{
  g_autoptr (GmcpToolCall) call = NULL;
  GCancellable *ending;

  call_tool (fixture, "own");
  call = g_steal_pointer (&fixture->kept);
  ending = gmcp_tool_call_get_cancellable (call);
  g_assert_nonnull (ending);
  g_assert_false (g_cancellable_is_cancelled (ending));

  g_cancellable_cancel (get_cancellable (fixture));
  g_assert_true (g_cancellable_is_cancelled (ending));
  while (fixture->n_ended == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_finalize_object (g_steal_pointer (&call));
}

static void
test_dropped (Fixture *fixture, gconstpointer func)
{
  call_tool (fixture, "own");

  g_assert_error (fixture->error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INTERNAL);
}

#define ADD(name, func, test)                                                                      \
  g_test_add ("/tool-call/waited/" name, Fixture, func, set_up, test, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  ADD ("at-once", on_echo, test_at_once);
  ADD ("renamed", on_echo, test_renamed);
  ADD ("later", on_keep, test_later);
  ADD ("cancelled", on_keep, test_cancelled);
  ADD ("dropped", on_drop, test_dropped);

  return g_test_run ();
}
