/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The limit of what a client over HTTP can do: requests written and answers read on kept connections,
 * nothing parsed but the ends of answers.
 *
 * bare-http-client WORK N http://127.0.0.1:PORT/… [modern | legacy]
 *
 * WORK is calls or sequential. Without an era the request is of none, for servers that take that. A server of the
 * legacy era may have sessions or none. */

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
static char request[4096];
static char *request_id; /* its last two digits */
static unsigned port;
static size_t request_length;
static int epoll;

static void
open_connection (Connection *self)
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
  long number = self - connections;

  /* Requests of one session that run have different ids. */
  if (request_id != NULL)
    {
      request_id[0] = (char) ('0' + number / 10);
      request_id[1] = (char) ('0' + number % 10);
    }
  self->length = 0;
  if (send (self->fd, request, request_length, 0) != (ssize_t) request_length)
    abort ();
}

static const char *
find_field (const Connection *self, const char *name)
{
  size_t length = strlen (name);
  const char *end = memmem (self->data, self->length, "\r\n\r\n", 4);

  for (const char *line = self->data;
       end != NULL && (line = memchr (line, '\n', (size_t) (end - line))) != NULL;)
    if (strncasecmp (++line, name, length) == 0)
      return line + length;
  return NULL;
}

static int
is_complete (const Connection *self)
{
  static const char last[] = "\r\n0\r\n\r\n";
  const char *end = memmem (self->data, self->length, "\r\n\r\n", 4);
  const char *field;

  if (end == NULL)
    return 0;
  field = find_field (self, "content-length:");
  if (field != NULL)
    return self->length >= (size_t) (end + 4 - self->data) + strtoul (field, NULL, 10);
  return memcmp (self->data + self->length - (sizeof last - 1), last, sizeof last - 1) == 0;
}

/* A server may end the connection with its answer. */
static void
reopen_if_closed (Connection *self)
{
  const char *field = find_field (self, "connection: ");

  if (field == NULL || strncasecmp (field, "close", 5) != 0)
    return;
  close (self->fd);
  open_connection (self);
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
          reopen_if_closed (self);
          if (sent < n)
            {
              sent++;
              send_request (self);
            }
        }
    }
}

static void
write_request (const char *headers, const char *body)
{
  request_length
    = (size_t) snprintf (request, sizeof request,
                         "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n%s%s"
                         "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                         port, BENCH_HTTP_ACCEPT, headers, strlen (body), body);
  if (request_length >= sizeof request)
    abort ();
  request_id = strstr (request, "\"id\":100,");
  if (request_id != NULL)
    request_id += strlen ("\"id\":1");
}

/* The calls name the session from then on, where the server has one. */
static void
begin_session (void)
{
  Connection *self = &connections[0];
  char headers[512] = "MCP-Protocol-Version: 2025-11-25\r\n";
  size_t length = strlen (headers);
  const char *id;

  write_request ("", "{\"jsonrpc\":\"2.0\",\"id\":0," BENCH_INITIALIZE "}");
  send_request (self);
  while (!is_complete (self))
    {
      ssize_t got = recv (self->fd, self->data + self->length, sizeof self->data - self->length, 0);

      if (got <= 0)
        abort ();
      self->length += (size_t) got;
    }
  id = find_field (self, "mcp-session-id: ");
  if (id != NULL)
    snprintf (headers + length, sizeof headers - length, "Mcp-Session-Id: %.*s\r\n",
              (int) strcspn (id, "\r\n"), id);
  reopen_if_closed (self);
  write_request (headers, BENCH_HTTP_CALL);
}

int
main (int argc, char *argv[])
{
  const char *era = argc > 4 ? argv[4] : "";
  unsigned in_flight, n;
  double cpu, wall;

  if (argc < 4 || sscanf (argv[3], "http://127.0.0.1:%u", &port) != 1)
    return 2;
  in_flight = strcmp (argv[1], "calls") == 0 ? BENCH_IN_FLIGHT : 1;
  n = (unsigned) strtoul (argv[2], NULL, 10);

  epoll = epoll_create1 (0);
  for (unsigned i = 0; i < in_flight; i++)
    open_connection (&connections[i]);
  if (strcmp (era, "modern") == 0)
    write_request (
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n",
      BENCH_HTTP_MODERN_CALL);
  else if (strcmp (era, "legacy") == 0)
    begin_session ();
  else
    write_request ("", BENCH_HTTP_CALL);

  run_calls (MIN_OF (n, 1000), in_flight);
  cpu = bench_cpu_us ();
  wall = bench_wall_us ();
  run_calls (n, in_flight);
  bench_report (n, bench_cpu_us () - cpu, bench_wall_us () - wall, 0);
  return 0;
}
