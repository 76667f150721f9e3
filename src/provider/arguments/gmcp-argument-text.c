/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-argument-shapes-private.h"

#include <math.h>
#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-near-names-private.h"
#include "gmcp-visible-text-private.h"

#define LISTS_MAX   4u
#define SHOWN_CHARS 60u
#define CHOICES_MAX 1000u
/* A choice longer than this is not offered; what is typed is still compared with it. */
#define CHOICE_BYTES 1024u

static const struct
{
  const char *word;
  const char *json;
} boolean_words[] = {
  { "true", "true" },   { "yes", "true" }, { "y", "true" },  { "on", "true" },   { "1", "true" },
  { "false", "false" }, { "no", "false" }, { "n", "false" }, { "off", "false" }, { "0", "false" },
};

static char *
quote_text (const char *text)
{
  GString *out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  gmcp_json_writer_string (&writer, text);
  return g_string_free (out, FALSE);
}

typedef struct
{
  const char *text;
  GmcpJsonValue typed; /* the text read as JSON; absent where it is none */
  char *json;
} Choice;

/* A string is typed without its quotes. */
static void
match_choice (GmcpJsonValue value, gpointer data)
{
  Choice *choice = data;

  if (choice->json == NULL
      && (gmcp_json_value_equals_string (value, choice->text)
          || (gmcp_json_value_is_present (choice->typed)
              && gmcp_json_value_equal (value, choice->typed))))
    choice->json = gmcp_json_value_dup_raw (value);
}

static gboolean
is_whole (GmcpJsonValue number)
{
  gint64 small;
  double value;

  if (gmcp_json_value_get_int64 (number, &small))
    return TRUE;
  return gmcp_json_value_get_double (number, &value) && isfinite (value)
         && gmcp_argument_round_down (value) == value;
}

/* Whether a text that is JSON is meant as that: where a string may stand too, only what says so. */
static gboolean
takes_json (const GmcpArgumentShapes *self, GmcpJsonValue typed)
{
  gboolean any = gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_ANY);

  switch (gmcp_json_value_get_kind (typed))
    {
    case GMCP_JSON_OBJECT:
      return any || gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_OBJECT);
    case GMCP_JSON_ARRAY:
      return any || gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_ARRAY);
    case GMCP_JSON_NUMBER:
      return any || gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_NUMBER)
             || (gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_INTEGER) && is_whole (typed));
    case GMCP_JSON_TRUE:
    case GMCP_JSON_FALSE:
      return any || gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_BOOLEAN);
    case GMCP_JSON_NULL:
      return any
             || (gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_NULL)
                 && !gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_STRING));
    case GMCP_JSON_STRING:
      return any;
    case GMCP_JSON_ABSENT:
    default:
      return FALSE;
    }
}

static const char *
find_boolean (const GmcpArgumentShapes *self, const char *text)
{
  if (!gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_BOOLEAN)
      || gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_STRING))
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (boolean_words); i++)
    if (g_ascii_strcasecmp (text, boolean_words[i].word) == 0)
      return boolean_words[i].json;
  return NULL;
}

static char *read_text (const GmcpArgumentShapes *self, const char *text, guint depth);

/* One item of a list, typed alone. */
static char *
read_item (const GmcpArgumentShapes *self, const char *text, guint depth)
{
  g_autofree GmcpArgumentShapes *items = g_new (GmcpArgumentShapes, 1);
  g_autofree char *item = NULL;

  if (depth >= LISTS_MAX || !gmcp_argument_shapes_read_items (self, items))
    return NULL;
  item = read_text (items, text, depth + 1);
  return item != NULL ? g_strdup_printf ("[%s]", item) : NULL;
}

