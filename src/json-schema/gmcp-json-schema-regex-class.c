/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "gmcp-json-schema-regex-program-private.h"

#define TYPE_BIT(type) (1u << G_UNICODE_##type)

typedef struct
{
  const char *name;
  const char *long_name;
  guint32 mask;
} Category;

#define LETTERS_CASED                                                                              \
  (TYPE_BIT (UPPERCASE_LETTER) | TYPE_BIT (LOWERCASE_LETTER) | TYPE_BIT (TITLECASE_LETTER))
#define PUNCTUATION                                                                                \
  (TYPE_BIT (CONNECT_PUNCTUATION) | TYPE_BIT (DASH_PUNCTUATION) | TYPE_BIT (OPEN_PUNCTUATION)      \
   | TYPE_BIT (CLOSE_PUNCTUATION) | TYPE_BIT (INITIAL_PUNCTUATION) | TYPE_BIT (FINAL_PUNCTUATION)  \
   | TYPE_BIT (OTHER_PUNCTUATION))
#define LETTERS (LETTERS_CASED | TYPE_BIT (MODIFIER_LETTER) | TYPE_BIT (OTHER_LETTER))

static const Category categories[] = {
  { "L", "Letter", LETTERS },
  { "LC", "Cased_Letter", LETTERS_CASED },
  { "Lu", "Uppercase_Letter", TYPE_BIT (UPPERCASE_LETTER) },
  { "Ll", "Lowercase_Letter", TYPE_BIT (LOWERCASE_LETTER) },
  { "Lt", "Titlecase_Letter", TYPE_BIT (TITLECASE_LETTER) },
  { "Lm", "Modifier_Letter", TYPE_BIT (MODIFIER_LETTER) },
  { "Lo", "Other_Letter", TYPE_BIT (OTHER_LETTER) },
  { "M", "Mark",
    TYPE_BIT (NON_SPACING_MARK) | TYPE_BIT (SPACING_MARK) | TYPE_BIT (ENCLOSING_MARK) },
  { "Mn", "Nonspacing_Mark", TYPE_BIT (NON_SPACING_MARK) },
  { "Mc", "Spacing_Mark", TYPE_BIT (SPACING_MARK) },
  { "Me", "Enclosing_Mark", TYPE_BIT (ENCLOSING_MARK) },
  { "N", "Number", TYPE_BIT (DECIMAL_NUMBER) | TYPE_BIT (LETTER_NUMBER) | TYPE_BIT (OTHER_NUMBER) },
  { "Nd", "Decimal_Number", TYPE_BIT (DECIMAL_NUMBER) },
  { "digit", "digit", TYPE_BIT (DECIMAL_NUMBER) },
  { "Nl", "Letter_Number", TYPE_BIT (LETTER_NUMBER) },
  { "No", "Other_Number", TYPE_BIT (OTHER_NUMBER) },
  { "P", "Punctuation", PUNCTUATION },
  { "punct", "punct", PUNCTUATION },
  { "Pc", "Connector_Punctuation", TYPE_BIT (CONNECT_PUNCTUATION) },
  { "Pd", "Dash_Punctuation", TYPE_BIT (DASH_PUNCTUATION) },
  { "Ps", "Open_Punctuation", TYPE_BIT (OPEN_PUNCTUATION) },
  { "Pe", "Close_Punctuation", TYPE_BIT (CLOSE_PUNCTUATION) },
  { "Pi", "Initial_Punctuation", TYPE_BIT (INITIAL_PUNCTUATION) },
  { "Pf", "Final_Punctuation", TYPE_BIT (FINAL_PUNCTUATION) },
  { "Po", "Other_Punctuation", TYPE_BIT (OTHER_PUNCTUATION) },
  { "S", "Symbol",
    TYPE_BIT (MATH_SYMBOL) | TYPE_BIT (CURRENCY_SYMBOL) | TYPE_BIT (MODIFIER_SYMBOL)
      | TYPE_BIT (OTHER_SYMBOL) },
  { "Sm", "Math_Symbol", TYPE_BIT (MATH_SYMBOL) },
  { "Sc", "Currency_Symbol", TYPE_BIT (CURRENCY_SYMBOL) },
  { "Sk", "Modifier_Symbol", TYPE_BIT (MODIFIER_SYMBOL) },
  { "So", "Other_Symbol", TYPE_BIT (OTHER_SYMBOL) },
  { "Z", "Separator",
    TYPE_BIT (SPACE_SEPARATOR) | TYPE_BIT (LINE_SEPARATOR) | TYPE_BIT (PARAGRAPH_SEPARATOR) },
  { "Zs", "Space_Separator", TYPE_BIT (SPACE_SEPARATOR) },
  { "Zl", "Line_Separator", TYPE_BIT (LINE_SEPARATOR) },
  { "Zp", "Paragraph_Separator", TYPE_BIT (PARAGRAPH_SEPARATOR) },
  { "C", "Other",
    TYPE_BIT (CONTROL) | TYPE_BIT (FORMAT) | TYPE_BIT (SURROGATE) | TYPE_BIT (PRIVATE_USE)
      | TYPE_BIT (UNASSIGNED) },
  { "Cc", "Control", TYPE_BIT (CONTROL) },
  { "cntrl", "cntrl", TYPE_BIT (CONTROL) },
  { "Cf", "Format", TYPE_BIT (FORMAT) },
  { "Cs", "Surrogate", TYPE_BIT (SURROGATE) },
  { "Co", "Private_Use", TYPE_BIT (PRIVATE_USE) },
  { "Cn", "Unassigned", TYPE_BIT (UNASSIGNED) },
};

