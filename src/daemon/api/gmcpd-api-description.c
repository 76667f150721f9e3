/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>

#include "gmcpd-api-handlers.h"

/* What is in the program needs no error. */
void
gmcpd_api_get_description (GmcpdApiRequest *request)
{
  g_autoptr (GBytes) bytes
    = g_resources_lookup_data ("/org/gmcp/api/openapi.json", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  gmcpd_api_request_return_text (request, SOUP_STATUS_OK, g_strndup (text, length));
}
