/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-output-queue-private.h"
#include "unit-test.h"

/* Nearly all of the buffer that GLib makes for it. */
#define LARGE (500u * 1024)

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
  g_autoptr (GBytes) all = gmcp_output_queue_steal (queue);
  gsize length;
  const char *text = g_bytes_get_data (all, &length);
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

static const char *
peek_part (GmcpOutputQueue *queue, guint i)
{
  return g_bytes_get_data (g_array_index (queue->parts, GmcpJsonPart, i).bytes, NULL);
}

/* A large message is not copied, whatever waits before it. */
static void
test_taken (void)
{
  GmcpOutputQueue queue = make_queue ();
  GString *first = make_text ('a', LARGE);
  GString *small = make_text ('b', 100);
  GString *second = make_text ('c', LARGE);
  const char *texts[] = { first->str, second->str };

  append (&queue, &first);
  append (&queue, &small);
  append (&queue, &second);
  g_assert_null (first);
  g_assert_nonnull (small);
  g_assert_null (second);
  /* The line end had room where the texts were made. */
  g_assert_true (peek_part (&queue, 0) == texts[0]);
  g_assert_true (peek_part (&queue, 1) == texts[1]);
  assert_lines (&queue, "abc", (const gsize[]){ LARGE, 100, LARGE });

  append (&queue, &small);
  g_assert_cmpint (gmcp_output_queue_flush (&queue), ==, GMCP_FLUSH_DONE);
  g_assert_true (gmcp_output_queue_is_empty (&queue));
  gmcp_output_queue_clear (&queue);
  g_string_free (small, TRUE);
}

static gsize
count_unread (int fd)
{
  int n;

  g_assert_no_errno (ioctl (fd, FIONREAD, &n));
  return (gsize) n;
}

/* What there is to read. */
static void
read_all (int fd, GString *to)
{
  gsize n = count_unread (fd);
  gsize before = to->len;

  g_string_set_size (to, before + n);
  for (gsize done = 0; done < n;)
    {
      gssize got = read (fd, to->str + before + done, n - done);

      g_assert_cmpint (got, >, 0);
      done += (gsize) got;
    }
}

typedef struct
{
  const char *name;
  gboolean is_socket;
  int flags;         /* of the end that is written to */
  gboolean nosignal; /* the kernel can write without SIGPIPE */
} Way;

static const Way ways[] = {
  { "socket", TRUE, 0, TRUE },
  { "pipe", FALSE, O_NONBLOCK, TRUE },
  { "pipe-old-kernel", FALSE, O_NONBLOCK, FALSE },
  { "blocking-pipe", FALSE, 0, TRUE },
};

