/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-json-text.h"

#include <string.h>

/* Behind the quotation mark that ends the text. */
static const char *
skip_text (const char *at)
{
  for (at++; *at != '"'; at++)
    at += *at == '\\';
  return at + 1;
}

char *
gmcpd_json_text_print (JsonNode *node)
{
  char *printed = json_to_string (node, FALSE);
  char *out = printed;
  const char *at = printed;
  gboolean in_exponent = FALSE;

  while (*at != '\0')
    {
      const char *start = at;

      if (in_exponent && strncmp (at, ".0", 2) == 0)
        {
          at += 2;
          continue;
        }
      at = *at == '"' ? skip_text (at) : at + 1;
      /* true and false have an e, too, but no number behind it. */
      in_exponent
        = *start == 'e'
          || (in_exponent && (g_ascii_isdigit (*start) || *start == '+' || *start == '-'));
      memmove (out, start, (gsize) (at - start));
      out += at - start;
    }
  *out = '\0';
  return printed;
}
