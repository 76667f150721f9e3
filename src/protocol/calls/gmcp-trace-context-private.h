/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether a text has the format that the W3C gives it: Trace Context (traceparent, tracestate) and
 * Baggage. What a peer would ignore anyway, such as a doubled key, is not looked for. */
gboolean gmcp_trace_is_parent (const char *text);
gboolean gmcp_trace_is_state (const char *text);
gboolean gmcp_trace_is_baggage (const char *text);

G_END_DECLS
