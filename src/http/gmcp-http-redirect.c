/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-redirect-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-http-address-private.h"
#include "gmcp-i18n-private.h"

/* What a user writes to allow more, for messages. */
#define KEY "allowed-redirect-origins"

struct _GmcpHttpRedirectRule
{
  GUri *home;
  GPtrArray *allowed; /* of GUri */
};

static GUri *
parse_origin (const char *text)
{
  g_autoptr (GUri) uri
    = g_uri_parse (text, G_URI_FLAGS_ENCODED | G_URI_FLAGS_SCHEME_NORMALIZE, NULL);
  const char *path = uri != NULL ? g_uri_get_path (uri) : "";

  if (uri == NULL || (*path != '\0' && strcmp (path, "/") != 0) || g_uri_get_query (uri) != NULL
      || g_uri_get_fragment (uri) != NULL || g_uri_get_userinfo (uri) != NULL
      || strpbrk (text, "*?\\") != NULL)
    return NULL;

  return gmcp_http_uri_resolve (uri, "/");
}

gboolean
gmcp_http_origin_is_valid (const char *text)
{
  g_autoptr (GUri) origin = parse_origin (text);

  return origin != NULL;
}

GmcpHttpRedirectRule *
gmcp_http_redirect_rule_new (GUri *home, const char *const *origins, GError **error)
{
  g_autoptr (GmcpHttpRedirectRule) self = g_new0 (GmcpHttpRedirectRule, 1);

  self->home = g_uri_ref (home);
  self->allowed = g_ptr_array_new_with_free_func ((GDestroyNotify) g_uri_unref);
  for (gsize i = 0; origins != NULL && origins[i] != NULL; i++)
    {
      GUri *origin = parse_origin (origins[i]);

      if (origin == NULL)
        {
          g_set_error (
            error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
            _ ("“%s” among “%s” is no origin: give a scheme, a host and, where it is not "
               "the usual one, a port, such as https://example.com"),
            origins[i], KEY);
          return NULL;
        }
      g_ptr_array_add (self->allowed, origin);
    }
  return g_steal_pointer (&self);
}

void
gmcp_http_redirect_rule_free (GmcpHttpRedirectRule *self)
{
  g_uri_unref (self->home);
  g_ptr_array_unref (self->allowed);
  g_free (self);
}

gboolean
gmcp_http_redirect_rule_is_home (GmcpHttpRedirectRule *self, GUri *uri)
{
  return gmcp_http_uri_is_same_origin (self->home, uri);
}

static gboolean
is_allowed (GmcpHttpRedirectRule *self, GUri *uri)
{
  for (guint i = 0; i < self->allowed->len; i++)
    if (gmcp_http_uri_is_same_origin (g_ptr_array_index (self->allowed, i), uri))
      return TRUE;

  return gmcp_http_redirect_rule_is_home (self, uri);
}

/* A name that never means anything but this machine (RFC 6761). */
static gboolean
is_local_name (const char *host)
{
  gsize length = strlen (host);

  if (length > 0 && host[length - 1] == '.')
    length--;
  return length >= 9 && g_ascii_strncasecmp (host + length - 9, "localhost", 9) == 0
         && (length == 9 || host[length - 10] == '.');
}

/* The user may have named the address, or a name that is no other. */
static gboolean
is_address_configured (GmcpHttpRedirectRule *self, GUri *uri, GInetAddress *address)
{
  g_autofree char *text = g_inet_address_to_string (address);
  g_autoptr (GUri) as_address = g_uri_build (G_URI_FLAGS_ENCODED, g_uri_get_scheme (uri), NULL,
                                             text, g_uri_get_port (uri), "/", NULL, NULL);

  if (is_allowed (self, as_address))
    return TRUE;
  return g_inet_address_get_is_loopback (address) && is_local_name (g_uri_get_host (uri))
         && is_allowed (self, uri);
}

