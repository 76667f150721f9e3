/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A host whose servers somebody else kills: killer-host CONFIG CALLS SECONDS SEED SETTINGS
 *
 * It says on standard output what it is about to do and waits for a line on standard input before the
 * next: storm (calls, while everything goes wrong), calm (everything has to work again), and worse (it
 * goes away while nothing works). The last line is a report in JSON. SETTINGS is a key file of GSettings. */

#include "host-calls.h"
#include "loop-watch.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>
#include <gio/gunixinputstream.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TURN_LIMIT_US    (50 * 1000)
#define BLOCKED_LIMIT_US (200 * 1000)
/* What GLib and the C library keep for the next time: names of properties, threads, arenas. */
#define HEAP_SLACK_BYTES (256 * 1024)

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static guint
count_fds (void)
{
  return count_entries ("/proc/self/fd");
}

static void
tell_fds (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);

      g_printerr ("  %s: %s\n", name, target != NULL ? target : "gone");
    }
}

static char *
dup_children (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  GString *pids = g_string_new (NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "children", NULL);
      g_autofree char *text = NULL;

      if (g_file_get_contents (path, &text, NULL, NULL))
        g_string_append (pids, text);
    }
  return g_string_free (pids, FALSE);
}

static gsize
get_heap_bytes (void)
{
  struct mallinfo2 info;

  malloc_trim (0);
  info = mallinfo2 ();
  return info.uordblks + info.hblkhd;
}

static gint64
read_status_kib (const char *key)
{
  g_autofree char *text = NULL;
  const char *found;

  g_file_get_contents ("/proc/self/status", &text, NULL, NULL);
  found = strstr (text, key);
  return found != NULL ? g_ascii_strtoll (found + strlen (key), NULL, 10) : 0;
}

static GDataInputStream *orders;

static void
on_order (GObject *object, GAsyncResult *result, gpointer data)
{
  char **line = data;

  *line = g_data_input_stream_read_line_finish (orders, result, NULL, NULL);
  if (*line == NULL)
    g_error ("nobody gives orders any more");
}

/* Says it and waits until the other process has seen to it. */
static void
announce (const char *phase)
{
  g_autofree char *line = NULL;

  g_print ("%s\n", phase);
  g_data_input_stream_read_line_async (orders, G_PRIORITY_DEFAULT, NULL, on_order, &line);
  while (line == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
on_notice (GmcpManager *manager, const char *server_id, GmcpNoticeLevel level, const char *message)
{
  g_printerr ("notice: %s: %s\n", server_id != NULL ? server_id : "-", message);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (object), result, &error))
    g_printerr ("close: %s\n", error->message);
  *(gboolean *) data = TRUE;
}

/* The file first, then the settings, which say how long a call may take. */
static void
open_manager (HostCalls *calls, const char *config, const char *settings)
{
  g_autoptr (GFile) file = g_file_new_for_path (config);
  g_autoptr (GmcpConfigSource) file_source
    = GMCP_CONFIG_SOURCE (gmcp_file_config_source_new (file));
  g_autoptr (GSettingsBackend) backend = g_keyfile_settings_backend_new (settings, "/", NULL);
  g_autoptr (GmcpConfigSource) settings_source
    = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", backend, NULL);

  calls->manager = gmcp_manager_new ();
  g_signal_connect (calls->manager, "notice", G_CALLBACK (on_notice), NULL);
  gmcp_manager_add_source (calls->manager, file_source);
  gmcp_manager_add_source (calls->manager, settings_source);
}

static void
close_manager (HostCalls *calls)
{
  gint64 begun_us = g_get_monotonic_time ();
  gboolean closed = FALSE;

  gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (calls->manager), NULL, on_closed, &closed);
  if (!host_wait_until (closed, 30000))
    {
      host_calls_fail (calls, "the manager did not close within 30 s");
      return;
    }
  host_calls_drain (calls);
  g_printerr ("closed after %" G_GINT64_FORMAT " ms\n",
              (g_get_monotonic_time () - begun_us) / 1000);

  g_object_add_weak_pointer (G_OBJECT (calls->manager), (gpointer *) &calls->manager);
  g_object_unref (calls->manager);
  if (!host_wait_until (calls->manager == NULL, 5000))
    host_calls_fail (calls, "somebody holds the manager: %u references",
                     G_OBJECT (calls->manager)->ref_count);
}

static void
check_leaks (HostCalls *calls, guint fds_before, gsize heap_before)
{
  g_autofree char *children = NULL;
  gsize heap;

  /* Threads that write logs end by themselves. */
  if (!host_wait_until (count_fds () <= fds_before, 10000))
    {
      host_calls_fail (calls, "%u file descriptors, %u before:", count_fds (), fds_before);
      tell_fds ();
    }
  children = dup_children ();
  if (*children != '\0')
    host_calls_fail (calls, "children are left: %s", children);
  heap = get_heap_bytes ();
  if (heap > heap_before + HEAP_SLACK_BYTES)
    host_calls_fail (calls, "%" G_GSIZE_FORMAT " bytes are in use, %" G_GSIZE_FORMAT " before",
                     heap, heap_before);
}

