/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"
#include "gmcp-redactor-private.h"

G_BEGIN_DECLS

/* The beginning of arguments that are too large to be written down: their first members, with the first
 * words of long strings, without secrets. Looks at no more of them than that. */
void gmcp_audit_beginning_write (GmcpJsonWriter *writer,
                                 GmcpJsonValue arguments,
                                 GmcpRedactor *redactor);

G_END_DECLS
