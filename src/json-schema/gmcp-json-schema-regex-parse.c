/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-regex-program-private.h"
#include "gmcp-limits.h"

/* Counts of a repetition beyond this would make too large a program anyway. */
#define MAX_COUNT 1000000u

typedef struct
{
  GmcpSchemaTree *node;
  char *name;
} NamedReference;

typedef struct
{
  GmcpSchemaRegexSource *source;
  const char *start;
  const char *p;
  const char *end;
  guint depth;
  guint highest_reference;
  GHashTable *names;
  GArray *named_references;
  GError **error;
} Parser;

typedef struct
{
  gboolean is_item;
  gunichar c;
  GmcpSchemaClassItem item;
} Escape;

static GmcpSchemaTree *parse_choice (Parser *parser);

static gpointer
fail (Parser *parser, const char *what)
{
  g_set_error (parser->error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("%s (at byte %" G_GSIZE_FORMAT ")"), what, (gsize) (parser->p - parser->start));
  return NULL;
}

static GmcpSchemaTree *
new_node (Parser *parser, GmcpSchemaTreeKind kind)
{
  GmcpSchemaTree *node = g_new0 (GmcpSchemaTree, 1);

  node->kind = kind;
  g_ptr_array_add (parser->source->nodes, node);
  return node;
}

static void
append_child (GmcpSchemaTree *parent, GmcpSchemaTree *child)
{
  if (parent->last == NULL)
    parent->first = child;
  else
    parent->last->next = child;
  parent->last = child;
}

static gboolean
looking_at (Parser *parser, const char *text)
{
  gsize length = strlen (text);

  return (gsize) (parser->end - parser->p) >= length && memcmp (parser->p, text, length) == 0;
}

static gboolean
skip (Parser *parser, const char *text)
{
  if (!looking_at (parser, text))
    return FALSE;

  parser->p += strlen (text);
  return TRUE;
}

static gunichar
next_char (Parser *parser)
{
  gunichar c = g_utf8_get_char (parser->p);

  parser->p = g_utf8_next_char (parser->p);
  return c;
}

static gboolean
parse_hex (Parser *parser, guint n_digits, gunichar *c)
{
  gunichar value = 0;

  if ((gsize) (parser->end - parser->p) < n_digits)
    return FALSE;
  for (guint i = 0; i < n_digits; i++)
    {
      if (!g_ascii_isxdigit (parser->p[i]))
        return FALSE;
      value = value * 16 + g_ascii_xdigit_value (parser->p[i]);
    }

  parser->p += n_digits;
  *c = value;
  return TRUE;
}

/* What follows \u: four digits, two of those for a surrogate pair, or braces. */
static gboolean
parse_unicode_escape (Parser *parser, gunichar *c)
{
  gunichar value = 0, low;
  const char *back;

  if (skip (parser, "{"))
    {
      for (; parser->p < parser->end && g_ascii_isxdigit (*parser->p); parser->p++)
        if (value <= 0x10ffff)
          value = value * 16 + g_ascii_xdigit_value (*parser->p);
      *c = value;
      return parser->p[-1] != '{' && value <= 0x10ffff && skip (parser, "}");
    }

  if (!parse_hex (parser, 4, c))
    return FALSE;
  back = parser->p;
  if (*c >= 0xd800 && *c < 0xdc00 && skip (parser, "\\u") && parse_hex (parser, 4, &low)
      && low >= 0xdc00 && low < 0xe000)
    *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
  else
    parser->p = back;

  return TRUE;
}

static gboolean
parse_property_escape (Parser *parser, Escape *out)
{
  const char *close;
  g_autofree char *property = NULL;

  if (!skip (parser, "{") || (close = memchr (parser->p, '}', parser->end - parser->p)) == NULL)
    return fail (parser, _ ("a property in braces is missing")) != NULL;

  property = g_strndup (parser->p, close - parser->p);
  if (!gmcp_schema_class_item_init_property (&out->item, property))
    return fail (parser, _ ("unknown Unicode property")) != NULL;

  parser->p = close + 1;
  return TRUE;
}

static gboolean
parse_class_escape (Parser *parser, gunichar c, Escape *out)
{
  static const char letters[] = "dDwWsS";
  static const GmcpSchemaClassKind kinds[]
    = { GMCP_SCHEMA_CLASS_DIGIT, GMCP_SCHEMA_CLASS_WORD, GMCP_SCHEMA_CLASS_SPACE };

  out->is_item = TRUE;
  out->item = (GmcpSchemaClassItem){ .negate = c < 'a' };
  if (c == 'p' || c == 'P')
    return parse_property_escape (parser, out);

  out->item.kind = kinds[(strchr (letters, (char) c) - letters) / 2];
  return TRUE;
}

