/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <string.h>

#include "gmcp-json-schema-regex-program-private.h"

G_BEGIN_DECLS

/* Shared by the two files that parse patterns. */

typedef struct
{
  GmcpSchemaRegexSource *source;
  const char *start;
  const char *p;
  const char *end;
  guint depth;
  guint highest_reference;
  GHashTable *names;
  GArray *named_references;
  GError **error;
} GmcpSchemaPatternParser;

/* Sets the error to what, with the place; gives NULL. */
gpointer gmcp_schema_pattern_fail (GmcpSchemaPatternParser *parser, const char *what);
GmcpSchemaTree *
gmcp_schema_pattern_new_node (GmcpSchemaPatternParser *parser, GmcpSchemaTreeKind kind);

static inline gboolean
gmcp_schema_pattern_looking_at (GmcpSchemaPatternParser *parser, const char *text)
{
  gsize length = strlen (text);

  return (gsize) (parser->end - parser->p) >= length && memcmp (parser->p, text, length) == 0;
}

static inline gboolean
gmcp_schema_pattern_skip (GmcpSchemaPatternParser *parser, const char *text)
{
  if (!gmcp_schema_pattern_looking_at (parser, text))
    return FALSE;

  parser->p += strlen (text);
  return TRUE;
}

static inline gunichar
gmcp_schema_pattern_next_char (GmcpSchemaPatternParser *parser)
{
  gunichar c = g_utf8_get_char (parser->p);

  parser->p = g_utf8_next_char (parser->p);
  return c;
}

/* gmcp-json-schema-regex-escape.c: what follows an opening bracket; what follows a backslash and
 * stands for a character or for several. */
GmcpSchemaTree *gmcp_schema_pattern_parse_class (GmcpSchemaPatternParser *parser);
GmcpSchemaTree *gmcp_schema_pattern_parse_escape (GmcpSchemaPatternParser *parser);

G_END_DECLS
