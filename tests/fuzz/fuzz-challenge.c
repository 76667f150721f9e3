/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whatever a WWW-Authenticate field says, what comes out can be written down as a field again, and
 * that gives the same. */

#include "config.h"

#include <string.h>

#include "gmcp-http-challenge-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
append_quoted (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, '"');
}

static void
append_challenge (GString *out, const GmcpHttpChallenge *challenge)
{
  g_autoptr (GList) names
    = g_list_sort (g_hash_table_get_keys (challenge->params), (GCompareFunc) strcmp);

  if (out->len > 0)
    g_string_append (out, ", ");
  g_string_append (out, challenge->scheme);
  if (challenge->token != NULL)
    g_string_append_printf (out, " %s", challenge->token);

  for (const GList *l = names; l != NULL; l = l->next)
    {
      const char *value = g_hash_table_lookup (challenge->params, l->data);

      if (!g_utf8_validate (l->data, -1, NULL) || !g_utf8_validate (value, -1, NULL))
        g_error ("A parameter that is no UTF-8 came out");
      g_string_append (out, l == names ? " " : ", ");
      g_string_append_printf (out, "%s=", (const char *) l->data);
      append_quoted (out, value);
    }
}

static char *
write_down (const char *field)
{
  g_autoptr (GPtrArray) challenges = gmcp_http_challenges_parse (field);
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < challenges->len; i++)
    {
      const GmcpHttpChallenge *challenge = g_ptr_array_index (challenges, i);

      if (*challenge->scheme == '\0')
        g_error ("A challenge without a scheme came out");
      if (gmcp_http_challenges_find (challenges, challenge->scheme) == NULL)
        g_error ("A challenge is not found by its scheme");
      append_challenge (out, challenge);
    }

  return g_strdup (out->str);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *field = NULL;
  g_autofree char *once = NULL;
  g_autofree char *twice = NULL;

  if (size > 1024)
    return 0;

  field = g_strndup ((const char *) data, size);
  once = write_down (field);
  twice = write_down (once);
  if (strcmp (once, twice) != 0)
    g_error ("“%s” became “%s”", once, twice);

  return 0;
}
