/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-decimal-private.h"
#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* A JSON number by its text, so that comparing is exact whatever its size. It refers to the
 * document's bytes. */
typedef struct
{
  GmcpJsonDecimal decimal;
  gint64 small;
  gboolean is_small;
} GmcpSchemaNumber;

/* FALSE where value is no number. */
gboolean gmcp_schema_number_init (GmcpSchemaNumber *number, GmcpJsonValue value);
/* -1, 0 or 1. */
int gmcp_schema_number_get_sign (const GmcpSchemaNumber *number);
gboolean gmcp_schema_number_is_integer (const GmcpSchemaNumber *number);
int gmcp_schema_number_compare (const GmcpSchemaNumber *a, const GmcpSchemaNumber *b);
/* Exact for divisors of up to 18 significant digits, as doubles are beyond. */
gboolean
gmcp_schema_number_is_multiple (const GmcpSchemaNumber *number, const GmcpSchemaNumber *divisor);
/* The value of a whole number from zero on; what is bigger than a guint64 becomes G_MAXUINT64. */
gboolean gmcp_schema_number_get_count (const GmcpSchemaNumber *number, guint64 *count);

G_END_DECLS
