/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Files of records that a program keeps for itself, in JSON: {"version":1,NAME:…}, where NAME is an array or
 * an object of records. */

typedef enum
{
  GMCP_RECORD_STRING, /* char *; not written where it is NULL */
  GMCP_RECORD_INT64,
  GMCP_RECORD_FLAG, /* gboolean; written where it is set */
} GmcpRecordFieldKind;

/* A member of a record's object, and of its struct. A table of them ends with one without a name. */
typedef struct
{
  const char *name;
  GmcpRecordFieldKind kind;
  gsize offset;
  gboolean required;
} GmcpRecordField;

/* A record, all zero before, gets what an object has; what is of another kind is as good as not there. FALSE
 * with an empty record where something that is required is missing. */
gboolean gmcp_record_read (const GmcpRecordField *fields, GmcpJsonValue object, gpointer record);
/* The same for records that decide what is permitted: FALSE with an error, too, where something that is not
 * required is of another kind. */
gboolean gmcp_record_read_exactly (const GmcpRecordField *fields,
                                   GmcpJsonValue object,
                                   gpointer record,
                                   GError **error);
void gmcp_record_clear (const GmcpRecordField *fields, gpointer record);
/* Writes the members of the record in the order of the table. */
void gmcp_record_write_members (const GmcpRecordField *fields,
                                gconstpointer record,
                                GmcpJsonWriter *writer);

/* An object of strings (char * → char *); of another value it is empty, and of another kind of member it has
 * none. */
GHashTable *gmcp_record_map_read (GmcpJsonValue object);
/* In the order of the keys. */
void gmcp_record_map_write (GHashTable *map, GmcpJsonWriter *writer);

/* The keys of a table, in order. Borrowed. */
GPtrArray *gmcp_record_list_keys (GHashTable *table);

/* The records of a file; NULL for a file that is not there, which has none (GMCP_JSON_NONE, and no doc). FALSE with
 * GMCP_ERROR_INVALID_CONFIG for another file; name is NULL where its records are the whole. */
gboolean gmcp_record_file_parse (GBytes *bytes,
                                 const char *name,
                                 GmcpJsonKind kind,
                                 GmcpJsonDoc **doc,
                                 GmcpJsonValue *records,
                                 GError **error);

/* A file that is written: after the first the writer expects the records, after which the second gives it, and
 * takes the text. */
GmcpJsonWriter gmcp_record_file_begin (GString *text, gint64 version, const char *name);
GBytes *gmcp_record_file_end (GmcpJsonWriter *writer);

G_END_DECLS
