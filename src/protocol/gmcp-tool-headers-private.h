/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Which arguments of a tool stand in headers of the request too, where requests have headers: those
 * whose schema has an "x-mcp-header". */

typedef struct _GmcpToolHeaders GmcpToolHeaders;

/* NULL without an error where the schema marks nothing, with one (GMCP_ERROR_PROTOCOL) where a mark
 * is not as it has to be, in which case the tool must not be used over HTTP. */
GmcpToolHeaders *gmcp_tool_headers_new (GmcpJsonValue input_schema, GError **error);
void gmcp_tool_headers_free (GmcpToolHeaders *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolHeaders, gmcp_tool_headers_free)

/* Appends names and values in turn; the array owns them by g_free(). */
void
gmcp_tool_headers_append (const GmcpToolHeaders *self, GmcpJsonValue arguments, GPtrArray *headers);

/* What a request has in the header of that name, or NULL. */
typedef const char *(*GmcpHeaderLookup) (gpointer data, const char *name);
/* Whether the headers say what the arguments say. */
gboolean gmcp_tool_headers_check (const GmcpToolHeaders *self,
                                  GmcpJsonValue arguments,
                                  GmcpHeaderLookup lookup,
                                  gpointer data,
                                  GError **error);

/* A text as it may stand in a header: as it is where that is safe, else in Base64 with marks round
 * it. */
char *gmcp_header_value_new (const char *text);
/* The text that stands in a header; NULL where that is not as it may be. */
char *gmcp_header_value_read (const char *value);

G_END_DECLS
