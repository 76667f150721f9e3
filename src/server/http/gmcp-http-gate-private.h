/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-headers-private.h"

G_BEGIN_DECLS

/* Which requests are let in: those that speak to a host of ours and come from no page of another's. A page that
 * a browser shows can have its own name point to this machine, and so reach what listens here only.
 *
 * Spec: MCP 2026-07-28, basic/transports/streamable-http, "Security & Endpoint". */
typedef struct
{
  GStrv hosts;   /* nullable: beside this machine's own; "*" for any */
  GStrv origins; /* nullable: the same */
} GmcpHttpGate;

void gmcp_http_gate_clear (GmcpHttpGate *self);
/* NULL, or why the request is refused. */
const char *gmcp_http_gate_check (const GmcpHttpGate *self, const GmcpHttpHeaders *headers);

/* Whether an Accept header allows a type; one that is missing allows all. */
gboolean gmcp_http_accepts (const char *accept, const char *type);

G_END_DECLS
