/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>

#include "manager-fixture.h"

/* What a host is told of servers that are not started here, and of calls that end badly. */

static guint
count_notices (ManagerFixture *fixture, const char *prefix)
{
  guint n = 0;

  for (guint i = 0; i < fixture->notices->len; i++)
    n += g_str_has_prefix (g_ptr_array_index (fixture->notices, i), prefix);
  return n;
}

/* Connections to a socket; there is nobody who answers. */
static gboolean
on_incoming (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  g_ptr_array_add (data, g_object_ref (connection));
  return TRUE;
}

static void
test_connecting (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, "socket", NULL);
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GPtrArray) connections = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a server with an address is connected to, not started");
  g_socket_listener_add_address (G_SOCKET_LISTENER (service), address, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, &error);
  g_assert_no_error (error);
  g_signal_connect (service, "incoming", G_CALLBACK (on_incoming), connections);
  gmcp_manager_set_startup_timeout_ms (fixture->manager, 300);
  manager_fixture_write (fixture, g_strdup_printf ("\"far\":{\"url\":\"unix://%s\"}", path), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));

  g_assert_cmpuint (connections->len, >, 0);
  g_assert_cmpuint (count_notices (fixture, "info far Connecting to server “far”"), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "info far Starting"), ==, 0);
  g_assert_cmpuint (count_notices (fixture, "info far Server “far” started"), ==, 0);
  g_test_message ("one that does not answer in time is a warning");
  g_assert_cmpuint (count_notices (fixture, "warning far "), ==, 1);
  g_assert_true (manager_fixture_has_notice (fixture, "within 300 ms"));
  g_assert_false (manager_fixture_has_notice (fixture, "privileges"));
  g_socket_service_stop (service);
  g_socket_listener_close (G_SOCKET_LISTENER (service));
  g_unlink (path);
}

static void
test_calls (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a time-out of a call is a warning, an error that the server gives is an error");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools wait,echo"),
                         NULL);
  text = manager_fixture_call (fixture, "one__echo", "{}", NULL, &error);
  g_assert_no_error (error);
  g_ptr_array_set_size (fixture->notices, 0);

  gmcp_call_options_set_timeout_ms (options, 20);
  g_assert_null (manager_fixture_call (fixture, "one__wait", "{}", options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_cmpuint (count_notices (fixture, "warning one "), ==, 1);
  g_assert_true (manager_fixture_has_notice (fixture, error->message));
  g_clear_error (&error);

  g_assert_null (manager_fixture_call (fixture, "one__refuse", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpuint (fixture->notices->len, ==, 1);
  g_clear_error (&error);
}

static void
test_error (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("an error that a server answers with is told of as one, and ends nothing");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools refuse"), NULL);
  g_assert_null (manager_fixture_call (fixture, "one__refuse", "{}", NULL, &error));
  g_assert_cmpuint (error->domain, ==, GMCP_RPC_ERROR);
  g_assert_cmpint (error->code, ==, -32010);
  g_assert_cmpuint (count_notices (fixture, "error one Server “one” answered with an error: "), ==,
                    1);
  g_assert_true (manager_fixture_has_notice (fixture, "Not today"));
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_READY);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/manager/notices/" name, ManagerFixture, NULL, manager_fixture_set_up, func,        \
              manager_fixture_tear_down)

  ADD ("connecting", test_connecting);
  ADD ("calls", test_calls);
  ADD ("error", test_error);

  return g_test_run ();
}
