/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_ERROR           (gmcp_error_quark ())
#define GMCP_RPC_ERROR       (gmcp_rpc_error_quark ())
#define GMCP_AUTH_ERROR      (gmcp_auth_error_quark ())
#define GMCP_TYPE_ERROR      (gmcp_error_get_type ())
#define GMCP_TYPE_RPC_ERROR  (gmcp_rpc_error_get_type ())
#define GMCP_TYPE_AUTH_ERROR (gmcp_auth_error_get_type ())

/**
 * GmcpError:
 * @GMCP_ERROR_FAILED: something failed that no other code names
 * @GMCP_ERROR_TIMED_OUT: a time limit passed; the message names it
 * @GMCP_ERROR_CLOSED: the connection is closed, or closed while the call was under way
 * @GMCP_ERROR_NOT_SUPPORTED: the peer, or this build, does not have the feature
 * @GMCP_ERROR_INVALID_JSON: a text is not JSON as RFC 8259 defines it
 * @GMCP_ERROR_INVALID_ARGUMENT: an argument has the wrong form
 * @GMCP_ERROR_INVALID_CONFIG: a setting or a configuration file has the wrong form
 * @GMCP_ERROR_LIMIT_EXCEEDED: a size, depth, count or rate limit was passed; the message names it
 * @GMCP_ERROR_PROTOCOL: the peer broke the protocol
 * @GMCP_ERROR_START_FAILED: a server could not be started
 * @GMCP_ERROR_SERVER_EXITED: the server's process ended while it was needed
 * @GMCP_ERROR_NOT_RUNNING: the server does not run, and may not be started by this call
 * @GMCP_ERROR_NOT_CONFIGURED: no server of that name is configured
 * @GMCP_ERROR_NOT_PERMITTED: a rule of the user's forbids it
 * @GMCP_ERROR_REQUIREMENT_MISSING: a server that the work needs is missing, or something that a server
 *   needs, such as Node.js
 * @GMCP_ERROR_UNKNOWN_TOOL: there is no such tool
 * @GMCP_ERROR_AMBIGUOUS_TOOL: more than one tool has that name; the message lists them
 * @GMCP_ERROR_TOOL_CHANGED: the tool's definition is no longer the one that was expected
 * @GMCP_ERROR_INPUT_REFUSED: the server asked for input that the application refused
 * @GMCP_ERROR_TASK_ENDED: the task was cancelled, or the server no longer has it
 * @GMCP_ERROR_CALLED_ANEW: the function that asked ends here, and is called anew when the client has answered: no
 *   refusal, and nothing to tell anybody; see [method@Gmcp.Caller.ask_async]
 *
 * What fails on this side of a connection.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_ERROR_FAILED,
  GMCP_ERROR_TIMED_OUT,
  GMCP_ERROR_CLOSED,
  GMCP_ERROR_NOT_SUPPORTED,
  GMCP_ERROR_INVALID_JSON,
  GMCP_ERROR_INVALID_ARGUMENT,
  GMCP_ERROR_INVALID_CONFIG,
  GMCP_ERROR_LIMIT_EXCEEDED,
  GMCP_ERROR_PROTOCOL,
  GMCP_ERROR_START_FAILED,
  GMCP_ERROR_SERVER_EXITED,
  GMCP_ERROR_NOT_RUNNING,
  GMCP_ERROR_NOT_CONFIGURED,
  GMCP_ERROR_NOT_PERMITTED,
  GMCP_ERROR_REQUIREMENT_MISSING,
  GMCP_ERROR_UNKNOWN_TOOL,
  GMCP_ERROR_AMBIGUOUS_TOOL,
  GMCP_ERROR_TOOL_CHANGED,
  GMCP_ERROR_INPUT_REFUSED,
  GMCP_ERROR_TASK_ENDED,
  GMCP_ERROR_CALLED_ANEW,
} GmcpError;

/**
 * GmcpRpcError:
 * @GMCP_RPC_ERROR_PARSE: the peer could not parse the message
 * @GMCP_RPC_ERROR_INVALID_REQUEST: the message is not a request
 * @GMCP_RPC_ERROR_METHOD_NOT_FOUND: the peer does not know the method
 * @GMCP_RPC_ERROR_INVALID_PARAMS: the parameters have the wrong form
 * @GMCP_RPC_ERROR_INTERNAL: the peer failed
 * @GMCP_RPC_ERROR_HEADER_MISMATCH: headers and body of a request disagree
 * @GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY: the request needs a capability that the client did
 *   not declare
 * @GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION: the peer does not speak the request's revision
 *
 * Errors that the peer sent. The code is the one on the wire, so codes that are not listed here
 * occur too; the message is the peer's. [func@Gmcp.RpcError.dup_data_json] gives the `data` member.
 *
 * Spec: MCP 2026-07-28, basic, "Error Codes".
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_RPC_ERROR_PARSE = -32700,
  GMCP_RPC_ERROR_INVALID_REQUEST = -32600,
  GMCP_RPC_ERROR_METHOD_NOT_FOUND = -32601,
  GMCP_RPC_ERROR_INVALID_PARAMS = -32602,
  GMCP_RPC_ERROR_INTERNAL = -32603,
  GMCP_RPC_ERROR_HEADER_MISMATCH = -32020,
  GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY = -32021,
  GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION = -32022,
} GmcpRpcError;

/**
 * GmcpAuthError:
 * @GMCP_AUTH_ERROR_FAILED: signing in failed
 * @GMCP_AUTH_ERROR_SIGN_IN_REQUIRED: the server wants a sign-in first
 *
 * What fails about signing in. [func@Gmcp.AuthError.dup_challenge] gives what the server said.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_AUTH_ERROR_FAILED,
  GMCP_AUTH_ERROR_SIGN_IN_REQUIRED,
} GmcpAuthError;

GMCP_AVAILABLE_IN_0_1
GQuark gmcp_error_quark (void);

GMCP_AVAILABLE_IN_0_1
GType gmcp_error_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GQuark gmcp_rpc_error_quark (void);

GMCP_AVAILABLE_IN_0_1
GType gmcp_rpc_error_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GQuark gmcp_auth_error_quark (void);

GMCP_AVAILABLE_IN_0_1
GType gmcp_auth_error_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
char *gmcp_rpc_error_dup_data_json (const GError *error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_auth_error_dup_challenge (const GError *error, const char *name);

G_END_DECLS