/* What follows a backslash, but for references and boundaries. */
static gboolean
parse_escape (Parser *parser, Escape *out)
{
  static const char controls[] = "tnvfr";
  static const char control_values[] = "\t\n\v\f\r";
  gunichar c;

  *out = (Escape){ 0 };
  if (parser->p == parser->end)
    return fail (parser, _ ("the pattern ends in a backslash")) != NULL;

  c = next_char (parser);
  out->c = c;
  if (c >= 0x80 || g_ascii_ispunct (c) || c == ' ')
    return TRUE;
  if (strchr ("dDwWsSpP", (char) c) != NULL && c != 0)
    return parse_class_escape (parser, c, out);
  if (c != 0 && strchr (controls, (char) c) != NULL)
    {
      out->c = control_values[strchr (controls, (char) c) - controls];
      return TRUE;
    }
  if (c == '0' && (parser->p == parser->end || !g_ascii_isdigit (*parser->p)))
    {
      out->c = 0;
      return TRUE;
    }
  if (c == 'c' && parser->p < parser->end && g_ascii_isalpha (*parser->p))
    {
      out->c = next_char (parser) % 32;
      return TRUE;
    }
  if (c == 'x' && parse_hex (parser, 2, &out->c))
    return TRUE;
  if (c == 'u' && parse_unicode_escape (parser, &out->c))
    return TRUE;

  return fail (parser, _ ("unknown escape sequence")) != NULL;
}

static gboolean
parse_class_atom (Parser *parser, Escape *out)
{
  *out = (Escape){ 0 };
  if (parser->p == parser->end)
    return fail (parser, _ ("a bracket is not closed")) != NULL;

  if (!skip (parser, "\\"))
    {
      out->c = next_char (parser);
      return TRUE;
    }
  if (skip (parser, "b"))
    {
      out->c = '\b';
      return TRUE;
    }

  return parse_escape (parser, out);
}

static void
add_to_class (GmcpSchemaClass *class, const Escape *escape, gunichar high)
{
  GmcpSchemaClassItem item = escape->item;

  if (!escape->is_item)
    item = (GmcpSchemaClassItem){ .kind = GMCP_SCHEMA_CLASS_RANGE, .low = escape->c, .high = high };
  g_array_append_val (class->items, item);
}

static GmcpSchemaTree *
new_class_node (Parser *parser, GmcpSchemaClass *class)
{
  GmcpSchemaTree *node = new_node (parser, GMCP_SCHEMA_TREE_CLASS);

  node->value = parser->source->classes->len;
  g_ptr_array_add (parser->source->classes, class);
  return node;
}

static GmcpSchemaTree *
parse_class (Parser *parser)
{
  GmcpSchemaClass *class = gmcp_schema_class_new ();
  GmcpSchemaTree *node = new_class_node (parser, class);

  class->negate = skip (parser, "^");
  while (!skip (parser, "]"))
    {
      Escape low, high;

      if (!parse_class_atom (parser, &low))
        return NULL;
      if (!looking_at (parser, "-") || looking_at (parser, "-]"))
        {
          add_to_class (class, &low, low.c);
          continue;
        }

      parser->p++;
      if (!parse_class_atom (parser, &high))
        return NULL;
      if (low.is_item || high.is_item)
        {
          Escape dash = { .c = '-' };

          add_to_class (class, &low, low.c);
          add_to_class (class, &dash, '-');
          add_to_class (class, &high, high.c);
        }
      else if (low.c > high.c)
        return fail (parser, _ ("a range in brackets goes backwards"));
      else
        add_to_class (class, &low, high.c);
    }

  gmcp_schema_class_seal (class);
  return node;
}

static GmcpSchemaTree *
parse_named_reference (Parser *parser)
{
  GmcpSchemaTree *node = new_node (parser, GMCP_SCHEMA_TREE_REFERENCE);
  const char *close = NULL;
  NamedReference reference = { node, NULL };

  if (skip (parser, "<"))
    close = memchr (parser->p, '>', parser->end - parser->p);
  if (close == NULL)
    return fail (parser, _ ("the name of a group is missing"));

  reference.name = g_strndup (parser->p, close - parser->p);
  g_array_append_val (parser->named_references, reference);
  parser->p = close + 1;
  return node;
}

static guint32
parse_number (Parser *parser)
{
  guint32 number = 0;

  for (; parser->p < parser->end && g_ascii_isdigit (*parser->p); parser->p++)
    number = MIN (number * 10 + (*parser->p - '0'), MAX_COUNT);

  return number;
}

