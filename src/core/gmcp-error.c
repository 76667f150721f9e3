/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-error-private.h"

typedef struct
{
  char *data_json;
} GmcpRpcErrorPrivate;

static void
gmcp_rpc_error_private_init (GmcpRpcErrorPrivate *priv)
{
  priv->data_json = NULL;
}

static void
gmcp_rpc_error_private_copy (const GmcpRpcErrorPrivate *src, GmcpRpcErrorPrivate *dest)
{
  dest->data_json = g_strdup (src->data_json);
}

static void
gmcp_rpc_error_private_clear (GmcpRpcErrorPrivate *priv)
{
  g_free (priv->data_json);
}

typedef struct
{
  GHashTable *challenge; /* nullable: of char * */
  gboolean lacks_rights;
} GmcpAuthErrorPrivate;

static void
gmcp_auth_error_private_init (GmcpAuthErrorPrivate *priv)
{
  priv->challenge = NULL;
  priv->lacks_rights = FALSE;
}

static void
gmcp_auth_error_private_copy (const GmcpAuthErrorPrivate *src, GmcpAuthErrorPrivate *dest)
{
  dest->challenge = src->challenge != NULL ? g_hash_table_ref (src->challenge) : NULL;
  dest->lacks_rights = src->lacks_rights;
}

static void
gmcp_auth_error_private_clear (GmcpAuthErrorPrivate *priv)
{
  g_clear_pointer (&priv->challenge, g_hash_table_unref);
}

/* What the codes are called where an error travels over D-Bus. */
static const GDBusErrorEntry dbus_names[] = {
  { GMCP_ERROR_FAILED, "org.gmcp.Error.Failed" },
  { GMCP_ERROR_TIMED_OUT, "org.gmcp.Error.TimedOut" },
  { GMCP_ERROR_CLOSED, "org.gmcp.Error.Closed" },
  { GMCP_ERROR_NOT_SUPPORTED, "org.gmcp.Error.NotSupported" },
  { GMCP_ERROR_INVALID_JSON, "org.gmcp.Error.InvalidJson" },
  { GMCP_ERROR_INVALID_ARGUMENT, "org.gmcp.Error.InvalidArgument" },
  { GMCP_ERROR_INVALID_CONFIG, "org.gmcp.Error.InvalidConfig" },
  { GMCP_ERROR_LIMIT_EXCEEDED, "org.gmcp.Error.LimitExceeded" },
  { GMCP_ERROR_PROTOCOL, "org.gmcp.Error.Protocol" },
  { GMCP_ERROR_START_FAILED, "org.gmcp.Error.StartFailed" },
  { GMCP_ERROR_SERVER_EXITED, "org.gmcp.Error.ServerExited" },
  { GMCP_ERROR_NOT_RUNNING, "org.gmcp.Error.NotRunning" },
  { GMCP_ERROR_NOT_CONFIGURED, "org.gmcp.Error.NotConfigured" },
  { GMCP_ERROR_NOT_PERMITTED, "org.gmcp.Error.NotPermitted" },
  { GMCP_ERROR_REQUIREMENT_MISSING, "org.gmcp.Error.RequirementMissing" },
  { GMCP_ERROR_UNKNOWN_TOOL, "org.gmcp.Error.UnknownTool" },
  { GMCP_ERROR_AMBIGUOUS_TOOL, "org.gmcp.Error.AmbiguousTool" },
  { GMCP_ERROR_TOOL_CHANGED, "org.gmcp.Error.ToolChanged" },
  { GMCP_ERROR_INPUT_REFUSED, "org.gmcp.Error.InputRefused" },
  { GMCP_ERROR_TASK_ENDED, "org.gmcp.Error.TaskEnded" },
  { GMCP_ERROR_CALLED_ANEW, "org.gmcp.Error.CalledAnew" },
};

/**
 * gmcp_error_quark:
 *
 * The quark of [error@Gmcp.Error]. Over D-Bus the codes have names such as `org.gmcp.Error.NotConfigured`.
 *
 * Returns: the error domain
 *
 * Since: 0.1
 */
GQuark
gmcp_error_quark (void)
{
  static gsize quark;

  g_dbus_error_register_error_domain ("gmcp-error-quark", &quark, dbus_names,
                                      G_N_ELEMENTS (dbus_names));
  return (GQuark) quark;
}

/* clang-format off */

/**
 * gmcp_rpc_error_quark:
 *
 * The quark of [error@Gmcp.RpcError].
 *
 * Returns: the error domain
 *
 * Since: 0.1
 */
/* The macro casts from a byte pointer; GLib has aligned what it points to. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-align"
G_DEFINE_EXTENDED_ERROR (GmcpRpcError, gmcp_rpc_error)

/**
 * gmcp_auth_error_quark:
 *
 * The quark of [error@Gmcp.AuthError].
 *
 * Returns: the error domain
 *
 * Since: 0.1
 */
G_DEFINE_EXTENDED_ERROR (GmcpAuthError, gmcp_auth_error)
#pragma GCC diagnostic pop
/* clang-format on */

