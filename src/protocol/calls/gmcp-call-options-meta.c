/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-trace-context-private.h"

/* What a call adds to its request's _meta. */

static gboolean
is_own_meta (GmcpCallOptions *self, const char *name)
{
  return g_str_equal (name, GMCP_META_PROGRESS_TOKEN) || g_str_has_prefix (name, GMCP_META_PREFIX)
         || (self->traceparent != NULL && g_str_equal (name, GMCP_META_TRACE_PARENT))
         || (self->tracestate != NULL && g_str_equal (name, GMCP_META_TRACE_STATE))
         || (self->baggage != NULL && g_str_equal (name, GMCP_META_BAGGAGE));
}

void
gmcp_call_options_write_meta (GmcpCallOptions *self, GmcpJsonWriter *writer)
{
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  if (self->traceparent != NULL)
    gmcp_json_writer_member_string (writer, GMCP_META_TRACE_PARENT, self->traceparent);
  if (self->tracestate != NULL)
    gmcp_json_writer_member_string (writer, GMCP_META_TRACE_STATE, self->tracestate);
  if (self->baggage != NULL)
    gmcp_json_writer_member_string (writer, GMCP_META_BAGGAGE, self->baggage);
  if (self->meta == NULL)
    return;

  gmcp_json_iter_init (&iter, gmcp_json_doc_get_root (self->meta));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!is_own_meta (self, name))
        gmcp_json_writer_member_value (writer, name, value);
    }
}

gboolean
gmcp_call_options_writes_meta (GmcpCallOptions *self, const char *name)
{
  return is_own_meta (self, name)
         || (self->meta != NULL
             && gmcp_json_value_is_present (
               gmcp_json_value_get_member (gmcp_json_doc_get_root (self->meta), name)));
}

static gboolean
set_trace (GmcpCallOptions *self,
           char **member,
           const char *text,
           gboolean (*is_valid) (const char *text),
           const char *property,
           GError **error)
{
  if (text != NULL && !is_valid (text))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   /* Translators: the name of a part of a trace context */
                   _ ("The call cannot be given this %s, which has not the format that the W3C's "
                      "recommendation demands"),
                   property);
      return FALSE;
    }
  if (g_strcmp0 (*member, text) != 0)
    {
      g_free (*member);
      *member = g_strdup (text);
      g_object_notify (G_OBJECT (self), property);
    }
  return TRUE;
}

/**
 * gmcp_call_options_get_traceparent: (get-property traceparent)
 * @self: options of a call
 *
 * Gives the span of a distributed trace that the call belongs to.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_call_options_get_traceparent (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), NULL);

  return self->traceparent;
}

/**
 * gmcp_call_options_set_traceparent:
 * @self: options of a call
 * @traceparent: (nullable): a `traceparent` as of the W3C's Trace Context, or %NULL for none
 * @error: return location for an error
 *
 * Sets the span of a distributed trace that the call belongs to. It is sent in the request's `_meta`,
 * in place of what [method@Gmcp.CallOptions.set_meta_json] says of it. Fails with
 * [error@Gmcp.Error] `INVALID_ARGUMENT`, with the old value kept, where the text has another format.
 *
 * Spec: MCP 2026-07-28, basic, "OpenTelemetry trace context".
 *
 * Returns: whether @traceparent was taken
 *
 * Since: 0.1
 */
gboolean
gmcp_call_options_set_traceparent (GmcpCallOptions *self, const char *traceparent, GError **error)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return set_trace (self, &self->traceparent, traceparent, gmcp_trace_is_parent,
                    GMCP_META_TRACE_PARENT, error);
}

/**
 * gmcp_call_options_get_tracestate: (get-property tracestate)
 * @self: options of a call
 *
 * Gives what makers of tracing systems add to the span.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_call_options_get_tracestate (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), NULL);

  return self->tracestate;
}

/**
 * gmcp_call_options_set_tracestate:
 * @self: options of a call
 * @tracestate: (nullable): a `tracestate` as of the W3C's Trace Context, or %NULL for none
 * @error: return location for an error
 *
 * Sets what makers of tracing systems add to the span; see
 * [method@Gmcp.CallOptions.set_traceparent].
 *
 * Spec: MCP 2026-07-28, basic, "OpenTelemetry trace context".
 *
 * Returns: whether @tracestate was taken
 *
 * Since: 0.1
 */
gboolean
gmcp_call_options_set_tracestate (GmcpCallOptions *self, const char *tracestate, GError **error)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return set_trace (self, &self->tracestate, tracestate, gmcp_trace_is_state, GMCP_META_TRACE_STATE,
                    error);
}

/**
 * gmcp_call_options_get_baggage: (get-property baggage)
 * @self: options of a call
 *
 * Gives what the application passes along with the trace.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_call_options_get_baggage (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), NULL);

  return self->baggage;
}

/**
 * gmcp_call_options_set_baggage:
 * @self: options of a call
 * @baggage: (nullable): a `baggage` as of the W3C's Baggage, or %NULL for none
 * @error: return location for an error
 *
 * Sets what the application passes along with the trace; see
 * [method@Gmcp.CallOptions.set_traceparent]. Servers see it, so it is no place for secrets.
 *
 * Spec: MCP 2026-07-28, basic, "OpenTelemetry trace context".
 *
 * Returns: whether @baggage was taken
 *
 * Since: 0.1
 */
gboolean
gmcp_call_options_set_baggage (GmcpCallOptions *self, const char *baggage, GError **error)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return set_trace (self, &self->baggage, baggage, gmcp_trace_is_baggage, GMCP_META_BAGGAGE, error);
}
