/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-node-private.h"

G_BEGIN_DECLS

/* TOML 1.0, strictly. The text is UTF-8. Dates and times, infinities and NaN, which JSON has no word
 * for, become strings. */

typedef struct
{
  const char *p;
  const char *end;
  guint line;
  guint depth;
  GmcpConfigTree *tree;
  const char *problem; /* the first, untranslated */
  GPtrArray *places;   /* of GmcpTomlPlace, where they are asked for; else NULL */
  GPtrArray *keys;     /* of the header or pair that was read last, where places are asked for */
  GPtrArray *table;    /* the keys of the header before, likewise */
} GmcpTomlReader;

/* The root table, which the tree owns; NULL with an error that does not name the line, which is then
 * in *error_line. */
GmcpConfigNode *gmcp_toml_read (const char *text,
                                gsize length,
                                GmcpConfigTree *tree,
                                guint *error_line,
                                GError **error);

/* Between the two files of the reader. */
gboolean gmcp_toml_fail (GmcpTomlReader *reader, const char *problem);
GmcpConfigNode *gmcp_toml_add (GmcpTomlReader *reader, GmcpConfigNodeKind kind, char *text);
void gmcp_toml_skip_blanks (GmcpTomlReader *reader);
/* A comment, if one is here, and the end of the line or of the text. */
gboolean gmcp_toml_read_line_end (GmcpTomlReader *reader);
gboolean gmcp_toml_read_pair (GmcpTomlReader *reader, GmcpConfigNode *table);
GmcpConfigNode *gmcp_toml_read_value (GmcpTomlReader *reader);
/* A string in single or double quotes; many lines only where that is allowed. */
char *gmcp_toml_read_string (GmcpTomlReader *reader, gboolean one_line);
GmcpConfigNode *gmcp_toml_read_word (GmcpTomlReader *reader);

static inline int
gmcp_toml_peek (const GmcpTomlReader *reader)
{
  return reader->p < reader->end ? (guchar) *reader->p : -1;
}

#define GMCP_TOML_CLOSED 1u /* an inline table: nothing is added to it */

G_END_DECLS
