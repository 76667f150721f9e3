/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whatever a line of a token file says: what is read of it can be written down, and says the same when it is read
 * again. The same bytes as an Authorization header give a token that could stand there, or none. */

#include "config.h"

#include <string.h>

#include "gmcp-http-bearer-private.h"
#include "gmcp-token-line-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_line (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTokenLine) line = gmcp_token_line_parse (text, length, &error);
  g_autoptr (GmcpTokenLine) again = NULL;
  g_autofree char *once = NULL;
  g_autofree char *twice = NULL;

  if (line == NULL)
    return;
  if (error != NULL)
    g_error ("A line came out beside an error");

  once = gmcp_token_line_to_text (line);
  again = gmcp_token_line_parse (once, strlen (once), &error);
  if (again == NULL)
    g_error ("“%s” is no line any more", once);
  twice = gmcp_token_line_to_text (again);
  if (strcmp (once, twice) != 0)
    g_error ("“%s” became “%s”", once, twice);
}

static void
check_header (const char *header)
{
  g_autofree char *token = NULL;
  g_autofree char *id = NULL;

  if (gmcp_http_bearer_read (header, &token) != GMCP_HTTP_CREDENTIALS_TOKEN)
    {
      if (token != NULL)
        g_error ("A token came out that is none");
      return;
    }
  if (*token == '\0' || strpbrk (token, " ,\"\\\t\r\n") != NULL)
    g_error ("“%s” came out as a token", token);
  id = gmcp_token_line_dup_id (token);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);

  check_line ((const char *) data, size);
  check_header (text);
  return 0;
}