static GmcpSchemaTree *
parse_atom_escape (Parser *parser)
{
  GmcpSchemaTree *node;
  Escape escape;

  if (looking_at (parser, "b") || looking_at (parser, "B"))
    {
      node = new_node (parser, GMCP_SCHEMA_TREE_BOUNDARY);
      node->negate = *parser->p++ == 'B';
      return node;
    }
  if (skip (parser, "k"))
    return parse_named_reference (parser);
  if (parser->p < parser->end && *parser->p >= '1' && *parser->p <= '9')
    {
      node = new_node (parser, GMCP_SCHEMA_TREE_REFERENCE);
      node->value = parse_number (parser);
      parser->highest_reference = MAX (parser->highest_reference, node->value);
      parser->source->has_references = TRUE;
      return node;
    }

  if (!parse_escape (parser, &escape))
    return NULL;
  if (escape.is_item)
    {
      GmcpSchemaClass *class = gmcp_schema_class_new ();

      add_to_class (class, &escape, escape.c);
      gmcp_schema_class_seal (class);
      return new_class_node (parser, class);
    }

  node = new_node (parser, GMCP_SCHEMA_TREE_CHAR);
  node->value = escape.c;
  return node;
}

static gboolean
open_capture (Parser *parser, GmcpSchemaTree *node, gboolean named)
{
  node->kind = GMCP_SCHEMA_TREE_GROUP;
  node->value = ++parser->source->n_groups;
  if (named)
    {
      const char *close = memchr (parser->p, '>', parser->end - parser->p);

      if (close == NULL || close == parser->p)
        return fail (parser, _ ("the name of a group is missing")) != NULL;
      if (!g_hash_table_insert (parser->names, g_strndup (parser->p, close - parser->p),
                                GUINT_TO_POINTER (node->value)))
        return fail (parser, _ ("two groups have the same name")) != NULL;
      parser->p = close + 1;
    }

  return TRUE;
}

/* What follows an opening parenthesis. */
static GmcpSchemaTree *
parse_group (Parser *parser)
{
  static const struct
  {
    const char *text;
    gboolean negate;
    gboolean behind;
  } looks[] = {
    { "?=", FALSE, FALSE }, { "?!", TRUE, FALSE }, { "?<=", FALSE, TRUE }, { "?<!", TRUE, TRUE }
  };
  GmcpSchemaTree *node = new_node (parser, GMCP_SCHEMA_TREE_SEQUENCE);
  GmcpSchemaTree *child;

  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    if (skip (parser, looks[i].text))
      {
        node->kind = GMCP_SCHEMA_TREE_LOOK;
        node->negate = looks[i].negate;
        node->behind = looks[i].behind;
        break;
      }

  if (node->kind != GMCP_SCHEMA_TREE_LOOK && !skip (parser, "?:"))
    {
      gboolean named = skip (parser, "?<");

      if (!named && looking_at (parser, "?"))
        return fail (parser, _ ("unknown kind of group"));
      if (!open_capture (parser, node, named))
        return NULL;
    }

  child = parse_choice (parser);
  if (child == NULL)
    return NULL;
  if (!skip (parser, ")"))
    return fail (parser, _ ("a parenthesis is not closed"));

  append_child (node, child);
  return node;
}

/* TRUE where a count in braces follows; other braces stand for themselves. */
static gboolean
parse_braces (Parser *parser, guint32 *min, guint32 *max)
{
  const char *back = parser->p;

  if (skip (parser, "{") && parser->p < parser->end && g_ascii_isdigit (*parser->p))
    {
      *min = parse_number (parser);
      *max = *min;
      if (skip (parser, ","))
        *max = parser->p < parser->end && g_ascii_isdigit (*parser->p)
                 ? parse_number (parser)
                 : GMCP_SCHEMA_REGEX_UNLIMITED;
      if (skip (parser, "}"))
        return TRUE;
    }

  parser->p = back;
  return FALSE;
}

static gboolean
parse_quantifier (Parser *parser, guint32 *min, guint32 *max)
{
  *min = 0;
  *max = GMCP_SCHEMA_REGEX_UNLIMITED;
  if (skip (parser, "*"))
    return TRUE;
  if (skip (parser, "+"))
    {
      *min = 1;
      return TRUE;
    }
  if (skip (parser, "?"))
    {
      *max = 1;
      return TRUE;
    }

  return parse_braces (parser, min, max);
}

