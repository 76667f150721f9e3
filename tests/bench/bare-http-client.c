/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The limit of what a client over HTTP can do: requests written and answers read on kept connections,
 * nothing parsed but the ends of answers.
 *
 * bare-http-client WORK N http://127.0.0.1:PORT/…; WORK is calls or sequential */

#include "bench-http.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

typedef struct
{
  int fd;
  size_t length;
  char data[8192];
} Connection;

static Connection connections[BENCH_IN_FLIGHT];
static char request[2048];
static size_t request_length;
static int epoll;

static void
open_connection (Connection *self, unsigned port)
{
  const int on = 1;
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons ((uint16_t) port) };
  struct epoll_event event = { .events = EPOLLIN, .data.ptr = self };

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  self->fd = socket (AF_INET, SOCK_STREAM, 0);
  if (self->fd < 0 || connect (self->fd, (struct sockaddr *) &address, sizeof address) != 0
      || setsockopt (self->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0
      || epoll_ctl (epoll, EPOLL_CTL_ADD, self->fd, &event) != 0)
    abort ();
}

static void
send_request (Connection *self)
{
  self->length = 0;
  if (send (self->fd, request, request_length, 0) != (ssize_t) request_length)
    abort ();
}

static int
is_complete (const Connection *self)
{
  static const char last[] = "\r\n0\r\n\r\n";
  const char *end = memmem (self->data, self->length, "\r\n\r\n", 4);
  const char *field;

  if (end == NULL)
    return 0;
  field = memmem (self->data, (size_t) (end - self->data), "Content-Length: ", 16);
  if (field != NULL)
    return self->length >= (size_t) (end + 4 - self->data) + strtoul (field + 16, NULL, 10);
  return memcmp (self->data + self->length - (sizeof last - 1), last, sizeof last - 1) == 0;
}

static void
run_calls (unsigned n, unsigned in_flight)
{
  unsigned sent = 0, answered = 0;

  for (; sent < in_flight && sent < n; sent++)
    send_request (&connections[sent]);
  while (answered < n)
    {
      struct epoll_event events[BENCH_IN_FLIGHT];
      int n_ready = epoll_wait (epoll, events, BENCH_IN_FLIGHT, -1);

      for (int i = 0; i < n_ready; i++)
        {
          Connection *self = events[i].data.ptr;
          ssize_t got
            = recv (self->fd, self->data + self->length, sizeof self->data - self->length, 0);

          if (got <= 0)
            abort ();
          self->length += (size_t) got;
          if (!is_complete (self))
            continue;
          if (memmem (self->data, self->length, BENCH_TEXT, sizeof BENCH_TEXT - 1) == NULL)
            abort ();
          answered++;
          if (sent < n)
            {
              sent++;
              send_request (self);
            }
        }
    }
}

int
main (int argc, char *argv[])
{
  unsigned in_flight, n, port;
  double cpu, wall;

  if (argc != 4 || sscanf (argv[3], "http://127.0.0.1:%u", &port) != 1)
    return 2;
  in_flight = strcmp (argv[1], "calls") == 0 ? BENCH_IN_FLIGHT : 1;
  n = (unsigned) strtoul (argv[2], NULL, 10);

  epoll = epoll_create1 (0);
  for (unsigned i = 0; i < in_flight; i++)
    open_connection (&connections[i], port);
  request_length
    = (size_t) snprintf (request, sizeof request,
                         "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n%s"
                         "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                         port, BENCH_HTTP_ACCEPT, sizeof BENCH_HTTP_CALL - 1, BENCH_HTTP_CALL);
  run_calls (MIN_OF (n, 1000), in_flight);
  cpu = bench_cpu_us ();
  wall = bench_wall_us ();
  run_calls (n, in_flight);
  bench_report (n, bench_cpu_us () - cpu, bench_wall_us () - wall, 0);
  return 0;
}
