/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-config-import-private.h"
#include "gmcp-redactor-private.h"

/* “<API_KEY>”, or “Bearer <API_KEY>”, is for whoever fills it in. */
static gboolean
is_to_be_filled_in (const char *value)
{
  const char *space = strrchr (value, ' ');
  const char *word = space != NULL ? space + 1 : value;

  return *word == '<' && g_str_has_suffix (word, ">");
}

static gboolean
is_plain (const char *value)
{
  return *value != '\0' && !gmcp_config_is_pattern (value) && !is_to_be_filled_in (value);
}

static void
add_from_environment (GPtrArray *places, GmcpServerConfig *config)
{
  const char *const *environment = gmcp_server_config_get_environment (config);

  for (gsize i = 0; environment[i] != NULL; i++)
    {
      gsize length = strcspn (environment[i], "=");

      if (gmcp_redactor_is_secret_name (environment[i], length)
          && is_plain (environment[i] + length + 1))
        g_ptr_array_add (places, g_strdup_printf ("env.%.*s", (int) length, environment[i]));
    }
}

static void
add_from_headers (GPtrArray *places, GmcpServerConfig *config)
{
  const char *const *headers = gmcp_server_config_get_headers (config);

  for (gsize i = 0; headers[i] != NULL; i += 2)
    {
      if (gmcp_redactor_is_secret_name (headers[i], strlen (headers[i]))
          && is_plain (headers[i + 1]))
        g_ptr_array_add (places, g_strdup_printf ("headers.%s", headers[i]));
    }
}

/* “--token=XYZ” and “--token XYZ”. */
static void
add_from_arguments (GPtrArray *places, GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);

  for (gsize i = 1; argv[0] != NULL && argv[i] != NULL; i++)
    {
      gsize length = strcspn (argv[i], "=");
      const char *value = argv[i][length] == '=' ? argv[i] + length + 1 : argv[i + 1];
      guint index = argv[i][length] == '=' ? (guint) i - 1 : (guint) i;

      if (*argv[i] == '-' && gmcp_redactor_is_secret_name (argv[i], length) && value != NULL
          && *value != '-' && is_plain (value))
        g_ptr_array_add (places, g_strdup_printf ("args[%u]", index));
    }
}

static void
add_from_url (GPtrArray *places, GmcpServerConfig *config)
{
  const char *url = gmcp_server_config_get_url (config);
  g_autoptr (GUri) uri = url != NULL && is_plain (url)
                           ? g_uri_parse (url, G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_ENCODED, NULL)
                           : NULL;
  GUriParamsIter iter;
  char *name;
  char *value;
  gboolean found;

  if (uri == NULL)
    return;

  found = g_uri_get_password (uri) != NULL;
  if (g_uri_get_query (uri) != NULL)
    {
      g_uri_params_iter_init (&iter, g_uri_get_query (uri), -1, "&", G_URI_PARAMS_NONE);
      while (g_uri_params_iter_next (&iter, &name, &value, NULL))
        {
          found
            |= *value != '\0'
               && (gmcp_redactor_is_secret_name (name, strlen (name)) || g_str_equal (name, "key"));
          g_free (name);
          g_free (value);
        }
    }
  if (found)
    g_ptr_array_add (places, g_strdup ("url"));
}

GStrv
gmcp_config_list_plain_secrets (GmcpServerConfig *config)
{
  g_autoptr (GPtrArray) places = g_ptr_array_new ();

  add_from_arguments (places, config);
  add_from_environment (places, config);
  add_from_headers (places, config);
  add_from_url (places, config);
  g_ptr_array_add (places, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&places), FALSE);
}
