/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-api-handlers.h"

/* One who is let in lets a browser in. */
void
gmcpd_api_make_sign_in_link (GmcpdApiRequest *request)
{
  g_autoptr (JsonObject) object = NULL;
  g_autofree char *url = NULL;
  GError *error = NULL;
  JsonObject *body;
  guint seconds;

  if (!gmcpd_api_request_read_body (request, &body))
    return;
  url = gmcpd_api_sign_in_make_link (gmcpd_api_request_get_sign_in (request), &seconds, &error);
  if (url == NULL)
    {
      gmcpd_api_request_fail (request, error);
      return;
    }
  object = json_object_new ();
  json_object_set_string_member (object, "url", url);
  json_object_set_int_member (object, "expires_in", seconds);
  gmcpd_api_request_return_object (request, SOUP_STATUS_CREATED, object);
}
