/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-schema-node-private.h"

G_BEGIN_DECLS

/* Fills in the schema's nodes, resources and root. */
gboolean gmcp_schema_compile (GmcpJsonSchema *schema,
                              GmcpJsonValue document,
                              const GmcpJsonSchemaOptions *options,
                              GError **error);

G_END_DECLS
