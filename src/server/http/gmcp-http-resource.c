/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-resource-private.h"

#include <string.h>

#include "gmcp-json-private.h"

static int
get_port (GUri *uri)
{
  int port = g_uri_get_port (uri);

  if (port > 0)
    return port;
  return g_ascii_strcasecmp (g_uri_get_scheme (uri), "https") == 0 ? 443 : 80;
}

/* A path of nothing is a slash. */
static const char *
get_path (GUri *uri)
{
  return *g_uri_get_path (uri) != '\0' ? g_uri_get_path (uri) : "/";
}

static gboolean
is_same_resource (GUri *first, const char *text)
{
  g_autoptr (GUri) second = g_uri_parse (text, G_URI_FLAGS_ENCODED, NULL);

  return second != NULL && g_uri_get_host (second) != NULL && g_uri_get_userinfo (second) == NULL
         && g_uri_get_fragment (second) == NULL
         && g_ascii_strcasecmp (g_uri_get_scheme (first), g_uri_get_scheme (second)) == 0
         && g_ascii_strcasecmp (g_uri_get_host (first), g_uri_get_host (second)) == 0
         && get_port (first) == get_port (second)
         && g_str_equal (get_path (first), get_path (second))
         && g_strcmp0 (g_uri_get_query (first), g_uri_get_query (second)) == 0;
}

gboolean
gmcp_http_resource_is_among (const char *resource, const char *const *audience)
{
  g_autoptr (GUri) uri
    = resource != NULL ? g_uri_parse (resource, G_URI_FLAGS_ENCODED, NULL) : NULL;
  gboolean is_address = uri != NULL && g_uri_get_host (uri) != NULL;

  if (resource == NULL || audience == NULL)
    return FALSE;
  for (; *audience != NULL; audience++)
    if (g_str_equal (*audience, resource) || (is_address && is_same_resource (uri, *audience)))
      return TRUE;
  return FALSE;
}

static char *
dup_metadata_path (GUri *uri)
{
  return g_strconcat (GMCP_HTTP_WELL_KNOWN_PATH,
                      g_str_equal (get_path (uri), "/") ? "" : get_path (uri), NULL);
}

char *
gmcp_http_resource_dup_metadata_path (const char *resource)
{
  g_autoptr (GUri) uri
    = resource != NULL ? g_uri_parse (resource, G_URI_FLAGS_ENCODED, NULL) : NULL;

  return uri != NULL && g_uri_get_host (uri) != NULL ? dup_metadata_path (uri) : NULL;
}

char *
gmcp_http_resource_dup_metadata_uri (const char *resource)
{
  g_autoptr (GUri) uri = g_uri_parse (resource, G_URI_FLAGS_ENCODED, NULL);
  g_autoptr (GUri) metadata = NULL;
  g_autofree char *path = NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return NULL;

  path = dup_metadata_path (uri);
  metadata = g_uri_build (G_URI_FLAGS_ENCODED, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                          g_uri_get_port (uri), path, g_uri_get_query (uri), NULL);
  return g_uri_to_string (metadata);
}

gboolean
gmcp_http_resource_is_metadata_path (const GmcpHttpSettings *settings, const char *path)
{
  const char *rest = path + strlen (GMCP_HTTP_WELL_KNOWN_PATH);
  g_autofree char *public_path = gmcp_http_resource_dup_metadata_path (settings->resource);

  if (!g_str_has_prefix (path, GMCP_HTTP_WELL_KNOWN_PATH))
    return FALSE;
  return *rest == '\0' || g_str_equal (rest, settings->path) || g_strcmp0 (path, public_path) == 0;
}

static void
write_list (GmcpJsonWriter *writer, const char *name, GStrv list)
{
  if (list == NULL || *list == NULL)
    return;

  gmcp_json_writer_key (writer, name);
  gmcp_json_writer_begin_array (writer);
  for (; *list != NULL; list++)
    gmcp_json_writer_string (writer, *list);
  gmcp_json_writer_end_array (writer);
}

char *
gmcp_http_resource_describe (const char *resource, const GmcpHttpSettings *settings)
{
  char *const header[] = { (char *) "header", NULL };
  GmcpJsonWriter writer;
  GString *text;

  if (resource == NULL || settings->authorization_servers == NULL
      || *settings->authorization_servers == NULL)
    return NULL;

  text = g_string_new (NULL);
  writer = gmcp_json_writer_init (text);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "resource", resource);
  write_list (&writer, "authorization_servers", settings->authorization_servers);
  write_list (&writer, "scopes_supported", settings->scopes_supported);
  write_list (&writer, "bearer_methods_supported", (GStrv) header);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}
