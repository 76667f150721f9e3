/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-headers-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"

/* Spec: MCP 2026-07-28, basic/transports/streamable-http, "Custom Headers from Tool Parameters". */

#define ANNOTATION      "x-mcp-header"
#define PREFIX          "Mcp-Param-"
#define SENTINEL_START  "=?base64?"
#define SENTINEL_END    "?="
#define MAX_SAFE_NUMBER ((G_GINT64_CONSTANT (1) << 53) - 1)

typedef struct
{
  char *name; /* with the prefix */
  GStrv path; /* of property names */
} Header;

struct _GmcpToolHeaders
{
  GArray *headers;  /* of Header */
  GHashTable *seen; /* names in lower case, while the schema is read */
};

/* What stands under a keyword of a schema. */
typedef enum
{
  HOLDS_SCHEMA, /* one, or an array of them */
  HOLDS_MAP,    /* an object of them */
} Holds;

/* Where schemas stand that are not reached by properties alone. */
static const struct
{
  const char *keyword;
  Holds holds;
} elsewhere[] = {
  { "items", HOLDS_SCHEMA },
  { "prefixItems", HOLDS_SCHEMA },
  { "additionalItems", HOLDS_SCHEMA },
  { "unevaluatedItems", HOLDS_SCHEMA },
  { "contains", HOLDS_SCHEMA },
  { "additionalProperties", HOLDS_SCHEMA },
  { "unevaluatedProperties", HOLDS_SCHEMA },
  { "propertyNames", HOLDS_SCHEMA },
  { "allOf", HOLDS_SCHEMA },
  { "anyOf", HOLDS_SCHEMA },
  { "oneOf", HOLDS_SCHEMA },
  { "not", HOLDS_SCHEMA },
  { "if", HOLDS_SCHEMA },
  { "then", HOLDS_SCHEMA },
  { "else", HOLDS_SCHEMA },
  { "contentSchema", HOLDS_SCHEMA },
  { "patternProperties", HOLDS_MAP },
  { "dependentSchemas", HOLDS_MAP },
  { "dependencies", HOLDS_MAP },
  { "$defs", HOLDS_MAP },
  { "definitions", HOLDS_MAP },
};

static void
header_clear (gpointer data)
{
  Header *header = data;

  g_free (header->name);
  g_strfreev (header->path);
}

void
gmcp_tool_headers_free (GmcpToolHeaders *self)
{
  g_array_unref (self->headers);
  g_clear_pointer (&self->seen, g_hash_table_unref);
  g_free (self);
}

static gboolean
is_token (const char *name)
{
  static const char others[] = "!#$%&'*+-.^_`|~";

  for (const char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && strchr (others, *at) == NULL)
      return FALSE;
  return *name != '\0';
}

static gboolean
is_primitive_name (GmcpJsonValue type)
{
  return gmcp_json_value_equals_string (type, "string")
         || gmcp_json_value_equals_string (type, "integer")
         || gmcp_json_value_equals_string (type, "boolean");
}

/* A parameter that may be null as well is primitive all the same: null has no header. */
static gboolean
is_primitive (GmcpJsonValue type)
{
  gboolean primitive = FALSE;
  GmcpJsonIter iter;
  GmcpJsonValue member;

  if (!gmcp_json_value_is_array (type))
    return is_primitive_name (type);

  gmcp_json_iter_init (&iter, type);
  while (gmcp_json_iter_next (&iter, NULL, &member))
    {
      if (is_primitive_name (member))
        primitive = TRUE;
      else if (!gmcp_json_value_equals_string (member, "null"))
        return FALSE;
    }
  return primitive;
}

static gboolean
take_annotation (GmcpToolHeaders *self,
                 GmcpJsonValue schema,
                 GmcpJsonValue annotation,
                 GPtrArray *path,
                 GError **error)
{
  g_autofree char *name = gmcp_json_value_dup_string (annotation);
  Header header;

  if (path == NULL || path->len == 0)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("“x-mcp-header” stands where not only properties lead to"));
      return FALSE;
    }
  if (name == NULL || !is_token (name))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("the “x-mcp-header” of “%s” is no name that a header can have"),
                   (const char *) g_ptr_array_index (path, path->len - 1));
      return FALSE;
    }
  if (!is_primitive (gmcp_json_value_get_member (schema, "type")))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("“%s” has an “x-mcp-header”, but is no string, integer or boolean"),
                   (const char *) g_ptr_array_index (path, path->len - 1));
      return FALSE;
    }
  if (!g_hash_table_add (self->seen, g_ascii_strdown (name, -1)))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("two parameters have the “x-mcp-header” “%s”"), name);
      return FALSE;
    }

  header.name = g_strconcat (PREFIX, name, NULL);
  header.path = g_new0 (char *, path->len + 1);
  for (guint i = 0; i < path->len; i++)
    header.path[i] = g_strdup (g_ptr_array_index (path, i));
  g_array_append_val (self->headers, header);
  return TRUE;
}

