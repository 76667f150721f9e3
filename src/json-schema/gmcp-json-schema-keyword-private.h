/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-schema-node-private.h"
#include "gmcp-json-schema-resource-private.h"

G_BEGIN_DECLS

/* Dialects as a mask, by their place in GmcpJsonSchemaDialect. */
typedef enum
{
  GMCP_SCHEMA_IN_2020_12 = 1 << GMCP_JSON_SCHEMA_DIALECT_2020_12,
  GMCP_SCHEMA_IN_2019_09 = 1 << GMCP_JSON_SCHEMA_DIALECT_2019_09,
  GMCP_SCHEMA_IN_DRAFT_07 = 1 << GMCP_JSON_SCHEMA_DIALECT_DRAFT_07,
  GMCP_SCHEMA_IN_DRAFT_06 = 1 << GMCP_JSON_SCHEMA_DIALECT_DRAFT_06,
  GMCP_SCHEMA_IN_ALL = 0x0f,
  GMCP_SCHEMA_IN_NEW = GMCP_SCHEMA_IN_2020_12 | GMCP_SCHEMA_IN_2019_09,
  GMCP_SCHEMA_IN_OLD = GMCP_SCHEMA_IN_DRAFT_07 | GMCP_SCHEMA_IN_DRAFT_06,
} GmcpSchemaDialects;

static inline gboolean
gmcp_schema_dialect_is_old (const GmcpSchemaDialect *dialect)
{
  return ((1u << dialect->draft) & GMCP_SCHEMA_IN_OLD) != 0;
}

/* Sets *dialect where the schema has $schema. Beside those that are known there may be one of the
 * author's own, where its meta-schema is among the documents. Fails for any other. */
gboolean gmcp_schema_dialect_read (const GmcpJsonSchemaOptions *options,
                                   GmcpJsonValue schema,
                                   GmcpSchemaDialect *dialect,
                                   GError **error);

/* Where a keyword's value holds schemas. */
typedef enum
{
  GMCP_SCHEMA_SHAPE_VALUE,
  GMCP_SCHEMA_SHAPE_SCHEMA,
  GMCP_SCHEMA_SHAPE_LIST,
  GMCP_SCHEMA_SHAPE_SCHEMA_OR_LIST,
  /* An object of schemas; members that cannot be a schema are allowed. */
  GMCP_SCHEMA_SHAPE_MAP,
} GmcpSchemaShape;

typedef struct _GmcpSchemaKeyword GmcpSchemaKeyword;
typedef struct _GmcpSchemaCompiler GmcpSchemaCompiler;

typedef gboolean (*GmcpSchemaKeywordFunc) (GmcpSchemaCompiler *compiler,
                                           GmcpSchemaNode *node,
                                           const GmcpSchemaKeyword *keyword,
                                           GmcpJsonValue value,
                                           const GmcpSchemaPath *path,
                                           GError **error);

struct _GmcpSchemaKeyword
{
  const char *name;
  GmcpSchemaDialects dialects;
  GmcpSchemaVocabularies vocabulary;
  GmcpSchemaShape shape;
  GmcpSchemaKeywordFunc compile;
  /* What the keyword sets: a member of these rules. */
  GmcpSchemaRulesKind rules;
  gsize offset;
};

static inline gpointer
gmcp_schema_keyword_slot (GmcpSchemaNode *node, const GmcpSchemaKeyword *keyword)
{
  return (char *) gmcp_schema_node_ensure_rules (node, keyword->rules) + keyword->offset;
}

/* NULL for what that dialect does not know. position, which may be NULL, is less than 64. */
const GmcpSchemaKeyword *
gmcp_schema_keyword_find (GmcpJsonValue name, const GmcpSchemaDialect *dialect, guint *position);

/* The functions of keywords, each in the file of its subject. */
#define GMCP_SCHEMA_DECLARE_KEYWORD(name)                                                          \
  gboolean gmcp_schema_compile_##name (GmcpSchemaCompiler *compiler, GmcpSchemaNode *node,         \
                                       const GmcpSchemaKeyword *keyword, GmcpJsonValue value,      \
                                       const GmcpSchemaPath *path, GError **error)

/* gmcp-json-schema-compile-assertions.c */
GMCP_SCHEMA_DECLARE_KEYWORD (type);
GMCP_SCHEMA_DECLARE_KEYWORD (enum);
GMCP_SCHEMA_DECLARE_KEYWORD (const);
GMCP_SCHEMA_DECLARE_KEYWORD (count);
GMCP_SCHEMA_DECLARE_KEYWORD (number);
GMCP_SCHEMA_DECLARE_KEYWORD (pattern);
GMCP_SCHEMA_DECLARE_KEYWORD (flag);
GMCP_SCHEMA_DECLARE_KEYWORD (required);

/* gmcp-json-schema-compile-applicators.c */
GMCP_SCHEMA_DECLARE_KEYWORD (schema);
GMCP_SCHEMA_DECLARE_KEYWORD (list);
GMCP_SCHEMA_DECLARE_KEYWORD (schema_or_list);
GMCP_SCHEMA_DECLARE_KEYWORD (definitions);
GMCP_SCHEMA_DECLARE_KEYWORD (properties);
GMCP_SCHEMA_DECLARE_KEYWORD (patterns);
GMCP_SCHEMA_DECLARE_KEYWORD (dependencies);
GMCP_SCHEMA_DECLARE_KEYWORD (reference);
GMCP_SCHEMA_DECLARE_KEYWORD (string);

/* For keywords: the node of a subschema, with all that is in it compiled. */
GmcpSchemaNode *gmcp_schema_compiler_compile (GmcpSchemaCompiler *compiler,
                                              GmcpJsonValue value,
                                              GmcpSchemaNode *parent,
                                              const GmcpSchemaPath *path,
                                              GError **error);
GmcpSchemaRegex *gmcp_schema_compiler_new_regex (GmcpSchemaCompiler *compiler,
                                                 GmcpJsonValue pattern,
                                                 const GmcpSchemaPath *path,
                                                 GError **error);
/* Sets *slot, a member of the node's rules, once all of the document is known. */
void gmcp_schema_compiler_add_reference (GmcpSchemaCompiler *compiler,
                                         GmcpSchemaNode *node,
                                         GmcpSchemaNode **slot,
                                         GmcpJsonValue reference,
                                         const GmcpSchemaPath *path);

/* Fails with “the keyword at path” and what, a phrase such as "must be a string"; gives FALSE. */
gboolean gmcp_schema_keyword_fail (const GmcpSchemaPath *path, const char *what, GError **error);
/* The value is an array of strings. */
gboolean
gmcp_schema_keyword_check_names (GmcpJsonValue value, const GmcpSchemaPath *path, GError **error);

G_END_DECLS
