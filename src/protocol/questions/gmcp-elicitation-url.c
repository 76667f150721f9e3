/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-url-private.h"

#include <gio/gio.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

#include <gmcp/core/gmcp-error.h>

/* GLib takes some bytes that no address may have. A backslash is a slash to browsers, so that the host
 * ends there. */
static gboolean
is_clean (const char *url)
{
  for (; *url != '\0'; url++)
    if ((guchar) *url <= ' ' || *url == 0x7f || *url == '\\')
      return FALSE;
  return TRUE;
}

char *
gmcp_elicitation_url_check (const char *url, GError **error)
{
  g_autoptr (GUri) uri
    = url != NULL && is_clean (url) ? g_uri_parse (url, G_URI_FLAGS_NONE, NULL) : NULL;
  g_autofree char *shown = NULL;

  if (uri != NULL
      && (g_str_equal (g_uri_get_scheme (uri), "https")
          || g_str_equal (g_uri_get_scheme (uri), "http"))
      && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0')
    return g_strdup (g_uri_get_host (uri));

  shown = gmcp_protocol_shorten (url != NULL ? url : "");
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
               _ ("“%s” is not an address of the web that could be opened"), shown);
  return NULL;
}

/* A label that stands for letters outside ASCII, or such letters themselves. */
static gboolean
has_foreign_letters (const char *host)
{
  g_auto (GStrv) labels = g_strsplit (host, ".", -1);

  for (guint i = 0; labels[i] != NULL; i++)
    if (g_ascii_strncasecmp (labels[i], "xn--", 4) == 0 || !g_str_is_ascii (labels[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_local (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  if (address != NULL)
    return g_inet_address_get_is_loopback (address);
  return g_ascii_strcasecmp (host, "localhost") == 0;
}

const char *
gmcp_elicitation_url_get_warning (const char *url, const char *host)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);

  if (uri == NULL)
    return NULL;
  if (g_uri_get_userinfo (uri) != NULL)
    return _ ("The address has a name before its host, which is often done to deceive.");
  if (has_foreign_letters (host))
    return _ (
      "The host has letters that may look like others; make sure that it is the right one.");
  if (g_str_equal (g_uri_get_scheme (uri), "http") && !is_local (host))
    return _ ("The connection to this address is not encrypted.");
  return NULL;
}
