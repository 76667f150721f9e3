/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* JSON Schema. A schema is compiled once, into a form that validation walks without looking at the
 * schema's JSON again; it is immutable, may be used from any thread, and keeps the documents that it
 * was made from. Nothing is ever fetched: a $ref leads to the document itself or to a document that
 * the caller handed in, and any other is an error of gmcp_json_schema_compile(). */

typedef struct _GmcpJsonSchema GmcpJsonSchema;

typedef enum
{
  GMCP_JSON_SCHEMA_DIALECT_2020_12,
  GMCP_JSON_SCHEMA_DIALECT_2019_09,
  GMCP_JSON_SCHEMA_DIALECT_DRAFT_07,
  GMCP_JSON_SCHEMA_DIALECT_DRAFT_06,
} GmcpJsonSchemaDialect;

/* Zero stands for the default in gmcp-limits.h. A validation may take one step more for each byte of
 * the instance, so that big instances of plain schemas pass; following the references of a schema,
 * one more for each byte of it, up to ten times as many. */
typedef struct
{
  guint depth;
  guint subschemas;
  guint steps;
} GmcpJsonSchemaLimits;

typedef struct
{
  const char *uri;
  GmcpJsonValue schema;
} GmcpJsonSchemaDocument;

typedef struct
{
  /* For schemas without $schema. */
  GmcpJsonSchemaDialect default_dialect;
  const GmcpJsonSchemaDocument *documents;
  guint n_documents;
  GmcpJsonSchemaLimits limits;
} GmcpJsonSchemaOptions;

/* options may be NULL. Fails with GMCP_ERROR_INVALID_ARGUMENT for a malformed schema or a $ref that
 * leads nowhere, both with the JSON pointer of the keyword; with GMCP_ERROR_NOT_SUPPORTED for a
 * dialect that is not known; with GMCP_ERROR_LIMIT_EXCEEDED. */
GmcpJsonSchema *gmcp_json_schema_compile (GmcpJsonValue schema,
                                          const GmcpJsonSchemaOptions *options,
                                          GError **error);
GmcpJsonSchema *gmcp_json_schema_ref (GmcpJsonSchema *self);
void gmcp_json_schema_unref (GmcpJsonSchema *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpJsonSchema, gmcp_json_schema_unref)

/* Fails with GMCP_ERROR_INVALID_ARGUMENT, and then the message lists up to five places as
 * "POINTER: what must be", or with GMCP_ERROR_LIMIT_EXCEEDED where no verdict was reached within the
 * limits. */
gboolean gmcp_json_schema_validate (GmcpJsonSchema *self, GmcpJsonValue instance, GError **error);

G_END_DECLS
