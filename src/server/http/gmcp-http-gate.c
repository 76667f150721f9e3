/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-gate-private.h"

#include <string.h>

#define ANY "*"

static const char *const own_hosts[] = { "localhost", "127.0.0.1", "[::1]", NULL };

void
gmcp_http_gate_clear (GmcpHttpGate *self)
{
  g_clear_pointer (&self->hosts, g_strfreev);
  g_clear_pointer (&self->origins, g_strfreev);
}

static gboolean
list_has (const char *const *list, const char *text)
{
  for (; list != NULL && *list != NULL; list++)
    if (g_ascii_strcasecmp (*list, text) == 0 || g_str_equal (*list, ANY))
      return TRUE;
  return FALSE;
}

/* Without the port. */
static char *
dup_host (const char *authority)
{
  const char *end = *authority == '[' ? strchr (authority, ']') : NULL;

  if (end != NULL)
    return end[1] == '\0' || end[1] == ':' ? g_strndup (authority, (gsize) (end + 1 - authority))
                                           : NULL;
  return g_strndup (authority, strcspn (authority, ":"));
}

static gboolean
is_host (const char *const *hosts, const char *authority)
{
  g_autofree char *host = dup_host (authority);

  return host != NULL
         && (list_has (own_hosts, host) || list_has (hosts, host) || list_has (hosts, authority));
}

static gboolean
is_origin (const GmcpHttpGate *self, const char *origin)
{
  const char *authority = NULL;

  if (list_has ((const char *const *) self->origins, origin))
    return TRUE;
  if (g_ascii_strncasecmp (origin, "http://", 7) == 0)
    authority = origin + 7;
  else if (g_ascii_strncasecmp (origin, "https://", 8) == 0)
    authority = origin + 8;
  return authority != NULL && strpbrk (authority, "/@, ") == NULL && is_host (NULL, authority);
}

const char *
gmcp_http_gate_check (const GmcpHttpGate *self,
                      const GmcpSoupServer *soup,
                      SoupServerMessage *message)
{
  const char *host = gmcp_soup_server_get_header (soup, message, "Host");
  const char *origin = gmcp_soup_server_get_header (soup, message, "Origin");

  /* Of several, which libsoup joins, any other program may go by another. */
  if (host == NULL || strpbrk (host, "/@, ") != NULL
      || !is_host ((const char *const *) self->hosts, host))
    return "Forbidden: this server does not answer under the name that Host gives";
  if (origin != NULL && !is_origin (self, origin))
    return "Forbidden: pages of this Origin are not let in";
  return NULL;
}

gboolean
gmcp_http_accepts (const char *accept, const char *type)
{
  g_auto (GStrv) ranges = accept != NULL ? g_strsplit (accept, ",", -1) : NULL;
  gsize main_length = strcspn (type, "/") + 1;

  for (guint i = 0; ranges != NULL && ranges[i] != NULL; i++)
    {
      char *range = g_strstrip (ranges[i]);

      range[strcspn (range, "; \t")] = '\0';
      if (g_ascii_strcasecmp (range, type) == 0 || g_str_equal (range, "*/*")
          || (g_ascii_strncasecmp (range, type, main_length) == 0
              && g_str_equal (range + main_length, ANY)))
        return TRUE;
    }
  return accept == NULL;
}
