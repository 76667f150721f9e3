/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-regex-parser-private.h"

typedef struct
{
  gboolean is_item;
  gunichar c;
  GmcpSchemaClassItem item;
} Escape;

static gboolean
parse_hex (GmcpSchemaPatternParser *parser, guint n_digits, gunichar *c)
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
parse_unicode_escape (GmcpSchemaPatternParser *parser, gunichar *c)
{
  gunichar value = 0, low;
  const char *back;

  if (gmcp_schema_pattern_skip (parser, "{"))
    {
      for (; parser->p < parser->end && g_ascii_isxdigit (*parser->p); parser->p++)
        if (value <= 0x10ffff)
          value = value * 16 + g_ascii_xdigit_value (*parser->p);
      *c = value;
      return parser->p[-1] != '{' && value <= 0x10ffff && gmcp_schema_pattern_skip (parser, "}");
    }

  if (!parse_hex (parser, 4, c))
    return FALSE;
  back = parser->p;
  if (*c >= 0xd800 && *c < 0xdc00 && gmcp_schema_pattern_skip (parser, "\\u")
      && parse_hex (parser, 4, &low) && low >= 0xdc00 && low < 0xe000)
    *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
  else
    parser->p = back;

  return TRUE;
}

static gboolean
parse_property_escape (GmcpSchemaPatternParser *parser, Escape *out)
{
  const char *close;
  g_autofree char *property = NULL;

  if (!gmcp_schema_pattern_skip (parser, "{")
      || (close = memchr (parser->p, '}', parser->end - parser->p)) == NULL)
    return gmcp_schema_pattern_fail (parser, _ ("a property in braces is missing")) != NULL;

  property = g_strndup (parser->p, close - parser->p);
  if (!gmcp_schema_class_item_init_property (&out->item, property))
    return gmcp_schema_pattern_fail (parser, _ ("unknown Unicode property")) != NULL;

  parser->p = close + 1;
  return TRUE;
}

static gboolean
parse_class_escape (GmcpSchemaPatternParser *parser, gunichar c, Escape *out)
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
parse_escape (GmcpSchemaPatternParser *parser, Escape *out)
{
  static const char controls[] = "tnvfr";
  static const char control_values[] = "\t\n\v\f\r";
  gunichar c;

  *out = (Escape){ 0 };
  if (parser->p == parser->end)
    return gmcp_schema_pattern_fail (parser, _ ("the pattern ends in a backslash")) != NULL;

  c = gmcp_schema_pattern_next_char (parser);
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
      out->c = gmcp_schema_pattern_next_char (parser) % 32;
      return TRUE;
    }
  if (c == 'x' && parse_hex (parser, 2, &out->c))
    return TRUE;
  if (c == 'u' && parse_unicode_escape (parser, &out->c))
    return TRUE;

  return gmcp_schema_pattern_fail (parser, _ ("unknown escape sequence")) != NULL;
}

static gboolean
parse_class_atom (GmcpSchemaPatternParser *parser, Escape *out)
{
  *out = (Escape){ 0 };
  if (parser->p == parser->end)
    return gmcp_schema_pattern_fail (parser, _ ("a bracket is not closed")) != NULL;

  if (!gmcp_schema_pattern_skip (parser, "\\"))
    {
      out->c = gmcp_schema_pattern_next_char (parser);
      return TRUE;
    }
  if (gmcp_schema_pattern_skip (parser, "b"))
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
new_class_node (GmcpSchemaPatternParser *parser, GmcpSchemaClass *class)
{
  GmcpSchemaTree *node = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_CLASS);

  node->value = parser->source->classes->len;
  g_ptr_array_add (parser->source->classes, class);
  return node;
}

GmcpSchemaTree *
gmcp_schema_pattern_parse_class (GmcpSchemaPatternParser *parser)
{
  GmcpSchemaClass *class = gmcp_schema_class_new ();
  GmcpSchemaTree *node = new_class_node (parser, class);

  class->negate = gmcp_schema_pattern_skip (parser, "^");
  while (!gmcp_schema_pattern_skip (parser, "]"))
    {
      Escape low, high;

      if (!parse_class_atom (parser, &low))
        return NULL;
      if (!gmcp_schema_pattern_looking_at (parser, "-")
          || gmcp_schema_pattern_looking_at (parser, "-]"))
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
        return gmcp_schema_pattern_fail (parser, _ ("a range in brackets goes backwards"));
      else
        add_to_class (class, &low, high.c);
    }

  gmcp_schema_class_seal (class);
  return node;
}

GmcpSchemaTree *
gmcp_schema_pattern_parse_escape (GmcpSchemaPatternParser *parser)
{
  GmcpSchemaTree *node;
  GmcpSchemaClass *class;
  Escape escape;

  if (!parse_escape (parser, &escape))
    return NULL;

  if (escape.is_item)
    {
      class = gmcp_schema_class_new ();
      add_to_class (class, &escape, escape.c);
      gmcp_schema_class_seal (class);
      return new_class_node (parser, class);
    }

  node = gmcp_schema_pattern_new_node (parser, GMCP_SCHEMA_TREE_CHAR);
  node->value = escape.c;
  return node;
}
