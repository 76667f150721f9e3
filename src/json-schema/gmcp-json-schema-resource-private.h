/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-schema-node-private.h"

G_BEGIN_DECLS

/* What the keywords of a dialect belong to. A dialect of an author's own may leave some of it out. */
typedef enum
{
  GMCP_SCHEMA_VOCABULARY_CORE = 1 << 0,
  GMCP_SCHEMA_VOCABULARY_APPLICATOR = 1 << 1,
  GMCP_SCHEMA_VOCABULARY_UNEVALUATED = 1 << 2,
  GMCP_SCHEMA_VOCABULARY_VALIDATION = 1 << 3,
  GMCP_SCHEMA_VOCABULARY_ALL = 0x0f,
} GmcpSchemaVocabularies;

typedef struct
{
  GmcpJsonSchemaDialect draft;
  GmcpSchemaVocabularies vocabularies;
} GmcpSchemaDialect;

/* A schema with a URI of its own: a document, or a part of one with $id. */
struct _GmcpSchemaResource
{
  /* First, since resources are found by it. */
  GmcpJsonValue location;
  char *uri;
  GmcpSchemaDialect dialect;
  /* Name to GmcpJsonValue. */
  GHashTable *anchors;
  /* Name to GmcpSchemaNode; the value is NULL until the node is asked for. */
  GHashTable *dynamic_anchors;
  /* Some node of it is part of the schema. */
  gboolean is_used;
};

/* $recursiveAnchor of 2019-09 is a dynamic anchor without a name. */
#define GMCP_SCHEMA_RECURSIVE_ANCHOR ""

void gmcp_schema_resource_free (GmcpSchemaResource *self);

/* Finds schemas by their URIs, and knows each place of a document that is a schema. */
typedef struct
{
  const GmcpJsonSchemaOptions *options;
  GmcpJsonSchema *schema;
  /* Resources by URI (also by the URI that the caller gave), resources and nodes by location. */
  GHashTable *by_uri;
  GHashTable *resources;
  GHashTable *nodes;
  gboolean all_documents_read;
  guint64 steps; /* that are left for following references */
} GmcpSchemaRegistry;

void gmcp_schema_registry_init (GmcpSchemaRegistry *self,
                                GmcpJsonSchema *schema,
                                const GmcpJsonSchemaOptions *options);
void gmcp_schema_registry_clear (GmcpSchemaRegistry *self);

/* uri may be NULL. Makes the document's nodes. */
GmcpSchemaResource *gmcp_schema_registry_add_document (GmcpSchemaRegistry *self,
                                                       GmcpJsonValue document,
                                                       const char *uri,
                                                       GError **error);

/* What relative references are resolved against where neither the schema nor the caller says. */
#define GMCP_SCHEMA_DEFAULT_BASE_URI "json-schema:/"

/* NULL where the reference is no URI. base is absolute. */
char *gmcp_schema_resolve_uri (const char *base, const char *reference);
/* Resolves a reference of the schema; fails where all of them take too many steps: each copies its
 * base, which may be long. */
char *gmcp_schema_registry_resolve_uri (GmcpSchemaRegistry *self,
                                        const GmcpSchemaResource *base,
                                        const char *reference,
                                        GError **error);

/* dynamic_anchor is set where the reference led to a dynamic anchor, to its name. */
GmcpSchemaNode *gmcp_schema_registry_resolve (GmcpSchemaRegistry *self,
                                              GmcpSchemaResource *base,
                                              const char *reference,
                                              const char **dynamic_anchor,
                                              GError **error);

/* The node for a value that stands where a schema does, made where it is not there yet. */
GmcpSchemaNode *gmcp_schema_registry_ensure_node (GmcpSchemaRegistry *self,
                                                  GmcpJsonValue location,
                                                  GmcpSchemaResource *resource,
                                                  GError **error);

G_END_DECLS
