/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-stdio-environment-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-program-search-private.h"

static const char *const passed_names[] = {
  "HOME",          "LOGNAME",
  "USER",          "SHELL",
  "TERM",          "PATH",
  "LANG",          "TZ",
  "TMPDIR",        "DBUS_SESSION_BUS_ADDRESS",
  "DISPLAY",       "WAYLAND_DISPLAY",
  "XAUTHORITY",    "NODE_EXTRA_CA_CERTS",
  "http_proxy",    "https_proxy",
  "no_proxy",      "all_proxy",
  "HTTP_PROXY",    "HTTPS_PROXY",
  "NO_PROXY",      "ALL_PROXY",
  "GMCP_GATEWAYS",
};

static const char *const passed_prefixes[] = { "LC_", "XDG_", "SSL_CERT_" };

static gsize
name_length (const char *variable)
{
  return strcspn (variable, "=");
}

static gboolean
is_passed (const char *variable)
{
  gsize length = name_length (variable);

  for (gsize i = 0; i < G_N_ELEMENTS (passed_prefixes); i++)
    if (g_str_has_prefix (variable, passed_prefixes[i]))
      return TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (passed_names); i++)
    if (strlen (passed_names[i]) == length && memcmp (variable, passed_names[i], length) == 0)
      return TRUE;

  return FALSE;
}

static void
set_variable (GPtrArray *variables, const char *variable)
{
  gsize length = name_length (variable) + 1;

  for (guint i = 0; i < variables->len; i++)
    if (strncmp (g_ptr_array_index (variables, i), variable, length) == 0)
      {
        g_free (g_ptr_array_index (variables, i));
        g_ptr_array_index (variables, i) = g_strdup (variable);
        return;
      }

  g_ptr_array_add (variables, g_strdup (variable));
}

/* npx, a shell and others search what they are handed. */
static void
clean_search_path (GPtrArray *variables)
{
  for (guint i = 0; i < variables->len; i++)
    {
      char **variable = (char **) &g_ptr_array_index (variables, i);
      g_autofree char *kept = NULL;

      if (!g_str_has_prefix (*variable, "PATH="))
        continue;
      kept = gmcp_search_path_keep_absolute (*variable + strlen ("PATH="));
      g_free (*variable);
      *variable = g_strconcat ("PATH=", kept, NULL);
    }
}

GStrv
gmcp_stdio_environment_build (const char *const *host,
                              const char *const *own,
                              gboolean inherit,
                              GError **error)
{
  g_autoptr (GPtrArray) variables = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; host != NULL && host[i] != NULL; i++)
    if (inherit || is_passed (host[i]))
      g_ptr_array_add (variables, g_strdup (host[i]));

  for (guint i = 0; own != NULL && own[i] != NULL; i++)
    {
      if (own[i][0] == '=' || strchr (own[i], '=') == NULL)
        {
          /* The entry is not quoted: it may hold a secret. */
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("Entry %u of the environment is not of the form NAME=VALUE"), i + 1);
          return NULL;
        }

      set_variable (variables, own[i]);
    }

  clean_search_path (variables);
  g_ptr_array_add (variables, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&variables), FALSE);
}

static gboolean
is_shell_name (const char *variable)
{
  gsize length = name_length (variable);

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalpha (variable[i]) && variable[i] != '_'
        && (i == 0 || !g_ascii_isdigit (variable[i])))
      return FALSE;

  return length > 0;
}

gboolean
gmcp_stdio_environment_check_for_host (const char *const *own, GError **error)
{
  for (guint i = 0; own != NULL && own[i] != NULL; i++)
    if (!is_shell_name (own[i]) || !g_utf8_validate (own[i], -1, NULL))
      {
        g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                     _ ("Entry %u of the environment cannot be passed to the host, out of "
                        "Flatpak’s sandbox: it takes a name of letters, digits and “_”, and a "
                        "value in UTF-8"),
                     i + 1);
        return FALSE;
      }

  return TRUE;
}
