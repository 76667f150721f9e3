/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What a JSON Schema lets a value be, as a person would say it: a few shapes to choose from. References, null
 * beside a type, lists of types and alternatives in alternatives are all resolved into them. Other
 * keywords stay in the schema of each shape, and are for the validator. */

typedef enum
{
  GMCP_ARGUMENT_KIND_ANY,
  GMCP_ARGUMENT_KIND_NULL,
  GMCP_ARGUMENT_KIND_BOOLEAN,
  GMCP_ARGUMENT_KIND_INTEGER,
  GMCP_ARGUMENT_KIND_NUMBER,
  GMCP_ARGUMENT_KIND_STRING,
  GMCP_ARGUMENT_KIND_ARRAY,
  GMCP_ARGUMENT_KIND_OBJECT,
  GMCP_ARGUMENT_KIND_ENUM,  /* schema is the array of values */
  GMCP_ARGUMENT_KIND_CONST, /* schema is the value */
} GmcpArgumentKind;

typedef struct
{
  GmcpArgumentKind kind;
  GmcpJsonValue schema;
} GmcpArgumentShape;

#define GMCP_ARGUMENT_SHAPES_MAX 64u

typedef struct
{
  GmcpJsonValue root; /* the schema that references lead into */
  GmcpArgumentShape shapes[GMCP_ARGUMENT_SHAPES_MAX];
  guint n_shapes; /* at least 1 */
} GmcpArgumentShapes;

/* The schema that a chain of references ends at; GMCP_JSON_NONE where it leads nowhere or in a circle. */
GmcpJsonValue gmcp_argument_resolve (GmcpJsonValue root, GmcpJsonValue schema);

void gmcp_argument_shapes_read (GmcpArgumentShapes *self, GmcpJsonValue root, GmcpJsonValue schema);
/* The schema of the first shape of that kind. */
gboolean gmcp_argument_shapes_find (const GmcpArgumentShapes *self,
                                    GmcpArgumentKind kind,
                                    GmcpJsonValue *schema);
gboolean gmcp_argument_shapes_have (const GmcpArgumentShapes *self, GmcpArgumentKind kind);

/* Whether a value is of one of the shapes, whatever is in it. */
gboolean gmcp_argument_shapes_admit (const GmcpArgumentShapes *self, GmcpJsonValue value);

typedef void (*GmcpArgumentChoiceFunc) (GmcpJsonValue value, gpointer data);

/* Calls for each value that is named, null too. */
void gmcp_argument_shapes_foreach_choice (const GmcpArgumentShapes *self,
                                          GmcpArgumentChoiceFunc func,
                                          gpointer data);

/* The greatest whole number that is not above it. Beyond these, doubles have no fraction. */
static inline double
gmcp_argument_round_down (double number)
{
  double whole;

  if (!(number > -9e15 && number < 9e15))
    return number;
  whole = (double) (gint64) number;
  return whole > number ? whole - 1 : whole;
}

/* `number`, `string[]`, `"a"|"b"`. */
char *gmcp_argument_describe_type (const GmcpArgumentShapes *self);
/* A name as it stands in a signature: in quotes where it is no plain word. */
char *gmcp_argument_quote_name (const char *name);

/* A value of JSON out of what a person typed. name and type are for the message. */
char *gmcp_argument_parse_text (const GmcpArgumentShapes *self,
                                const char *name,
                                const char *type,
                                const char *text,
                                GError **error);
/* What the items of the first list among them may be; FALSE where there is none. */
gboolean
gmcp_argument_shapes_read_items (const GmcpArgumentShapes *self, GmcpArgumentShapes *items);
/* Each value that can be given, as text that is taken for it; NULL where there are others. */
char **gmcp_argument_list_choices (const GmcpArgumentShapes *self);

/* A value that fits, as far as one is found. */
char *gmcp_argument_dup_example (GmcpJsonValue root, GmcpJsonValue schema);
/* The same for what is neither a list nor an object. */
void gmcp_argument_write_scalar_example (GmcpJsonWriter *writer, const GmcpArgumentShape *shape);

G_END_DECLS
