/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-redactor-private.h"

#include <gio/gio.h>
#include <string.h>

#include "gmcp-config-entry-private.h"
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

  return *value == '/' || strspn (value, "0123456789.:") == strlen (value);
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
add_named (GmcpRedactor *self, const char *name, gsize length, const char *value)
{
  /* The value that it stands for is told when it is known. */
  if (gmcp_config_is_pattern (value))
    return;
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
        add_named (self, environment[i], (gsize) (equals - environment[i]), equals + 1);
    }
}

static void
add_headers (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *const *headers = gmcp_server_config_get_headers (config);

  for (gsize i = 0; headers != NULL && headers[i] != NULL && headers[i + 1] != NULL; i += 2)
    {
      const char *value = headers[i + 1];
      const char *space = strchr (value, ' ');

      add_named (self, headers[i], strlen (headers[i]), value);
      /* “Bearer XYZ”: the token by itself is as good. */
      if (space != NULL && gmcp_redactor_is_secret_name (headers[i], strlen (headers[i])))
        gmcp_redactor_add_secret (self, space + 1 + strspn (space + 1, " "));
    }
}

/* “--token=XYZ” and “--token XYZ”. */
static void
add_arguments (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);

  for (gsize i = 0; argv != NULL && argv[i] != NULL && argv[i + 1] != NULL; i++)
    {
      const char *word = argv[i + 1];
      const char *equals = strchr (word, '=');
      gsize length = equals != NULL ? (gsize) (equals - word) : strlen (word);

      if (!gmcp_redactor_is_secret_name (word, length))
        continue;
      if (equals != NULL)
        gmcp_redactor_add_secret (self, equals + 1);
      else if (*word == '-' && argv[i + 2] != NULL)
        gmcp_redactor_add_secret (self, argv[i + 2]);
    }
}

static void
add_query (GmcpRedactor *self, const char *query)
{
  GUriParamsIter iter;
  char *name, *value;

  g_uri_params_iter_init (&iter, query, -1, "&", G_URI_PARAMS_NONE);
  while (g_uri_params_iter_next (&iter, &name, &value, NULL))
    {
      if (gmcp_redactor_is_secret_name (name, strlen (name)) || g_str_equal (name, "key"))
        gmcp_redactor_add_secret (self, value);
      g_free (name);
      g_free (value);
    }
}

static void
add_url (GmcpRedactor *self, GmcpServerConfig *config)
{
  const char *url = gmcp_server_config_get_url (config);
  g_autoptr (GUri) uri = NULL;

  if (url != NULL)
    uri = g_uri_parse (url, G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_PARSE_RELAXED, NULL);
  if (uri == NULL)
    return;

  if (g_uri_get_password (uri) != NULL)
    gmcp_redactor_add_secret (self, g_uri_get_password (uri));
  if (g_uri_get_query (uri) != NULL)
    add_query (self, g_uri_get_query (uri));
}

void
gmcp_redactor_add_config (GmcpRedactor *self, GmcpServerConfig *config)
{
  add_environment (self, config);
  add_headers (self, config);
  add_arguments (self, config);
  add_url (self, config);
}
