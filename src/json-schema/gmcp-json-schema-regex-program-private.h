/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-schema-regex-private.h"

G_BEGIN_DECLS

/* What the four files of the regular expressions share: parsing makes a tree, the tree is turned
 * into a program, and a backtracking machine runs the program. */

typedef enum
{
  GMCP_SCHEMA_CLASS_RANGE,
  GMCP_SCHEMA_CLASS_DIGIT,
  GMCP_SCHEMA_CLASS_WORD,
  GMCP_SCHEMA_CLASS_SPACE,
  GMCP_SCHEMA_CLASS_CATEGORY, /* low: mask of GUnicodeType */
  GMCP_SCHEMA_CLASS_SCRIPT,   /* low: GUnicodeScript */
  GMCP_SCHEMA_CLASS_BINARY,   /* low: index of the property */
} GmcpSchemaClassKind;

typedef struct
{
  GmcpSchemaClassKind kind;
  gboolean negate;
  guint32 low;
  guint32 high;
} GmcpSchemaClassItem;

typedef struct
{
  GArray *items;
  guint32 ascii[4];
  gboolean negate;
} GmcpSchemaClass;

gboolean gmcp_schema_class_item_has (const GmcpSchemaClassItem *item, gunichar c);
/* The text between the braces of \p{…}. */
gboolean gmcp_schema_class_item_init_property (GmcpSchemaClassItem *item, const char *property);
GmcpSchemaClass *gmcp_schema_class_new (void);
void gmcp_schema_class_free (GmcpSchemaClass *self);
void gmcp_schema_class_seal (GmcpSchemaClass *self);
gboolean gmcp_schema_class_has (const GmcpSchemaClass *self, gunichar c);

typedef enum
{
  GMCP_SCHEMA_TREE_CHAR, /* value: the code point */
  GMCP_SCHEMA_TREE_ANY,
  GMCP_SCHEMA_TREE_CLASS,     /* value: index of the class */
  GMCP_SCHEMA_TREE_SEQUENCE,  /* children */
  GMCP_SCHEMA_TREE_CHOICE,    /* children */
  GMCP_SCHEMA_TREE_REPEAT,    /* one child */
  GMCP_SCHEMA_TREE_GROUP,     /* one child; value: number of the group */
  GMCP_SCHEMA_TREE_LOOK,      /* one child */
  GMCP_SCHEMA_TREE_REFERENCE, /* value: number of the group */
  GMCP_SCHEMA_TREE_START,
  GMCP_SCHEMA_TREE_END,
  GMCP_SCHEMA_TREE_BOUNDARY,
} GmcpSchemaTreeKind;

/* A count in a repetition that stands for no limit. */
#define GMCP_SCHEMA_REGEX_UNLIMITED G_MAXUINT32

typedef struct _GmcpSchemaTree GmcpSchemaTree;
struct _GmcpSchemaTree
{
  GmcpSchemaTreeKind kind;
  GmcpSchemaTree *first;
  GmcpSchemaTree *last;
  GmcpSchemaTree *next;
  guint32 value;
  guint32 min;
  guint32 max;
  /* The groups within a repetition: [first_group, end_group). */
  guint32 first_group;
  guint32 end_group;
  gboolean lazy;
  gboolean negate;
  gboolean behind;
};

typedef struct
{
  GmcpSchemaTree *root;
  /* All nodes, to free them; and the classes, which the program takes. */
  GPtrArray *nodes;
  GPtrArray *classes;
  guint n_groups;
  gboolean has_references;
} GmcpSchemaRegexSource;

gboolean gmcp_schema_regex_parse (GmcpSchemaRegexSource *source,
                                  const char *pattern,
                                  gsize length,
                                  GError **error);
void gmcp_schema_regex_source_clear (GmcpSchemaRegexSource *source);

typedef enum
{
  GMCP_SCHEMA_OP_MATCH,
  GMCP_SCHEMA_OP_CHAR,
  GMCP_SCHEMA_OP_ANY,
  GMCP_SCHEMA_OP_CLASS,
  GMCP_SCHEMA_OP_REPEAT, /* of the one-character operation that follows, a to b times */
  GMCP_SCHEMA_OP_SPLIT,  /* go to a; when that fails, to b */
  GMCP_SCHEMA_OP_JUMP,
  GMCP_SCHEMA_OP_SAVE,     /* position into slot a */
  GMCP_SCHEMA_OP_PROGRESS, /* fail where the position is still that of slot a */
  GMCP_SCHEMA_OP_RESET,    /* clear slots a to b - 1 */
  GMCP_SCHEMA_OP_REFERENCE,
  GMCP_SCHEMA_OP_LOOK, /* run what follows, up to its MATCH, then go to a */
  GMCP_SCHEMA_OP_START,
  GMCP_SCHEMA_OP_END,
  GMCP_SCHEMA_OP_BOUNDARY,
} GmcpSchemaOp;

typedef enum
{
  GMCP_SCHEMA_OP_BACKWARD = 1 << 0,
  GMCP_SCHEMA_OP_NEGATE = 1 << 1,
  GMCP_SCHEMA_OP_LAZY = 1 << 2,
} GmcpSchemaOpFlags;

typedef struct
{
  guint8 op;
  guint8 flags;
  guint32 a;
  guint32 b;
} GmcpSchemaInstruction;

struct _GmcpSchemaRegex
{
  GArray *program;
  GPtrArray *classes;
  guint n_slots;
  gboolean anchored;
};

/* Two slots a group come first; a slot without a position holds G_MAXSIZE. */
GmcpSchemaRegex *
gmcp_schema_regex_assemble (GmcpSchemaRegexSource *source, guint *instructions, GError **error);

G_END_DECLS
