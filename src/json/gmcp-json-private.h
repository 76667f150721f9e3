/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>

G_BEGIN_DECLS

/* A strict RFC 8259 reader over bytes. A document is immutable and keeps its own bytes (or a
 * reference on the GBytes it came in); a value is a view into it, passed by value, valid as long as
 * the document is. A value that is not there (doc is NULL) is answered by every function, so that
 * look-ups chain without checks. */

typedef struct _GmcpJsonDoc GmcpJsonDoc;

typedef struct
{
  GmcpJsonDoc *doc;
  guint32 index;
} GmcpJsonValue;

typedef enum
{
  GMCP_JSON_ABSENT,
  GMCP_JSON_NULL,
  GMCP_JSON_FALSE,
  GMCP_JSON_TRUE,
  GMCP_JSON_NUMBER,
  GMCP_JSON_STRING,
  GMCP_JSON_ARRAY,
  GMCP_JSON_OBJECT,
} GmcpJsonKind;

typedef struct
{
  GmcpJsonValue next;
  guint32 left;
  gboolean object;
} GmcpJsonIter;

#define GMCP_JSON_NONE ((GmcpJsonValue){ NULL, 0 })

/* Reading. With an owner the bytes are referred to, without one they are copied. max_depth 0 means
 * GMCP_LIMIT_JSON_DEPTH. Errors are GMCP_ERROR_INVALID_JSON (with the byte offset in the message) or
 * GMCP_ERROR_LIMIT_EXCEEDED. */
GmcpJsonDoc *gmcp_json_doc_parse (const char *data,
                                  gsize length,
                                  GBytes *owner,
                                  guint max_depth,
                                  GError **error);
/* error_offset: the byte of the error, where that is known. */
GmcpJsonDoc *gmcp_json_doc_parse_at (const char *data,
                                     gsize length,
                                     GBytes *owner,
                                     guint max_depth,
                                     gsize *error_offset,
                                     GError **error);
GmcpJsonDoc *gmcp_json_doc_ref (GmcpJsonDoc *doc);
void gmcp_json_doc_unref (GmcpJsonDoc *doc);
GmcpJsonValue gmcp_json_doc_get_root (GmcpJsonDoc *doc);
/* Whether an object anywhere in it has two members of one name, however these are escaped. Which of
 * them counts is up to each reader. */
gboolean gmcp_json_doc_has_doubled_members (GmcpJsonDoc *doc);
gboolean gmcp_json_value_has_doubled_members (GmcpJsonValue value);
/* A document of its own for one value, when the message that it came in should not be kept. */
GmcpJsonDoc *gmcp_json_value_copy_to_doc (GmcpJsonValue value);
/* The memory that such a document takes. */
gsize gmcp_json_value_get_copy_bytes (GmcpJsonValue value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpJsonDoc, gmcp_json_doc_unref)

GmcpJsonKind gmcp_json_value_get_kind (GmcpJsonValue value);

static inline gboolean
gmcp_json_value_is_present (GmcpJsonValue value)
{
  return value.doc != NULL;
}

static inline gboolean
gmcp_json_value_is_object (GmcpJsonValue value)
{
  return gmcp_json_value_get_kind (value) == GMCP_JSON_OBJECT;
}

static inline gboolean
gmcp_json_value_is_array (GmcpJsonValue value)
{
  return gmcp_json_value_get_kind (value) == GMCP_JSON_ARRAY;
}

static inline gboolean
gmcp_json_value_is_string (GmcpJsonValue value)
{
  return gmcp_json_value_get_kind (value) == GMCP_JSON_STRING;
}

static inline gboolean
gmcp_json_value_is_number (GmcpJsonValue value)
{
  return gmcp_json_value_get_kind (value) == GMCP_JSON_NUMBER;
}

/* Containers. Of doubled members the last wins in a look-up; the iterator gives each. The length of
 * an object counts its members as written. */
guint gmcp_json_value_get_length (GmcpJsonValue value);
GmcpJsonValue
gmcp_json_value_get_member_len (GmcpJsonValue object, const char *name, gsize name_length);

typedef struct
{
  const char *text;
  gsize length;
} GmcpJsonName;

