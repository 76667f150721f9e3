/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What servers of a manager take, through the public API.
 *
 * managed-servers WORK N SERVER [ARG…]; WORK is stopped or running (N servers that are not started, or all are, for the memory they
 * take), list (the tools of N servers of which none is started, as they were kept when all ran) or first-call (N times the first
 * call of a server, from a host of a gigabyte) */

#include <gmcp/gmcp.h>
#include <malloc.h>

#include "bench-config.h"
#include "bench-report.h"

#include "../unit/fixtures/set-file.h"

typedef struct
{
  GMainLoop *loop;
  GmcpManager *manager;
} Bench;

static void
fail (const char *what, const GError *error)
{
  g_printerr ("%s: %s\n", what, error != NULL ? error->message : "a wrong answer");
  exit (1);
}

/* What is allocated and not freed, exactly; the resident set depends on what lies next to what. */
static double
heap_bytes (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return (double) info.uordblks + (double) info.hblkhd;
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_manager_load_config_finish (bench->manager, result, &error))
    fail ("configuration", error);
  g_main_loop_quit (bench->loop);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (source), result, &error))
    fail ("list", error);
  g_main_loop_quit (bench->loop);
}

static void
on_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) report = gmcp_manager_start_all_finish (bench->manager, result, &error);

  if (report == NULL)
    fail ("start", error);
  g_main_loop_quit (bench->loop);
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) answer
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (source), result, &error);

  if (answer == NULL || g_strcmp0 (gmcp_tool_result_get_text (answer), BENCH_TEXT) != 0)
    fail ("call", error);
  g_main_loop_quit (bench->loop);
}

static void
on_stopped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_managed_server_stop_finish (GMCP_MANAGED_SERVER (source), result, &error))
    fail ("stop", error);
  g_main_loop_quit (bench->loop);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_main_loop_quit (user_data);
}

static void
load (Bench *bench)
{
  gmcp_manager_load_config_async (bench->manager, NULL, on_loaded, bench);
  g_main_loop_run (bench->loop);
}

static void
start_all (Bench *bench)
{
  gmcp_manager_start_all_async (bench->manager, NULL, on_started, bench);
  g_main_loop_run (bench->loop);
}

static void
list (Bench *bench)
{
  gmcp_tool_provider_load_async (GMCP_TOOL_PROVIDER (bench->manager), NULL, on_listed, bench);
  g_main_loop_run (bench->loop);
}

static void
call (Bench *bench)
{
  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (bench->manager), "echo__echo",
                                           "{\"text\":\"" BENCH_TEXT "\"}", NULL, NULL, on_called,
                                           bench);
  g_main_loop_run (bench->loop);
}

static void
stop (Bench *bench)
{
  gmcp_managed_server_stop_async (gmcp_manager_get_server (bench->manager, "echo"), NULL,
                                  on_stopped, bench);
  g_main_loop_run (bench->loop);
}

static void
report (double wall_us, double n_bytes, guint n_tools)
{
  printf ("{\"cpu_us\":%.3f,\"wall_us\":%.3f,\"heap_bytes\":%.0f,\"tools\":%u}\n", bench_cpu_us (),
          wall_us, n_bytes, n_tools);
}

static void
run_work (Bench *bench, const char *work)
{
  double before = heap_bytes ();
  double wall = bench_wall_us ();

  if (g_str_equal (work, "list"))
    {
      list (bench);
    }
  else
    {
      load (bench);
      if (g_str_equal (work, "running"))
        start_all (bench);
    }
  report (
    bench_wall_us () - wall, heap_bytes () - before,
    g_list_model_get_n_items (gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (bench->manager))));
}

static void
run_first_calls (Bench *bench, guint n)
{
  double wall = 0;

  /* The one that makes the server's tools known. */
  call (bench);
  stop (bench);
  bench_take_ballast ();
  for (guint i = 0; i < n; i++)
    {
      double before = bench_wall_us ();

      call (bench);
      wall += bench_wall_us () - before;
      stop (bench);
    }
  bench_report (n, 0, wall, 0);
}

int
main (int argc, char *argv[])
{
  gboolean first_calls = argc > 1 && g_str_equal (argv[1], "first-call");
  g_autofree char *config = NULL;
  Bench bench = { 0 };
  guint n;

  if (argc < 4)
    return 2;
  n = (guint) atoi (argv[2]);
  config = bench_write_config (first_calls ? 1 : n, argv + 3);
  bench.loop = g_main_loop_new (NULL, FALSE);
  bench.manager = gmcp_manager_new ();
  set_file (bench.manager, "config-file", config);

  if (first_calls)
    run_first_calls (&bench, n);
  else
    run_work (&bench, argv[1]);

  gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (bench.manager), NULL, on_closed, bench.loop);
  g_main_loop_run (bench.loop);
  g_object_unref (bench.manager);
  g_main_loop_unref (bench.loop);
  bench_remove_config (config);
  return 0;
}
