/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-variant-json-private.h"

G_BEGIN_DECLS

/* Where a reader is, and what it has read so far. */
typedef struct
{
  GString *path; /* from the argument's name on */
  guint depth;
  guint n_values;
  gsize n_bytes;
} GmcpVariantReader;

/* The range of a type of whole numbers; FALSE for another type. */
gboolean gmcp_variant_find_range (const GVariantType *type, gint64 *minimum, guint64 *maximum);

/* A new, floating value of a basic type. */
GVariant *gmcp_variant_reader_read_basic (GmcpVariantReader *self,
                                          GmcpJsonValue value,
                                          const GVariantType *type,
                                          GError **error);
/* An array of bytes, from base64 or from an array of numbers. */
GVariant *
gmcp_variant_reader_read_bytes (GmcpVariantReader *self, GmcpJsonValue value, GError **error);
/* FALSE where that would be more than may be read. */
gboolean gmcp_variant_reader_count_bytes (GmcpVariantReader *self, gsize n_bytes, GError **error);
/* What stands at the path is not what it has to be; the format takes the path first. */
#define gmcp_variant_reader_set_wrong(self, error, format, ...)                                    \
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, format, (self)->path->str,          \
               ##__VA_ARGS__)

G_END_DECLS
