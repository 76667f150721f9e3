/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The traffic of bench-client.c over HTTP through libsoup alone: the same request, its answer read
 * and looked at. Connections are kept, as they are only for what is called idempotent.
 *
 * soup-client WORK N URL; WORK is calls or sequential */

#include <libsoup/soup.h>

#include "bench-http.h"

typedef struct
{
  GMainLoop *loop;
  SoupSession *session;
  GUri *uri;
  GBytes *call;
  guint wanted;
  guint in_flight;
  guint sent;
  guint answered;
} Bench;

static void send_calls (Bench *bench);

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bench *bench = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) body
    = soup_session_send_and_read_finish (SOUP_SESSION (source), result, &error);
  gsize length = 0;
  const char *text = body != NULL ? g_bytes_get_data (body, &length) : NULL;

  if (text == NULL || g_strstr_len (text, (gssize) length, BENCH_TEXT) == NULL)
    {
      g_printerr ("call: %s\n", error != NULL ? error->message : "a wrong answer");
      exit (1);
    }
  if (++bench->answered == bench->wanted)
    g_main_loop_quit (bench->loop);
  else
    send_calls (bench);
}

static void
send_calls (Bench *bench)
{
  while (bench->sent < bench->wanted && bench->sent - bench->answered < bench->in_flight)
    {
      g_autoptr (SoupMessage) message = soup_message_new_from_uri ("POST", bench->uri);

      soup_message_headers_append (soup_message_get_request_headers (message), "Accept",
                                   "application/json, text/event-stream");
      soup_message_headers_append (soup_message_get_request_headers (message),
                                   "MCP-Protocol-Version", "2025-11-25");
      soup_message_set_request_body_from_bytes (message, "application/json", bench->call);
      soup_message_add_flags (message, SOUP_MESSAGE_IDEMPOTENT);
      bench->sent++;
      soup_session_send_and_read_async (bench->session, message, G_PRIORITY_DEFAULT, NULL,
                                        on_answer, bench);
    }
}

static void
run_calls (Bench *bench, guint n)
{
  bench->wanted = n;
  bench->sent = bench->answered = 0;
  send_calls (bench);
  g_main_loop_run (bench->loop);
}

int
main (int argc, char *argv[])
{
  Bench bench = { NULL };
  guint n;
  double cpu, wall;

  if (argc != 4)
    return 2;
  n = (guint) g_ascii_strtoull (argv[2], NULL, 10);
  bench.loop = g_main_loop_new (NULL, FALSE);
  bench.in_flight = g_str_equal (argv[1], "calls") ? BENCH_IN_FLIGHT : 1;
  bench.session = soup_session_new_with_options ("max-conns", BENCH_IN_FLIGHT + 1,
                                                 "max-conns-per-host", BENCH_IN_FLIGHT, NULL);
  bench.uri = g_uri_parse (argv[3], SOUP_HTTP_URI_FLAGS, NULL);
  bench.call = g_bytes_new_static (BENCH_HTTP_CALL, sizeof BENCH_HTTP_CALL - 1);

  run_calls (&bench, 1000);
  cpu = bench_cpu_us ();
  wall = bench_wall_us ();
  run_calls (&bench, n);
  bench_report (n, bench_cpu_us () - cpu, bench_wall_us () - wall, 0);
  return 0;
}
