/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-regex-parser-private.h"
#include "gmcp-limits.h"

/* Counts of a repetition beyond this would make too large a program anyway. */
#define MAX_COUNT 1000000u

typedef struct
{
  GmcpSchemaTree *node;
  char *name;
} NamedReference;

static GmcpSchemaTree *parse_choice (GmcpSchemaPatternParser *parser);

gpointer
gmcp_schema_pattern_fail (GmcpSchemaPatternParser *parser, const char *what)
{
  g_set_error (parser->error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, _ ("%s (at byte %u)"), what,
               (guint) (parser->p - parser->start));
  return NULL;
}

GmcpSchemaTree *
gmcp_schema_pattern_new_node (GmcpSchemaPatternParser *parser, GmcpSchemaTreeKind kind)
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

static GmcpSchemaTree *
parse_named_reference (GmcpSchemaPatternParser *parser)
{
  GmcpSchemaTree *node = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_REFERENCE);
  const char *close = NULL;
  NamedReference reference = { node, NULL };

  if (gmcp_schema_pattern_skip (parser, "<"))
    close = memchr (parser->p, '>', parser->end - parser->p);
  if (close == NULL)
    return gmcp_schema_pattern_fail (parser, _ ("the name of a group is missing"));

  reference.name = g_strndup (parser->p, close - parser->p);
  g_array_append_val (parser->named_references, reference);
  parser->p = close + 1;
  return node;
}

static guint32
parse_number (GmcpSchemaPatternParser *parser)
{
  guint32 number = 0;

  for (; parser->p < parser->end && g_ascii_isdigit (*parser->p); parser->p++)
    number = MIN (number * 10 + (*parser->p - '0'), MAX_COUNT);

  return number;
}

static GmcpSchemaTree *
parse_atom_escape (GmcpSchemaPatternParser *parser)
{
  GmcpSchemaTree *node;

  if (gmcp_schema_pattern_looking_at (parser, "b") || gmcp_schema_pattern_looking_at (parser, "B"))
    {
      node = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_BOUNDARY);
      node->negate = *parser->p++ == 'B';
      return node;
    }
  if (gmcp_schema_pattern_skip (parser, "k"))
    return parse_named_reference (parser);
  if (parser->p < parser->end && *parser->p >= '1' && *parser->p <= '9')
    {
      node = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_REFERENCE);
      node->value = parse_number (parser);
      parser->highest_reference = MAX (parser->highest_reference, node->value);
      parser->source->has_references = TRUE;
      return node;
    }

  return gmcp_schema_pattern_parse_escape (parser);
}

static gboolean
open_capture (GmcpSchemaPatternParser *parser, GmcpSchemaTree *node, gboolean named)
{
  node->kind = GMCP_SCHEMA_TREE_GROUP;
  node->value = ++parser->source->n_groups;
  if (named)
    {
      const char *close = memchr (parser->p, '>', parser->end - parser->p);

      if (close == NULL || close == parser->p)
        return gmcp_schema_pattern_fail (parser, _ ("the name of a group is missing")) != NULL;
      if (!g_hash_table_insert (parser->names, g_strndup (parser->p, close - parser->p),
                                GUINT_TO_POINTER (node->value)))
        return gmcp_schema_pattern_fail (parser, _ ("two groups have the same name")) != NULL;
      parser->p = close + 1;
    }

  return TRUE;
}

/* What follows an opening parenthesis. */
static GmcpSchemaTree *
parse_group (GmcpSchemaPatternParser *parser)
{
  static const struct
  {
    const char *text;
    gboolean negate;
    gboolean behind;
  } looks[] = {
    { "?=", FALSE, FALSE }, { "?!", TRUE, FALSE }, { "?<=", FALSE, TRUE }, { "?<!", TRUE, TRUE }
  };
  GmcpSchemaTree *node = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_SEQUENCE);
  GmcpSchemaTree *child;

  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    if (gmcp_schema_pattern_skip (parser, looks[i].text))
      {
        node->kind = GMCP_SCHEMA_TREE_LOOK;
        node->negate = looks[i].negate;
        node->behind = looks[i].behind;
        break;
      }

  if (node->kind != GMCP_SCHEMA_TREE_LOOK && !gmcp_schema_pattern_skip (parser, "?:"))
    {
      gboolean named = gmcp_schema_pattern_skip (parser, "?<");

      if (!named && gmcp_schema_pattern_looking_at (parser, "?"))
        return gmcp_schema_pattern_fail (parser, _ ("unknown kind of group"));
      if (!open_capture (parser, node, named))
        return NULL;
    }

  child = parse_choice (parser);
  if (child == NULL)
    return NULL;
  if (!gmcp_schema_pattern_skip (parser, ")"))
    return gmcp_schema_pattern_fail (parser, _ ("a parenthesis is not closed"));

  append_child (node, child);
  return node;
}

