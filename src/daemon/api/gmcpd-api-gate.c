/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gmcpd-api-gate.h"
#include "gmcpd-token.h"

#define SCHEME "Bearer "

/* localhost:PORT and its like, in whatever case. Another port is another program's. */
static gboolean
is_own_authority (const GmcpdApiGate *self, const char *authority)
{
  static const char *const hosts[] = { "localhost:", "127.0.0.1:", "[::1]:" };

  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      gsize length = strlen (hosts[i]);

      if (g_ascii_strncasecmp (authority, hosts[i], length) == 0
          && g_str_equal (authority + length, self->port))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_own_origin (const GmcpdApiGate *self, const char *origin)
{
  return g_ascii_strncasecmp (origin, "http://", 7) == 0 && is_own_authority (self, origin + 7);
}

static gboolean
has_token (const GmcpdApiGate *self, const char *authorization)
{
  return authorization != NULL && g_ascii_strncasecmp (authorization, SCHEME, strlen (SCHEME)) == 0
         && gmcpd_token_equals (self->token, authorization + strlen (SCHEME));
}

guint
gmcpd_api_gate_check_names (const GmcpdApiGate *self,
                            const GmcpdSoup *soup,
                            SoupServerMessage *message,
                            const char **detail)
{
  const char *host = gmcpd_soup_get_header (soup, message, "Host");
  const char *origin = gmcpd_soup_get_header (soup, message, "Origin");

  if (host == NULL || !is_own_authority (self, host))
    {
      *detail = _ ("This server does not answer under the name that Host gives");
      return SOUP_STATUS_FORBIDDEN;
    }
  if (origin != NULL && !is_own_origin (self, origin))
    {
      *detail = _ ("Pages of this Origin are not let in");
      return SOUP_STATUS_FORBIDDEN;
    }
  return SOUP_STATUS_OK;
}

guint
gmcpd_api_gate_check_caller (const GmcpdApiGate *self,
                             const GmcpdSoup *soup,
                             SoupServerMessage *message,
                             const char **detail)
{
  guint status;

  if (has_token (self, gmcpd_soup_get_header (soup, message, "Authorization")))
    return SOUP_STATUS_OK;

  status = gmcpd_api_sign_in_check (self->sign_in, soup, message, detail);
  if (status != SOUP_STATUS_UNAUTHORIZED)
    return status;

  *detail = _ ("The token of the control API has to be in the header Authorization, behind "
               "“Bearer ”; “gmcp dashboard --token” prints it");
  return SOUP_STATUS_UNAUTHORIZED;
}

char *
gmcpd_api_gate_dup_client (const GmcpdApiGate *self,
                           const GmcpdSoup *soup,
                           SoupServerMessage *message)
{
  gboolean is_token = has_token (self, gmcpd_soup_get_header (soup, message, "Authorization"));

  return g_strdup_printf ("http://127.0.0.1:%s%s (%s)", self->port, GMCPD_API_ROOT,
                          is_token ? GMCPD_API_TOKEN_NAME : "dashboard");
}
