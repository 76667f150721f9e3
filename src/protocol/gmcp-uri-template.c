/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-uri-template-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-uri-template-parser-private.h"

typedef struct
{
  GmcpJsonValue variables;
  GString *out;
  const GmcpUriOperator *op; /* of the expression at hand */
  gboolean begun;            /* something of it was written */
  gboolean too_long;         /* nothing more is written */
  guint64 n_steps;           /* what was looked at so far */
} Expansion;

static gboolean
is_kept (char c, gboolean keeps_reserved)
{
  if (g_ascii_isalnum (c) || (c != '\0' && strchr ("-._~", c) != NULL))
    return TRUE;
  return keeps_reserved && c != '\0' && strchr (":/?#[]@!$&'()*+,;=", c) != NULL;
}

/* Percent-encodes all else; where reserved characters stay, what is encoded already stays too. Stops
 * where the URI has become too long: a template can name one long value, or a value have one long name,
 * thousands of times. */
static void
append_encoded (Expansion *self, const char *text, gsize length, gboolean keeps_reserved)
{
  static const char digits[] = "0123456789ABCDEF";
  GString *out = self->out;
  const char *end = text + length;

  for (const char *at = text; at < end; at++)
    {
      if (out->len > GMCP_LIMIT_URI_BYTES)
        {
          self->too_long = TRUE;
          return;
        }
      if (is_kept (*at, keeps_reserved)
          || (keeps_reserved && end - at >= 3 && gmcp_uri_is_triplet (at)))
        {
          g_string_append_c (out, *at);
          continue;
        }
      g_string_append_c (out, '%');
      g_string_append_c (out, digits[(guchar) *at >> 4]);
      g_string_append_c (out, digits[(guchar) *at & 15]);
    }
}

static void
expand_literal (gpointer data, const char *text, gsize length)
{
  Expansion *self = data;

  append_encoded (self, text, length, TRUE);
}

static void
begin_expression (gpointer data, const GmcpUriOperator *op)
{
  Expansion *self = data;

  self->op = op;
  self->begun = FALSE;
}

/* What a string, a number or a boolean is as text; NULL for anything else. */
static char *
dup_scalar (GmcpJsonValue value)
{
  switch (gmcp_json_value_get_kind (value))
    {
    case GMCP_JSON_STRING:
      return gmcp_json_value_dup_string (value);
    case GMCP_JSON_NUMBER:
    case GMCP_JSON_TRUE:
    case GMCP_JSON_FALSE:
      return gmcp_json_value_dup_raw (value);
    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
    case GMCP_JSON_ARRAY:
    case GMCP_JSON_OBJECT:
    default:
      return NULL;
    }
}

static gboolean
is_undefined (GmcpJsonValue value)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (value);

  return kind == GMCP_JSON_ABSENT || kind == GMCP_JSON_NULL;
}

/* The bytes of that many characters. Where reserved characters stay, a triplet is one. */
static gsize
measure_prefix (const char *text, guint n_characters, gboolean keeps_reserved)
{
  const char *at = text;

  for (; n_characters > 0 && *at != '\0'; n_characters--)
    at = keeps_reserved && gmcp_uri_is_triplet (at) ? at + 3 : g_utf8_next_char (at);
  return (gsize) (at - text);
}

static void
append_separator (Expansion *self)
{
  g_string_append (self->out, self->begun ? self->op->separator : self->op->first);
  self->begun = TRUE;
}

static void
append_value (Expansion *self, const char *text, gsize length)
{
  append_encoded (self, text, length, self->op->keeps_reserved);
}

/* The name of a value and what comes between the two. */
static void
append_name (Expansion *self, const char *name, gsize length, gboolean empty)
{
  append_encoded (self, name, length, TRUE);
  g_string_append (self->out, empty ? self->op->if_empty : "=");
}

static gboolean
fail_value (const GmcpUriVariable *spec, const char *problem, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               /* Translators: a variable of a URI template, and what is wrong with its value */
               _ ("The value of “%.*s” does not fit the URI template: %s"),
               (int) MIN (spec->length, 100), spec->name, problem);
  return FALSE;
}

static gboolean
check_size (Expansion *self, GError **error)
{
  if (!self->too_long && self->out->len <= GMCP_LIMIT_URI_BYTES)
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("The URI would be longer than %u bytes"), GMCP_LIMIT_URI_BYTES);
  return FALSE;
}

/* Before anything is copied: values that are named again and again are read each time. */
static gboolean
take_steps (Expansion *self, gsize n_steps, GError **error)
{
  self->n_steps += n_steps;
  if (self->n_steps <= GMCP_LIMIT_URI_TEMPLATE_STEPS)
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("The values of the URI template are too large, or too many: more than %u bytes "
                  "would have to be read"),
               GMCP_LIMIT_URI_TEMPLATE_STEPS);
  return FALSE;
}

static gboolean
take_value_steps (Expansion *self, GmcpJsonValue value, GError **error)
{
  gsize length = 0;

  gmcp_json_value_peek_raw (value, &length);
  return take_steps (self, length, error);
}

/* One member of a list or of an object. Exploded, each stands for itself; else all follow the name
 * of the variable, with commas between. A pair's own name is encoded as values are, so that it
 * cannot become more than a name. */
