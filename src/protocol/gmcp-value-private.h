/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What the boxed values of the protocol start with: a part of a message, and the references that
 * are held on it. */
typedef struct
{
  gatomicrefcount ref_count;
  GmcpJsonValue value;
} GmcpValue;

/* A zeroed struct of that size; keeps the value's document. */
gpointer gmcp_value_new (gsize size, GmcpJsonValue value);
gpointer gmcp_value_ref (GmcpValue *self);
/* TRUE where that was the last: the document is let go, the rest is the caller's to free. */
gboolean gmcp_value_unref (GmcpValue *self);
GmcpJsonValue gmcp_value_get_member (GmcpValue *self, const char *name);

/* Lists that are made of an array when first asked for, by any thread, and kept. What is no item
 * (make gives NULL), and in a list of strings what is none, is left out. */
typedef gpointer (*GmcpValueMakeFunc) (GmcpJsonValue value);
GPtrArray *gmcp_value_cache_array (GPtrArray **cache,
                                   GmcpJsonValue array,
                                   GmcpValueMakeFunc make,
                                   GDestroyNotify free);
const char *const *gmcp_value_cache_strings (char ***cache, GmcpJsonValue array);

/* Whether an array of objects or values has a place without one, as what GJS hands in for an array of
 * boxed values. */
gboolean gmcp_value_array_has_null (GPtrArray *array);

G_END_DECLS