static GmcpSchemaTree *
parse_atom (Parser *parser)
{
  GmcpSchemaTree *node;
  guint32 min, max;

  if (parse_quantifier (parser, &min, &max))
    return fail (parser, _ ("there is nothing to repeat"));
  if (skip (parser, "("))
    return parse_group (parser);
  if (skip (parser, "["))
    return parse_class (parser);
  if (skip (parser, "\\"))
    return parse_atom_escape (parser);
  if (skip (parser, "."))
    return new_node (parser, GMCP_SCHEMA_TREE_ANY);
  if (skip (parser, "^"))
    return new_node (parser, GMCP_SCHEMA_TREE_START);
  if (skip (parser, "$"))
    return new_node (parser, GMCP_SCHEMA_TREE_END);

  node = new_node (parser, GMCP_SCHEMA_TREE_CHAR);
  node->value = next_char (parser);
  return node;
}

static GmcpSchemaTree *
parse_term (Parser *parser)
{
  guint32 first_group = parser->source->n_groups + 1;
  GmcpSchemaTree *atom = parse_atom (parser);
  GmcpSchemaTree *repeat;
  guint32 min, max;

  if (atom == NULL || !parse_quantifier (parser, &min, &max))
    return atom;
  if (min > max)
    return fail (parser, _ ("a count in braces goes backwards"));

  repeat = new_node (parser, GMCP_SCHEMA_TREE_REPEAT);
  repeat->min = min;
  repeat->max = max;
  repeat->lazy = skip (parser, "?");
  repeat->first_group = first_group;
  repeat->end_group = parser->source->n_groups + 1;
  append_child (repeat, atom);
  return repeat;
}

static GmcpSchemaTree *
parse_sequence (Parser *parser)
{
  GmcpSchemaTree *sequence = new_node (parser, GMCP_SCHEMA_TREE_SEQUENCE);

  while (parser->p < parser->end && *parser->p != '|' && *parser->p != ')')
    {
      GmcpSchemaTree *term = parse_term (parser);

      if (term == NULL)
        return NULL;
      append_child (sequence, term);
    }

  return sequence;
}

static GmcpSchemaTree *
parse_choice (Parser *parser)
{
  GmcpSchemaTree *choice = new_node (parser, GMCP_SCHEMA_TREE_CHOICE);

  if (++parser->depth > GMCP_LIMIT_PATTERN_DEPTH)
    return fail (parser, _ ("groups are nested too deeply"));

  do
    {
      GmcpSchemaTree *sequence = parse_sequence (parser);

      if (sequence == NULL)
        return NULL;
      append_child (choice, sequence);
    }
  while (skip (parser, "|"));

  parser->depth--;
  return choice->first == choice->last ? choice->first : choice;
}

static gboolean
resolve_references (Parser *parser)
{
  for (guint i = 0; i < parser->named_references->len; i++)
    {
      NamedReference *reference = &g_array_index (parser->named_references, NamedReference, i);
      gpointer group = g_hash_table_lookup (parser->names, reference->name);

      if (group == NULL)
        return fail (parser, _ ("a reference names a group that is not there")) != NULL;
      reference->node->value = GPOINTER_TO_UINT (group);
      parser->source->has_references = TRUE;
    }

  if (parser->highest_reference > parser->source->n_groups)
    return fail (parser, _ ("a reference names a group that is not there")) != NULL;
  return TRUE;
}

static void
clear_named_reference (gpointer data)
{
  NamedReference *reference = data;

  g_free (reference->name);
}

gboolean
gmcp_schema_regex_parse (GmcpSchemaRegexSource *source,
                         const char *pattern,
                         gsize length,
                         GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) named_references = g_array_new (FALSE, FALSE, sizeof (NamedReference));
  Parser parser = {
    .source = source,
    .start = pattern,
    .p = pattern,
    .end = pattern + length,
    .names = names,
    .named_references = named_references,
    .error = error,
  };

  g_array_set_clear_func (named_references, clear_named_reference);
  *source = (GmcpSchemaRegexSource){
    .nodes = g_ptr_array_new_with_free_func (g_free),
    .classes = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_schema_class_free),
  };

  source->root = parse_choice (&parser);
  if (source->root == NULL)
    return FALSE;
  if (parser.p < parser.end)
    return fail (&parser, _ ("a parenthesis was never opened")) != NULL;

  return resolve_references (&parser);
}

void
gmcp_schema_regex_source_clear (GmcpSchemaRegexSource *source)
{
  g_clear_pointer (&source->nodes, g_ptr_array_unref);
  g_clear_pointer (&source->classes, g_ptr_array_unref);
}