G_DEFINE_ENUM_TYPE (GmcpError,
                    gmcp_error,
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_TIMED_OUT, "timed-out"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_CLOSED, "closed"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_NOT_SUPPORTED, "not-supported"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_INVALID_JSON, "invalid-json"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_INVALID_ARGUMENT, "invalid-argument"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_INVALID_CONFIG, "invalid-config"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_LIMIT_EXCEEDED, "limit-exceeded"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_PROTOCOL, "protocol"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_START_FAILED, "start-failed"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_SERVER_EXITED, "server-exited"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_NOT_RUNNING, "not-running"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_NOT_CONFIGURED, "not-configured"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_NOT_PERMITTED, "not-permitted"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_REQUIREMENT_MISSING, "requirement-missing"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_UNKNOWN_TOOL, "unknown-tool"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_AMBIGUOUS_TOOL, "ambiguous-tool"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_TOOL_CHANGED, "tool-changed"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_INPUT_REFUSED, "input-refused"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_TASK_ENDED, "task-ended"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERROR_CALLED_ANEW, "called-anew"))

G_DEFINE_ENUM_TYPE (GmcpRpcError,
                    gmcp_rpc_error,
                    G_DEFINE_ENUM_VALUE (GMCP_RPC_ERROR_PARSE, "parse"),
                    G_DEFINE_ENUM_VALUE (GMCP_RPC_ERROR_INVALID_REQUEST, "invalid-request"),
                    G_DEFINE_ENUM_VALUE (GMCP_RPC_ERROR_METHOD_NOT_FOUND, "method-not-found"),
                    G_DEFINE_ENUM_VALUE (GMCP_RPC_ERROR_INVALID_PARAMS, "invalid-params"),
                    G_DEFINE_ENUM_VALUE (GMCP_RPC_ERROR_INTERNAL, "internal"),
                    G_DEFINE_ENUM_VALUE (GMCP_RPC_ERROR_HEADER_MISMATCH, "header-mismatch"),
                    G_DEFINE_ENUM_VALUE (GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY,
                                         "missing-client-capability"),
                    G_DEFINE_ENUM_VALUE (GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION,
                                         "unsupported-protocol-version"))

G_DEFINE_ENUM_TYPE (GmcpAuthError,
                    gmcp_auth_error,
                    G_DEFINE_ENUM_VALUE (GMCP_AUTH_ERROR_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (GMCP_AUTH_ERROR_SIGN_IN_REQUIRED, "sign-in-required"))

GError *
gmcp_rpc_error_new_take (int code, const char *message, char *data_json)
{
  GError *error = g_error_new_literal (GMCP_RPC_ERROR, code, message);
  GmcpRpcErrorPrivate *priv = gmcp_rpc_error_get_private (error);

  priv->data_json = data_json;
  return error;
}

/**
 * gmcp_rpc_error_dup_data_json:
 * @error: an error of the domain %GMCP_RPC_ERROR
 *
 * Gives the `data` member that the peer sent with an error, as JSON text.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where the peer sent no `data` or @error
 *   is of another domain
 *
 * Since: 0.1
 */
char *
gmcp_rpc_error_dup_data_json (const GError *error)
{
  g_return_val_if_fail (error != NULL, NULL);

  if (error->domain != GMCP_RPC_ERROR)
    return NULL;

  return g_strdup (gmcp_rpc_error_get_private (error)->data_json);
}

GError *
gmcp_auth_error_new_take (int code,
                          const char *message,
                          GHashTable *challenge,
                          gboolean lacks_rights)
{
  GError *error = g_error_new_literal (GMCP_AUTH_ERROR, code, message);
  GmcpAuthErrorPrivate *priv = gmcp_auth_error_get_private (error);

  priv->challenge = challenge;
  priv->lacks_rights = lacks_rights;
  return error;
}

gboolean
gmcp_auth_error_lacks_rights (const GError *error)
{
  return error->domain == GMCP_AUTH_ERROR && gmcp_auth_error_get_private (error)->lacks_rights;
}

/**
 * gmcp_auth_error_dup_challenge:
 * @error: an error of the domain %GMCP_AUTH_ERROR
 * @name: `scheme`, or the name of a parameter in lower case, such as `resource_metadata`, `scope` or
 *   `error`
 *
 * Gives a part of the challenge by which the server said what sign-in it wants, from the
 * `WWW-Authenticate` header of its answer. Of several challenges it is the one with the scheme
 * Bearer, or else the first.
 *
 * Spec: MCP 2026-07-28, basic/authorization, and RFC 9728.
 *
 * Returns: (transfer full) (nullable): the value, or %NULL where the challenge does not have it or
 *   @error is of another domain
 *
 * Since: 0.1
 */
char *
gmcp_auth_error_dup_challenge (const GError *error, const char *name)
{
  GHashTable *challenge;

  g_return_val_if_fail (error != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  if (error->domain != GMCP_AUTH_ERROR)
    return NULL;

  challenge = gmcp_auth_error_get_private (error)->challenge;
  return challenge != NULL ? g_strdup (g_hash_table_lookup (challenge, name)) : NULL;
}
