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
gmcp_http_gate_check (const GmcpHttpGate *self, const GmcpHttpHeaders *headers)
{
  const char *host = gmcp_http_headers_get (headers, "Host");
  const char *origin = gmcp_http_headers_get (headers, "Origin");

  /* Of several, which libsoup joins, any other program may go by another. */
  if (host == NULL || strpbrk (host, "/@, ") != NULL
      || !is_host ((const char *const *) self->hosts, host))
    return "Forbidden: this server does not answer under the name that Host gives";
  if (origin != NULL && !is_origin (self, origin))
    return "Forbidden: pages of this Origin are not let in";
  return NULL;
}

/* Whether a media range is of that type, such as text/html, text and any other, or any at all. */
static gboolean
is_range_of (const char *range, gsize length, const char *type)
{
  gsize main_length = strcspn (type, "/") + 1;

  if (length == strlen (type) && g_ascii_strncasecmp (range, type, length) == 0)
    return TRUE;
  if (length == main_length + 1 && range[main_length] == '*')
    return g_ascii_strncasecmp (range, type, main_length) == 0;
  return length == strlen ("*/*") && strncmp (range, "*/*", length) == 0;
}

gboolean
gmcp_http_accepts (const char *accept, const char *type)
{
  if (accept == NULL)
    return TRUE;

  while (*accept != '\0')
    {
      const char *range = accept + strspn (accept, " \t\n\v\f\r");

      if (is_range_of (range, strcspn (range, "; \t,"), type))
        return TRUE;
      accept = range + strcspn (range, ",");
      accept += *accept == ',';
    }
  return FALSE;
}
