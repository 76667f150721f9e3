/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <string.h>

#include "gmcp-line-channel-private.h"
#include "unit-test.h"

/* What one of two channels is sent goes out by the other. */

typedef enum
{
  PASS_ON,
  CLOSE_AFTER, /* the other one, with what it was to write */
  SHUT_AFTER,  /* once it has written that */
  LOOP_AFTER,  /* in a loop of its own */
} Way;

typedef struct Relay Relay;

typedef struct
{
  Relay *relay;
  GmcpLineChannel *channel;
  int to;
  int from;
} End;

struct Relay
{
  GObject *owner;
  GMainContext *context;
  End ends[2];
  Way way;
};

static void
send_line (GmcpLineChannel *channel, const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .text = text, .length = length };

  gmcp_line_channel_send (channel, &message, &error);
  g_assert_no_error (error);
}

static gboolean
is_readable (int fd)
{
  struct pollfd ready = { .fd = fd, .events = POLLIN };

  return poll (&ready, 1, 0) == 1;
}

static void
on_message (gpointer data, const char *text, gsize length, GBytes *bytes)
{
  End *end = data;
  Relay *relay = end->relay;
  End *other = &relay->ends[end == &relay->ends[0]];

  if (other->channel == NULL)
    return;
  send_line (other->channel, text, length);
  if (relay->way == CLOSE_AFTER)
    g_clear_pointer (&other->channel, gmcp_line_channel_close);
  if (relay->way == SHUT_AFTER)
    gmcp_line_channel_shut_output (other->channel);
  while (relay->way == LOOP_AFTER && !is_readable (other->from))
    g_main_context_iteration (relay->context, FALSE);
}

static void
on_violation (gpointer data, const GError *error)
{
  g_assert_no_error (error);
}

static void
on_input_ended (gpointer data, const GError *error)
{
}

static void
on_output_shut (gpointer data)
{
  End *end = data;

  g_clear_pointer (&end->channel, gmcp_line_channel_close);
}

static const GmcpLineChannelFuncs funcs = {
  .message = on_message,
  .violation = on_violation,
  .input_ended = on_input_ended,
  .output_shut = on_output_shut,
};

static void
begin (Relay *relay, GMainContext *other_context, Way way)
{
  relay->owner = g_object_new (G_TYPE_OBJECT, NULL);
  relay->context = g_main_context_new ();
  relay->way = way;
  for (guint i = 0; i < G_N_ELEMENTS (relay->ends); i++)
    {
      End *end = &relay->ends[i];
      int in[2];
      int out[2];

      g_assert_true (g_unix_open_pipe (in, FD_CLOEXEC, NULL));
      g_assert_true (g_unix_open_pipe (out, FD_CLOEXEC, NULL));
      g_assert_no_errno (fcntl (in[0], F_SETFL, O_NONBLOCK));
      end->relay = relay;
      end->to = in[1];
      end->from = out[0];
      end->channel = gmcp_line_channel_new (
        relay->owner, &funcs, end, i == 1 && other_context != NULL ? other_context : relay->context,
        in[0], out[1]);
    }
}

static void
end (Relay *relay)
{
  for (guint i = 0; i < G_N_ELEMENTS (relay->ends); i++)
    {
      g_clear_pointer (&relay->ends[i].channel, gmcp_line_channel_close);
      g_assert_no_errno (close (relay->ends[i].to));
      g_assert_no_errno (close (relay->ends[i].from));
    }
  g_main_context_unref (relay->context);
  g_assert_finalize_object (relay->owner);
}

static void
write_text (int fd, const char *text)
{
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (gssize) strlen (text));
}

/* In one read: what was written together comes together. */
static void
assert_read (int fd, const char *expected)
{
  char text[256];
  gssize length = is_readable (fd) ? read (fd, text, sizeof text - 1) : 0;

  g_assert_cmpint (length, >=, 0);
  text[length] = '\0';
  g_assert_cmpstr (text, ==, expected);
}

static void
test_in_the_same_turn (void)
{
  Relay relay = { NULL };

  g_test_summary ("the loop goes round once for what one passes on to the other, either way");
  begin (&relay, NULL, PASS_ON);
  for (guint i = 0; i < 3; i++)
    {
      write_text (relay.ends[i % 2].to, "[1]\n[2]\n[3]\n");
      g_assert_true (g_main_context_iteration (relay.context, FALSE));
      assert_read (relay.ends[1 - i % 2].from, "[1]\n[2]\n[3]\n");
      g_assert_false (g_main_context_iteration (relay.context, FALSE));
    }
  end (&relay);
}

static void
test_closed_in_the_turn (void)
{
  Relay relay = { NULL };

  begin (&relay, NULL, CLOSE_AFTER);
  write_text (relay.ends[0].to, "[1]\n[2]\n");
  g_main_context_iteration (relay.context, FALSE);
  g_assert_null (relay.ends[1].channel);
  assert_read (relay.ends[1].from, "");
  end (&relay);
}

static void
test_shut_in_the_turn (void)
{
  Relay relay = { NULL };

  g_test_summary ("one that is closed when it has written all is gone within the other's turn");
  begin (&relay, NULL, SHUT_AFTER);
  write_text (relay.ends[0].to, "[1]\n");
  g_main_context_iteration (relay.context, FALSE);
  g_assert_null (relay.ends[1].channel);
  assert_read (relay.ends[1].from, "[1]\n");
  end (&relay);
}

static void
test_loop_in_the_turn (void)
{
  Relay relay = { NULL };

  g_test_summary (
    "a callback that runs the loop until the other has written does not wait for ever");
  begin (&relay, NULL, LOOP_AFTER);
  write_text (relay.ends[0].to, "[1]\n");
  g_main_context_iteration (relay.context, FALSE);
  assert_read (relay.ends[1].from, "[1]\n");
  end (&relay);
}

static void
test_other_context (void)
{
  Relay relay = { NULL };
  g_autoptr (GMainContext) context = g_main_context_new ();

  g_test_summary ("what belongs to another context is written there");
  begin (&relay, context, PASS_ON);
  write_text (relay.ends[0].to, "[1]\n");
  g_main_context_iteration (relay.context, FALSE);
  assert_read (relay.ends[1].from, "");
  g_main_context_iteration (context, FALSE);
  assert_read (relay.ends[1].from, "[1]\n");
  end (&relay);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transport/line-channel/in-the-same-turn", test_in_the_same_turn);
  g_test_add_func ("/transport/line-channel/closed-in-the-turn", test_closed_in_the_turn);
  g_test_add_func ("/transport/line-channel/shut-in-the-turn", test_shut_in_the_turn);
  g_test_add_func ("/transport/line-channel/loop-in-the-turn", test_loop_in_the_turn);
  g_test_add_func ("/transport/line-channel/other-context", test_other_context);
  return g_test_run ();
}
