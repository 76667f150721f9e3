/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/json-rpc/gmcp-rpc-error.h>

#include "gmcp-error-private.h"
#include "gmcp-json-private.h"

/* The text on one line; NULL where it is no JSON. */
static char *
read_data (const char *json)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, &reason);
  GString *data;
  GmcpJsonWriter writer;

  if (doc == NULL)
    {
      g_message ("The data of an error are left out, as they are no JSON: %s", reason->message);
      return NULL;
    }

  data = g_string_new (NULL);
  writer = gmcp_json_writer_init (data);
  gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (doc));
  return g_string_free (data, FALSE);
}

/**
 * gmcp_rpc_error_new:
 * @code: the code, as it stands on the wire; [error@Gmcp.RpcError] has those of the protocol
 * @message: what went wrong
 * @data_json: (nullable): what a program can read of it, as JSON text, or %NULL for nothing
 *
 * Makes an error of the domain %GMCP_RPC_ERROR with data. A provider that completes a request with it,
 * as with [method@Gmcp.ToolCall.return_error], sends all three to the client of the
 * [class@Gmcp.Server] that serves the provider; a host that calls the provider gets the error as it is.
 * Data that are no JSON are left out, which is logged.
 *
 * Errors of Python lose their data on the way: there [method@Gmcp.ToolCall.return_rpc_error] and
 * [method@Gmcp.ProviderRequest.return_rpc_error] are for it, or `Gmcp.RpcException`.
 *
 * Spec: MCP 2026-07-28, basic, "Error Responses".
 *
 * Returns: (transfer full): the error
 *
 * Since: 0.1
 */
GError *
gmcp_rpc_error_new (int code, const char *message, const char *data_json)
{
  g_return_val_if_fail (message != NULL, NULL);

  return gmcp_rpc_error_new_take (code, message, data_json != NULL ? read_data (data_json) : NULL);
}