/* Several members, found in one pass. */
void gmcp_json_value_get_members (GmcpJsonValue object,
                                  const GmcpJsonName *names,
                                  guint n_names,
                                  GmcpJsonValue *values);

/* The compiler knows the length of a literal. */
static inline GmcpJsonValue
gmcp_json_value_get_member (GmcpJsonValue object, const char *name)
{
  return gmcp_json_value_get_member_len (object, name, strlen (name));
}

GmcpJsonValue gmcp_json_value_get_element (GmcpJsonValue array, guint position);
/* RFC 6901; an invalid pointer and a value that is not there both give GMCP_JSON_NONE. */
GmcpJsonValue gmcp_json_value_get_pointer (GmcpJsonValue value, const char *pointer);
void gmcp_json_iter_init (GmcpJsonIter *iter, GmcpJsonValue container);
/* key is set to a string for objects, to GMCP_JSON_NONE for arrays; may be NULL. */
gboolean gmcp_json_iter_next (GmcpJsonIter *iter, GmcpJsonValue *key, GmcpJsonValue *value);

/* Scalars: TRUE and the value where it is one of that type that fits, else FALSE with *out
 * untouched. Integers written with a zero fraction or an exponent (1.0, 1e3) count as integers. */
gboolean gmcp_json_value_get_boolean (GmcpJsonValue value, gboolean *out);
gboolean gmcp_json_value_get_int64 (GmcpJsonValue value, gint64 *out);
gboolean gmcp_json_value_get_uint64 (GmcpJsonValue value, guint64 *out);
gboolean gmcp_json_value_get_double (GmcpJsonValue value, double *out);

/* Strings. What char * cannot hold (U+0000, lone surrogates) becomes U+FFFD; NULL for what is no
 * string. */
char *gmcp_json_value_dup_string (GmcpJsonValue value);
/* A string as bytes, with a NUL after the text that the size does not count. */
GBytes *gmcp_json_value_dup_string_bytes (GmcpJsonValue value);
gboolean gmcp_json_value_equals_string_len (GmcpJsonValue value, const char *string, gsize length);

static inline gboolean
gmcp_json_value_equals_string (GmcpJsonValue value, const char *string)
{
  return gmcp_json_value_equals_string_len (value, string, strlen (string));
}

/* The text between the quotes where it has no escape, else NULL; not NUL-terminated. */
const char *gmcp_json_value_peek_plain (GmcpJsonValue value, gsize *length);
/* Base64 straight from the message's bytes: RFC 4648 section 4, also the URL-safe alphabet and
 * missing padding; white space is skipped. GMCP_ERROR_INVALID_JSON for anything else. */
GBytes *gmcp_json_value_decode_base64 (GmcpJsonValue value, GError **error);

/* The bytes as they came, never NUL-terminated. */
const char *gmcp_json_value_peek_raw (GmcpJsonValue value, gsize *length);
char *gmcp_json_value_dup_raw (GmcpJsonValue value);

/* Equality as JSON Schema has it: 1 is 1.0, members in any order, strings by their decoded text. */
gboolean gmcp_json_value_equal (GmcpJsonValue a, GmcpJsonValue b);
guint gmcp_json_value_hash (GmcpJsonValue value);
/* Whether two values are written alike, byte for byte; cheaper, and stricter. */
gboolean gmcp_json_value_same_raw (GmcpJsonValue a, GmcpJsonValue b);

/* Bridge to json-glib. The node is sealed; numbers outside int64 become doubles, those outside the
 * range of a double its ends. Of members with names made to collide in json-glib's hash table, at
 * least the first 64 are there. */
JsonNode *gmcp_json_value_to_node (GmcpJsonValue value);
JsonNode *gmcp_json_value_to_mutable_node (GmcpJsonValue value);
/* A document of the node's JSON; fails for nodes that JSON cannot hold (NaN, infinities). */
GmcpJsonDoc *gmcp_json_doc_from_node (JsonNode *node, GError **error);

/* A large value that belongs into a text at a place of its own, and is not copied into it. */
typedef struct
{
  gsize position; /* in the text without any such value */
  GBytes *bytes;
} GmcpJsonPart;

