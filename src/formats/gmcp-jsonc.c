/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-document-private.h"

static char *
skip_string (char *p, char *end)
{
  for (p++; p < end && *p != '"' && *p != '\n'; p++)
    {
      if (*p == '\\' && p + 1 < end)
        p++;
    }
  return p < end ? p + 1 : end;
}

/* The end of the comment that starts at p; NULL where none does, and for one without an end, which
 * then is an error of the JSON. */
static char *
find_comment_end (char *p, char *end)
{
  char *stop;

  if (end - p < 2 || p[0] != '/')
    return NULL;
  if (p[1] == '/')
    {
      stop = memchr (p, '\n', end - p);
      return stop != NULL ? stop : end;
    }
  if (p[1] != '*')
    return NULL;

  stop = memmem (p + 2, end - p - 2, "*/", 2);
  return stop != NULL ? stop + 2 : NULL;
}

static void
blank_out (char *p, char *end)
{
  for (; p < end; p++)
    {
      if (*p != '\n' && *p != '\r')
        *p = ' ';
    }
}

void
gmcp_jsonc_relax_json (char *text, gsize length)
{
  char *end = text + length;
  char *comma = NULL; /* the last, while nothing but blanks came since */
  char before = '\0'; /* what stood before it */
  char last = '\0';
  char *p = text;

  while (p < end)
    {
      char *stop = find_comment_end (p, end);

      if (stop != NULL)
        {
          blank_out (p, stop);
          p = stop;
          continue;
        }
      if (strchr (" \t\r\n", *p) != NULL && *p != '\0')
        {
          p++;
          continue;
        }

      /* [,] is wrong all the same. */
      if (comma != NULL && (*p == ']' || *p == '}') && strchr ("[{,:", before) == NULL)
        *comma = ' ';
      comma = *p == ',' ? p : NULL;
      before = last;
      last = *p;
      p = *p == '"' ? skip_string (p, end) : p + 1;
    }
}