static gboolean
check_inet (GmcpHttpRedirectRule *self, GUri *uri, GInetAddress *address, GError **error)
{
  g_autofree char *target = NULL;
  g_autofree char *home = NULL;
  g_autofree char *text = NULL;

  if (!gmcp_http_address_is_internal (address) || is_address_configured (self, uri, address))
    return TRUE;

  target = gmcp_http_uri_dup_display (uri);
  home = gmcp_http_uri_dup_display (self->home);
  text = g_inet_address_to_string (address);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
               /* Translators: two URLs, an address such as 127.0.0.1, a key of the configuration */
               _ ("“%s” redirects to “%s”, which is %s: an address of this machine or of its "
                  "network, where a server on the internet has no business; if it is right, put "
                  "an origin with that address into the server's “%s”"),
               home, target, text, KEY);
  return FALSE;
}

gboolean
gmcp_http_redirect_rule_check_address (GmcpHttpRedirectRule *self,
                                       GUri *uri,
                                       GSocketAddress *address,
                                       GError **error)
{
  g_autoptr (GInetAddress) written = NULL;

  if (gmcp_http_redirect_rule_is_home (self, uri))
    return TRUE;

  written = gmcp_http_address_from_host (g_uri_get_host (uri));
  if (written != NULL && !check_inet (self, uri, written, error))
    return FALSE;
  if (!G_IS_INET_SOCKET_ADDRESS (address) || G_IS_PROXY_ADDRESS (address))
    return TRUE;
  return check_inet (self, uri, g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)),
                     error);
}

static gboolean
check_origin (GmcpHttpRedirectRule *self, GUri *from, GUri *to, GError **error)
{
  g_autofree char *display = NULL;
  g_autofree char *target = NULL;
  g_autofree char *origin = NULL;
  g_autoptr (GUri) bare = NULL;

  if (is_allowed (self, to))
    return TRUE;

  display = gmcp_http_uri_dup_display (from);
  target = gmcp_http_uri_dup_display (to);
  bare = g_uri_build (G_URI_FLAGS_ENCODED, g_uri_get_scheme (to), NULL, g_uri_get_host (to),
                      g_uri_get_port (to), "", NULL, NULL);
  origin = g_uri_to_string (bare);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
               /* Translators: two URLs, an origin such as https://example.com, a key */
               _ ("“%s” redirects to “%s”, which is another origin and gets nothing; if it is "
                  "right, set the server's “url” to it, or put “%s” into its “%s”"),
               display, target, origin, KEY);
  return FALSE;
}

GUri *
gmcp_http_redirect_rule_follow (GmcpHttpRedirectRule *self,
                                GmcpHttpRedirectPurpose purpose,
                                GUri *from,
                                const char *method,
                                guint status,
                                const char *location,
                                GError **error)
{
  g_autofree char *display = gmcp_http_uri_dup_display (from);
  g_autoptr (GUri) to = location != NULL ? gmcp_http_uri_resolve (from, location) : NULL;

  if (to == NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("“%s” redirects to an address that is not http or https; check the server's "
                      "URL"),
                   display);
      return NULL;
    }

  if (strcmp (g_uri_get_scheme (from), "https") == 0
      && strcmp (g_uri_get_scheme (to), "https") != 0)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("“%s” redirects to an address without encryption, which is not followed; "
                      "check the server's URL"),
                   display);
      return NULL;
    }

  /* The others mean: ask there with GET, which would lose the message (RFC 9110, section 15.4). */
  if (strcmp (method, "GET") != 0 && status != 307 && status != 308)
    {
      g_autofree char *target = gmcp_http_uri_dup_display (to);

      g_set_error (
        error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
        /* Translators: a number, two URLs */
        _ ("A redirection (status %u) of “%s” to “%s” cannot be followed with a message; "
           "if that address is right, put it into the server's settings"),
        status, display, target);
      return NULL;
    }

  if ((purpose == GMCP_HTTP_REDIRECT_MESSAGE && !check_origin (self, from, to, error))
      || !gmcp_http_redirect_rule_check_address (self, to, NULL, error))
    return NULL;
  return g_steal_pointer (&to);
}