/* Values that are smaller are always copied. */
#define GMCP_JSON_PART_BYTES (64u * 1024)

/* What was written, for as long as it may be kept. Takes the text; much room at its end is given back. */
GBytes *gmcp_json_text_to_bytes (GString *text);

/* An array of GmcpJsonPart, which it owns. */
GArray *gmcp_json_parts_new (void);
/* Takes the bytes. */
void gmcp_json_parts_add (GArray *parts, gsize position, GBytes *bytes);

/* Writing: values are appended with the comma and the colon they need. Output is one line of valid
 * UTF-8; invalid UTF-8 in a string that is written becomes U+FFFD. */
typedef struct
{
  GString *out;
  /* Nullable, not owned: takes large values that are in memory just as they are written. */
  GArray *parts;
  gboolean comma;
} GmcpJsonWriter;

static inline GmcpJsonWriter
gmcp_json_writer_init (GString *out)
{
  return (GmcpJsonWriter){ .out = out };
}

void gmcp_json_writer_begin_object (GmcpJsonWriter *writer);
void gmcp_json_writer_end_object (GmcpJsonWriter *writer);
void gmcp_json_writer_begin_array (GmcpJsonWriter *writer);
void gmcp_json_writer_end_array (GmcpJsonWriter *writer);
void gmcp_json_writer_key (GmcpJsonWriter *writer, const char *key);
/* A key that is a string literal without anything to escape, which is then not looked at. */
#define gmcp_json_writer_plain_key(writer, key)                                                    \
  gmcp_json_writer_comma_key ((writer), ",\"" key "\":", sizeof (",\"" key "\":") - 1)
/* The text begins with the comma, which is left out where there is none. */
void gmcp_json_writer_comma_key (GmcpJsonWriter *writer, const char *text, gsize length);
void gmcp_json_writer_raw_key (GmcpJsonWriter *writer, const char *text, gsize length);
void gmcp_json_writer_string (GmcpJsonWriter *writer, const char *string);
void gmcp_json_writer_string_len (GmcpJsonWriter *writer, const char *string, gssize length);
void gmcp_json_writer_int64 (GmcpJsonWriter *writer, gint64 value);
void gmcp_json_writer_uint64 (GmcpJsonWriter *writer, guint64 value);
/* NaN and infinities become null. */
void gmcp_json_writer_double (GmcpJsonWriter *writer, double value);
void gmcp_json_writer_boolean (GmcpJsonWriter *writer, gboolean value);
void gmcp_json_writer_null (GmcpJsonWriter *writer);
void gmcp_json_writer_base64 (GmcpJsonWriter *writer, const guint8 *data, gsize length);
/* A parsed value: its bytes as they came, less line ends between its tokens. */
void gmcp_json_writer_value (GmcpJsonWriter *writer, GmcpJsonValue value);
/* Text known to be one valid JSON value without line ends. */
void gmcp_json_writer_raw (GmcpJsonWriter *writer, const char *text, gssize length);
/* Such a text as a run of bytes, of which a large one is kept rather than copied where the writer has parts. */
void gmcp_json_writer_raw_bytes (GmcpJsonWriter *writer, GBytes *bytes, gsize offset, gsize length);
/* NULL is written as null. FALSE for a node JSON cannot hold; nothing is written then. */
gboolean gmcp_json_writer_node (GmcpJsonWriter *writer, JsonNode *node, GError **error);
gboolean gmcp_json_writer_node_of_depth (GmcpJsonWriter *writer,
                                         JsonNode *node,
                                         guint max_depth,
                                         GError **error);

/* Key and value in one, for the common case. */
/* An object without members. */
void gmcp_json_writer_member_empty (GmcpJsonWriter *writer, const char *key);
void gmcp_json_writer_member_string (GmcpJsonWriter *writer, const char *key, const char *value);
void gmcp_json_writer_member_int64 (GmcpJsonWriter *writer, const char *key, gint64 value);
void gmcp_json_writer_member_boolean (GmcpJsonWriter *writer, const char *key, gboolean value);
void gmcp_json_writer_member_value (GmcpJsonWriter *writer, const char *key, GmcpJsonValue value);

G_END_DECLS
