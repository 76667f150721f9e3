/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"

#include <gmcp/transport/gmcp-memory-transport.h>

void
waiter_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Waiter *waiter = user_data;

  g_assert_null (waiter->result);
  waiter->result = g_object_ref (result);
}

void
waiter_wait (Waiter *waiter)
{
  while (waiter->result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
client_fixture_make (ClientFixture *fixture, ScriptedServerFunc answer)
{
  gmcp_memory_transport_new_pair (&fixture->client_end, &fixture->server_end);
  fixture->client = gmcp_client_new (fixture->client_end);
  gmcp_client_set_name (fixture->client, "srv");
  fixture->server = scripted_server_new (fixture->server_end, answer);
}

void
client_fixture_open (ClientFixture *fixture)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;

  gmcp_client_open_async (fixture->client, NULL, waiter_done, &waiter);
  waiter_wait (&waiter);
  gmcp_client_open_finish (fixture->client, waiter.result, &error);
  g_assert_no_error (error);
  g_object_unref (waiter.result);
}

void
client_fixture_set_up (ClientFixture *fixture, gconstpointer data)
{
  client_fixture_make (fixture, data != NULL ? (ScriptedServerFunc) data : scripted_server_modern);
  client_fixture_open (fixture);
}

void
client_fixture_tear_down (ClientFixture *fixture, gconstpointer data)
{
  settle ();
  g_assert_finalize_object (fixture->client);
  scripted_server_free (fixture->server);
  g_object_unref (fixture->client_end);
  g_object_unref (fixture->server_end);
  settle ();
}

void
wait_for_messages (ClientFixture *fixture, const char *method, guint count)
{
  while (scripted_server_count (fixture->server, method) < count)
    g_main_context_iteration (NULL, TRUE);
}

void
client_fixture_call (ClientFixture *fixture,
                     GmcpCallOptions *options,
                     GCancellable *cancellable,
                     Waiter *waiter)
{
  guint before = scripted_server_count (fixture->server, "tools/call");

  gmcp_client_call_tool_json_async (fixture->client, "echo", "{\"a\":[1.50,\"\\u0041\"]}", options,
                                    cancellable, waiter_done, waiter);
  while (scripted_server_count (fixture->server, "tools/call") == before && waiter->result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

GmcpToolResult *
client_fixture_finish (ClientFixture *fixture, Waiter *waiter, GError **error)
{
  GmcpToolResult *result;

  waiter_wait (waiter);
  result = gmcp_client_call_tool_finish (fixture->client, waiter->result, error);
  g_clear_object (&waiter->result);
  return result;
}

void
client_fixture_answer_text (ClientFixture *fixture, const char *text)
{
  g_autofree char *answer
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":["
                       "{\"type\":\"text\",\"text\":\"%s\"}]}}",
                       text);

  scripted_server_send (fixture->server, answer);
}