static void
append_member (Expansion *self,
               const GmcpUriVariable *spec,
               const char *key,
               const char *text,
               gboolean first)
{
  gsize length = strlen (text);

  if (spec->explode)
    {
      append_separator (self);
      if (key == NULL && self->op->named)
        append_name (self, spec->name, spec->length, length == 0);
      if (key != NULL)
        {
          append_value (self, key, strlen (key));
          g_string_append (self->out, length == 0 && self->op->named ? self->op->if_empty : "=");
        }
      append_value (self, text, length);
      return;
    }

  if (first)
    {
      append_separator (self);
      if (self->op->named)
        append_name (self, spec->name, spec->length, FALSE);
    }
  else
    g_string_append_c (self->out, ',');
  if (key != NULL)
    {
      append_value (self, key, strlen (key));
      g_string_append_c (self->out, ',');
    }
  append_value (self, text, length);
}

static gboolean
expand_members (Expansion *self, const GmcpUriVariable *spec, GmcpJsonValue members, GError **error)
{
  gboolean first = TRUE;
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  if (spec->prefix > 0)
    return fail_value (spec, _ ("there is no prefix of a list"), error);

  gmcp_json_iter_init (&iter, members);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = NULL;
      g_autofree char *text = NULL;

      if (!take_steps (self, 1, error))
        return FALSE;
      if (is_undefined (value))
        continue;
      if (!take_value_steps (self, value, error) || !take_value_steps (self, key, error))
        return FALSE;
      text = dup_scalar (value);
      if (text == NULL)
        return fail_value (spec, _ ("a list can hold no other list"), error);
      if (gmcp_json_value_is_present (key))
        name = gmcp_json_value_dup_string (key);
      append_member (self, spec, name, text, first);
      first = FALSE;
      if (!check_size (self, error))
        return FALSE;
    }
  return TRUE;
}

static void
expand_scalar (Expansion *self, const GmcpUriVariable *spec, const char *text)
{
  gsize length = strlen (text);

  if (spec->prefix > 0)
    length = measure_prefix (text, spec->prefix, self->op->keeps_reserved);
  append_separator (self);
  if (self->op->named)
    append_name (self, spec->name, spec->length, length == 0);
  append_value (self, text, length);
}

static gboolean
expand_variable (gpointer data, const GmcpUriVariable *spec, GError **error)
{
  Expansion *self = data;
  g_autofree char *name = g_strndup (spec->name, spec->length);
  g_autofree char *text = NULL;
  GmcpJsonKind kind;
  GmcpJsonValue value;

  if (!take_steps (self, gmcp_json_value_get_length (self->variables), error))
    return FALSE;
  value = gmcp_json_value_get_member (self->variables, name);
  kind = gmcp_json_value_get_kind (value);
  if (kind == GMCP_JSON_ARRAY || kind == GMCP_JSON_OBJECT)
    return expand_members (self, spec, value, error);

  if (!take_value_steps (self, value, error))
    return FALSE;
  text = dup_scalar (value);
  if (text != NULL)
    expand_scalar (self, spec, text);
  return check_size (self, error);
}

char *
gmcp_uri_template_expand (const char *uri_template, GmcpJsonValue variables, GError **error)
{
  static const GmcpUriTemplateVisitor visitor
    = { expand_literal, begin_expression, expand_variable };
  g_autoptr (GString) out = g_string_new (NULL);
  Expansion expansion = { .variables = variables, .out = out };

  if (!gmcp_uri_template_parse (uri_template, &visitor, &expansion, error)
      || !check_size (&expansion, error))
    return NULL;

  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* The names. */

typedef struct
{
  GPtrArray *names;
  GHashTable *seen; /* borrowed from names */
} Names;

static void
skip_literal (gpointer data, const char *text, gsize length)
{
}

static void
skip_operator (gpointer data, const GmcpUriOperator *op)
{
}

static gboolean
note_name (gpointer data, const GmcpUriVariable *spec, GError **error)
{
  Names *self = data;
  g_autofree char *name = g_strndup (spec->name, spec->length);

  if (!g_hash_table_contains (self->seen, name))
    {
      g_hash_table_add (self->seen, name);
      g_ptr_array_add (self->names, g_steal_pointer (&name));
    }
  return TRUE;
}

char **
gmcp_uri_template_list_variables (const char *uri_template, GError **error)
{
  static const GmcpUriTemplateVisitor visitor = { skip_literal, skip_operator, note_name };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  Names data = { names, seen };

  if (!gmcp_uri_template_parse (uri_template, &visitor, &data, error))
    return NULL;

  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

gboolean
gmcp_uri_template_may_make (const char *uri_template, const char *uri)
{
  const char *expression = strchr (uri_template, '{');
  const char *end = strrchr (uri_template, '}');
  gsize length;

  if (expression == NULL || end == NULL)
    return strcmp (uri_template, uri) == 0;

  length = (gsize) (expression - uri_template);
  return length > 0 && strncmp (uri_template, uri, length) == 0
         && strlen (uri) >= length + strlen (end + 1) && g_str_has_suffix (uri, end + 1);
}
