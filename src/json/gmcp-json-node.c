/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-doc-private.h"

/* Above this many members, doubled names are dropped before json-glib sees them: it searches the
 * whole object for each. */
#define FEW_MEMBERS 16u

/* Text of at most this many bytes is handed to json-glib, which copies it, from the stack. */
#define SHORT_TEXT 256u

static JsonNode *build_node (GmcpJsonValue value);

/* NUL-terminated, in buffer or in *to_free. */
static const char *
terminate_text (const char *text, gsize length, char buffer[SHORT_TEXT], char **to_free)
{
  if (length >= SHORT_TEXT)
    return *to_free = g_strndup (text, length);

  memcpy (buffer, text, length);
  buffer[length] = '\0';
  return buffer;
}

static JsonNode *
build_number (GmcpJsonValue value)
{
  JsonNode *node = json_node_alloc ();
  gint64 integer;
  double number;

  if (gmcp_json_cell_is_plain (gmcp_json_value_cell (value))
      && gmcp_json_value_get_int64 (value, &integer))
    return json_node_init_int (node, integer);

  /* What is too great for a double comes as the greatest one, since json-glib could not write an
   * infinity. */
  if (!gmcp_json_value_get_double (value, &number))
    number = value.doc->data[gmcp_json_value_cell (value)->offset] == '-' ? -DBL_MAX : DBL_MAX;
  return json_node_init_double (node, number);
}

static JsonNode *
build_string (GmcpJsonValue value)
{
  char buffer[SHORT_TEXT];
  g_autofree char *decoded = NULL;
  g_autofree char *to_free = NULL;
  gsize length;
  const char *text = gmcp_json_value_view_string (value, &length, &decoded);

  if (decoded == NULL)
    text = terminate_text (text, length, buffer, &to_free);
  return json_node_init_string (json_node_alloc (), text);
}

static JsonNode *
build_array (GmcpJsonValue value)
{
  g_autoptr (JsonArray) array = json_array_sized_new (gmcp_json_value_get_length (value));
  GmcpJsonIter iter;
  GmcpJsonValue element;

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &element))
    json_array_add_element (array, build_node (element));
  return json_node_init_array (json_node_alloc (), array);
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  const GmcpJsonMember *member_a = a;
  const GmcpJsonMember *member_b = b;

  return (member_a->position > member_b->position) - (member_a->position < member_b->position);
}

static void
set_member (JsonObject *object, const char *name, gsize name_length, GmcpJsonValue value)
{
  char buffer[SHORT_TEXT];
  g_autofree char *to_free = NULL;

  json_object_set_member (object, terminate_text (name, name_length, buffer, &to_free),
                          build_node (value));
}

static void
set_many_members (JsonObject *object, GmcpJsonValue value)
{
  g_autoptr (GArray) members = gmcp_json_value_list_members (value);

  g_array_sort (members, compare_positions);
  gmcp_json_members_mark_crowded (members);
  for (guint i = 0; i < members->len; i++)
    {
      const GmcpJsonMember *member = &g_array_index (members, GmcpJsonMember, i);

      if (!member->crowded)
        set_member (object, member->name, member->name_length, member->value);
    }
}

static JsonNode *
build_object (GmcpJsonValue value)
{
  g_autoptr (JsonObject) object = json_object_new ();
  GmcpJsonIter iter;
  GmcpJsonValue name;
  GmcpJsonValue member;

  if (gmcp_json_value_get_length (value) > FEW_MEMBERS)
    {
      set_many_members (object, value);
      return json_node_init_object (json_node_alloc (), object);
    }

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &name, &member))
    {
      g_autofree char *decoded = NULL;
      gsize length;
      const char *text = gmcp_json_value_view_string (name, &length, &decoded);

      set_member (object, text, length, member);
    }
  return json_node_init_object (json_node_alloc (), object);
}

static JsonNode *
build_node (GmcpJsonValue value)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (value);

  switch (kind)
    {
    case GMCP_JSON_OBJECT:
      return build_object (value);
    case GMCP_JSON_ARRAY:
      return build_array (value);
    case GMCP_JSON_STRING:
      return build_string (value);
    case GMCP_JSON_NUMBER:
      return build_number (value);
    case GMCP_JSON_TRUE:
    case GMCP_JSON_FALSE:
      return json_node_init_boolean (json_node_alloc (), kind == GMCP_JSON_TRUE);
    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
    default:
      return json_node_init_null (json_node_alloc ());
    }
}

JsonNode *
gmcp_json_value_to_mutable_node (GmcpJsonValue value)
{
  return value.doc != NULL ? build_node (value) : NULL;
}

