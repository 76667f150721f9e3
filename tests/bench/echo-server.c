/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The counterpart of every benchmark over stdio: a server that costs as little as it can.
 *
 * echo-server [--tools N] [--legacy] */

#include "echo-answer.h"

#include <errno.h>

static Buffer in;

static void
flush_out (void)
{
  size_t done = 0;

  while (done < out.length)
    {
      ssize_t n = write (1, out.data + done, out.length - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        exit (0);
      done += (size_t) n;
    }
  out.length = 0;
}

static void
answer_lines (void)
{
  size_t start = 0;
  char *newline;

  while ((newline = memchr (in.data + start, '\n', in.length - start)) != NULL)
    {
      answer (in.data + start, (size_t) (newline - in.data) - start);
      start = (size_t) (newline - in.data) + 1;
    }
  if (start > 0)
    memmove (in.data, in.data + start, in.length - start);
  in.length -= start;
}

int
main (int argc, char *argv[])
{
  for (int i = 1; i < argc; i++)
    {
      if (strcmp (argv[i], "--tools") == 0 && i + 1 < argc)
        n_tools = (unsigned) strtoul (argv[++i], NULL, 10);
      else if (strcmp (argv[i], "--legacy") == 0)
        legacy_only = 1;
    }

  for (;;)
    {
      ssize_t n;

      reserve (&in, 64 * 1024);
      n = read (0, in.data + in.length, in.size - in.length);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return 0;
      in.length += (size_t) n;
      answer_lines ();
      flush_out ();
    }
}
