/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-modern-private.h"

#include "gmcp-lists-private.h"
#include "gmcp-tool-calls-private.h"

#include "gmcp-task-wait-private.h"
#include "gmcp-protocol-private.h"

/* Which member of the params stands in a header as the name of what is asked for. */
static const struct
{
  const char *method;
  const char *member;
} named[] = {
  { GMCP_METHOD_TOOLS_CALL, "name" }, { "resources/read", "uri" },  { "prompts/get", "name" },
  { "tasks/get", "taskId" },          { "tasks/update", "taskId" }, { "tasks/cancel", "taskId" },
};

static const char *
lookup_name_member (const char *method)
{
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    if (g_str_equal (named[i].method, method))
      return named[i].member;
  return NULL;
}

/* What the headers say has to be what the body says, so it is read from there. */
static GmcpJsonDoc *
parse_params (const GmcpOutgoing *outgoing, GmcpJsonValue *params)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (outgoing->text, outgoing->length);
  GmcpJsonDoc *doc = gmcp_json_doc_parse (outgoing->text, outgoing->length, bytes, 0, NULL);

  *params = doc != NULL ? gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "params")
                        : GMCP_JSON_NONE;
  return doc;
}

static void
add_name (GmcpSession *self, const GmcpOutgoing *outgoing, const char *member, GPtrArray *headers)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *name = NULL;
  const GmcpToolHeaders *marked;
  GmcpJsonValue params;

  doc = parse_params (outgoing, &params);
  name = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, member));
  if (name == NULL)
    return;

  gmcp_session_add_header (headers, "Mcp-Name", name);
  if (!g_str_equal (outgoing->method, GMCP_METHOD_TOOLS_CALL))
    return;
  marked = gmcp_lists_peek_tool_headers (self, name);
  if (marked != NULL)
    gmcp_tool_headers_append (marked, gmcp_json_value_get_member (params, "arguments"), headers);
}

/* Adds the headers of a tool call that this client wrote, whose text is read only where arguments
 * are marked. FALSE for another request. */
static gboolean
add_call (GmcpSession *self, const GmcpOutgoing *outgoing, GPtrArray *headers)
{
  const GmcpExchange *exchange = gmcp_session_find_exchange (self, outgoing->request_id);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  const GmcpToolHeaders *marked;
  GmcpJsonValue params;

  if (exchange == NULL || !gmcp_exchange_ends_by (exchange, gmcp_tool_calls_answered))
    return FALSE;

  gmcp_session_add_header (headers, "Mcp-Name", gmcp_exchange_get_subject (exchange));
  marked = gmcp_lists_peek_tool_headers (self, gmcp_exchange_get_subject (exchange));
  if (marked == NULL)
    return TRUE;
  doc = parse_params (outgoing, &params);
  gmcp_tool_headers_append (marked, gmcp_json_value_get_member (params, "arguments"), headers);
  return TRUE;
}

/* Spec: MCP 2026-07-28, basic/transports/streamable-http, "Request Metadata". */
void
gmcp_era_modern_dress (GmcpSession *self, GmcpOutgoing *outgoing, GPtrArray *headers)
{
  const char *member;

  gmcp_session_add_header (headers, "MCP-Protocol-Version",
                           gmcp_session_get_request_version (self));
  if (outgoing->method == NULL)
    return;

  gmcp_session_add_header (headers, "Mcp-Method", outgoing->method);
  member = lookup_name_member (outgoing->method);
  if (member != NULL && !add_call (self, outgoing, headers))
    add_name (self, outgoing, member, headers);
}

/* The peer does not speak the revision of a request that it spoke before, or did not then. */
static gboolean
resend_in_another_version (GmcpSession *self, GmcpExchange *exchange, const GError *error)
{
  g_autofree char *data = gmcp_rpc_error_dup_data_json (error);
  g_autoptr (GmcpJsonDoc) doc
    = data != NULL ? gmcp_json_doc_parse (data, strlen (data), NULL, 0, NULL) : NULL;
  const char *version;

  if (doc == NULL)
    return FALSE;
  version = gmcp_protocol_get_newest_common (
    gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "supported"), GMCP_ERA_MODERN);
  if (version == NULL || !gmcp_session_may_resend (self, exchange, GMCP_RESENT_VERSION))
    return FALSE;

  if (g_strcmp0 (version, gmcp_session_get_protocol_version (self)) != 0)
    {
      gmcp_era_modern_set_version (self, version);
      gmcp_session_change_protocol_version (self, version);
    }
  gmcp_exchange_resend (self, exchange, gmcp_exchange_get_more (exchange));
  return TRUE;
}

gboolean
gmcp_era_modern_goes_on (GmcpSession *self, GmcpExchange *exchange, const GError *error)
{
  if (g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_HEADER_MISMATCH))
    return gmcp_lists_refresh_headers (self, exchange, error);
  if (g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION))
    return resend_in_another_version (self, exchange, error);
  return FALSE;
}
