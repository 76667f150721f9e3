/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gmcp-output-queue-private.h"

#define LARGE (300u * 1024)

static GString *
make_text (char c, gsize length)
{
  GString *text = g_string_sized_new (length);

  g_string_set_size (text, length);
  memset (text->str, c, length);
  return text;
}

/* The buffer of a message whose text it is. */
static void
append (GmcpOutputQueue *queue, GString **buffer)
{
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .text = (*buffer)->str, .length = (*buffer)->len, .buffer = buffer };

  gmcp_output_queue_append (queue, &message, &error);
  g_assert_no_error (error);
}

static void
assert_lines (GmcpOutputQueue *queue, const char *first_of_each, const gsize *lengths)
{
  gsize length = 0;
  g_autofree char *text = gmcp_output_queue_steal (queue, &length);
  const char *rest = text;

  for (gsize i = 0; first_of_each[i] != '\0'; i++)
    {
      g_assert_cmpint (rest[0], ==, first_of_each[i]);
      g_assert_cmpint (rest[lengths[i] - 1], ==, first_of_each[i]);
      g_assert_cmpint (rest[lengths[i]], ==, '\n');
      rest += lengths[i] + 1;
    }
  g_assert_cmpuint (rest - text, ==, length);
}

static GmcpOutputQueue
make_queue (void)
{
  GmcpOutputQueue queue;

  gmcp_output_queue_init (&queue, open ("/dev/null", O_WRONLY | O_CLOEXEC));
  return queue;
}

/* A large message that nothing waits before is not copied. */
static void
test_taken (void)
{
  GmcpOutputQueue queue = make_queue ();
  GString *large = make_text ('a', LARGE);
  GString *next = make_text ('b', LARGE);
  const char *text = large->str;

  append (&queue, &large);
  g_assert_null (large);
  /* The line end had room where the text was made. */
  g_assert_true (queue.data == text);

  append (&queue, &next);
  g_assert_nonnull (next);
  assert_lines (&queue, "ab", (const gsize[]){ LARGE, LARGE });

  append (&queue, &next);
  g_assert_null (next);
  g_assert_cmpint (gmcp_output_queue_flush (&queue), ==, GMCP_FLUSH_DONE);
  g_assert_true (gmcp_output_queue_is_empty (&queue));
  gmcp_output_queue_clear (&queue);
}

/* The writer of a small one goes on with its buffer, and so does one whose message is refused. */
static void
test_left (void)
{
  GmcpOutputQueue queue = make_queue ();
  g_autoptr (GString) small = make_text ('a', 100);
  g_autoptr (GString) large = make_text ('b', LARGE);
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .text = large->str, .length = G_MAXSIZE / 2, .buffer = &large };

  append (&queue, &small);
  g_assert_nonnull (small);
  assert_lines (&queue, "a", (const gsize[]){ 100 });

  g_assert_false (gmcp_output_queue_append (&queue, &message, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (large);
  g_assert_true (gmcp_output_queue_is_empty (&queue));
  gmcp_output_queue_clear (&queue);
}

/* What is kept of a large message is what the peer has not read yet. */
static void
test_shrinks (void)
{
  g_autoptr (GmcpByteBudget) budget = gmcp_byte_budget_new (8 * LARGE, NULL);
  g_autofree char *read_text = g_malloc (LARGE);
  g_autoptr (GString) refused = make_text ('b', 8 * LARGE);
  GmcpOutgoing message = { .text = refused->str, .length = refused->len, .buffer = &refused };
  GString *large = make_text ('a', 8 * LARGE - 100);
  GmcpOutputQueue queue;
  GmcpOutputQueue other = make_queue ();
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  gmcp_output_queue_init (&queue, fds[0]);
  queue.limits.budget = other.limits.budget = budget;
  append (&queue, &large);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, queue.end - queue.start);
  g_assert_false (gmcp_output_queue_append (&other, &message, NULL));

  while (queue.end - queue.start >= LARGE)
    {
      g_assert_cmpint (gmcp_output_queue_flush (&queue), ==, GMCP_FLUSH_BLOCKED);
      g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, queue.end - queue.start);
      g_assert_cmpuint (queue.size, <=, 2 * (queue.end - queue.start) + LARGE);
      g_assert_cmpint (read (fds[1], read_text, LARGE), >, 0);
    }
  g_assert_cmpint (read_text[0], ==, 'a');
  gmcp_output_queue_clear (&queue);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 0);
  message.length = 7 * LARGE;
  g_assert_true (gmcp_output_queue_append (&other, &message, NULL));
  gmcp_output_queue_clear (&other);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 0);
  close (fds[1]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transport/output-queue/taken", test_taken);
  g_test_add_func ("/transport/output-queue/left", test_left);
  g_test_add_func ("/transport/output-queue/shrinks", test_shrinks);
  return g_test_run ();
}
