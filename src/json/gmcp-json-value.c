/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-doc-private.h"

static inline GmcpJsonValue
value_at (GmcpJsonDoc *doc, guint32 index)
{
  return (GmcpJsonValue){ doc, index };
}

static inline gboolean
is_container (const GmcpJsonCell *cell)
{
  GmcpJsonKind kind = gmcp_json_cell_kind (cell);

  return kind == GMCP_JSON_ARRAY || kind == GMCP_JSON_OBJECT;
}

GmcpJsonKind
gmcp_json_value_get_kind (GmcpJsonValue value)
{
  if (value.doc == NULL)
    return GMCP_JSON_ABSENT;
  return gmcp_json_cell_kind (gmcp_json_value_cell (value));
}

guint
gmcp_json_value_get_length (GmcpJsonValue value)
{
  if (value.doc == NULL)
    return 0;
  /* The bits are zero for what is no container. */
  return gmcp_json_value_cell (value)->info >> GMCP_JSON_CELL_COUNT_SHIFT;
}

static inline gboolean
name_is (GmcpJsonDoc *doc, guint32 index, const char *wanted, gsize wanted_length)
{
  const GmcpJsonCell *cell = &doc->cells[index];
  const char *text;

  if (G_UNLIKELY (!gmcp_json_cell_is_plain (cell)))
    return gmcp_json_value_equals_string (value_at (doc, index), wanted);
  if (cell->length != wanted_length + 2)
    return FALSE;

  /* The first byte tells most names of a length apart. */
  text = doc->data + cell->offset + 1;
  return (wanted_length == 0 || *text == *wanted) && memcmp (text, wanted, wanted_length) == 0;
}

GmcpJsonValue
gmcp_json_value_get_member_len (GmcpJsonValue object, const char *name, gsize name_length)
{
  GmcpJsonDoc *doc = object.doc;
  guint32 found = 0;
  guint32 end;

  if (!gmcp_json_value_is_object (object))
    return GMCP_JSON_NONE;

  end = doc->cells[object.index].next;
  for (guint32 i = object.index + 1; i < end; i = doc->cells[i + 1].next)
    if (name_is (doc, i, name, name_length))
      found = i + 1;
  return found != 0 ? value_at (doc, found) : GMCP_JSON_NONE;
}

void
gmcp_json_value_get_members (GmcpJsonValue object,
                             const GmcpJsonName *names,
                             guint n_names,
                             GmcpJsonValue *values)
{
  GmcpJsonDoc *doc = object.doc;
  guint32 end;

  memset (values, 0, n_names * sizeof *values);
  if (!gmcp_json_value_is_object (object))
    return;

  end = doc->cells[object.index].next;
  for (guint32 i = object.index + 1; i < end; i = doc->cells[i + 1].next)
    {
      guint k = 0;

      while (k < n_names && !name_is (doc, i, names[k].text, names[k].length))
        k++;
      if (k < n_names)
        values[k] = value_at (doc, i + 1);
    }
}

GmcpJsonValue
gmcp_json_value_get_element (GmcpJsonValue array, guint position)
{
  const GmcpJsonCell *cell;
  guint32 index;
  guint length;

  if (!gmcp_json_value_is_array (array))
    return GMCP_JSON_NONE;

  cell = gmcp_json_value_cell (array);
  length = gmcp_json_value_get_length (array);
  if (position >= length)
    return GMCP_JSON_NONE;

  index = array.index + 1;
  if (cell->next - index == length) /* nothing but scalars and empty containers */
    return value_at (array.doc, index + position);
  while (position-- > 0)
    index = array.doc->cells[index].next;
  return value_at (array.doc, index);
}

/* An array index of RFC 6901: digits, no leading zero. */
static gboolean
parse_position (const char *token, guint *position)
{
  guint64 number;

  if (!g_ascii_isdigit (token[0]) || (token[0] == '0' && token[1] != '\0'))
    return FALSE;
  if (!g_ascii_string_to_unsigned (token, 10, 0, G_MAXUINT32, &number, NULL))
    return FALSE;
  *position = (guint) number;
  return TRUE;
}

/* ~1 is a slash and ~0 a tilde; FALSE for a tilde before anything else. */
static gboolean
decode_token (char *token)
{
  char *to = token;

  for (const char *from = token; *from != '\0'; from++)
    {
      if (*from != '~')
        {
          *to++ = *from;
          continue;
        }
      from++;
      if (*from != '0' && *from != '1')
        return FALSE;
      *to++ = *from == '0' ? '~' : '/';
    }
  *to = '\0';
  return TRUE;
}

GmcpJsonValue
gmcp_json_value_get_pointer (GmcpJsonValue value, const char *pointer)
{
  g_return_val_if_fail (pointer != NULL, GMCP_JSON_NONE);

  while (value.doc != NULL && *pointer != '\0')
    {
      g_autofree char *token = NULL;
      gsize length;
      guint position;

      if (*pointer++ != '/')
        return GMCP_JSON_NONE;
      length = strcspn (pointer, "/");
      token = g_strndup (pointer, length);
      pointer += length;
      if (!decode_token (token))
        return GMCP_JSON_NONE;

      if (gmcp_json_value_is_object (value))
        value = gmcp_json_value_get_member (value, token);
      else if (gmcp_json_value_is_array (value) && parse_position (token, &position))
        value = gmcp_json_value_get_element (value, position);
      else
        return GMCP_JSON_NONE;
    }
  return value;
}

void
gmcp_json_iter_init (GmcpJsonIter *iter, GmcpJsonValue container)
{
  *iter = (GmcpJsonIter){ GMCP_JSON_NONE, 0, FALSE };
  if (container.doc == NULL || !is_container (gmcp_json_value_cell (container)))
    return;

  iter->next = value_at (container.doc, container.index + 1);
  iter->left = gmcp_json_value_get_length (container);
  iter->object = gmcp_json_value_is_object (container);
}

gboolean
gmcp_json_iter_next (GmcpJsonIter *iter, GmcpJsonValue *key, GmcpJsonValue *value)
{
  if (iter->left == 0)
    return FALSE;

  iter->left--;
  if (key != NULL)
    *key = iter->object ? iter->next : GMCP_JSON_NONE;
  if (iter->object)
    iter->next.index++;
  if (value != NULL)
    *value = iter->next;
  iter->next.index = gmcp_json_value_cell (iter->next)->next;
  return TRUE;
}

gboolean
gmcp_json_value_get_boolean (GmcpJsonValue value, gboolean *out)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (value);

  if (kind != GMCP_JSON_TRUE && kind != GMCP_JSON_FALSE)
    return FALSE;
  *out = kind == GMCP_JSON_TRUE;
  return TRUE;
}

const char *
gmcp_json_value_peek_raw (GmcpJsonValue value, gsize *length)
{
  const GmcpJsonCell *cell;

  *length = 0;
  if (value.doc == NULL)
    return NULL;

  cell = gmcp_json_value_cell (value);
  *length = cell->length;
  return value.doc->data + cell->offset;
}

char *
gmcp_json_value_dup_raw (GmcpJsonValue value)
{
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (value, &length);

  return g_strndup (raw, length);
}
