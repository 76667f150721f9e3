/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-schema-number-private.h"
#include "gmcp-json-schema-private.h"
#include "gmcp-json-schema-regex-private.h"

G_BEGIN_DECLS

/* The compiled form: a node for each (sub)schema, with the keywords decoded. Nodes are owned by the
 * schema and point at each other freely, since a $ref may lead anywhere. */

typedef enum
{
  GMCP_SCHEMA_TYPE_NULL = 1 << 0,
  GMCP_SCHEMA_TYPE_BOOLEAN = 1 << 1,
  GMCP_SCHEMA_TYPE_INTEGER = 1 << 2,
  GMCP_SCHEMA_TYPE_NUMBER = 1 << 3,
  GMCP_SCHEMA_TYPE_STRING = 1 << 4,
  GMCP_SCHEMA_TYPE_ARRAY = 1 << 5,
  GMCP_SCHEMA_TYPE_OBJECT = 1 << 6,
} GmcpSchemaTypes;

typedef struct _GmcpSchemaNode GmcpSchemaNode;

typedef struct
{
  GmcpSchemaNode **nodes;
  guint n_nodes;
} GmcpSchemaNodeList;

/* Where a value stands, for messages: a list on the stack that leads up to the root. A step by name
 * has a key, a step by position none; the root may have a prefix instead. */
typedef struct _GmcpSchemaPath GmcpSchemaPath;
struct _GmcpSchemaPath
{
  const GmcpSchemaPath *parent;
  GmcpJsonValue key;
  guint index;
  const char *prefix;
};

char *gmcp_schema_path_to_string (const GmcpSchemaPath *path);

/* A text of a peer's, cut to a length that is fit for a message. */
char *gmcp_schema_shorten (const char *text);
/* A value's JSON, or a string's text, in such a length; a string that is very long is shown as JSON
 * too. */
char *gmcp_schema_dup_shown (GmcpJsonValue value);
/* Always as JSON. */
char *gmcp_schema_dup_shown_raw (GmcpJsonValue value);

/* JSON values found again by their equality: sorted by hash. */
typedef struct
{
  GmcpJsonValue key;
  /* The text of a string without escapes. */
  const char *plain;
  gsize plain_length;
  guint hash;
  /* For members of objects: the schema of the member, and 1 + its place among the required ones. */
  GmcpSchemaNode *node;
  guint required;
} GmcpSchemaEntry;

typedef struct
{
  GmcpSchemaEntry *entries;
  guint n_entries;
} GmcpSchemaTable;

/* Sorts what was collected (GmcpSchemaEntry) and unites entries of equal keys. */
void gmcp_schema_table_init (GmcpSchemaTable *table, GArray *entries);
const GmcpSchemaEntry *gmcp_schema_table_find (const GmcpSchemaTable *table, GmcpJsonValue key);

typedef enum
{
  GMCP_SCHEMA_BOUND_MINIMUM = 1 << 0,
  GMCP_SCHEMA_BOUND_MAXIMUM = 1 << 1,
  GMCP_SCHEMA_BOUND_EXCLUSIVE_MINIMUM = 1 << 2,
  GMCP_SCHEMA_BOUND_EXCLUSIVE_MAXIMUM = 1 << 3,
  GMCP_SCHEMA_BOUND_MULTIPLE_OF = 1 << 4,
} GmcpSchemaBounds;

#define GMCP_SCHEMA_N_BOUNDS 5 /* each at the place of its bit */

typedef struct
{
  GmcpSchemaBounds set;
  GmcpSchemaNumber bounds[GMCP_SCHEMA_N_BOUNDS];
  GmcpJsonValue values[GMCP_SCHEMA_N_BOUNDS];
} GmcpSchemaNumberRules;

typedef struct
{
  guint64 min_length;
  guint64 max_length;
  GmcpSchemaRegex *pattern;
  GmcpJsonValue pattern_value;
} GmcpSchemaStringRules;