/* NULL where it fits nothing. */
static char *
read_text (const GmcpArgumentShapes *self, const char *text, guint depth)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (trimmed, strlen (trimmed), NULL, 0, NULL);
  GmcpJsonValue typed = doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;
  Choice choice = { text, typed, NULL };
  const char *boolean = find_boolean (self, trimmed);

  gmcp_argument_shapes_foreach_choice (self, match_choice, &choice);
  if (choice.json != NULL)
    return choice.json;
  if (takes_json (self, typed))
    return g_strdup (trimmed);
  if (boolean != NULL)
    return g_strdup (boolean);
  if (gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_STRING)
      || gmcp_argument_shapes_have (self, GMCP_ARGUMENT_KIND_ANY))
    return quote_text (text);
  return read_item (self, text, depth);
}

static void
add_choice (GmcpJsonValue value, gpointer data)
{
  GPtrArray *choices = data;
  g_autofree char *text = NULL;
  gsize length;

  gmcp_json_value_peek_raw (value, &length);
  if (choices->len >= CHOICES_MAX || length > CHOICE_BYTES
      || gmcp_json_value_get_kind (value) == GMCP_JSON_NULL)
    return;
  text = gmcp_json_value_is_string (value) ? gmcp_json_value_dup_string (value)
                                           : gmcp_json_value_dup_raw (value);
  if (!g_ptr_array_find_with_equal_func (choices, text, g_str_equal, NULL))
    g_ptr_array_add (choices, g_steal_pointer (&text));
}

char **
gmcp_argument_list_choices (const GmcpArgumentShapes *self)
{
  g_autofree GmcpArgumentShapes *items = g_new (GmcpArgumentShapes, 1);
  g_autoptr (GPtrArray) choices = g_ptr_array_new_with_free_func (g_free);

  if (gmcp_argument_shapes_read_items (self, items))
    self = items;
  for (guint i = 0; i < self->n_shapes; i++)
    switch (self->shapes[i].kind)
      {
      case GMCP_ARGUMENT_KIND_BOOLEAN:
        g_ptr_array_add (choices, g_strdup ("true"));
        g_ptr_array_add (choices, g_strdup ("false"));
        break;
      case GMCP_ARGUMENT_KIND_ENUM:
      case GMCP_ARGUMENT_KIND_CONST:
      case GMCP_ARGUMENT_KIND_NULL:
        break;
      case GMCP_ARGUMENT_KIND_ANY:
      case GMCP_ARGUMENT_KIND_INTEGER:
      case GMCP_ARGUMENT_KIND_NUMBER:
      case GMCP_ARGUMENT_KIND_STRING:
      case GMCP_ARGUMENT_KIND_ARRAY:
      case GMCP_ARGUMENT_KIND_OBJECT:
      default:
        return NULL;
      }
  gmcp_argument_shapes_foreach_choice (self, add_choice, choices);
  if (choices->len == 0)
    return NULL;
  g_ptr_array_add (choices, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&choices), FALSE);
}

static char *
suggest_choice (const GmcpArgumentShapes *self, const char *text)
{
  g_auto (GStrv) choices = gmcp_argument_list_choices (self);
  g_autofree GmcpNearName *candidates = NULL;
  guint n = choices != NULL ? g_strv_length (choices) : 0;

  candidates = g_new0 (GmcpNearName, n + 1);
  for (guint i = 0; i < n; i++)
    candidates[i] = (GmcpNearName){ choices[i], choices[i] };
  return gmcp_near_names_suggest (text, candidates, n);
}

char *
gmcp_argument_parse_text (const GmcpArgumentShapes *self,
                          const char *name,
                          const char *type,
                          const char *text,
                          GError **error)
{
  char *json = read_text (self, text, 0);
  g_autofree char *shown = NULL;
  g_autofree char *near = NULL;
  g_autofree char *problem = NULL;

  if (json != NULL)
    return json;

  shown = gmcp_dup_visible_line (text, SHOWN_CHARS);
  near = suggest_choice (self, text);
  /* Translators: the name of an argument, its type, and what was typed */
  problem = g_strdup_printf (_ ("“%s” has to be %s, not “%s”"), name, type, shown);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s%s%s", problem,
               *near != '\0' ? "." : "", near);
  return NULL;
}
