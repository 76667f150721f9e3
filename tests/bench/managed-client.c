/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Calls through a manager, with its rules, counters and audit log, through the public API.
 *
 * managed-client N audit|no-audit|shared SERVER [ARG…]; one call after the other. shared: without the audit log, and it
 * has to be another program that has the process. The environment variable GMCP_BENCH_TOOL names another tool than
 * echo__echo, as a gateway has it; with GMCP_BENCH_BYTES each answer is a text of that size. */

#include <gmcp/gmcp.h>

#include "bench-config.h"
#include "bench-report.h"

#include "../unit/fixtures/set-file.h"

typedef struct
{
  GMainLoop *loop;
  GmcpToolProvider *provider;
  const char *tool;
  char *arguments;
  gsize n_bytes; /* of each answer */
  guint left;
} Bench;

static void
fail (const char *what, const GError *error)
{
  g_printerr ("%s: %s\n", what, error != NULL ? error->message : "a wrong answer");
  exit (1);
}

static void on_called (GObject *source, GAsyncResult *result, gpointer user_data);

static void
call (Bench *bench)
{
  gmcp_tool_provider_call_tool_json_async (bench->provider, bench->tool, bench->arguments, NULL,
                                           NULL, on_called, bench);
}

static gboolean
is_right (Bench *bench, GmcpToolResult *answer)
{
  const char *text = gmcp_tool_result_get_text (answer);

  return text != NULL && strlen (text) == bench->n_bytes
         && (bench->n_bytes > sizeof BENCH_TEXT || strcmp (text, BENCH_TEXT) == 0);
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) answer
    = gmcp_tool_provider_call_tool_finish (bench->provider, result, &error);

  if (answer == NULL || !is_right (bench, answer))
    fail ("call", error);
  if (--bench->left > 0)
    call (bench);
  else
    g_main_loop_quit (bench->loop);
}

static void
run_calls (Bench *bench, guint n)
{
  bench->left = n;
  call (bench);
  g_main_loop_run (bench->loop);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_main_loop_quit (user_data);
}

static void
choose_call (Bench *bench)
{
  const char *tool = g_getenv ("GMCP_BENCH_TOOL");
  const char *n_bytes = g_getenv ("GMCP_BENCH_BYTES");

  bench->tool = tool != NULL ? tool : "echo__echo";
  bench->n_bytes
    = n_bytes != NULL ? (gsize) g_ascii_strtoull (n_bytes, NULL, 10) : strlen (BENCH_TEXT);
  bench->arguments = n_bytes != NULL ? g_strdup_printf ("{\"size\":%s}", n_bytes)
                                     : g_strdup ("{\"text\":\"" BENCH_TEXT "\"}");
}

int
main (int argc, char *argv[])
{
  g_autofree char *config = NULL;
  g_autoptr (GmcpManager) manager = NULL;
  Bench bench = { 0 };
  double cpu, wall;
  guint n;

  if (argc < 4)
    return 2;
  n = (guint) atoi (argv[1]);
  config = bench_write_config (1, argv + 3);
  manager = gmcp_manager_new ();
  gmcp_manager_set_audit (manager, argv[2][0] == 'a');
  set_file (manager, "config-file", config);
  bench.loop = g_main_loop_new (NULL, FALSE);
  bench.provider = GMCP_TOOL_PROVIDER (manager);
  choose_call (&bench);

  /* The start is not counted. */
  run_calls (&bench, MIN (n, 100));
  if (argv[2][0] == 's'
      && !gmcp_managed_server_is_shared (gmcp_manager_get_server (manager, "echo")))
    fail ("not shared", NULL);
  cpu = bench_cpu_us ();
  wall = bench_wall_us ();
  run_calls (&bench, n);
  bench_report (n, bench_cpu_us () - cpu, bench_wall_us () - wall, 0);

  gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (manager), NULL, on_closed, bench.loop);
  g_main_loop_run (bench.loop);
  g_main_loop_unref (bench.loop);
  bench_remove_config (config);
  g_free (bench.arguments);
  return 0;
}
