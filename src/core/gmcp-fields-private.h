/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The values of a struct, or of an object that never changes, in one table: comparing, freeing and properties follow
 * from it. */

typedef enum
{
  GMCP_FIELD_STRING, /* char *, in which none is an empty one */
  GMCP_FIELD_TEXT,   /* char *, in which an empty one is none */
  GMCP_FIELD_STRV,   /* GStrv, in which none is an empty list */
  GMCP_FIELD_BOOLEAN,
  GMCP_FIELD_UINT,
  GMCP_FIELD_ENUM,
  GMCP_FIELD_OBJECT,
} GmcpFieldKind;

/* A table ends with a field without a name. */
typedef struct
{
  const char *name; /* of the property, too */
  GmcpFieldKind kind;
  gsize offset;
  GType (*get_type) (void); /* of an enumeration or an object */
} GmcpField;

/* One value. What was there before is freed. */
void gmcp_field_get_value (const GmcpField *field, gconstpointer data, GValue *value);
void gmcp_field_set_value (const GmcpField *field, gpointer data, const GValue *value);
void gmcp_field_copy (const GmcpField *field, gconstpointer from, gpointer to);
void gmcp_field_clear (const GmcpField *field, gpointer data);
/* Objects are equal where they are the same. */
gboolean gmcp_field_equal (const GmcpField *field, gconstpointer a, gconstpointer b);

/* All of a table. */
void gmcp_fields_clear (const GmcpField *fields, gpointer data);
gboolean gmcp_fields_equal (const GmcpField *fields, gconstpointer a, gconstpointer b);
/* An object whose properties of these names get the values. */
gpointer gmcp_fields_make_object (const GmcpField *fields, GType type, gconstpointer data);

/* The properties of a final class, called from its class_init, all with the same flags. Objects are freed with
 * their values; a class that has more to free has a finalize of its own, set afterwards, that ends with
 * gmcp_fields_finalize() in place of its parent's. */
void gmcp_fields_install (GObjectClass *klass, const GmcpField *fields, GParamFlags flags);
void gmcp_fields_finalize (GObject *object);

#define GMCP_FIELDS_CONSTRUCT_ONLY                                                                 \
  (G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS)

G_END_DECLS
