/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-uri-template-private.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-uri-template-parser-private.h"

/* The way back from a URI to the values, as a regular expression with a group for each variable. Shortest first, so that
 * what separates two values does not become a part of the first. */

#define RAW_BYTES       "\\x80-\\xff" /* of those who do not encode */
#define VALUE           "[A-Za-z0-9._~%" RAW_BYTES "-]*?"
#define RESERVING_VALUE "[A-Za-z0-9._~%:/?#\\[\\]@!$&'()*+,;=" RAW_BYTES "-]*?"

typedef struct
{
  GString *pattern;
  GPtrArray *names; /* of the groups, in their order */
  const GmcpUriOperator *op;
  gboolean begun;           /* the expression at hand has a variable */
  gboolean has_no_way_back; /* a part of a value, or how many there are */
} Pattern;

static void
append_exactly (Pattern *self, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      guchar byte = (guchar) text[i];

      if (g_ascii_isalnum (byte))
        g_string_append_c (self->pattern, text[i]);
      else if (g_ascii_isgraph (byte))
        g_string_append_printf (self->pattern, "\\%c", byte);
      else
        g_string_append_printf (self->pattern, "(?:%%%02X|\\x%02x)", byte, byte);
    }
}

static void
add_literal (gpointer data, const char *text, gsize length)
{
  append_exactly (data, text, length);
}

static void
begin_expression (gpointer data, const GmcpUriOperator *op)
{
  Pattern *self = data;

  self->op = op;
  self->begun = FALSE;
}

/* What may come before a value: any variable before it may be undefined. */
static void
append_lead (Pattern *self, const GmcpUriVariable *variable)
{
  const GmcpUriOperator *op = self->op;

  if (op->mark == '?')
    g_string_append (self->pattern, "[?&]");
  else
    append_exactly (self, self->begun ? op->separator : op->first, 1);
  if (!op->named)
    return;

  append_exactly (self, variable->name, variable->length);
  g_string_append (self->pattern, *op->if_empty != '\0' ? "=" : "(?:=|(?=[;/?#]|\\z))");
}

static gboolean
add_variable (gpointer data, const GmcpUriVariable *variable, GError **error)
{
  Pattern *self = data;
  const char *value = self->op->keeps_reserved ? RESERVING_VALUE : VALUE;

  if (variable->explode || variable->prefix > 0)
    self->has_no_way_back = TRUE;
  g_ptr_array_add (self->names, g_strndup (variable->name, variable->length));
  if (*self->op->first == '\0' && !self->begun)
    g_string_append_printf (self->pattern, "(%s)", value);
  else
    {
      g_string_append (self->pattern, "(?:");
      append_lead (self, variable);
      g_string_append_printf (self->pattern, "(%s))?", value);
    }
  self->begun = TRUE;
  return TRUE;
}

/* NULL for what is not encoded rightly, or is no text. */
static char *
dup_decoded (const char *text, gsize length)
{
  g_autoptr (GBytes) bytes = g_uri_unescape_bytes (text, (gssize) length, NULL, NULL);
  gsize size = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  if (bytes == NULL || !g_utf8_validate (data, (gssize) size, NULL))
    return NULL;
  return g_strndup (data, size);
}

/* A name that stands twice has one value. */
static gboolean
take_value (GHashTable *values, const char *name, char *value)
{
  const char *other = g_hash_table_lookup (values, name);

  if (value != NULL && other == NULL)
    {
      g_hash_table_insert (values, g_strdup (name), value);
      return TRUE;
    }
  if (value != NULL && g_str_equal (other, value))
    {
      g_free (value);
      return TRUE;
    }
  g_free (value);
  return FALSE;
}

static GHashTable *
read_values (GMatchInfo *match, GPtrArray *names, const char *uri)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < names->len; i++)
    {
      int start = -1;
      int end = -1;

      if (!g_match_info_fetch_pos (match, (int) i + 1, &start, &end) || start < 0)
        continue;
      if (!take_value (values, g_ptr_array_index (names, i),
                       dup_decoded (uri + start, (gsize) (end - start))))
        return NULL;
    }
  return g_steal_pointer (&values);
}

GHashTable *
gmcp_uri_template_match (const char *uri_template, const char *uri)
{
  static const GmcpUriTemplateVisitor visitor = { add_literal, begin_expression, add_variable };
  g_autoptr (GString) pattern = g_string_new ("\\A");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRegex) regex = NULL;
  g_autoptr (GMatchInfo) match = NULL;
  Pattern data = { .pattern = pattern, .names = names };

  if (strlen (uri) > GMCP_LIMIT_URI_BYTES
      || !gmcp_uri_template_parse (uri_template, &visitor, &data, NULL) || data.has_no_way_back)
    return NULL;

  g_string_append (pattern, "\\z");
  regex = g_regex_new (pattern->str, G_REGEX_RAW, 0, NULL);
  /* One that would take too many steps is none, as the URI may be anybody's. */
  if (regex == NULL || !g_regex_match_full (regex, uri, -1, 0, 0, &match, NULL))
    return NULL;
  return read_values (match, names, uri);
}
