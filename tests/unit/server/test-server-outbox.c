/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-server-outbox-private.h"
#include "steered-transport.h"
#include "unit-test.h"

/* What goes to one client. */

typedef struct
{
  SteeredTransport *transport;
  GmcpServerOutbox *outbox;
} Fixture;

static void
on_opened (GObject *object, GAsyncResult *result, gpointer is_open)
{
  g_assert_true (gmcp_transport_open_finish (GMCP_TRANSPORT (object), result, NULL));
  *(gboolean *) is_open = TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  gboolean is_open = FALSE;

  fixture->transport = steered_transport_new ();
  gmcp_transport_open_async (GMCP_TRANSPORT (fixture->transport), NULL, on_opened, &is_open);
  while (!is_open)
    g_main_context_iteration (NULL, TRUE);
  fixture->outbox = gmcp_server_outbox_new (GMCP_TRANSPORT (fixture->transport));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gmcp_server_outbox_free (fixture->outbox);
  g_object_unref (fixture->transport);
}

static gboolean
notify (Fixture *fixture, gint64 value)
{
  GmcpJsonWriter writer
    = gmcp_server_outbox_begin_notification (fixture->outbox, "notifications/x");

  gmcp_json_writer_member_int64 (&writer, "value", value);
  return gmcp_server_outbox_send_notification (fixture->outbox, &writer, "notifications/x",
                                               GMCP_JSON_NONE);
}

static const char *
get_sent (Fixture *fixture, guint i)
{
  g_assert_cmpuint (i, <, fixture->transport->sent->len);
  return g_ptr_array_index (fixture->transport->sent, i);
}

static void
test_notification (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a notification is whole, and each begins anew");
  g_assert_true (notify (fixture, 1));
  gmcp_server_outbox_begin_notification (fixture->outbox, "notifications/never-sent");
  g_assert_true (notify (fixture, 2));
  g_assert_cmpuint (fixture->transport->sent->len, ==, 2);
  g_assert_cmpstr (get_sent (fixture, 0), ==,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"value\":1}}");
  g_assert_cmpstr (get_sent (fixture, 1), ==,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"value\":2}}");
}

/* Text with a part in it, not yet sent. */
static void
begin_with_part (Fixture *fixture, GBytes *part)
{
  GString *out = gmcp_server_outbox_begin (fixture->outbox);
  GArray *parts = gmcp_server_outbox_peek_parts (fixture->outbox);

  g_assert_cmpuint (parts->len, ==, 0);
  g_string_append (out, "[");
  gmcp_json_parts_add (parts, out->len, g_bytes_ref (part));
  g_string_append (out, "]");
}

static void
test_parts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strnfill (GMCP_JSON_PART_BYTES, '7');
  g_autofree char *whole = g_strdup_printf ("[%s]", text);
  g_autoptr (GBytes) part = g_bytes_new (text, strlen (text));

  g_test_summary ("a part goes with the message that it belongs to, and with no other");
  begin_with_part (fixture, part);
  g_assert_true (gmcp_server_outbox_send_answer (fixture->outbox, GMCP_JSON_NONE, 0, FALSE));
  g_assert_cmpstr (get_sent (fixture, 0), ==, whole);
  begin_with_part (fixture, part);
  g_assert_true (notify (fixture, 1));
  g_assert_null (strchr (get_sent (fixture, 1), '7'));
  begin_with_part (fixture, part);
  fixture->transport->refuse = TRUE;
  g_assert_false (gmcp_server_outbox_send_answer (fixture->outbox, GMCP_JSON_NONE, 0, FALSE));
  fixture->transport->refuse = FALSE;
  g_assert_cmpuint (gmcp_server_outbox_peek_parts (fixture->outbox)->len, ==, 0);
  g_assert_true (notify (fixture, 2));
}

static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("nothing is sent once it is closed");
  g_assert_false (gmcp_server_outbox_is_closed (fixture->outbox));
  gmcp_server_outbox_close (fixture->outbox);
  g_assert_true (gmcp_server_outbox_is_closed (fixture->outbox));
  g_assert_false (notify (fixture, 1));
  g_assert_cmpuint (fixture->transport->sent->len, ==, 0);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/server/outbox/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("notification", test_notification);
  ADD ("parts", test_parts);
  ADD ("closed", test_closed);
#undef ADD
  return g_test_run ();
}