static gboolean
read_schema (GmcpToolHeaders *self, GmcpJsonValue schema, GPtrArray *path, GError **error);

static gboolean
read_each (GmcpToolHeaders *self, GmcpJsonValue schemas, GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue schema;

  gmcp_json_iter_init (&iter, schemas);
  while (gmcp_json_iter_next (&iter, NULL, &schema))
    if (!read_schema (self, schema, NULL, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_elsewhere (GmcpToolHeaders *self, GmcpJsonValue schema, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (elsewhere); i++)
    {
      GmcpJsonValue value = gmcp_json_value_get_member (schema, elsewhere[i].keyword);

      if (elsewhere[i].holds == HOLDS_MAP ? gmcp_json_value_is_object (value)
                                          : gmcp_json_value_is_array (value))
        {
          if (!read_each (self, value, error))
            return FALSE;
        }
      else if (elsewhere[i].holds == HOLDS_SCHEMA && !read_schema (self, value, NULL, error))
        return FALSE;
    }
  return TRUE;
}

/* path is NULL where something else than properties led here. Recurses no deeper than the reader of
 * JSON lets a document be. */
static gboolean
read_schema (GmcpToolHeaders *self, GmcpJsonValue schema, GPtrArray *path, GError **error)
{
  GmcpJsonValue annotation, properties, key, property;
  GmcpJsonIter iter;

  if (!gmcp_json_value_is_object (schema))
    return TRUE;

  annotation = gmcp_json_value_get_member (schema, ANNOTATION);
  if (gmcp_json_value_is_present (annotation)
      && !take_annotation (self, schema, annotation, path, error))
    return FALSE;

  properties = gmcp_json_value_get_member (schema, "properties");
  if (gmcp_json_value_is_object (properties))
    {
      gmcp_json_iter_init (&iter, properties);
      while (gmcp_json_iter_next (&iter, &key, &property))
        {
          gboolean read;

          if (path != NULL)
            g_ptr_array_add (path, gmcp_json_value_dup_string (key));
          read = read_schema (self, property, path, error);
          if (path != NULL)
            g_ptr_array_set_size (path, (int) path->len - 1);
          if (!read)
            return FALSE;
        }
    }
  return read_elsewhere (self, schema, error);
}

/* Most schemas mark nothing, which their text shows. */
static gboolean
may_annotate (GmcpJsonValue schema)
{
  gsize length;
  const char *text = gmcp_json_value_peek_raw (schema, &length);

  return text != NULL
         && (g_strstr_len (text, (gssize) length, ANNOTATION) != NULL
             || g_strstr_len (text, (gssize) length, "\\u") != NULL);
}

GmcpToolHeaders *
gmcp_tool_headers_new (GmcpJsonValue input_schema, GError **error)
{
  g_autoptr (GmcpToolHeaders) self = NULL;
  g_autoptr (GPtrArray) path = NULL;

  if (!may_annotate (input_schema))
    return NULL;

  self = g_new0 (GmcpToolHeaders, 1);
  self->headers = g_array_new (FALSE, FALSE, sizeof (Header));
  g_array_set_clear_func (self->headers, header_clear);
  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  path = g_ptr_array_new_with_free_func (g_free);
  if (!read_schema (self, input_schema, path, error) || self->headers->len == 0)
    return NULL;

  g_clear_pointer (&self->seen, g_hash_table_unref);
  return g_steal_pointer (&self);
}

static GmcpJsonValue
find_argument (GmcpJsonValue arguments, const Header *header)
{
  GmcpJsonValue value = arguments;

  for (guint i = 0; header->path[i] != NULL; i++)
    value = gmcp_json_value_get_member (value, header->path[i]);
  return value;
}

/* NULL for what has no header: null, what is not there, and what the schema does not allow. */
static char *
argument_to_text (GmcpJsonValue argument)
{
  gboolean truth;
  gint64 number;

  if (gmcp_json_value_is_string (argument))
    return gmcp_json_value_dup_string (argument);
  if (gmcp_json_value_get_boolean (argument, &truth))
    return g_strdup (truth ? "true" : "false");
  if (gmcp_json_value_get_int64 (argument, &number) && number <= MAX_SAFE_NUMBER
      && number >= -MAX_SAFE_NUMBER)
    return g_strdup_printf ("%" G_GINT64_FORMAT, number);
  return NULL;
}

void
gmcp_tool_headers_append (const GmcpToolHeaders *self, GmcpJsonValue arguments, GPtrArray *headers)
{
  for (guint i = 0; i < self->headers->len; i++)
    {
      const Header *header = &g_array_index (self->headers, Header, i);
      g_autofree char *text = argument_to_text (find_argument (arguments, header));

      if (text == NULL)
        continue;
      g_ptr_array_add (headers, g_strdup (header->name));
      g_ptr_array_add (headers, gmcp_header_value_new (text));
    }
}

static gboolean
is_safe (const char *text)
{
  gsize length = strlen (text);

  if (length == 0)
    return TRUE;
  for (gsize i = 0; i < length; i++)
    if (text[i] < 0x20 || text[i] > 0x7e)
      return FALSE;
  if (text[0] == ' ' || text[length - 1] == ' ')
    return FALSE;
  return !(g_str_has_prefix (text, SENTINEL_START) && g_str_has_suffix (text, SENTINEL_END));
}

char *
gmcp_header_value_new (const char *text)
{
  g_autofree char *encoded = NULL;

  if (is_safe (text))
    return g_strdup (text);

  encoded = g_base64_encode ((const guchar *) text, strlen (text));
  return g_strconcat (SENTINEL_START, encoded, SENTINEL_END, NULL);
}

/* A number of JSON that is written in another way than here is the same one, also with an exponent, or a fraction of
 * noughts: “42.0” and “4.2e1” are 42. No digit is rounded off. */
static gboolean
is_same_number (GmcpJsonValue argument, const char *given)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (given, strlen (given), NULL, 0, NULL);
  gint64 expected_number;
  gint64 given_number;
  gsize length;

  if (doc == NULL || !gmcp_json_value_get_int64 (argument, &expected_number)
      || !gmcp_json_value_get_int64 (gmcp_json_doc_get_root (doc), &given_number))
    return FALSE;

  /* JSON allows space around it. */
  gmcp_json_value_peek_raw (gmcp_json_doc_get_root (doc), &length);
  return length == strlen (given) && given_number == expected_number;
}

static gboolean
is_same (GmcpJsonValue argument, const char *expected, const char *given)
{
  return g_str_equal (expected, given) || is_same_number (argument, given);
}

gboolean
gmcp_tool_headers_check (const GmcpToolHeaders *self,
                         GmcpJsonValue arguments,
                         GmcpHeaderLookup lookup,
                         gpointer data,
                         GError **error)
{
  for (guint i = 0; i < self->headers->len; i++)
    {
      const Header *header = &g_array_index (self->headers, Header, i);
      GmcpJsonValue argument = find_argument (arguments, header);
      g_autofree char *expected = argument_to_text (argument);
      const char *value = lookup (data, header->name);
      g_autofree char *given = value != NULL ? gmcp_header_value_read (value) : NULL;

      if (expected == NULL && value == NULL)
        continue;
      if (expected != NULL && given != NULL && is_same (argument, expected, given))
        continue;
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   value == NULL ? "the header %s is missing"
                                 : "the header %s does not say what the argument says",
                   header->name);
      return FALSE;
    }
  return TRUE;
}

char *
gmcp_header_value_read (const char *value)
{
  g_autofree char *encoded = NULL;
  g_autofree char *text = NULL;
  gsize length = strlen (value);
  gsize n_bytes;

  for (gsize i = 0; i < length; i++)
    if ((value[i] < 0x20 && value[i] != '\t') || value[i] > 0x7e)
      return NULL;
  if (!g_str_has_prefix (value, SENTINEL_START) || !g_str_has_suffix (value, SENTINEL_END)
      || length < strlen (SENTINEL_START) + strlen (SENTINEL_END))
    return g_strdup (value);

  encoded = g_strndup (value + strlen (SENTINEL_START),
                       length - strlen (SENTINEL_START) - strlen (SENTINEL_END));
  if (strspn (encoded, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
        != strlen (encoded)
      || strlen (encoded) % 4 != 0)
    return NULL;
  text = (char *) g_base64_decode (encoded, &n_bytes);
  text = g_realloc (text, n_bytes + 1);
  text[n_bytes] = '\0';
  return g_utf8_validate (text, (gssize) n_bytes, NULL) ? g_steal_pointer (&text) : NULL;
}
