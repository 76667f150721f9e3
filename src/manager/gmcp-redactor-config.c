/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-redactor-private.h"

#include <gio/gio.h>
#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-credentials-private.h"
#include "gmcp-limits.h"

/* Which parts of a server's configuration are secrets. It does not say so itself: a variable may hold a
 * token as well as a path, and what is taken for a secret by mistake makes a log hard to read. */

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

/* As a key or a password made by a machine does: no word is so long and has digits in it. */
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

/* What is a secret within a text by what is around it. */
static void
add_parts (GmcpRedactor *self, const char *text)
{
  gmcp_credentials_find (text, strlen (text), GMCP_LIMIT_SECRET_MIN_BYTES, on_credential, self);
}

void
gmcp_redactor_add_named (GmcpRedactor *self, const char *name, gsize length, const char *value)
{
  /* The value that it stands for is told when it is known. */
  if (gmcp_config_is_pattern (value))
    return;

  add_parts (self, value);
  if (gmcp_redactor_is_secret_name (name, length) || gmcp_redactor_looks_random (value))
    gmcp_redactor_add_secret (self, value);
  else if (strlen (value) >= GMCP_LIMIT_SECRET_SURE_BYTES && !is_everyday_value (value))
    gmcp_redactor_add_doubtful (self, value);
}

static void
add_environment (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *const *environment = gmcp_server_config_get_environment (config);

  for (gsize i = 0; environment != NULL && environment[i] != NULL; i++)
    {
      const char *equals = strchr (environment[i], '=');

      if (equals != NULL)
        gmcp_redactor_add_named (self, environment[i], (gsize) (equals - environment[i]),
                                 equals + 1);
    }
}

static void
add_headers (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *const *headers = gmcp_server_config_get_headers (config);

  for (gsize i = 0; headers != NULL && headers[i] != NULL && headers[i + 1] != NULL; i += 2)
    {
      g_autofree char *line = g_strconcat (headers[i], ": ", headers[i + 1], NULL);

      gmcp_redactor_add_named (self, headers[i], strlen (headers[i]), headers[i + 1]);
      add_parts (self, line);
    }
}

/* As keys are made: no name of a package or file has so many kinds of letters in one word. */
static gboolean
is_key (const char *word)
{
  gboolean has_digit = FALSE, has_upper = FALSE, has_lower = FALSE;
  gsize n;

  for (n = 0; g_ascii_isalnum (word[n]) || word[n] == '_'; n++)
    {
      has_digit |= g_ascii_isdigit (word[n]);
      has_upper |= g_ascii_isupper (word[n]);
      has_lower |= g_ascii_islower (word[n]);
    }
  return word[n] == '\0' && n >= 20 && has_digit && has_upper && has_lower;
}

/* “--token XYZ”, beside what is in a word by itself. */
static void
add_arguments (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);

  for (gsize i = 0; argv != NULL && argv[i] != NULL && argv[i + 1] != NULL; i++)
    {
      const char *word = argv[i + 1];

      add_parts (self, word);
      if (is_key (word))
        gmcp_redactor_add_secret (self, word);
      if (*word == '-' && strpbrk (word, "=: ") == NULL && argv[i + 2] != NULL
          && gmcp_redactor_is_secret_name (word, strlen (word))
          && !gmcp_config_is_pattern (argv[i + 2]))
        gmcp_redactor_add_secret (self, argv[i + 2]);
    }
}

/* Some services take a key as a part of the path. */
static void
add_path (GmcpRedactor *self, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (gsize i = 0; parts[i] != NULL; i++)
    if (gmcp_redactor_looks_random (parts[i]))
      gmcp_redactor_add_secret (self, parts[i]);
}

static void
add_url (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *url = gmcp_server_config_get_url (config);
  g_autoptr (GUri) uri = NULL;

  if (url == NULL)
    return;

  add_parts (self, url);
  uri = g_uri_parse (url, G_URI_FLAGS_PARSE_RELAXED, NULL);
  if (uri == NULL)
    return;

  add_path (self, g_uri_get_path (uri));
  /* With the name it is what is sent, in Base64. */
  if (g_uri_get_userinfo (uri) != NULL && strchr (g_uri_get_userinfo (uri), ':') != NULL)
    gmcp_redactor_add_secret (self, g_uri_get_userinfo (uri));
}

void
gmcp_redactor_add_config (GmcpRedactor *self, GmcpServerConfig *config)
{
  add_environment (self, config);
  add_headers (self, config);
  add_arguments (self, config);
  add_url (self, config);
}
