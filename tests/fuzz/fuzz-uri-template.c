/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What comes out of a URI template holds only what a URI can hold, and is the same whenever it is
 * made; who has no values gets no error but those of the template itself. An input is the template,
 * a NUL, and the values in JSON. */

#include "config.h"

#include <string.h>

#include "gmcp-uri-template-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_uri (const char *uri)
{
  for (const char *at = uri; *at != '\0'; at++)
    {
      if (*at == '%' ? !g_ascii_isxdigit (at[1]) || !g_ascii_isxdigit (at[2])
                     : !g_ascii_isalnum (*at) && strchr ("-._~:/?#[]@!$&'()*+,;=", *at) == NULL)
        g_error ("“%s” is no URI", uri);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const guint8 *end = size > 0 ? memchr (data, '\0', size) : NULL;
  gsize length = end != NULL ? (gsize) (end - data) : size;
  g_autofree char *uri_template = g_strndup ((const char *) data, length);
  g_autoptr (GmcpJsonDoc) values = NULL;
  g_autofree char *bare = NULL;
  g_autofree char *uri = NULL;
  g_autofree char *again = NULL;
  g_auto (GStrv) names = NULL;

  if (!g_utf8_validate (uri_template, -1, NULL))
    return 0;
  if (end != NULL)
    values = gmcp_json_doc_parse ((const char *) end + 1, size - length - 1, NULL, 0, NULL);

  names = gmcp_uri_template_list_variables (uri_template, NULL);
  bare = gmcp_uri_template_expand (uri_template, GMCP_JSON_NONE, NULL);
  if ((names != NULL) != (bare != NULL))
    g_error ("“%s” is a template and is none", uri_template);
  if (bare != NULL)
    check_uri (bare);
  if (values == NULL)
    return 0;

  uri = gmcp_uri_template_expand (uri_template, gmcp_json_doc_get_root (values), NULL);
  again = gmcp_uri_template_expand (uri_template, gmcp_json_doc_get_root (values), NULL);
  if (g_strcmp0 (uri, again) != 0)
    g_error ("“%s” and “%s” come of the same", uri, again);
  if (uri != NULL)
    check_uri (uri);
  if (uri != NULL && bare == NULL)
    g_error ("Values mended a template");
  return 0;
}
