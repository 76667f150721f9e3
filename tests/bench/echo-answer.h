/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the servers of the benchmarks answer, in both eras. They know the shape of what well-behaved
 * clients send and parse nothing that they do not need; they are no model for a server.
 *
 * Tools: echo {text} gives the text back; text {size}, which is echo without a text, and image {size} give that many
 * bytes. */

#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  char *data;
  size_t length;
  size_t size;
} Buffer;

/* The answers, each with a line end. */
static Buffer out;
static unsigned n_tools = 1;
static int legacy_only;

/* The body of a large answer, kept between calls. */
static Buffer body;
static char body_kind;

static void
reserve (Buffer *buffer, size_t more)
{
  if (buffer->length + more <= buffer->size)
    return;
  buffer->size = (buffer->length + more) * 2;
  buffer->data = realloc (buffer->data, buffer->size);
  if (buffer->data == NULL)
    abort ();
}

static void
put (const char *text, size_t length)
{
  reserve (&out, length);
  memcpy (out.data + out.length, text, length);
  out.length += length;
}

#define PUT(literal) put (literal, sizeof (literal) - 1)

static const char *
find (const char *text, size_t length, const char *what)
{
  return memmem (text, length, what, strlen (what));
}

/* The id's own bytes, wherever a client puts it. */
static int
find_id (const char *line, size_t length, const char **id, size_t *id_length)
{
  static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
  const char *p = NULL, *end = line + length;

  if (length > sizeof head && memcmp (line, head, sizeof head - 1) == 0)
    p = line + sizeof head - 1;
  else
    for (const char *at = line; (at = find (at, (size_t) (end - at), "\"id\":")) != NULL; at += 5)
      p = at + 5;
  if (p == NULL)
    return 0;

  *id = p;
  if (*p == '"')
    for (p++; p < end && *p != '"'; p++)
      ;
  while (p < end && *p != ',' && *p != '}')
    p++;
  *id_length = (size_t) (p - *id);
  return 1;
}

static void
start_result (const char *id, size_t id_length)
{
  PUT ("{\"jsonrpc\":\"2.0\",\"id\":");
  put (id, id_length);
  PUT (",\"result\":{\"resultType\":\"complete\",");
}

static size_t
find_size (const char *line, size_t length)
{
  const char *size = find (line, length, "\"size\":");

  return size != NULL ? strtoul (size + 7, NULL, 10) : 0;
}

static void
make_body (char kind, size_t size)
{
  if (body_kind == kind && body.length == size)
    return;

  body.length = 0;
  reserve (&body, size);
  for (size_t i = 0; i < size; i++)
    body.data[i] = kind == 't' ? (char) ('a' + i % 26) : "ABCDwxyz0189+/ef"[i * 7 % 16];
  body_kind = kind;
  body.length = size;
}

static void
answer_call (const char *line, size_t length, const char *id, size_t id_length)
{
  const char *echoed = find (line, length, "\"text\":\"");

  if (find (line, length, "\"name\":\"text\"") != NULL
      || (echoed == NULL && find (line, length, "\"name\":\"echo\"") != NULL))
    {
      make_body ('t', find_size (line, length));
      start_result (id, id_length);
      PUT ("\"content\":[{\"type\":\"text\",\"text\":\"");
      put (body.data, body.length);
    }
  else if (find (line, length, "\"name\":\"image\"") != NULL)
    {
      make_body ('i', find_size (line, length) / 4 * 4);
      start_result (id, id_length);
      PUT ("\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"");
      put (body.data, body.length);
    }
  else
    {
      const char *text = echoed != NULL ? echoed + 8 : line + length;
      const char *end;

      end = memchr (text, '"', (size_t) (line + length - text));
      start_result (id, id_length);
      PUT ("\"content\":[{\"type\":\"text\",\"text\":\"");
      put (text, end != NULL ? (size_t) (end - text) : 0);
    }
  PUT ("\"}]}}\n");
}

static void
answer_list (const char *id, size_t id_length)
{
  start_result (id, id_length);
  PUT ("\"ttlMs\":0,\"cacheScope\":\"private\",\"tools\":[{\"name\":\"echo\",\"inputSchema\":"
       "{\"type\":\"object\"}}");
  for (unsigned i = 1; i < n_tools; i++)
    {
      char tool[1024];
      int n = snprintf (
        tool, sizeof tool,
        ",{\"name\":\"tool_%u\",\"description\":\"Does the work number %u of the many that there are\","
        "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
        "\"path\":{\"type\":\"string\",\"description\":\"The path of the file that is read, in full\"},"
        "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,\"default\":100},"
        "\"mode\":{\"type\":\"string\",\"enum\":[\"fast\",\"exact\",\"careful\"]},"
        "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"maxLength\":64}}},"
        "\"required\":[\"path\",\"mode\"],\"additionalProperties\":false,"
        "\"$comment\":\"padding to the size of a common schema, as servers of files have\"}}",
        i, i);

      put (tool, (size_t) n);
    }
  PUT ("]}}\n");
}

static void
answer (const char *line, size_t length)
{
  const char *id = NULL;
  size_t id_length = 0;

  if (find (line, length, "\"method\":\"notifications/") != NULL
      || !find_id (line, length, &id, &id_length))
    return;

  if (find (line, length, "\"tools/call\"") != NULL)
    answer_call (line, length, id, id_length);
  else if (find (line, length, "\"tools/list\"") != NULL)
    answer_list (id, id_length);
  else if (!legacy_only && find (line, length, "\"server/discover\"") != NULL)
    {
      start_result (id, id_length);
      PUT ("\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},\"ttlMs\":0,"
           "\"cacheScope\":\"private\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"
           "{\"name\":\"echo\",\"version\":\"1\"}}}}\n");
    }
  else if (find (line, length, "\"initialize\"") != NULL)
    {
      start_result (id, id_length);
      PUT ("\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
           "\"serverInfo\":{\"name\":\"echo\",\"version\":\"1\"}}}\n");
    }
  else
    {
      PUT ("{\"jsonrpc\":\"2.0\",\"id\":");
      put (id, id_length);
      PUT (",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n");
    }
}
