/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The counterpart of the benchmarks over HTTP: Streamable HTTP that costs as little as it can. Prints
 * its port on 127.0.0.1, and serves until its standard input ends.
 *
 * http-server [--sse] [--tools N] [--legacy]; --sse answers tools/call by a stream of events */

#include "echo-answer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#define MAX_CONNECTIONS 4096

static Buffer in[MAX_CONNECTIONS]; /* by descriptor */
static Buffer reply;
static int by_events;

static void
add (const char *text, size_t length)
{
  reserve (&reply, length);
  memcpy (reply.data + reply.length, text, length);
  reply.length += length;
}

#define ADD(literal) add (literal, sizeof (literal) - 1)

static void
add_chunk_head (size_t length)
{
  char text[32];

  add (text, (size_t) snprintf (text, sizeof text, "%zx\r\n", length));
}

static void
add_content_length (size_t length)
{
  char text[64];

  add (text, (size_t) snprintf (text, sizeof text, "Content-Length: %zu\r\n\r\n", length));
}

static void
answer_request (const char *head, const char *message, size_t length)
{
  static const char event[] = "event: message\ndata: ";

  out.length = 0;
  if (head[0] == 'P')
    answer (message, length);
  if (head[0] == 'G')
    ADD ("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n");
  else if (out.length == 0)
    ADD ("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
  else if (by_events && find (message, length, "\"tools/call\"") != NULL)
    {
      ADD ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
           "Transfer-Encoding: chunked\r\n\r\n");
      add_chunk_head (sizeof event - 1 + out.length + 1);
      ADD (event);
      add (out.data, out.length);
      ADD ("\n\r\n0\r\n\r\n");
    }
  else
    {
      ADD ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n");
      add_content_length (out.length - 1);
      add (out.data, out.length - 1);
    }
}

static size_t
content_length (const char *head, size_t length)
{
  for (const char *line = head;
       (line = find (line, (size_t) (head + length - line), "\n")) != NULL;)
    {
      if (strncasecmp (++line, "content-length:", 15) == 0)
        return strtoul (line + 15, NULL, 10);
    }
  return 0;
}

static void
answer_requests (int fd)
{
  Buffer *buffer = &in[fd];
  size_t start = 0;

  reply.length = 0;
  for (;;)
    {
      const char *head = buffer->data + start;
      const char *end = find (head, buffer->length - start, "\r\n\r\n");
      size_t head_length, length;

      if (end == NULL)
        break;
      head_length = (size_t) (end + 4 - head);
      length = content_length (head, head_length);
      if (buffer->length - start < head_length + length)
        break;
      answer_request (head, head + head_length, length);
      start += head_length + length;
    }

  if (start > 0)
    memmove (buffer->data, buffer->data + start, buffer->length - start);
  buffer->length -= start;
}

/* Answers are small here, or their reader is fast: a write may block. */
static int
write_reply (int fd)
{
  for (size_t done = 0; done < reply.length;)
    {
      ssize_t n = send (fd, reply.data + done, reply.length - done, MSG_NOSIGNAL);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return 0;
      done += (size_t) n;
    }
  return 1;
}

static void
serve (int fd)
{
  ssize_t n;

  reserve (&in[fd], 64 * 1024);
  n = recv (fd, in[fd].data + in[fd].length, in[fd].size - in[fd].length, 0);
  if (n < 0 && errno == EINTR)
    return;
  if (n > 0)
    {
      in[fd].length += (size_t) n;
      answer_requests (fd);
    }
  if (n <= 0 || !write_reply (fd))
    {
      close (fd);
      in[fd].length = 0;
    }
}

static void
watch (int epoll, int fd)
{
  struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

  if (epoll_ctl (epoll, EPOLL_CTL_ADD, fd, &event) != 0)
    abort ();
}

static void
take_connection (int epoll, int listener)
{
  const int on = 1;
  int fd = accept4 (listener, NULL, NULL, SOCK_CLOEXEC);

  if (fd < 0)
    return;
  if (fd >= MAX_CONNECTIONS)
    {
      close (fd);
      return;
    }
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  watch (epoll, fd);
}

static int
start_listening (void)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t length = sizeof address;
  int listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  if (listener < 0 || bind (listener, (struct sockaddr *) &address, length) != 0
      || listen (listener, 512) != 0
      || getsockname (listener, (struct sockaddr *) &address, &length) != 0)
    abort ();
  printf ("%u\n", ntohs (address.sin_port));
  fflush (stdout);
  return listener;
}

int
main (int argc, char *argv[])
{
  int epoll = epoll_create1 (EPOLL_CLOEXEC);
  int listener;

  for (int i = 1; i < argc; i++)
    {
      if (strcmp (argv[i], "--tools") == 0 && i + 1 < argc)
        n_tools = (unsigned) strtoul (argv[++i], NULL, 10);
      else if (strcmp (argv[i], "--legacy") == 0)
        legacy_only = 1;
      else if (strcmp (argv[i], "--sse") == 0)
        by_events = 1;
    }

  listener = start_listening ();
  watch (epoll, listener);
  watch (epoll, STDIN_FILENO);
  for (;;)
    {
      struct epoll_event events[256];
      int n = epoll_wait (epoll, events, 256, -1);

      for (int i = 0; i < n; i++)
        {
          if (events[i].data.fd == STDIN_FILENO)
            return 0;
          if (events[i].data.fd == listener)
            take_connection (epoll, listener);
          else
            serve (events[i].data.fd);
        }
    }
}
