/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>

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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transport/output-queue/taken", test_taken);
  g_test_add_func ("/transport/output-queue/left", test_left);
  return g_test_run ();
}
