/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The limit of what a client can do: requests written and answers read over the same pipes, nothing
 * parsed but the ends of lines.
 *
 * bare-client WORK N [unix:PATH] SERVER [ARG…]
 *
 * WORK is calls, sequential, text, image, list or start, for servers that take calls of neither era; or, to
 * measure a server, modern, modern-one, legacy or legacy-one. With unix:PATH the server, which is started all
 * the same, is spoken to over that socket. */

#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "bench-report.h"

static int to_server, from_server;
static int server_input = -1; /* whose end ends the server, where it is spoken to over a socket */
static pid_t pid;
static char *in;
static size_t in_length, in_size;

static void
start (char *const argv[])
{
  int input[2], output[2];
  posix_spawn_file_actions_t actions;

  if (pipe (input) != 0 || pipe (output) != 0)
    abort ();
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, input[0], 0);
  posix_spawn_file_actions_adddup2 (&actions, output[1], 1);
  posix_spawn_file_actions_addclose (&actions, input[1]);
  posix_spawn_file_actions_addclose (&actions, output[0]);
  if (posix_spawn (&pid, argv[0], &actions, NULL, argv, environ) != 0)
    abort ();
  posix_spawn_file_actions_destroy (&actions);
  close (input[0]);
  close (output[1]);
  to_server = input[1];
  from_server = output[0];
}

/* The server makes the socket when it is ready. */
static void
use_socket (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  snprintf (address.sun_path, sizeof address.sun_path, "%s", path);
  for (unsigned i = 0; connect (fd, (struct sockaddr *) &address, sizeof address) != 0; i++)
    {
      if (i == 1000)
        abort ();
      usleep (10000);
    }
  server_input = to_server;
  close (from_server);
  to_server = from_server = fd;
}

static void
stop (void)
{
  close (to_server);
  if (from_server != to_server)
    close (from_server);
  if (server_input >= 0)
    close (server_input);
  waitpid (pid, NULL, 0);
}

static void
send_all (const char *text, size_t length)
{
  while (length > 0)
    {
      ssize_t n = write (to_server, text, length);

      if (n <= 0)
        abort ();
      text += n;
      length -= (size_t) n;
    }
}

/* Reads once; gives the number of lines that are complete, and drops them. */
static unsigned
receive (void)
{
  unsigned lines = 0;
  char *start_of_line, *newline, *fresh;
  ssize_t n;

  if (in_length == in_size)
    {
      in_size = in_size == 0 ? 64 * 1024 : in_size * 2;
      in = realloc (in, in_size);
      if (in == NULL)
        abort ();
    }
  n = read (from_server, in + in_length, in_size - in_length);
  if (n <= 0)
    abort ();

  start_of_line = in;
  fresh = in + in_length;
  in_length += (size_t) n;
  while ((newline = memchr (fresh, '\n', (size_t) (in + in_length - fresh))) != NULL)
    {
      lines++;
      start_of_line = fresh = newline + 1;
    }
  in_length -= (size_t) (start_of_line - in);
  if (start_of_line != in && in_length > 0)
    memmove (in, start_of_line, in_length);
  return lines;
}

static void
run_calls (unsigned n, const char *call, unsigned in_flight)
{
  unsigned sent = 0, answered = 0;

  while (answered < n)
    {
      char batch[BENCH_IN_FLIGHT * 1024];
      size_t length = 0;

      for (; sent < n && sent - answered < in_flight; sent++)
        length += (size_t) snprintf (batch + length, sizeof batch - length,
                                     "{\"jsonrpc\":\"2.0\",\"id\":%u,%s}\n", sent, call);
      send_all (batch, length);
      answered += receive ();
    }
}

#define CALL(tool, arguments)                                                                      \
  "\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\",\"arguments\":{" arguments "}}"
#define CALL_LEGACY CALL ("echo", "\"text\":\"" BENCH_TEXT "\"")
#define CALL_MODERN                                                                                \
  "\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"" BENCH_TEXT  \
  "\"}," BENCH_META "}"

static void
initialize (void)
{
  static const char initialized[]
    = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

  run_calls (1, BENCH_INITIALIZE, 1);
  send_all (initialized, sizeof initialized - 1);
}

static const struct
{
  const char *name;
  const char *call;
  unsigned in_flight;
  int warm_up;
  int initializes;
} works[] = {
  { "calls", CALL ("echo", "\"text\":\"" BENCH_TEXT "\""), BENCH_IN_FLIGHT },
  { "sequential", CALL ("echo", "\"text\":\"" BENCH_TEXT "\""), 1 },
  { "text", CALL ("text", "\"size\":10000000"), 1 },
  { "image", CALL ("image", "\"size\":10000000"), 1 },
  { "list", "\"method\":\"tools/list\",\"params\":{}", 1 },
  { "modern", CALL_MODERN, BENCH_IN_FLIGHT, 1 },
  { "modern-one", CALL_MODERN, 1, 1 },
  { "legacy", CALL_LEGACY, BENCH_IN_FLIGHT, 1, 1 },
  { "legacy-one", CALL_LEGACY, 1, 1, 1 },
};

static int
run_starts (unsigned n, const char *call, char *const argv[])
{
  double wall = 0;

  bench_take_ballast ();
  for (unsigned i = 0; i < n; i++)
    {
      double before = bench_wall_us ();

      start (argv);
      run_calls (1, call, 1);
      wall += bench_wall_us () - before;
      stop ();
    }
  bench_report (n, 0, wall, 0);
  return 0;
}

static void
report (double calls, double cpu_us, double wall_us, double server_us, long base_kib)
{
  printf ("{\"cpu_us\":%.3f,\"wall_us\":%.3f,\"server_us\":%.3f,\"rss_kib\":%ld,\"peak_kib\":%ld,"
          "\"base_kib\":%ld}\n",
          cpu_us / calls, wall_us / calls, server_us / calls, bench_status_kib ("VmRSS"),
          bench_status_kib ("VmHWM"), base_kib);
}

static void
run_work (size_t work, unsigned n)
{
  long base;
  double cpu, wall, server;

  if (works[work].initializes)
    initialize ();
  run_calls (works[work].warm_up ? 2000 : 1, works[work].call, works[work].in_flight);
  base = bench_status_kib ("VmRSS");
  cpu = bench_cpu_us ();
  wall = bench_wall_us ();
  server = bench_cpu_us_of (pid);
  run_calls (n, works[work].call, works[work].in_flight);
  report (n, bench_cpu_us () - cpu, bench_wall_us () - wall, bench_cpu_us_of (pid) - server, base);
}

int
main (int argc, char *argv[])
{
  unsigned n;
  char **server = argv + 3;

  if (argc < 4)
    return 2;
  n = (unsigned) strtoul (argv[2], NULL, 10);
  if (strcmp (argv[1], "start") == 0)
    return run_starts (n, works[0].call, server);
  if (strcmp (argv[1], "start-modern") == 0)
    return run_starts (n, CALL_MODERN, server);

  for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
    if (strcmp (argv[1], works[i].name) == 0)
      {
        const char *path = strncmp (*server, "unix:", 5) == 0 ? *server++ + 5 : NULL;

        start (server);
        if (path != NULL)
          use_socket (path);
        run_work (i, n);
        stop ();
        return 0;
      }
  return 2;
}
