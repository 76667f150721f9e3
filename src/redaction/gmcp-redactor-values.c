/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-redactor-private.h"

#include <gio/gio.h>
#include <string.h>

#include "gmcp-credentials-private.h"
#include "gmcp-limits.h"

/* Paths, numbers, truth values and the addresses of this machine are in every second log line. */
static gboolean
is_everyday_value (const char *value)
{
  static const char *const words[]
    = { "true",      "false", "yes",     "none",    "null",       "info",
        "debug",     "warn",  "warning", "error",   "production", "development",
        "localhost", "stdio", "utf-8",   "C.UTF-8", NULL };

  for (gsize i = 0; words[i] != NULL; i++)
    if (g_ascii_strcasecmp (value, words[i]) == 0)
      return TRUE;

  return *value == '/' || strspn (value, "0123456789.:") == strlen (value)
         || g_str_equal (value, g_get_user_name ());
}

/* No word is so long and has digits in it. */
gboolean
gmcp_redactor_looks_random (const char *value)
{
  gsize n_digits = 0;
  gsize n = 0;

  for (; g_ascii_isalnum (value[n]) || (value[n] != '\0' && strchr ("-_+=.", value[n]) != NULL);
       n++)
    n_digits += g_ascii_isdigit (value[n]) != 0;
  return value[n] == '\0' && n >= 16 && n_digits > 0 && !is_everyday_value (value);
}

static void
on_credential (const char *credential, gsize length, gpointer data)
{
  GmcpRedactor *self = data;
  g_autofree char *secret = g_strndup (credential, length);
  g_autofree char *decoded = g_uri_unescape_string (secret, NULL);

  gmcp_redactor_add_secret (self, secret);
  if (decoded != NULL)
    gmcp_redactor_add_secret (self, decoded);
}

void
gmcp_redactor_add_parts (GmcpRedactor *self, const char *text)
{
  gmcp_credentials_find (text, strlen (text), GMCP_LIMIT_SECRET_MIN_BYTES, on_credential, self);
}

void
gmcp_redactor_add_named (GmcpRedactor *self, const char *name, gsize length, const char *value)
{
  gmcp_redactor_add_parts (self, value);
  if (gmcp_redactor_is_secret_name (name, length) || gmcp_redactor_looks_random (value))
    gmcp_redactor_add_secret (self, value);
  else if (strlen (value) >= GMCP_LIMIT_SECRET_SURE_BYTES && !is_everyday_value (value))
    gmcp_redactor_add_doubtful (self, value);
}
