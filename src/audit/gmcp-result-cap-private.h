/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-tool-call-private.h"

G_BEGIN_DECLS

/* A result that is larger than a host should get: what fits, and a text that says where the whole of it
 * is. */

gboolean gmcp_result_cap_concerns (GmcpToolResult *result, gsize max_bytes);
/* Answers the call, once the whole result is written to a file. */
void gmcp_result_cap_answer (GmcpToolCall *call, GmcpToolResult *result, gsize max_bytes);

/* The result with as much of its content as fits, and a text behind it. */
GmcpToolResult *gmcp_result_cap_cut (GmcpToolResult *result, gsize max_bytes, const char *notice);

G_END_DECLS
