/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-girepository-private.h"
#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* An argument of a method, or what it gives back: as JSON, its JSON Schema, and in the form of girepository's. */

typedef enum
{
  GMCP_OBJECT_NOTHING,
  GMCP_OBJECT_BOOLEAN,
  GMCP_OBJECT_INT8,
  GMCP_OBJECT_UINT8,
  GMCP_OBJECT_INT16,
  GMCP_OBJECT_UINT16,
  GMCP_OBJECT_INT32,
  GMCP_OBJECT_UINT32,
  GMCP_OBJECT_INT64,
  GMCP_OBJECT_UINT64,
  GMCP_OBJECT_FLOAT,
  GMCP_OBJECT_DOUBLE,
  GMCP_OBJECT_TEXT,
  GMCP_OBJECT_TEXTS,
  GMCP_OBJECT_VARIANT,
  GMCP_OBJECT_BYTES,
  GMCP_OBJECT_ENUM,
  GMCP_OBJECT_FLAGS,
  GMCP_OBJECT_CANCELLABLE, /* the call's, of which JSON knows nothing */
  GMCP_OBJECT_LENGTH, /* of the text before it, which ends with a NUL: -1, of which JSON knows nothing either */
} GmcpObjectKind;

typedef struct
{
  GmcpObjectKind kind;
  gboolean is_nullable;
  GITransfer transfer;
  GStrv names;          /* of an enumeration, or flags: nicks */
  gint64 *numbers;      /* what each of those is */
  gboolean is_unsigned; /* an enumeration in memory */
} GmcpObjectValue;

/* GMCP_ERROR_NOT_SUPPORTED where JSON has no form for it. To be cleared in any case. */
gboolean gmcp_object_value_init (GmcpObjectValue *self,
                                 const GmcpGirepository *gi,
                                 GITypeInfo *type,
                                 GITransfer transfer,
                                 gboolean is_nullable,
                                 GError **error);
void gmcp_object_value_clear (GmcpObjectValue *self);

/* Whether it is a whole number that may be negative. */
gboolean gmcp_object_value_is_signed (const GmcpObjectValue *self);

/* Of what is given a number may have no name, and whatever is a pointer may be NULL, whether it was said or not. */
void gmcp_object_value_write_schema (const GmcpObjectValue *self,
                                     GmcpJsonWriter *writer,
                                     gboolean is_given);

/* An argument out of JSON; name is for the errors. To be freed with gmcp_object_value_free_argument() unless a method
 * has taken it over. */
gboolean gmcp_object_value_read (const GmcpObjectValue *self,
                                 GmcpJsonValue json,
                                 const char *name,
                                 GIArgument *argument,
                                 GError **error);
void gmcp_object_value_free_argument (const GmcpObjectValue *self, GIArgument *argument);

/* What a method gave; FALSE where JSON cannot hold it, as an infinite number. It is to be freed with
 * gmcp_object_value_free_given() then, too. */
gboolean gmcp_object_value_write (const GmcpObjectValue *self,
                                  const GIArgument *given,
                                  GmcpJsonWriter *writer,
                                  GError **error);
void gmcp_object_value_free_given (const GmcpObjectValue *self, GIArgument *given);

G_END_DECLS