/* TRUE where a count in braces follows; other braces stand for themselves. */
static gboolean
parse_braces (GmcpSchemaPatternParser *parser, guint32 *min, guint32 *max)
{
  const char *back = parser->p;

  if (gmcp_schema_pattern_skip (parser, "{") && parser->p < parser->end
      && g_ascii_isdigit (*parser->p))
    {
      *min = parse_number (parser);
      *max = *min;
      if (gmcp_schema_pattern_skip (parser, ","))
        *max = parser->p < parser->end && g_ascii_isdigit (*parser->p)
                 ? parse_number (parser)
                 : GMCP_SCHEMA_REGEX_UNLIMITED;
      if (gmcp_schema_pattern_skip (parser, "}"))
        return TRUE;
    }

  parser->p = back;
  return FALSE;
}

static gboolean
parse_quantifier (GmcpSchemaPatternParser *parser, guint32 *min, guint32 *max)
{
  *min = 0;
  *max = GMCP_SCHEMA_REGEX_UNLIMITED;
  if (gmcp_schema_pattern_skip (parser, "*"))
    return TRUE;
  if (gmcp_schema_pattern_skip (parser, "+"))
    {
      *min = 1;
      return TRUE;
    }
  if (gmcp_schema_pattern_skip (parser, "?"))
    {
      *max = 1;
      return TRUE;
    }

  return parse_braces (parser, min, max);
}

static GmcpSchemaTree *
parse_atom (GmcpSchemaPatternParser *parser)
{
  GmcpSchemaTree *node;
  guint32 min, max;

  if (parse_quantifier (parser, &min, &max))
    return gmcp_schema_pattern_fail (parser, _ ("there is nothing to repeat"));
  if (gmcp_schema_pattern_skip (parser, "("))
    return parse_group (parser);
  if (gmcp_schema_pattern_skip (parser, "["))
    return gmcp_schema_pattern_parse_class (parser);
  if (gmcp_schema_pattern_skip (parser, "\\"))
    return parse_atom_escape (parser);
  if (gmcp_schema_pattern_skip (parser, "."))
    return gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_ANY);
  if (gmcp_schema_pattern_skip (parser, "^"))
    return gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_START);
  if (gmcp_schema_pattern_skip (parser, "$"))
    return gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_END);

  node = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_CHAR);
  node->value = gmcp_schema_pattern_next_char (parser);
  return node;
}

static GmcpSchemaTree *
parse_term (GmcpSchemaPatternParser *parser)
{
  guint32 first_group = parser->source->n_groups + 1;
  GmcpSchemaTree *atom = parse_atom (parser);
  GmcpSchemaTree *repeat;
  guint32 min, max;

  if (atom == NULL || !parse_quantifier (parser, &min, &max))
    return atom;
  if (min > max)
    return gmcp_schema_pattern_fail (parser, _ ("a count in braces goes backwards"));

  repeat = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_REPEAT);
  repeat->min = min;
  repeat->max = max;
  repeat->lazy = gmcp_schema_pattern_skip (parser, "?");
  repeat->first_group = first_group;
  repeat->end_group = parser->source->n_groups + 1;
  append_child (repeat, atom);
  return repeat;
}

static GmcpSchemaTree *
parse_sequence (GmcpSchemaPatternParser *parser)
{
  GmcpSchemaTree *sequence = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_SEQUENCE);

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
parse_choice (GmcpSchemaPatternParser *parser)
{
  GmcpSchemaTree *choice = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_CHOICE);

  if (++parser->depth > GMCP_LIMIT_PATTERN_DEPTH)
    return gmcp_schema_pattern_fail (parser, _ ("groups are nested too deeply"));

  do
    {
      GmcpSchemaTree *sequence = parse_sequence (parser);

      if (sequence == NULL)
        return NULL;
      append_child (choice, sequence);
    }
  while (gmcp_schema_pattern_skip (parser, "|"));

  parser->depth--;
  return choice->first == choice->last ? choice->first : choice;
}

static gboolean
resolve_references (GmcpSchemaPatternParser *parser)
{
  for (guint i = 0; i < parser->named_references->len; i++)
    {
      NamedReference *reference = &g_array_index (parser->named_references, NamedReference, i);
      gpointer group = g_hash_table_lookup (parser->names, reference->name);

      if (group == NULL)
        return gmcp_schema_pattern_fail (parser, _ ("a reference names a group that is not there"))
               != NULL;
      reference->node->value = GPOINTER_TO_UINT (group);
      parser->source->has_references = TRUE;
    }

  if (parser->highest_reference > parser->source->n_groups)
    return gmcp_schema_pattern_fail (parser, _ ("a reference names a group that is not there"))
           != NULL;
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
  GmcpSchemaPatternParser parser = {
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
    return gmcp_schema_pattern_fail (&parser, _ ("a parenthesis was never opened")) != NULL;

  return resolve_references (&parser);
}

void
gmcp_schema_regex_source_clear (GmcpSchemaRegexSource *source)
{
  g_clear_pointer (&source->nodes, g_ptr_array_unref);
  g_clear_pointer (&source->classes, g_ptr_array_unref);
}
