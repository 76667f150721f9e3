/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "gmcpd-api-page.h"
#include "gmcpd-api-problem.h"

#define FOLDER "/org/gmcp/dashboard"
#define FIRST  "/index.html"

/* Scripts, styles and requests are of this address, images also of what a tool gave back; nothing else is loaded, sent
 * or framed. */
#define CONTENT_SECURITY_POLICY                                                                    \
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "          \
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

static const struct
{
  const char *ending;
  const char *type;
} types[] = {
  { ".html", "text/html; charset=utf-8" },
  { ".js", "text/javascript; charset=utf-8" },
  { ".css", "text/css; charset=utf-8" },
  { ".svg", "image/svg+xml" },
};

static char *
dup_resource (const char *path)
{
  return g_strconcat (FOLDER, g_str_equal (path, "/") ? FIRST : path, NULL);
}

static const char *
find_type (const char *resource)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_has_suffix (resource, types[i].ending))
      return types[i].type;
  return "application/octet-stream";
}

gboolean
gmcpd_api_page_has (const char *path)
{
  g_autofree char *resource = dup_resource (path);

  /* GIO finds what is called otherwise, too: /index.html/ and //index.html. */
  return path[0] == '/' && path[1] != '/' && (path[1] == '\0' || !g_str_has_suffix (path, "/"))
         && g_resources_get_info (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
}

static void
set_headers (const GmcpdSoup *soup, SoupServerMessage *message, const char *etag)
{
  const struct
  {
    const char *name;
    const char *value;
  } headers[] = {
    { "Content-Security-Policy", CONTENT_SECURITY_POLICY },
    { "X-Content-Type-Options", "nosniff" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
    /* It is kept, and asked for again: the next daemon may be another version. */
    { "Cache-Control", "no-cache" },
    { "ETag", etag },
  };

  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    soup->message_headers_replace (soup->server_message_get_response_headers (message),
                                   headers[i].name, headers[i].value);
}

void
gmcpd_api_page_serve (const GmcpdSoup *soup, SoupServerMessage *message, const char *path)
{
  const char *method = soup->server_message_get_method (message);
  g_autofree char *resource = dup_resource (path);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *sum = NULL;
  g_autofree char *etag = NULL;
  gsize length;
  const char *data;

  if (bytes == NULL || (!g_str_equal (method, "GET") && !g_str_equal (method, "HEAD")))
    {
      gmcpd_api_problem_set (soup, message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL,
                             _ ("That cannot be done here; the header Allow says what can"));
      soup->message_headers_replace (soup->server_message_get_response_headers (message), "Allow",
                                     "GET, HEAD");
      return;
    }

  sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  etag = g_strdup_printf ("\"%s\"", sum);
  set_headers (soup, message, etag);
  if (g_strcmp0 (gmcpd_soup_get_header (soup, message, "If-None-Match"), etag) == 0)
    {
      soup->server_message_set_status (message, SOUP_STATUS_NOT_MODIFIED, NULL);
      return;
    }
  data = g_bytes_get_data (bytes, &length);
  soup->server_message_set_status (message, SOUP_STATUS_OK, NULL);
  /* They are part of the program, and stay where they are. */
  soup->server_message_set_response (message, find_type (resource), SOUP_MEMORY_STATIC, data,
                                     length);
}
