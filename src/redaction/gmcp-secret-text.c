/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/redaction/gmcp-secret-text.h>

#include <string.h>

#include "gmcp-credentials-private.h"
#include "gmcp-redactor-private.h"

static void
on_credential (const char *credential, gsize length, gpointer found)
{
  *(gboolean *) found = TRUE;
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

static gboolean
ends_value (char c)
{
  return (guint8) c <= ' ' || strchr ("\"'`,;&|<>(){}[]", c) != NULL;
}

/* The “=”, “:” or “:=” of “name=value”, or the space of “--name value”, is at this place; quotes may stand around
 * either. */
static gboolean
is_secret_at (const char *text, const char *sign)
{
  const char *name_end = sign;
  const char *name;
  const char *value = sign + 1;
  gsize length;
  g_autofree char *whole = NULL;

  if (*sign == '=' && name_end > text && name_end[-1] == ':')
    name_end--;
  while (name_end > text && strchr ("\"'", name_end[-1]) != NULL)
    name_end--;
  for (name = name_end; name > text && is_name_char (name[-1]);)
    name--;
  if (*sign == ' ' && *name != '-')
    return FALSE;
  while (*value != '\0' && strchr (" \"'=", *value) != NULL)
    value++;
  for (length = 0; !ends_value (value[length]);)
    length++;
  if (length == 0 || *value == '$' || *value == '@')
    return FALSE;

  whole = g_strndup (value, length);
  return gmcp_redactor_is_secret_name (name, (gsize) (name_end - name))
         || (*sign != ' ' && gmcp_redactor_looks_random (whole));
}

/**
 * gmcp_text_has_secret:
 * @text: any text
 *
 * Whether there is something in the text that looks as if it were to be kept to oneself: the value
 * behind a name such as “password”, “token” or “API_KEY”, the credentials of a header or a URL, a word
 * made like the keys of known services, a value that no person would have made up. For what a program
 * keeps of what its user typed, such as a history.
 *
 * Some texts without a secret look like that as well, and a secret that is a common word does not.
 *
 * Returns: %TRUE if it is better not to keep the text
 *
 * Since: 0.1
 */
gboolean
gmcp_text_has_secret (const char *text)
{
  gboolean found = FALSE;

  g_return_val_if_fail (text != NULL, FALSE);

  gmcp_credentials_find (text, strlen (text), 1, on_credential, &found);
  for (const char *at = text; !found && (at = strpbrk (at, "=: ")) != NULL; at++)
    found = is_secret_at (text, at);
  return found;
}