static gboolean
is_any (gunichar c)
{
  return TRUE;
}

static gboolean
is_ascii (gunichar c)
{
  return c < 0x80;
}

static gboolean
is_assigned (gunichar c)
{
  return g_unichar_type (c) != G_UNICODE_UNASSIGNED;
}

static gboolean
is_ascii_hex_digit (gunichar c)
{
  return c < 0x80 && g_ascii_isxdigit (c);
}

typedef struct
{
  const char *name;
  const char *short_name;
  gboolean (*has) (gunichar c);
} Binary;

static const Binary binaries[] = {
  { "Any", "Any", is_any },
  { "ASCII", "ASCII", is_ascii },
  { "Assigned", "Assigned", is_assigned },
  { "ASCII_Hex_Digit", "AHex", is_ascii_hex_digit },
  { "Alphabetic", "Alpha", g_unichar_isalpha },
  { "Lowercase", "Lower", g_unichar_islower },
  { "Uppercase", "Upper", g_unichar_isupper },
  { "White_Space", "space", g_unichar_isspace },
};

static gboolean
is_word (gunichar c)
{
  return c < 0x80 && (g_ascii_isalnum (c) || c == '_');
}

/* White space and line ends of ECMA-262. */
static gboolean
is_space (gunichar c)
{
  return (c >= '\t' && c <= '\r') || c == ' ' || c == 0xfeff || c == 0x2028 || c == 0x2029
         || (c >= 0x80 && g_unichar_type (c) == G_UNICODE_SPACE_SEPARATOR);
}

gboolean
gmcp_schema_class_item_has (const GmcpSchemaClassItem *item, gunichar c)
{
  gboolean has = FALSE;

  switch (item->kind)
    {
    case GMCP_SCHEMA_CLASS_RANGE:
      has = c >= item->low && c <= item->high;
      break;
    case GMCP_SCHEMA_CLASS_DIGIT:
      has = c >= '0' && c <= '9';
      break;
    case GMCP_SCHEMA_CLASS_WORD:
      has = is_word (c);
      break;
    case GMCP_SCHEMA_CLASS_SPACE:
      has = is_space (c);
      break;
    case GMCP_SCHEMA_CLASS_CATEGORY:
      has = (item->low & (1u << g_unichar_type (c))) != 0;
      break;
    case GMCP_SCHEMA_CLASS_SCRIPT:
      has = g_unichar_get_script (c) == (GUnicodeScript) item->low;
      break;
    case GMCP_SCHEMA_CLASS_BINARY:
      has = binaries[item->low].has (c);
      break;
    }

  return has != item->negate;
}

