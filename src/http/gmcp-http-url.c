/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-url-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-i18n-private.h"

#define URI_FLAGS                                                                                  \
  (G_URI_FLAGS_ENCODED | G_URI_FLAGS_SCHEME_NORMALIZE | G_URI_FLAGS_HAS_PASSWORD                   \
   | G_URI_FLAGS_PARSE_RELAXED)

/* The host that a server behind a socket is asked for. */
#define SOCKET_ORIGIN "http://localhost"

void
gmcp_http_url_free (GmcpHttpUrl *url)
{
  g_clear_pointer (&url->uri, g_uri_unref);
  g_free (url->socket);
  g_free (url->user);
  g_free (url->display);
  g_free (url);
}

char *
gmcp_http_uri_dup_display (GUri *uri)
{
  return g_uri_to_string_partial (uri,
                                  G_URI_HIDE_USERINFO | G_URI_HIDE_QUERY | G_URI_HIDE_FRAGMENT);
}

/* GLib reads a path that does not begin with a slash behind a host, and fails an assertion when it is
 * to write one. */
static gboolean
is_http (GUri *uri)
{
  const char *scheme = g_uri_get_scheme (uri);
  const char *path = g_uri_get_path (uri);

  return (strcmp (scheme, "http") == 0 || strcmp (scheme, "https") == 0)
         && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0'
         && (*path == '\0' || *path == '/');
}

static int
get_port (GUri *uri)
{
  if (g_uri_get_port (uri) > 0)
    return g_uri_get_port (uri);
  return strcmp (g_uri_get_scheme (uri), "https") == 0 ? 443 : 80;
}

gboolean
gmcp_http_uri_is_same_origin (GUri *a, GUri *b)
{
  return strcmp (g_uri_get_scheme (a), g_uri_get_scheme (b)) == 0
         && g_ascii_strcasecmp (g_uri_get_host (a), g_uri_get_host (b)) == 0
         && get_port (a) == get_port (b);
}

static char *
dup_user (GUri *uri)
{
  g_autofree char *user = NULL;
  g_autofree char *password = NULL;

  if (g_uri_get_user (uri) == NULL || *g_uri_get_user (uri) == '\0')
    return NULL;

  user = g_uri_unescape_string (g_uri_get_user (uri), NULL);
  password = g_uri_unescape_string (
    g_uri_get_password (uri) != NULL ? g_uri_get_password (uri) : "", NULL);
  if (user == NULL || password == NULL)
    return NULL;
  return g_strconcat (user, ":", password, NULL);
}

/* What soup takes: with a path, and with nothing that is not sent. */
static GUri *
clean_uri (GUri *uri)
{
  const char *path = g_uri_get_path (uri);

  return g_uri_build (URI_FLAGS, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                      g_uri_get_port (uri), *path != '\0' ? path : "/", g_uri_get_query (uri),
                      NULL);
}

static gboolean
take_socket (GmcpHttpUrl *url, GUri *uri)
{
  const char *fragment = g_uri_get_fragment (uri);
  g_autofree char *text = NULL;
  g_autoptr (GUri) inner = NULL;

  url->socket = g_uri_unescape_string (g_uri_get_path (uri), NULL);
  if (url->socket == NULL || *url->socket != '/' || fragment == NULL || *fragment != '/')
    return FALSE;

  text = g_strconcat (SOCKET_ORIGIN, fragment, NULL);
  inner = g_uri_parse (text, URI_FLAGS, NULL);
  if (inner == NULL)
    return FALSE;

  url->uri = clean_uri (inner);
  url->display = g_strdup_printf ("unix://%s#%s", url->socket, g_uri_get_path (inner));
  return TRUE;
}

GmcpHttpUrl *
gmcp_http_url_parse (const char *text, GError **error)
{
  g_autoptr (GmcpHttpUrl) url = g_new0 (GmcpHttpUrl, 1);
  g_autoptr (GUri) uri = g_uri_parse (text, URI_FLAGS, NULL);

  if (uri != NULL && strcmp (g_uri_get_scheme (uri), "unix") == 0)
    {
      if (take_socket (url, uri))
        return g_steal_pointer (&url);
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                           _ ("A URL for HTTP over a Unix socket has the form "
                              "unix:///PATH/OF/SOCKET#/PATH"));
      return NULL;
    }

  /* The text is not shown: it may hold a password. */
  if (uri == NULL || !is_http (uri))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                           _ ("The server's URL is none; it has to begin with http://, https:// or "
                              "unix://"));
      return NULL;
    }

  url->uri = clean_uri (uri);
  url->user = dup_user (uri);
  url->display = gmcp_http_uri_dup_display (uri);
  return g_steal_pointer (&url);
}

GUri *
gmcp_http_uri_resolve (GUri *base, const char *reference)
{
  g_autoptr (GUri) uri = g_uri_parse_relative (base, reference, URI_FLAGS, NULL);

  return uri != NULL && is_http (uri) ? clean_uri (uri) : NULL;
}
