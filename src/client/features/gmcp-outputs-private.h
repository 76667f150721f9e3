/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>
#include <gmcp/protocol/gmcp-tool-result.h>

#include "gmcp-features-private.h"

G_BEGIN_DECLS

/* The structured content of results against the output schemas of tools. */

GmcpOutputs *gmcp_outputs_new (void);
void gmcp_outputs_free (GmcpOutputs *outputs);

gboolean gmcp_outputs_is_strict (GmcpSession *self);
/* Returns whether the value has changed. */
gboolean gmcp_outputs_set_strict (GmcpSession *self, gboolean strict);
/* How many tools have a schema. */
guint gmcp_outputs_get_length (GmcpSession *self);

/* The list of tools has changed. */
void gmcp_outputs_index (GmcpSession *self);
/* A mismatch is noted in the result; it is an error, and FALSE, where the session or the call is
 * strict. */
gboolean gmcp_outputs_check (GmcpSession *self,
                             const char *name,
                             GmcpCallOptions *options,
                             GmcpToolResult *result,
                             GError **error);

G_END_DECLS
