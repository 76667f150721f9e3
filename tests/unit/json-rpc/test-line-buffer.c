/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gmcp-line-buffer-private.h"
#include "unit-test.h"

#define MAX_BYTES (64u * 1024 * 1024)

static void
fill (GmcpLineBuffer *buffer)
{
  for (gsize i = 0; i < buffer->size; i++)
    buffer->data[i] = (char) (i * 7 % 251);
}

static void
assert_filled (const GmcpLineBuffer *buffer, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      if (buffer->data[i] != (char) (i * 7 % 251))
        g_error ("byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " was not kept", i, length);
    }
}

static void
test_grows (void)
{
  GmcpLineBuffer buffer = { NULL, 0 };
  gsize size = 64 * 1024;

  g_test_summary ("what is in a buffer is kept when it grows, in whatever memory it is");
  gmcp_line_buffer_resize (&buffer, size, 0, MAX_BYTES);
  while (size < MAX_BYTES)
    {
      gsize before = buffer.size;

      fill (&buffer);
      size *= 2;
      gmcp_line_buffer_resize (&buffer, size, before, MAX_BYTES);
      g_assert_cmpuint (buffer.size, >=, size);
      assert_filled (&buffer, before);
    }
  gmcp_line_buffer_clear (&buffer);
  g_assert_null (buffer.data);
  g_assert_cmpuint (buffer.size, ==, 0);
}

static void
test_used_again (void)
{
  GmcpLineBuffer buffer = { NULL, 0 };
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GBytes) second = NULL;
  const char *text;

  g_test_summary ("a large buffer that is done with is the next one, and one that is kept is not");
  gmcp_line_buffer_resize (&buffer, 1024 * 1024, 0, MAX_BYTES);
  text = buffer.data;
  memset (buffer.data, 'a', buffer.size);
  first = gmcp_line_buffer_steal (&buffer, 10, 1000000);
  g_assert_null (buffer.data);
  g_assert_true (g_bytes_get_data (first, NULL) == text + 10);

  gmcp_line_buffer_resize (&buffer, 300000, 0, MAX_BYTES);
  g_assert_true (buffer.data != text);
  memset (buffer.data, 'b', buffer.size);
  second = gmcp_line_buffer_steal (&buffer, 0, 300000);
  g_assert_cmpint (((const char *) g_bytes_get_data (first, NULL))[0], ==, 'a');

  g_clear_pointer (&first, g_bytes_unref);
  gmcp_line_buffer_resize (&buffer, 300000, 0, MAX_BYTES);
  g_assert_true (buffer.data == text);
  g_assert_cmpuint (buffer.size, ==, 1024 * 1024);
  g_assert_cmpint (((const char *) g_bytes_get_data (second, NULL))[0], ==, 'b');
  gmcp_line_buffer_clear (&buffer);
}

static gsize
count_resident (const char *data, gsize size)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE);
  g_autofree unsigned char *pages = g_malloc (size / page);
  gsize n = 0;

  g_assert_cmpint (mincore ((gpointer) data, size, pages), ==, 0);
  for (gsize i = 0; i < size / page; i++)
    n += pages[i] & 1;
  return n * page;
}

static void
test_tail_dropped (void)
{
  GmcpLineBuffer buffer = { NULL, 0 };
  g_autoptr (GBytes) kept = NULL;
  const char *text;

  g_test_summary (
    "a message that is kept takes no more memory for a larger one that was before it");
  gmcp_line_buffer_resize (&buffer, 1024 * 1024, 0, MAX_BYTES);
  memset (buffer.data, 'a', buffer.size);
  gmcp_line_buffer_clear (&buffer);

  gmcp_line_buffer_resize (&buffer, 300000, 0, MAX_BYTES);
  memset (buffer.data, 'b', 300000);
  text = buffer.data;
  kept = gmcp_line_buffer_steal (&buffer, 0, 300000);
  g_assert_cmpuint (count_resident (text, 1024 * 1024), <=, 300000 + 64 * 1024);
  g_assert_cmpint (text[0], ==, 'b');
  g_assert_cmpint (text[299999], ==, 'b');
}

static void
test_too_small (void)
{
  GmcpLineBuffer taken = { NULL, 0 };
  GmcpLineBuffer small = { NULL, 0 };
  GmcpLineBuffer large = { NULL, 0 };
  const char *text;

  g_test_summary ("one that is too small waits for a message that it is large enough for");
  /* Whatever was left by other tests. */
  gmcp_line_buffer_resize (&taken, 300000, 0, MAX_BYTES);
  gmcp_line_buffer_resize (&small, 300000, 0, MAX_BYTES);
  g_assert_cmpuint (small.size, <, 1000000);
  text = small.data;
  gmcp_line_buffer_clear (&small);

  gmcp_line_buffer_resize (&large, 1000000, 0, MAX_BYTES);
  g_assert_true (large.data != text);
  g_assert_cmpuint (large.size, >=, 1000000);
  fill (&large);
  assert_filled (&large, large.size);

  gmcp_line_buffer_resize (&small, 300000, 0, MAX_BYTES);
  g_assert_true (small.data == text);
  gmcp_line_buffer_clear (&small);
  gmcp_line_buffer_clear (&large);
  gmcp_line_buffer_clear (&taken);
}

static gpointer
use_buffers (gpointer data)
{
  char mark = (char) GPOINTER_TO_INT (data);

  for (guint i = 0; i < 300; i++)
    {
      GmcpLineBuffer buffer = { NULL, 0 };
      g_autoptr (GBytes) stolen = NULL;

      gmcp_line_buffer_resize (&buffer, 256 * 1024 << i % 3, 0, MAX_BYTES);
      memset (buffer.data, mark, 300);
      stolen = gmcp_line_buffer_steal (&buffer, 0, 300);
      g_thread_yield ();
      for (guint j = 0; j < 300; j++)
        g_assert_cmpint (((const char *) g_bytes_get_data (stolen, NULL))[j], ==, mark);
    }
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[4];

  g_test_summary ("no two threads have the same buffer");
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("buffers", use_buffers, GINT_TO_POINTER ('a' + i));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-rpc/line-buffer/grows", test_grows);
  g_test_add_func ("/json-rpc/line-buffer/used-again", test_used_again);
  g_test_add_func ("/json-rpc/line-buffer/tail-dropped", test_tail_dropped);
  g_test_add_func ("/json-rpc/line-buffer/too-small", test_too_small);
  g_test_add_func ("/json-rpc/line-buffer/threads", test_threads);
  return g_test_run ();
}