typedef struct
{
  guint64 min_items;
  guint64 max_items;
  guint64 min_contains;
  guint64 max_contains;
  GmcpSchemaNodeList prefix;
  GmcpSchemaNode *items;
  GmcpSchemaNode *contains;
  GmcpSchemaNode *unevaluated;
  gboolean unique;
  /* Before 2020-12 a list of items is what prefixItems is now, and additionalItems then is items. */
  gboolean items_is_list;
  GmcpSchemaNode *additional;
} GmcpSchemaArrayRules;

typedef struct
{
  GmcpSchemaRegex *pattern;
  GmcpSchemaNode *node;
} GmcpSchemaPatternMember;

/* What a member brings with it: other members, a schema for the whole object, or both. */
typedef struct
{
  GmcpJsonValue trigger;
  GmcpJsonValue *required;
  guint n_required;
  GmcpSchemaNode *node;
} GmcpSchemaDependency;

typedef struct
{
  guint64 min_members;
  guint64 max_members;
  GmcpSchemaTable members;
  GmcpJsonValue properties;
  GmcpJsonValue *required;
  guint n_required;
  GmcpSchemaPatternMember *patterns;
  guint n_patterns;
  GmcpSchemaNode *additional;
  GmcpSchemaNode *names;
  GmcpSchemaNode *unevaluated;
  GArray *dependencies;
  /* Until the node is complete. */
  GArray *entries;
} GmcpSchemaObjectRules;

typedef struct
{
  GmcpSchemaTable allowed;
  gboolean has_enum;
  GmcpJsonValue enum_value;
  GmcpJsonValue const_value;
} GmcpSchemaValueRules;

typedef struct
{
  GmcpSchemaNode *ref;
  GmcpSchemaNode *dynamic_ref;
  /* The anchor that the outermost resource which has it decides; NULL for a plain reference. */
  const char *dynamic_anchor;
  gsize dynamic_anchor_length;
  GmcpSchemaNodeList all_of;
  GmcpSchemaNodeList any_of;
  GmcpSchemaNodeList one_of;
  GmcpSchemaNode *not_schema;
  GmcpSchemaNode *if_schema;
  GmcpSchemaNode *then_schema;
  GmcpSchemaNode *else_schema;
} GmcpSchemaLogicRules;

typedef enum
{
  GMCP_SCHEMA_RULES_NONE,
  GMCP_SCHEMA_RULES_NUMBER,
  GMCP_SCHEMA_RULES_STRING,
  GMCP_SCHEMA_RULES_ARRAY,
  GMCP_SCHEMA_RULES_OBJECT,
  GMCP_SCHEMA_RULES_VALUE,
  GMCP_SCHEMA_RULES_LOGIC,
  GMCP_SCHEMA_N_RULES,
} GmcpSchemaRulesKind;

typedef struct _GmcpSchemaResource GmcpSchemaResource;

struct _GmcpSchemaNode
{
  /* First, since nodes are found by it. */
  GmcpJsonValue location;
  GmcpSchemaResource *resource;
  gboolean is_compiled;
  /* The schema false. */
  gboolean is_never;
  /* Zero where any type will do. */
  GmcpSchemaTypes types;
  guint64 seen_keywords;
  union
  {
    gpointer rules[GMCP_SCHEMA_N_RULES];
    struct
    {
      gpointer none;
      GmcpSchemaNumberRules *number;
      GmcpSchemaStringRules *string;
      GmcpSchemaArrayRules *array;
      GmcpSchemaObjectRules *object;
      GmcpSchemaValueRules *value;
      GmcpSchemaLogicRules *logic;
    };
  };
};

GmcpSchemaNode *gmcp_schema_node_new (GmcpJsonValue location, GmcpSchemaResource *resource);
void gmcp_schema_node_free (GmcpSchemaNode *self);
/* The rules of that kind, made with their defaults where the node had none. */
gpointer gmcp_schema_node_ensure_rules (GmcpSchemaNode *self, GmcpSchemaRulesKind kind);

struct _GmcpJsonSchema
{
  gatomicrefcount ref_count;
  GmcpSchemaNode *root;
  GPtrArray *nodes;
  GPtrArray *resources;
  GPtrArray *docs;
  GmcpJsonSchemaLimits limits;
};

G_END_DECLS
