/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The library through its public API.
 *
 * bench-client WORK N ERA SERVER [ARG…], or with a URL for SERVER; WORK is calls, sequential, text, image, list, start or
 * servers (N servers connected, for the memory they take); ERA is modern or legacy */

#include <gmcp/gmcp.h>

#include "bench-report.h"

typedef struct
{
  GMainLoop *loop;
  GmcpClient *client;
  JsonNode *arguments;
  const char *tool;
  guint wanted;
  guint in_flight;
  guint sent;
  guint answered;
} Bench;

static void
fail (const char *what, const GError *error)
{
  g_printerr ("%s: %s\n", what, error != NULL ? error->message : "a wrong answer");
  exit (1);
}

static void on_called (GObject *source, GAsyncResult *result, gpointer user_data);

static void
send_calls (Bench *bench)
{
  while (bench->sent < bench->wanted && bench->sent - bench->answered < bench->in_flight)
    {
      bench->sent++;
      gmcp_client_call_tool_async (bench->client, bench->tool, bench->arguments, NULL, NULL,
                                   on_called, bench);
    }
}

/* Each answer is read, as a host would, and compared. */
static void
check_answer (Bench *bench, GmcpToolResult *result)
{
  if (bench->tool[0] == 'e')
    {
      if (g_strcmp0 (gmcp_tool_result_get_text (result), BENCH_TEXT) != 0)
        fail ("echo", NULL);
    }
  else if (bench->tool[0] == 't')
    {
      const char *text = gmcp_tool_result_get_text (result);

      /* Where it ends is looked at, and no more: the others know their texts' lengths as well. */
      if (text == NULL || text[0] != 'a' || text[BENCH_LARGE_BYTES - 1] == '\0'
          || text[BENCH_LARGE_BYTES] != '\0')
        fail ("text", NULL);
    }
  else
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) data
        = gmcp_content_dup_data (gmcp_tool_result_get_content (result, 0), &error);

      if (data == NULL || g_bytes_get_size (data) != BENCH_LARGE_BYTES / 4 * 3)
        fail ("image", error);
    }
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) answer
    = gmcp_client_call_tool_finish (GMCP_CLIENT (source), result, &error);

  if (answer == NULL)
    fail ("call", error);
  check_answer (bench, answer);
  if (++bench->answered == bench->wanted)
    g_main_loop_quit (bench->loop);
  else
    send_calls (bench);
}

static void
run_calls (Bench *bench, guint n, guint in_flight)
{
  bench->wanted = n;
  bench->in_flight = in_flight;
  bench->sent = bench->answered = 0;
  send_calls (bench);
  g_main_loop_run (bench->loop);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GListModel) tools
    = gmcp_client_list_tools_finish (GMCP_CLIENT (source), result, &error);

  if (tools == NULL || g_list_model_get_n_items (tools) < 2)
    fail ("list", error);
  g_main_loop_quit (bench->loop);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_client_open_finish (GMCP_CLIENT (source), result, &error))
    fail ("open", error);
  g_main_loop_quit (bench->loop);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;

  g_main_loop_quit (bench->loop);
}

static GmcpTransport *
make_transport (char *argv[])
{
  const char *const environment[] = { "BENCH=1", NULL };
  GmcpStdioTransport *transport;

  if (g_str_has_prefix (argv[0], "http"))
    return GMCP_TRANSPORT (gmcp_http_transport_new (argv[0]));

  transport = gmcp_stdio_transport_new ((const char *const *) argv);
  gmcp_stdio_transport_set_environment (transport, environment);
  gmcp_stdio_transport_set_cwd (transport, "/");
  return GMCP_TRANSPORT (transport);
}

static GmcpClient *
open_client (Bench *bench, const char *era, char *argv[])
{
  GmcpTransport *transport = make_transport (argv);
  GmcpClient *client = gmcp_client_new (transport);

  gmcp_client_set_era (client, era[0] == 'm' ? GMCP_ERA_MODERN : GMCP_ERA_LEGACY);
  gmcp_client_open_async (client, NULL, on_opened, bench);
  g_main_loop_run (bench->loop);
  g_object_unref (transport);
  return client;
}

static void
close_client (Bench *bench, GmcpClient *client)
{
  gmcp_client_close_async (client, NULL, on_closed, bench);
  g_main_loop_run (bench->loop);
  g_object_unref (client);
}

