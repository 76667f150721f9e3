/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/arguments/gmcp-tool-argument.h>

#include "gmcp-argument-shapes-private.h"

G_BEGIN_DECLS

/* schema is a value of the tool's own input schema. */
GmcpToolArgument *
gmcp_tool_argument_new (GmcpTool *tool, const char *name, GmcpJsonValue schema, gboolean required);

const GmcpArgumentShapes *gmcp_tool_argument_peek_shapes (GmcpToolArgument *self);

/* One line on arguments that the validator refused. */
char *
gmcp_argument_explain_refusal (GmcpTool *tool, GmcpJsonValue arguments, const GError *refusal);

G_END_DECLS
