/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* GVariant values as JSON and back, by their type. Whole numbers are exact, bytes (ay) are base64, tuples are arrays,
 * dictionaries objects, nothing is null. What a variant (v) holds is written as it is; where JSON does not tell the
 * type, {"@TYPE": VALUE} gives it when it is read. */

/* Whether values of the type can be read and written: no file descriptors, nothing indefinite, not too deep.
 * GMCP_ERROR_NOT_SUPPORTED otherwise. */
gboolean gmcp_variant_check_type (const GVariantType *type, GError **error);
/* Whether it is one that D-Bus can carry as well, whatever the text says. */
gboolean gmcp_variant_is_dbus_signature (const char *signature);

/* The JSON Schema of the values of a type that was checked. The hint, which may be NULL, is that of an action's state:
 * an array of the values that there are, or the first and the last one. */
void
gmcp_variant_write_schema (GmcpJsonWriter *writer, const GVariantType *type, GVariant *state_hint);

/* name is that of the argument, for the errors: GMCP_ERROR_INVALID_ARGUMENT, or LIMIT_EXCEEDED. Not floating. */
GVariant *gmcp_variant_read_json (GmcpJsonValue value,
                                  const GVariantType *type,
                                  const char *name,
                                  GError **error);

/* FALSE for what JSON cannot hold (NaN, infinities) and what is too large; the text is of no use then. */
gboolean gmcp_variant_write_json (GmcpJsonWriter *writer, GVariant *value, GError **error);

G_END_DECLS
