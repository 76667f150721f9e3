/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whatever an authorization server says of a token: it is one of a user, or none, or not understood. */

#include "config.h"

#include <string.h>

#include "gmcp-token-answer-private.h"
#include "gmcp-token-request-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_good (const GmcpTokenAnswer *answer)
{
  if (!gmcp_token_is_user (answer->user))
    g_error ("“%s” came out as a user", answer->user);
  if (answer->expires_s < 0)
    g_error ("A time before 1970 came out");
  for (guint i = 0; answer->scopes[i] != NULL; i++)
    if (!gmcp_token_is_scope (answer->scopes[i]))
      g_error ("“%s” came out as a scope", answer->scopes[i]);
  for (guint i = 0; answer->audience[i] != NULL; i++)
    if (!g_utf8_validate (answer->audience[i], -1, NULL))
      g_error ("An audience came out that is no text");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTokenAnswer) answer = gmcp_token_answer_parse (
    (const char *) data, size, size % 2 == 0 ? "https://a" : NULL, &error);

  if (answer != NULL && error != NULL)
    g_error ("An answer came out beside an error");
  if (answer != NULL)
    check_good (answer);
  return 0;
}