static gboolean
find_category (GmcpSchemaClassItem *item, const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (categories); i++)
    if (strcmp (name, categories[i].name) == 0 || strcmp (name, categories[i].long_name) == 0)
      {
        item->kind = GMCP_SCHEMA_CLASS_CATEGORY;
        item->low = categories[i].mask;
        return TRUE;
      }

  return FALSE;
}

/* Finds a script by its four letters (Grek), or by its name as GLib's enumeration has it
 * (Old_Italic). */
static gboolean
find_script (GmcpSchemaClassItem *item, const char *name)
{
  GUnicodeScript script = G_UNICODE_SCRIPT_INVALID_CODE;

  if (strlen (name) == 4)
    script = g_unicode_script_from_iso15924 (((guint32) name[0] << 24) | ((guint32) name[1] << 16)
                                             | ((guint32) name[2] << 8) | (guint32) name[3]);
  if (script == G_UNICODE_SCRIPT_INVALID_CODE || script == G_UNICODE_SCRIPT_UNKNOWN)
    {
      g_autoptr (GEnumClass) scripts = g_type_class_ref (G_TYPE_UNICODE_SCRIPT);
      g_autofree char *nick = g_ascii_strdown (name, -1);
      const GEnumValue *value;

      value = g_enum_get_value_by_nick (scripts, g_strdelimit (nick, "_", '-'));
      if (value == NULL)
        return FALSE;
      script = value->value;
    }

  item->kind = GMCP_SCHEMA_CLASS_SCRIPT;
  item->low = script;
  return TRUE;
}

gboolean
gmcp_schema_class_item_init_property (GmcpSchemaClassItem *item, const char *property)
{
  static const struct
  {
    const char *prefix;
    gboolean (*find) (GmcpSchemaClassItem *item, const char *name);
  } prefixes[] = {
    { "General_Category=", find_category },
    { "gc=", find_category },
    { "Script_Extensions=", find_script },
    { "scx=", find_script },
    { "Script=", find_script },
    { "sc=", find_script },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (property, prefixes[i].prefix))
      return prefixes[i].find (item, property + strlen (prefixes[i].prefix));

  for (gsize i = 0; i < G_N_ELEMENTS (binaries); i++)
    if (strcmp (property, binaries[i].name) == 0 || strcmp (property, binaries[i].short_name) == 0)
      {
        item->kind = GMCP_SCHEMA_CLASS_BINARY;
        item->low = i;
        return TRUE;
      }

  return find_category (item, property);
}

GmcpSchemaClass *
gmcp_schema_class_new (void)
{
  GmcpSchemaClass *self = g_new0 (GmcpSchemaClass, 1);

  self->items = g_array_new (FALSE, TRUE, sizeof (GmcpSchemaClassItem));
  return self;
}

void
gmcp_schema_class_free (GmcpSchemaClass *self)
{
  g_array_unref (self->items);
  g_free (self);
}

static gboolean
has_by_items (const GmcpSchemaClass *self, gunichar c)
{
  for (guint i = 0; i < self->items->len; i++)
    if (gmcp_schema_class_item_has (&g_array_index (self->items, GmcpSchemaClassItem, i), c))
      return !self->negate;

  return self->negate;
}

void
gmcp_schema_class_seal (GmcpSchemaClass *self)
{
  for (gunichar c = 0; c < 0x80; c++)
    if (has_by_items (self, c))
      self->ascii[c / 32] |= 1u << (c % 32);
}

gboolean
gmcp_schema_class_has (const GmcpSchemaClass *self, gunichar c)
{
  if (c < 0x80)
    return (self->ascii[c / 32] & (1u << (c % 32))) != 0;

  return has_by_items (self, c);
}
