/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-headers-private.h"

#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-transport-private.h"

/* Spec: MCP 2026-07-28, basic/transports/streamable-http, "Server Validation". */

#define HEADER_VERSION "MCP-Protocol-Version"
#define HEADER_METHOD  "Mcp-Method"
#define HEADER_NAME    "Mcp-Name"

/* What of the params stands in a header as well. */
static const struct
{
  const char *method;
  const char *member;
} named[] = {
  { GMCP_METHOD_TOOLS_CALL, "name" },     { GMCP_METHOD_RESOURCES_READ, "uri" },
  { GMCP_METHOD_PROMPTS_GET, "name" },    { GMCP_METHOD_TASKS_GET, "taskId" },
  { GMCP_METHOD_TASKS_UPDATE, "taskId" }, { GMCP_METHOD_TASKS_CANCEL, "taskId" },
};

static GmcpTransport *
get_transport (GmcpServerExchange *exchange)
{
  return gmcp_server_connection_get_transport (gmcp_server_exchange_get_connection (exchange));
}

static gboolean
is_over_http (GmcpServerExchange *exchange)
{
  return gmcp_transport_has_request_streams (get_transport (exchange));
}

static const char *
look_up_header (gpointer data, const char *name)
{
  GmcpServerExchange *exchange = data;

  return gmcp_transport_get_header (get_transport (exchange), name);
}

static gboolean
refuse_mismatch (GmcpServerExchange *exchange, const char *reason)
{
  g_autofree char *message = g_strconcat ("Header mismatch: ", reason, NULL);

  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_HEADER_MISMATCH, message, NULL);
  return FALSE;
}

/* What the body has is no string where the request will be refused for that. */
static gboolean
check_header (GmcpServerExchange *exchange,
              const char *name,
              GmcpJsonValue member,
              gboolean encoded)
{
  const char *value = look_up_header (exchange, name);
  g_autofree char *given = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *reason = NULL;

  if (value != NULL && !encoded && gmcp_json_value_equals_string (member, value))
    return TRUE;

  expected = gmcp_json_value_dup_string (member);
  if (value != NULL)
    given = encoded ? gmcp_header_value_read (value) : g_strdup (value);
  if (expected == NULL || g_strcmp0 (given, expected) == 0)
    return TRUE;

  if (value == NULL)
    reason = g_strdup_printf ("%s is missing", name);
  else
    reason = g_strdup_printf ("%s does not say what the message says", name);
  return refuse_mismatch (exchange, reason);
}

gboolean
gmcp_server_headers_check_version (GmcpServerExchange *exchange, GmcpJsonValue requested)
{
  return !is_over_http (exchange) || check_header (exchange, HEADER_VERSION, requested, FALSE);
}

gboolean
gmcp_server_headers_check_names (GmcpServerExchange *exchange)
{
  GmcpJsonValue method = gmcp_server_exchange_get_method (exchange);

  if (!is_over_http (exchange))
    return TRUE;
  if (!check_header (exchange, HEADER_METHOD, method, FALSE))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    if (gmcp_json_value_equals_string (method, named[i].method))
      return check_header (
        exchange, HEADER_NAME,
        gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), named[i].member),
        TRUE);
  return TRUE;
}

gboolean
gmcp_server_headers_check_arguments (GmcpServerExchange *exchange,
                                     const GmcpToolHeaders *headers,
                                     GmcpJsonValue arguments)
{
  g_autoptr (GError) error = NULL;

  if (headers == NULL || !is_over_http (exchange)
      || gmcp_tool_headers_check (headers, arguments, look_up_header, exchange, &error))
    return TRUE;
  return refuse_mismatch (exchange, error->message);
}
