/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-redactor-config-private.h"

#include <gio/gio.h>
#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-limits.h"

/* Which parts of a server's configuration are secrets. It does not say so itself: a variable may hold a
 * token as well as a path, and what is taken for a secret by mistake makes a log hard to read. */

/* The value that a pattern stands for is told when it is known. */
static void
add_named (GmcpRedactor *self, const char *name, gsize length, const char *value)
{
  if (!gmcp_config_is_pattern (value))
    gmcp_redactor_add_named (self, name, length, value);
}

static void
add_environment (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *const *environment = gmcp_server_config_get_environment (config);

  for (gsize i = 0; environment != NULL && environment[i] != NULL; i++)
    {
      const char *equals = strchr (environment[i], '=');

      if (equals != NULL)
        add_named (self, environment[i], (gsize) (equals - environment[i]), equals + 1);
    }
}

static void
add_headers (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *const *headers = gmcp_server_config_get_headers (config);

  for (gsize i = 0; headers != NULL && headers[i] != NULL && headers[i + 1] != NULL; i += 2)
    {
      g_autofree char *line = g_strconcat (headers[i], ": ", headers[i + 1], NULL);

      add_named (self, headers[i], strlen (headers[i]), headers[i + 1]);
      gmcp_redactor_add_parts (self, line);
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

      gmcp_redactor_add_parts (self, word);
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

  gmcp_redactor_add_parts (self, url);
  uri = g_uri_parse (url, G_URI_FLAGS_PARSE_RELAXED, NULL);
  if (uri == NULL)
    return;

  add_path (self, g_uri_get_path (uri));
  /* A name and a password are sent together, in Base64. */
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
