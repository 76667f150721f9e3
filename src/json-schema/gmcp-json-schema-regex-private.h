/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-error.h>

G_BEGIN_DECLS

/* Regular expressions as ECMA-262 has them with its "u" flag, less its case-insensitive matching;
 * braces and brackets that are no part of an operator, and escapes of punctuation, stand for
 * themselves as without that flag. GRegex is not used since its dialect is another, and since the
 * time that it spends on a hostile pattern can be bounded neither for a given text nor for the
 * whole of a validation. */

typedef struct _GmcpSchemaRegex GmcpSchemaRegex;

typedef enum
{
  GMCP_SCHEMA_REGEX_NO_MATCH,
  GMCP_SCHEMA_REGEX_MATCH,
  GMCP_SCHEMA_REGEX_OUT_OF_STEPS,
} GmcpSchemaRegexResult;

/* pattern is valid UTF-8. instructions is what the programs of all patterns together may still take.
 * Errors are GMCP_ERROR_INVALID_ARGUMENT, a phrase with the position, and GMCP_ERROR_LIMIT_EXCEEDED. */
GmcpSchemaRegex *
gmcp_schema_regex_new (const char *pattern, gsize length, guint *instructions, GError **error);
void gmcp_schema_regex_free (GmcpSchemaRegex *self);

/* Looks for the pattern anywhere in text, which is valid UTF-8. Steps are taken off as work is done;
 * each is worth some nanoseconds. */
GmcpSchemaRegexResult gmcp_schema_regex_match (const GmcpSchemaRegex *self,
                                               const char *text,
                                               gsize length,
                                               guint64 *steps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSchemaRegex, gmcp_schema_regex_free)

G_END_DECLS
