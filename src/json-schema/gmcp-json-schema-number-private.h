/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* A JSON number as it is written, so that comparing is exact whatever its size. Its value is
 * 0.DIGITS × 10^scale; digits has neither leading nor trailing zeros, and may hold the point. It
 * refers to the document's bytes. */
typedef struct
{
  const char *digits;
  gsize length;
  gsize n_digits;
  gint64 scale;
  gint64 small;
  gint8 sign;
  gboolean is_small;
} GmcpSchemaNumber;

/* FALSE where value is no number. */
gboolean gmcp_schema_number_init (GmcpSchemaNumber *number, GmcpJsonValue value);
gboolean gmcp_schema_number_is_integer (const GmcpSchemaNumber *number);
int gmcp_schema_number_compare (const GmcpSchemaNumber *a, const GmcpSchemaNumber *b);
/* Exact for divisors of up to 18 significant digits, as doubles are beyond. */
gboolean
gmcp_schema_number_is_multiple (const GmcpSchemaNumber *number, const GmcpSchemaNumber *divisor);
/* The value of a whole number from zero on; what is bigger than a guint64 becomes G_MAXUINT64. */
gboolean gmcp_schema_number_get_count (const GmcpSchemaNumber *number, guint64 *count);

G_END_DECLS
