/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/gmcp-memory-transport.h>

#include "transport-log.h"
#include "unit-test.h"

static void
test_both_ways (void)
{
  g_autoptr (GmcpTransport) first = NULL;
  g_autoptr (GmcpTransport) second = NULL;
  TransportLog *log_first;
  TransportLog *log_second;

  gmcp_memory_transport_new_pair (&first, &second);
  log_first = transport_log_new (first);
  log_second = transport_log_new (second);
  g_assert_false (gmcp_transport_is_open (first));

  transport_log_open (log_first);
  g_assert_true (gmcp_transport_is_open (first));
  transport_log_send (log_first, "{\"early\":true}");
  transport_log_open (log_second);
  transport_log_wait_messages (log_second, 1);
  transport_log_send (log_second, "[1]");
  transport_log_send (log_second, "[2]");
  g_assert_cmpuint (log_first->messages->len, ==, 0);
  transport_log_wait_messages (log_first, 2);

  g_assert_cmpstr (log_second->messages->pdata[0], ==, "{\"early\":true}");
  g_assert_cmpstr (log_first->messages->pdata[0], ==, "[1]");
  g_assert_cmpstr (log_first->messages->pdata[1], ==, "[2]");

  transport_log_close (log_first);
  transport_log_wait_closed (log_second);
  g_assert_cmpuint (log_first->n_closed, ==, 1);
  g_assert_no_error (log_first->closed_error);
  g_assert_no_error (log_second->closed_error);
  g_assert_false (gmcp_transport_is_open (second));

  transport_log_free (log_first);
  transport_log_free (log_second);
  g_assert_finalize_object (g_steal_pointer (&first));
  g_assert_finalize_object (g_steal_pointer (&second));
}

static void
test_last_messages_before_closed (void)
{
  g_autoptr (GmcpTransport) first = NULL;
  g_autoptr (GmcpTransport) second = NULL;
  TransportLog *log_first;
  TransportLog *log_second;

  gmcp_memory_transport_new_pair (&first, &second);
  log_first = transport_log_new (first);
  log_second = transport_log_new (second);
  transport_log_open (log_first);
  transport_log_open (log_second);

  for (guint i = 0; i < 1000; i++)
    transport_log_send (log_first, "{}");
  transport_log_free (log_first);
  g_assert_finalize_object (g_steal_pointer (&first));

  transport_log_wait_closed (log_second);
  g_assert_cmpuint (log_second->messages->len, ==, 1000);
  g_assert_no_error (log_second->closed_error);

  transport_log_free (log_second);
  g_assert_finalize_object (g_steal_pointer (&second));
}

static void
test_send_to_closed (void)
{
  g_autoptr (GmcpTransport) first = NULL;
  g_autoptr (GmcpTransport) second = NULL;
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .text = "{}", .length = 2 };
  TransportLog *log;

  gmcp_memory_transport_new_pair (&first, &second);
  g_assert_false (gmcp_transport_send (first, &message, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_clear_error (&error);

  log = transport_log_new (first);
  transport_log_open (log);
  g_clear_object (&second);
  g_assert_false (gmcp_transport_send (first, &message, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  transport_log_free (log);
}

static void
test_too_large (void)
{
  g_autoptr (GmcpTransport) first = NULL;
  g_autoptr (GmcpTransport) second = NULL;
  TransportLog *log_first;
  TransportLog *log_second;

  gmcp_memory_transport_new_pair (&first, &second);
  gmcp_transport_set_max_message_bytes (second, 5);
  log_first = transport_log_new (first);
  log_second = transport_log_new (second);
  transport_log_open (log_first);
  transport_log_open (log_second);

  transport_log_send (log_first, "123456");
  transport_log_send (log_first, "12345");
  transport_log_wait_messages (log_second, 1);
  g_assert_cmpuint (log_second->n_violations, ==, 1);
  g_assert_error (log_second->violation, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_cmpstr (log_second->messages->pdata[0], ==, "12345");

  transport_log_free (log_first);
  transport_log_free (log_second);
}

static void
close_in_callback (TransportLog *log)
{
  gmcp_transport_close_async (log->transport, NULL, NULL, NULL);
}

static void
test_close_in_callback (void)
{
  g_autoptr (GmcpTransport) first = NULL;
  g_autoptr (GmcpTransport) second = NULL;
  TransportLog *log_first;
  TransportLog *log_second;

  gmcp_memory_transport_new_pair (&first, &second);
  log_first = transport_log_new (first);
  log_second = transport_log_new (second);
  log_second->on_message = close_in_callback;
  transport_log_open (log_first);
  transport_log_open (log_second);
  for (guint i = 0; i < 10; i++)
    transport_log_send (log_first, "{}");

  transport_log_wait_closed (log_first);
  transport_log_wait_closed (log_second);
  g_assert_cmpuint (log_second->messages->len, ==, 1);
  g_assert_cmpuint (log_second->n_closed, ==, 1);

  transport_log_free (log_first);
  transport_log_free (log_second);
  g_assert_finalize_object (g_steal_pointer (&first));
  g_assert_finalize_object (g_steal_pointer (&second));
}

static void
test_open_twice (void)
{
  g_autoptr (GmcpTransport) first = NULL;
  g_autoptr (GmcpTransport) second = NULL;
  g_autoptr (GError) error = NULL;
  TransportLog *log;

  gmcp_memory_transport_new_pair (&first, &second);
  log = transport_log_new (first);
  transport_log_open (log);
  g_assert_false (transport_log_try_open (log, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PENDING);
  g_clear_error (&error);

  transport_log_close (log);
  g_assert_false (transport_log_try_open (log, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  transport_log_close (log);
  g_assert_cmpuint (log->n_closed, ==, 1);
  transport_log_free (log);
}

static void
test_cancelled (void)
{
  g_autoptr (GmcpTransport) first = NULL;
  g_autoptr (GmcpTransport) second = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  TransportLog *log;

  gmcp_memory_transport_new_pair (&first, &second);
  log = transport_log_new (first);
  g_cancellable_cancel (cancellable);
  g_assert_false (transport_log_try_open (log, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  transport_log_open (log);
  transport_log_free (log);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/transport/memory/both-ways", test_both_ways);
  g_test_add_func ("/transport/memory/last-messages", test_last_messages_before_closed);
  g_test_add_func ("/transport/memory/send-to-closed", test_send_to_closed);
  g_test_add_func ("/transport/memory/too-large", test_too_large);
  g_test_add_func ("/transport/memory/close-in-callback", test_close_in_callback);
  g_test_add_func ("/transport/memory/open-twice", test_open_twice);
  g_test_add_func ("/transport/memory/cancelled", test_cancelled);

  return g_test_run ();
}
