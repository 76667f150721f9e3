/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-trace-context-private.h"

/* What a call adds to its request's _meta. */

/* What the protocol itself puts there, in the name of whoever sends the request. */
static gboolean
is_protocol_meta (const char *name)
{
  return g_str_equal (name, GMCP_META_PROGRESS_TOKEN) || g_str_has_prefix (name, GMCP_META_PREFIX);
}

static gboolean
is_own_meta (GmcpCallOptions *self, const char *name)
{
  return is_protocol_meta (name)
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

/* Of a peer's text that is not valid nothing stays. */
static void
take_trace (GmcpCallOptions *self,
            GmcpJsonValue meta,
            const char *name,
            gboolean (*set_text) (GmcpCallOptions *self, const char *text, GError **error))
{
  GmcpJsonValue value = gmcp_json_value_get_member (meta, name);
  g_autofree char *text = gmcp_json_value_dup_string (value);

  if (gmcp_json_value_is_present (value) && (text == NULL || !set_text (self, text, NULL)))
    g_debug ("A request's %s is dropped, which has another format", name);
}

static gboolean
is_taken_meta (const char *name)
{
  return !is_protocol_meta (name) && !g_str_equal (name, GMCP_META_TRACE_PARENT)
         && !g_str_equal (name, GMCP_META_TRACE_STATE) && !g_str_equal (name, GMCP_META_BAGGAGE);
}

/* NULL where there are none, or more than may be kept. */
static char *
dup_taken_members (GmcpJsonValue meta)
{
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  gboolean any = FALSE;
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_iter_init (&iter, meta);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!is_taken_meta (name))
        continue;
      any = TRUE;
      gmcp_json_writer_member_value (&writer, name, value);
      if (out->len > GMCP_LIMIT_CALL_META_BYTES)
        {
          g_debug ("A request's _meta is dropped, which has more than %u bytes",
                   GMCP_LIMIT_CALL_META_BYTES);
          return NULL;
        }
    }
  gmcp_json_writer_end_object (&writer);
  return any ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

void
gmcp_call_options_take_meta (GmcpCallOptions *self, GmcpJsonValue meta)
{
  g_autofree char *members = NULL;

  if (!gmcp_json_value_is_object (meta))
    return;

  take_trace (self, meta, GMCP_META_TRACE_PARENT, gmcp_call_options_set_traceparent);
  take_trace (self, meta, GMCP_META_TRACE_STATE, gmcp_call_options_set_tracestate);
  take_trace (self, meta, GMCP_META_BAGGAGE, gmcp_call_options_set_baggage);
  members = dup_taken_members (meta);
  if (members != NULL)
    gmcp_call_options_set_meta_json (self, members, NULL);
}

void
gmcp_call_options_copy_meta (GmcpCallOptions *self, GmcpCallOptions *from)
{
  gmcp_call_options_set_meta_json (self, from->meta_json, NULL);
  gmcp_call_options_set_traceparent (self, from->traceparent, NULL);
  gmcp_call_options_set_tracestate (self, from->tracestate, NULL);
  gmcp_call_options_set_baggage (self, from->baggage, NULL);
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