static void
tell_report (HostCalls *calls, const LoopWatchReport *loop, gsize heap_before)
{
  GHashTableIter iter;
  gpointer key, value;

  g_print ("{\"calls\": %u, \"cancelled\": %u, \"worst_call_ms\": %" G_GINT64_FORMAT
           ", \"turns\": %" G_GUINT64_FORMAT ", \"worst_turn_us\": %" G_GINT64_FORMAT
           ", \"worst_blocked_us\": %" G_GINT64_FORMAT ", \"heap_grown\": %" G_GSSIZE_FORMAT
           ", \"peak_kib\": %" G_GINT64_FORMAT ", \"wrong\": %u, \"errors\": {",
           calls->n_ended, calls->n_cancelled, calls->worst_us / 1000, loop->n_turns,
           loop->worst_turn_us, loop->worst_blocked_us, (gssize) (get_heap_bytes () - heap_before),
           read_status_kib ("VmHWM:"), calls->n_failures);
  g_hash_table_iter_init (&iter, calls->errors);
  for (const char *comma = ""; g_hash_table_iter_next (&iter, &key, &value); comma = ", ")
    g_print ("%s\"%s\": %u", comma, (char *) key, GPOINTER_TO_UINT (value));
  g_print ("}}\n");
}

static gboolean
spin (gpointer data)
{
  clock_t until = clock () + 2 * TURN_LIMIT_US / (G_USEC_PER_SEC / CLOCKS_PER_SEC);

  while (clock () < until)
    continue;
  return G_SOURCE_REMOVE;
}

static gboolean
stand_still (gpointer data)
{
  g_usleep (BLOCKED_LIMIT_US * 3 / 2);
  return G_SOURCE_REMOVE;
}

/* That the watch sees what it is for. */
static void
check_watch (HostCalls *calls)
{
  static const GSourceFunc funcs[] = { spin, stand_still };
  LoopWatchReport report = { 0 };

  g_printerr ("What follows up to the next line is a trial:\n");
  loop_watch_start (TURN_LIMIT_US, BLOCKED_LIMIT_US);
  for (gsize i = 0; i < G_N_ELEMENTS (funcs); i++)
    {
      g_autoptr (GSource) source = g_idle_source_new ();

      g_source_set_callback (source, funcs[i], NULL, NULL);
      g_source_attach (source, NULL);
      host_wait_until (g_source_is_destroyed (source), 10000);
    }
  host_wait_a_little ();
  loop_watch_stop (&report);
  if (report.n_long_turns != 1 || report.n_blocked != 1)
    host_calls_fail (calls,
                     "the watch saw %u long turns and %u calls that stood still, not one of each",
                     report.n_long_turns, report.n_blocked);
  g_printerr ("The trial is over.\n");
}

int
main (int argc, char *argv[])
{
  g_autoptr (GInputStream) input = NULL;
  LoopWatchReport loop = { 0 };
  HostCalls calls = { 0 };
  guint fds_before;
  gsize heap_before;
  int seconds;

  if (argc != 6)
    return 2;
  /* A disk that is full by a limit of ours says so with a signal. */
  signal (SIGXFSZ, SIG_IGN);
  setvbuf (stdout, NULL, _IOLBF, 0);
  seconds = atoi (argv[3]);
  host_calls_read (&calls, argv[2], (guint32) g_ascii_strtoull (argv[4], NULL, 10));
  input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  orders = g_data_input_stream_new (input);

  check_watch (&calls);
  /* Once without trouble: what is made only once is there then. */
  open_manager (&calls, argv[1], argv[5]);
  host_calls_try_all (&calls, 60000);
  close_manager (&calls);
  host_wait_until (FALSE, 1000);
  fds_before = count_fds ();
  heap_before = get_heap_bytes ();
  if (calls.n_failures > 0)
    return 1;

  loop_watch_start (TURN_LIMIT_US, BLOCKED_LIMIT_US);
  open_manager (&calls, argv[1], argv[5]);
  announce ("storm");
  host_calls_begin (&calls);
  host_wait_until (FALSE, seconds * 1000);
  calls.calling = FALSE;
  host_calls_drain (&calls);

  announce ("calm");
  host_calls_try_all (&calls, 120000);

  announce ("worse");
  host_calls_begin (&calls);
  host_wait_until (FALSE, 1000);
  calls.calling = FALSE;
  close_manager (&calls);
  loop_watch_stop (&loop);
  check_leaks (&calls, fds_before, heap_before);
  if (loop.n_long_turns > 0)
    host_calls_fail (&calls, "%u turns of the main loop took more than %d ms of processor time",
                     loop.n_long_turns, TURN_LIMIT_US / 1000);
  if (loop.n_blocked > 0)
    host_calls_fail (&calls, "the main thread stood still %u times for more than %d ms",
                     loop.n_blocked, BLOCKED_LIMIT_US / 1000);

  tell_report (&calls, &loop, heap_before);
  g_object_unref (orders);
  host_calls_clear (&calls);
  return calls.n_failures > 0 ? 1 : 0;
}
