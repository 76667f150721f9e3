/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-decimal-private.h"
#include "gmcp-json-private.h"
#include "gmcp-limits.h"

G_BEGIN_DECLS

/* What lies behind a document; for the files of this folder only. */

/* Equality, hashing and the bridge to json-glib recurse, so no document may be deeper than this,
 * whatever the caller of the reader allows. */
#define GMCP_JSON_DEPTH_CEILING 1024u

/* A document is a flat tape of cells, parents before their children; an object's children are its
 * keys and values in turn. */
typedef struct
{
  guint32 offset; /* of the first byte, a string's opening quote for instance */
  guint32 length; /* in bytes, both quotes or brackets included */
  guint32 next;   /* index of the first cell that is not inside this one */
  guint32 info;   /* kind, GMCP_JSON_CELL_PLAIN, and above them a container's length */
} GmcpJsonCell;

#define GMCP_JSON_CELL_KIND_MASK 0x0fu
/* A string without an escape; a number without a fraction or an exponent. */
#define GMCP_JSON_CELL_PLAIN       0x10u
#define GMCP_JSON_CELL_COUNT_SHIFT 8

G_STATIC_ASSERT (GMCP_LIMIT_JSON_VALUES <= G_MAXUINT32 >> GMCP_JSON_CELL_COUNT_SHIFT);

struct _GmcpJsonDoc
{
  gatomicrefcount ref_count;
  gboolean cells_allocated; /* else they follow this struct */
  GmcpJsonCell *cells;
  const char *data;
  GBytes *owner;
};

static inline const GmcpJsonCell *
gmcp_json_value_cell (GmcpJsonValue value)
{
  return &value.doc->cells[value.index];
}

static inline GmcpJsonKind
gmcp_json_cell_kind (const GmcpJsonCell *cell)
{
  return (GmcpJsonKind) (cell->info & GMCP_JSON_CELL_KIND_MASK);
}

static inline gboolean
gmcp_json_cell_is_plain (const GmcpJsonCell *cell)
{
  return (cell->info & GMCP_JSON_CELL_PLAIN) != 0;
}

/* With an owner, data lies in it; without one, length bytes of data are copied. Takes cells where
 * take_cells is set (they are then of g_malloc()), and copies them otherwise. */
GmcpJsonDoc *gmcp_json_doc_new (GmcpJsonCell *cells,
                                guint32 n_cells,
                                gboolean take_cells,
                                const char *data,
                                gsize length,
                                GBytes *owner);

/* A value's bytes, where the document is in a buffer of which they are nearly all, since the whole buffer is kept with them;
 * else NULL. */
GBytes *gmcp_json_value_dup_owned (GmcpJsonValue value);

/* Decodes the text between the quotes into out, which has room for as many bytes; gives the number
 * written. */
gsize gmcp_json_unescape (const char *text, gsize length, char *out);

/* A string's decoded text: in place where it has no escape, else in *to_free. */
const char *gmcp_json_value_view_string (GmcpJsonValue value, gsize *length, char **to_free);

/* An object's members with decoded names, each name once (the last member with it wins). */
typedef struct
{
  const char *name;
  gsize name_length;
  char *to_free;
  GmcpJsonValue value;
  guint32 position; /* where the name was first seen */
  gboolean crowded;
} GmcpJsonMember;

/* An array of GmcpJsonMember, sorted by name. */
GArray *gmcp_json_value_list_members (GmcpJsonValue object);

/* Marks as crowded the members whose names would make json-glib's look-ups slow, so many share a
 * hash. In names that were not made for that there are none. */
void gmcp_json_members_mark_crowded (GArray *members);

G_END_DECLS