static void
set_call (Bench *bench, const char *tool, const char *arguments)
{
  bench->tool = tool;
  g_clear_pointer (&bench->arguments, json_node_unref);
  bench->arguments = json_from_string (arguments, NULL);
}

static void
run_starts (Bench *bench, guint n, const char *era, char *argv[])
{
  double wall = 0;

  bench_take_ballast ();
  set_call (bench, "echo", "{\"text\":\"" BENCH_TEXT "\"}");
  for (guint i = 0; i < n; i++)
    {
      double before = bench_wall_us ();

      bench->client = open_client (bench, era, argv);
      run_calls (bench, 1, 1);
      wall += bench_wall_us () - before;
      close_client (bench, bench->client);
    }
  bench_report (n, 0, wall, 0);
}

/* What one of the helpers that stand between this process and its servers takes: its share of the
 * pages, since they have the program's text in common. */
static long
helper_kib (void)
{
  g_autofree char *children = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ());
  g_autofree char *pids = NULL;
  g_autofree char *path = NULL;
  g_autofree char *rollup = NULL;
  const char *pss;

  if (!g_file_get_contents (children, &pids, NULL, NULL))
    return -1;
  path = g_strdup_printf ("/proc/%d/smaps_rollup", atoi (pids));
  if (!g_file_get_contents (path, &rollup, NULL, NULL))
    return -1;
  pss = strstr (rollup, "\nPss:");
  return pss != NULL ? strtol (pss + 5, NULL, 10) : -1;
}

static void
run_servers (Bench *bench, guint n, const char *era, char *argv[])
{
  g_autoptr (GPtrArray) clients = g_ptr_array_new ();

  set_call (bench, "echo", "{\"text\":\"" BENCH_TEXT "\"}");
  for (guint i = 0; i < n; i++)
    {
      bench->client = open_client (bench, era, argv);
      run_calls (bench, 1, 1);
      g_ptr_array_add (clients, bench->client);
    }
  printf ("{\"cpu_us\":0,\"rss_kib\":%ld,\"helper_kib\":%ld}\n", bench_status_kib ("VmRSS"),
          helper_kib ());
  fflush (stdout);
  for (guint i = 0; i < n; i++)
    close_client (bench, g_ptr_array_index (clients, i));
}

static void
run_list (Bench *bench, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      gmcp_client_list_tools_async (bench->client, NULL, on_listed, bench);
      g_main_loop_run (bench->loop);
    }
}

static const struct
{
  const char *name;
  const char *tool;
  const char *arguments;
  guint in_flight;
} works[] = {
  { "calls", "echo", "{\"text\":\"" BENCH_TEXT "\"}", BENCH_IN_FLIGHT },
  { "sequential", "echo", "{\"text\":\"" BENCH_TEXT "\"}", 1 },
  { "text", "text", "{\"size\":10000000}", 1 },
  { "image", "image", "{\"size\":10000000}", 1 },
  { "list", NULL, "{}", 0 },
};

static int
run_work (Bench *bench, const char *name, guint n, const char *era, char *argv[])
{
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      double cpu, wall;
      long base;

      if (!g_str_equal (works[i].name, name))
        continue;

      bench->client = open_client (bench, era, argv);
      set_call (bench, works[i].tool, works[i].arguments);
      if (works[i].in_flight > 1)
        run_calls (bench, 1000, works[i].in_flight);
      base = bench_status_kib ("VmRSS");
      cpu = bench_cpu_us ();
      wall = bench_wall_us ();
      if (works[i].tool != NULL)
        run_calls (bench, n, works[i].in_flight);
      else
        run_list (bench, n);
      bench_report (n, bench_cpu_us () - cpu, bench_wall_us () - wall, base);
      close_client (bench, bench->client);
      return 0;
    }
  return 2;
}

int
main (int argc, char *argv[])
{
  Bench bench = { NULL };
  guint n;

  if (argc < 5)
    return 2;
  n = (guint) g_ascii_strtoull (argv[2], NULL, 10);
  bench.loop = g_main_loop_new (NULL, FALSE);
  if (g_str_equal (argv[1], "start"))
    run_starts (&bench, n, argv[3], argv + 4);
  else if (g_str_equal (argv[1], "servers"))
    run_servers (&bench, n, argv[3], argv + 4);
  else
    return run_work (&bench, argv[1], n, argv[3], argv + 4);
  return 0;
}
