/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"

#include <gmcp/core/gmcp-error.h>

/* Where the answer comes from, and how it is looked at. */

/**
 * gmcp_call_options_get_cache_mode: (get-property cache-mode)
 * @self: options of a call
 *
 * Tells whether the answer may come from the client's cache, and be kept there.
 *
 * Returns: the mode
 *
 * Since: 0.1
 */
GmcpCacheMode
gmcp_call_options_get_cache_mode (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), GMCP_CACHE_MODE_DEFAULT);

  return self->cache_mode;
}

/**
 * gmcp_call_options_set_cache_mode: (set-property cache-mode)
 * @self: options of a call
 * @cache_mode: the mode
 *
 * Sets whether the answer may come from the client's cache, and be kept there.
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_cache_mode (GmcpCallOptions *self, GmcpCacheMode cache_mode)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  if (self->cache_mode == cache_mode)
    return;

  self->cache_mode = cache_mode;
  g_object_notify (G_OBJECT (self), "cache-mode");
}

/**
 * gmcp_call_options_get_stale_on_error: (get-property stale-on-error)
 * @self: options of a call
 *
 * Tells whether a stale answer is better than none where the server cannot be asked or fails.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_call_options_get_stale_on_error (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), FALSE);

  return self->stale_on_error;
}

/**
 * gmcp_call_options_set_stale_on_error: (set-property stale-on-error)
 * @self: options of a call
 * @stale_on_error: whether a stale answer is better than none
 *
 * Sets whether a stale answer is better than none where the server cannot be asked or fails. The
 * answers to such requests are kept even where the server says that they are stale at once.
 *
 * Spec: MCP 2026-07-28, server/utilities/caching, "Freshness Calculation".
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_stale_on_error (GmcpCallOptions *self, gboolean stale_on_error)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  stale_on_error = !!stale_on_error;
  if (self->stale_on_error == stale_on_error)
    return;

  self->stale_on_error = stale_on_error;
  g_object_notify (G_OBJECT (self), "stale-on-error");
}

/**
 * gmcp_call_options_get_strict_output: (get-property strict-output)
 * @self: options of a call
 *
 * Tells whether the call fails where the result does not match the tool's output schema.
 *
 * Returns: whether it does
 *
 * Since: 0.1
 */
gboolean
gmcp_call_options_get_strict_output (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), FALSE);

  return self->strict_output;
}

/**
 * gmcp_call_options_set_strict_output: (set-property strict-output)
 * @self: options of a call
 * @strict_output: whether the call fails where the result does not match the tool's output schema
 *
 * Sets whether the call fails where the result does not match the tool's output schema. Where the
 * client is strict, every call is.
 *
 * Spec: MCP 2026-07-28, server/tools, "Output Schema".
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_strict_output (GmcpCallOptions *self, gboolean strict_output)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  strict_output = !!strict_output;
  if (self->strict_output == strict_output)
    return;

  self->strict_output = strict_output;
  g_object_notify (G_OBJECT (self), "strict-output");
}

void
gmcp_call_options_take_outcome (GmcpCallOptions *self, const GError *error)
{
  g_clear_pointer (&self->error_data_json, g_free);
  if (error != NULL)
    self->error_data_json = gmcp_rpc_error_dup_data_json (error);
}

/**
 * gmcp_call_options_dup_error_data_json:
 * @self: options of a call that has failed
 *
 * Gives the `data` member that the server sent with the [error@Gmcp.RpcError] of the last call that
 * these options were given to.
 *
 * In C [func@Gmcp.RpcError.dup_data_json] gives it from the error itself. The errors of Python, and those
 * of other languages that copy the message and the code only, have lost it. Options that are shared by
 * calls at a time have that of the one that ended last.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where the server sent no `data`, the error was of
 *   another domain, or the call has not failed
 *
 * Since: 0.1
 */
char *
gmcp_call_options_dup_error_data_json (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), NULL);

  return g_strdup (self->error_data_json);
}