/* The first is written to. */
static void
open_way (const Way *way, int fds[2])
{
  int ends[2];

  if (way->is_socket)
    {
      g_assert_no_errno (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
      return;
    }

  g_assert_no_errno (pipe2 (ends, O_CLOEXEC));
  g_assert_no_errno (fcntl (ends[1], F_SETFL, way->flags));
  fds[0] = ends[1];
  fds[1] = ends[0];
}

/* Small messages, large ones, and ones with parts in them, in any order and cut anywhere. */
static void
test_mixed (gconstpointer data)
{
  const Way *way = data;
  GRand *random = g_rand_new_with_seed (42);
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autoptr (GString) got = g_string_new (NULL);
  GmcpOutputQueue queue;
  int fds[2];

  open_way (way, fds);
  gmcp_output_fd_set_kernel_has_nosignal (way->nosignal);
  gmcp_output_queue_init (&queue, fds[0]);
  for (guint i = 0; i < 200; i++)
    {
      GString *text = make_text ((char) ('a' + i % 26), (gsize) g_rand_int_range (random, 2, 500));
      g_autoptr (GArray) parts = gmcp_json_parts_new ();
      GmcpOutgoing message = { .text = text->str, .length = text->len };
      g_autoptr (GError) error = NULL;
      gsize position = 0;

      for (int n_parts = i % 4 == 0 ? g_rand_int_range (random, 1, 12) : 0; n_parts > 0; n_parts--)
        {
          GString *part
            = make_text ((char) ('A' + n_parts), (gsize) g_rand_int_range (random, 1, 40000));
          gsize next = (gsize) g_rand_int_range (random, (int) position, (int) text->len + 1);

          g_string_append_len (expected, text->str + position, (gssize) (next - position));
          g_string_append_len (expected, part->str, (gssize) part->len);
          g_array_append_val (parts, ((GmcpJsonPart){ next, g_string_free_to_bytes (part) }));
          position = next;
        }
      g_string_append_len (expected, text->str + position, (gssize) (text->len - position));
      g_string_append_c (expected, '\n');
      message.parts = (gconstpointer) parts->data;
      message.n_parts = parts->len;
      gmcp_output_queue_append (&queue, &message, &error);
      g_assert_no_error (error);
      g_string_free (text, TRUE);

      if (i % 3 == 0)
        g_assert_cmpint (gmcp_output_queue_flush (&queue), !=, GMCP_FLUSH_FAILED);
      if (i % 5 == 0)
        read_all (fds[1], got);
      g_assert_cmpuint (gmcp_output_queue_get_bytes (&queue), ==,
                        expected->len - got->len - count_unread (fds[1]));
    }

  while (!gmcp_output_queue_is_empty (&queue))
    {
      g_assert_cmpint (gmcp_output_queue_flush (&queue), !=, GMCP_FLUSH_FAILED);
      read_all (fds[1], got);
    }
  read_all (fds[1], got);
  g_assert_cmpmem (got->str, got->len, expected->str, expected->len);
  gmcp_output_queue_clear (&queue);
  close (fds[1]);
  gmcp_output_fd_set_kernel_has_nosignal (TRUE);
  g_rand_free (random);
}

/* A part alone is handed over as it is; with what stands around it, and less what was written, it is one text. */
static void
test_stolen (void)
{
  GString *whole = make_text ('a', LARGE);
  const char *text = whole->str;
  GString *large = make_text ('b', 8 * LARGE);
  GString *small = make_text ('c', 100);
  g_autoptr (GBytes) alone = NULL;
  g_autoptr (GBytes) rest = NULL;
  GmcpOutputQueue queue = make_queue ();
  int fds[2];
  gsize written;
  gsize length;

  append (&queue, &whole);
  alone = gmcp_output_queue_steal (&queue);
  g_assert_true (g_bytes_get_data (alone, &length) == text);
  g_assert_cmpuint (length, ==, LARGE + 1);
  g_assert_true (gmcp_output_queue_is_empty (&queue));
  gmcp_output_queue_clear (&queue);

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  gmcp_output_queue_init (&queue, fds[0]);
  append (&queue, &large);
  append (&queue, &small);
  g_assert_cmpint (gmcp_output_queue_flush (&queue), ==, GMCP_FLUSH_BLOCKED);
  written = count_unread (fds[1]);
  g_assert_cmpuint (written, >, 0);
  rest = gmcp_output_queue_steal (&queue);
  text = g_bytes_get_data (rest, &length);
  g_assert_cmpuint (length, ==, 8 * LARGE + 1 + 101 - written);
  g_assert_cmpint (text[0], ==, 'b');
  g_assert_cmpint (text[length - 102], ==, '\n');
  g_assert_cmpint (text[length - 101], ==, 'c');
  /* Nothing of it is kept. */
  g_assert_true (gmcp_output_queue_is_empty (&queue));
  g_assert_null (queue.data);
  gmcp_output_queue_clear (&queue);
  g_string_free (small, TRUE);
  close (fds[1]);
}

static void
test_empty_part (void)
{
  g_autoptr (GArray) parts = gmcp_json_parts_new ();
  GmcpOutgoing message = { .text = "{}", .length = 2 };
  g_autoptr (GBytes) all = NULL;
  g_autoptr (GError) error = NULL;
  GmcpOutputQueue queue = make_queue ();

  gmcp_json_parts_add (parts, 0, g_bytes_new_static ("", 0));
  gmcp_json_parts_add (parts, 2, g_bytes_new_static ("", 0));
  message.parts = (gconstpointer) parts->data;
  message.n_parts = parts->len;
  gmcp_output_queue_append (&queue, &message, &error);
  g_assert_no_error (error);
  all = gmcp_output_queue_steal (&queue);
  g_assert_cmpmem (g_bytes_get_data (all, NULL), g_bytes_get_size (all), "{}\n", 3);
  gmcp_output_queue_clear (&queue);
}

/* What is kept of a part counts, not only what is left of it. */
static void
test_part_limited (void)
{
  GString *large = make_text ('a', 8 * LARGE);
  GString *small = make_text ('b', 1000);
  GmcpOutgoing message = { .text = small->str, .length = small->len };
  g_autofree char *read_text = g_malloc (LARGE);
  g_autoptr (GError) error = NULL;
  GmcpOutputQueue queue;
  gsize got = 0;
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  gmcp_output_queue_init (&queue, fds[0]);
  queue.limits.max_bytes = 500;
  append (&queue, &large);
  while (gmcp_output_queue_flush (&queue) == GMCP_FLUSH_BLOCKED)
    {
      g_assert_false (gmcp_output_queue_append (&queue, &message, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
      g_clear_error (&error);
      got += (gsize) read (fds[1], read_text, LARGE);
    }
  g_assert_cmpuint (got + count_unread (fds[1]), ==, 8 * LARGE + 1);
  g_assert_true (gmcp_output_queue_append (&queue, &message, NULL));
  gmcp_output_queue_clear (&queue);
  g_string_free (small, TRUE);
  close (fds[1]);
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

/* What is written of a part is still kept, and so is charged for, until all of it is written. */
static void
test_part_charged (void)
{
  g_autoptr (GmcpByteBudget) budget = gmcp_byte_budget_new (8 * LARGE, NULL);
  g_autofree char *read_text = g_malloc (LARGE);
  g_autoptr (GString) refused = make_text ('b', LARGE);
  GmcpOutgoing message = { .text = refused->str, .length = refused->len };
  GString *large = make_text ('a', 8 * LARGE - 100);
  GmcpOutputQueue queue;
  GmcpOutputQueue other = make_queue ();
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  gmcp_output_queue_init (&queue, fds[0]);
  queue.limits.budget = other.limits.budget = budget;
  append (&queue, &large);

  while (gmcp_output_queue_flush (&queue) == GMCP_FLUSH_BLOCKED)
    {
      g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 8 * LARGE - 99);
      g_assert_false (gmcp_output_queue_append (&other, &message, NULL));
      g_assert_cmpint (read (fds[1], read_text, LARGE), >, 0);
    }
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 0);
  g_assert_true (gmcp_output_queue_append (&other, &message, NULL));
  gmcp_output_queue_clear (&other);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, 0);
  gmcp_output_queue_clear (&queue);
  close (fds[1]);
}

/* What is kept of many small messages is what the peer has not read yet. */
static void
test_shrinks (void)
{
  g_autoptr (GmcpByteBudget) budget = gmcp_byte_budget_new (8 * LARGE, NULL);
  g_autofree char *read_text = g_malloc (LARGE);
  GString *small = make_text ('a', 999);
  GmcpOutputQueue queue;
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  gmcp_output_queue_init (&queue, fds[0]);
  queue.limits.budget = budget;
  for (gsize length = 0; length + 1000 <= 8 * LARGE; length += 1000)
    append (&queue, &small);
  g_assert_cmpuint (gmcp_byte_budget_get_used (budget), ==, queue.end - queue.start);

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
  g_string_free (small, TRUE);
  close (fds[1]);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transport/output-queue/taken", test_taken);
  g_test_add_func ("/transport/output-queue/left", test_left);
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strconcat ("/transport/output-queue/mixed/", ways[i].name, NULL);

      g_test_add_data_func (path, &ways[i], test_mixed);
    }
  g_test_add_func ("/transport/output-queue/stolen", test_stolen);
  g_test_add_func ("/transport/output-queue/empty-part", test_empty_part);
  g_test_add_func ("/transport/output-queue/part-limited", test_part_limited);
  g_test_add_func ("/transport/output-queue/part-charged", test_part_charged);
  g_test_add_func ("/transport/output-queue/shrinks", test_shrinks);
  return g_test_run ();
}
