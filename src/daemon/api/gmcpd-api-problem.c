/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-problem.h"
#include "gmcpd-names.h"

char *
gmcpd_api_problem_dup_json (const GmcpdSoup *soup,
                            guint status,
                            const char *code,
                            const char *detail)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *shown = gmcpd_names_dup_text (detail);

  json_object_set_string_member (object, "type", "about:blank");
  json_object_set_string_member (object, "title", soup->status_get_phrase (status));
  json_object_set_int_member (object, "status", status);
  json_object_set_string_member (object, "detail", shown);
  if (code != NULL)
    json_object_set_string_member (object, "code", code);
  return gmcp_json_print (node, NULL);
}

guint
gmcpd_api_problem_get_status (const GError *error)
{
  static const struct
  {
    GmcpError code;
    guint status;
  } statuses[] = {
    { GMCP_ERROR_NOT_CONFIGURED, SOUP_STATUS_NOT_FOUND },
    { GMCP_ERROR_UNKNOWN_TOOL, SOUP_STATUS_NOT_FOUND },
    { GMCP_ERROR_INVALID_ARGUMENT, SOUP_STATUS_BAD_REQUEST },
    { GMCP_ERROR_INVALID_CONFIG, SOUP_STATUS_BAD_REQUEST },
    { GMCP_ERROR_INVALID_JSON, SOUP_STATUS_BAD_REQUEST },
    { GMCP_ERROR_NOT_PERMITTED, SOUP_STATUS_FORBIDDEN },
    { GMCP_ERROR_NOT_RUNNING, SOUP_STATUS_CONFLICT },
    { GMCP_ERROR_NOT_SUPPORTED, SOUP_STATUS_CONFLICT },
    { GMCP_ERROR_TOOL_CHANGED, SOUP_STATUS_CONFLICT },
    { GMCP_ERROR_LIMIT_EXCEEDED, SOUP_STATUS_SERVICE_UNAVAILABLE },
    { GMCP_ERROR_TIMED_OUT, SOUP_STATUS_GATEWAY_TIMEOUT },
  };

  if (error->domain == G_IO_ERROR && error->code == G_IO_ERROR_CANCELLED)
    return SOUP_STATUS_SERVICE_UNAVAILABLE;
  for (guint i = 0; error->domain == GMCP_ERROR && i < G_N_ELEMENTS (statuses); i++)
    if (error->code == (int) statuses[i].code)
      return statuses[i].status;
  return SOUP_STATUS_BAD_GATEWAY;
}

char *
gmcpd_api_problem_dup_code (const GError *error)
{
  g_autoptr (GEnumClass) codes = NULL;
  GEnumValue *value;

  if (error->domain != GMCP_ERROR)
    return NULL;
  codes = g_type_class_ref (GMCP_TYPE_ERROR);
  value = g_enum_get_value (codes, error->code);
  return value != NULL ? g_strdup (value->value_nick) : NULL;
}

void
gmcpd_api_problem_set (const GmcpdSoup *soup,
                       SoupServerMessage *message,
                       guint status,
                       const char *code,
                       const char *detail)
{
  char *json = gmcpd_api_problem_dup_json (soup, status, code, detail);
  SoupMessageHeaders *headers = soup->server_message_get_response_headers (message);

  soup->server_message_set_status (message, status, NULL);
  soup->server_message_set_response (message, GMCPD_API_PROBLEM_TYPE, SOUP_MEMORY_TAKE, json,
                                     strlen (json));
  soup->message_headers_replace (headers, "Cache-Control", "no-store");
  soup->message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  if (status == SOUP_STATUS_UNAUTHORIZED)
    soup->message_headers_replace (headers, "WWW-Authenticate", "Bearer realm=\"gmcpd\"");
}