JsonNode *
gmcp_json_value_to_node (GmcpJsonValue value)
{
  JsonNode *node = gmcp_json_value_to_mutable_node (value);

  if (node != NULL)
    json_node_seal (node);
  return node;
}

static gboolean write_node (GmcpJsonWriter *writer, JsonNode *node, guint depth, GError **error);

static gboolean
write_node_object (GmcpJsonWriter *writer, JsonObject *object, guint depth, GError **error)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  gmcp_json_writer_begin_object (writer);
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    {
      gmcp_json_writer_key (writer, name);
      if (!write_node (writer, member, depth, error))
        return FALSE;
    }
  gmcp_json_writer_end_object (writer);
  return TRUE;
}

static gboolean
write_node_array (GmcpJsonWriter *writer, JsonArray *array, guint depth, GError **error)
{
  guint length = json_array_get_length (array);

  gmcp_json_writer_begin_array (writer);
  for (guint i = 0; i < length; i++)
    if (!write_node (writer, json_array_get_element (array, i), depth, error))
      return FALSE;
  gmcp_json_writer_end_array (writer);
  return TRUE;
}

/* A double stays one when it is read back into a node, so a whole number gets its ".0". */
static gboolean
write_node_double (GmcpJsonWriter *writer, double number, GError **error)
{
  gsize start = writer->out->len;

  if (!isfinite (number))
    {
      g_set_error_literal (
        error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
        _ ("JSON has no way to write a number that is infinite or not a number"));
      return FALSE;
    }
  gmcp_json_writer_double (writer, number);
  if (strpbrk (writer->out->str + start, ".e") == NULL)
    g_string_append (writer->out, ".0");
  return TRUE;
}

static gboolean
write_node_scalar (GmcpJsonWriter *writer, JsonNode *node, GError **error)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_STRING)
    {
      const char *string = json_node_get_string (node);

      if (string != NULL)
        gmcp_json_writer_string (writer, string);
      else
        gmcp_json_writer_null (writer);
      return TRUE;
    }
  if (type == G_TYPE_DOUBLE)
    return write_node_double (writer, json_node_get_double (node), error);

  if (type == G_TYPE_INT64)
    gmcp_json_writer_int64 (writer, json_node_get_int (node));
  else if (type == G_TYPE_BOOLEAN)
    gmcp_json_writer_boolean (writer, json_node_get_boolean (node));
  else
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("A JSON node holds no value that JSON can hold"));
      return FALSE;
    }
  return TRUE;
}

static gboolean
write_node (GmcpJsonWriter *writer, JsonNode *node, guint depth, GError **error)
{
  JsonNodeType type = json_node_get_node_type (node);
  JsonObject *object = type == JSON_NODE_OBJECT ? json_node_get_object (node) : NULL;
  JsonArray *array = type == JSON_NODE_ARRAY ? json_node_get_array (node) : NULL;

  if (type == JSON_NODE_VALUE)
    return write_node_scalar (writer, node, error);
  if (object == NULL && array == NULL)
    {
      gmcp_json_writer_null (writer);
      return TRUE;
    }

  if (depth == 0)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                           _ ("A JSON node is nested too deep"));
      return FALSE;
    }
  return object != NULL ? write_node_object (writer, object, depth - 1, error)
                        : write_node_array (writer, array, depth - 1, error);
}

gboolean
gmcp_json_writer_node_of_depth (GmcpJsonWriter *writer,
                                JsonNode *node,
                                guint max_depth,
                                GError **error)
{
  gsize length = writer->out->len;
  gboolean comma = writer->comma;

  if (node == NULL)
    {
      gmcp_json_writer_null (writer);
      return TRUE;
    }
  if (write_node (writer, node, max_depth, error))
    return TRUE;

  g_string_truncate (writer->out, length);
  writer->comma = comma;
  return FALSE;
}

gboolean
gmcp_json_writer_node (GmcpJsonWriter *writer, JsonNode *node, GError **error)
{
  return gmcp_json_writer_node_of_depth (writer, node, GMCP_LIMIT_JSON_DEPTH, error);
}

GmcpJsonDoc *
gmcp_json_doc_from_node (JsonNode *node, GError **error)
{
  GString *text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  g_autoptr (GBytes) bytes = NULL;
  gboolean written = gmcp_json_writer_node (&writer, node, error);
  gsize length;
  const char *data;

  bytes = g_string_free_to_bytes (text);
  if (!written)
    return NULL;
  data = g_bytes_get_data (bytes, &length);
  return gmcp_json_doc_parse (data, length, bytes, 0, error);
}
