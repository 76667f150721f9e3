/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-visible-text-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"

/* Marks on one letter, beyond which they would cover the lines above and below. */
#define MAX_MARKS             4

#define ZERO_WIDTH_NON_JOINER 0x200c
#define ZERO_WIDTH_JOINER     0x200d
#define TEXT_STYLE            0xfe0e
#define EMOJI_STYLE           0xfe0f
#define KEYCAP                0x20e3

typedef struct
{
  gunichar first;
  gunichar last;
} Range;

/* What shows nothing, or only a blank, and yet is a letter, a mark or a symbol to Unicode. */
static const Range blanks[] = {
  { 0x034f, 0x034f },   /* combining grapheme joiner */
  { 0x115f, 0x1160 },   /* Hangul fillers */
  { 0x17b4, 0x17b5 },   /* Khmer inherent vowels */
  { 0x180b, 0x180f },   /* Mongolian variation selectors and vowel separator */
  { 0x2800, 0x2800 },   /* braille blank */
  { 0x3164, 0x3164 },   /* Hangul filler */
  { 0xfe00, 0xfe0f },   /* variation selectors */
  { 0xffa0, 0xffa0 },   /* half-width Hangul filler */
  { 0xfffc, 0xfffc },   /* object replacement */
  { 0x1d159, 0x1d159 }, /* null note head */
  { 0xe0000, 0xe0fff }, /* tags, and more variation selectors */
};

/* Signs that are drawn, though Unicode calls them format characters. */
static const Range drawn[] = {
  { 0x0600, 0x0605 }, { 0x06dd, 0x06dd },   { 0x070f, 0x070f },   { 0x0890, 0x0891 },
  { 0x08e2, 0x08e2 }, { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd },
};

/* Scripts that are not written rightly without joiners between letters. */
static const GUnicodeScript joined_scripts[] = {
  G_UNICODE_SCRIPT_ARABIC,  G_UNICODE_SCRIPT_SYRIAC,    G_UNICODE_SCRIPT_DEVANAGARI,
  G_UNICODE_SCRIPT_BENGALI, G_UNICODE_SCRIPT_GURMUKHI,  G_UNICODE_SCRIPT_GUJARATI,
  G_UNICODE_SCRIPT_ORIYA,   G_UNICODE_SCRIPT_TAMIL,     G_UNICODE_SCRIPT_TELUGU,
  G_UNICODE_SCRIPT_KANNADA, G_UNICODE_SCRIPT_MALAYALAM, G_UNICODE_SCRIPT_SINHALA,
};

static gboolean
is_in (gunichar c, const Range *ranges, gsize n_ranges)
{
  for (gsize i = 0; i < n_ranges; i++)
    {
      if (c >= ranges[i].first && c <= ranges[i].last)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_hidden (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_UNASSIGNED:
      return TRUE;
    case G_UNICODE_FORMAT:
      return !is_in (c, drawn, G_N_ELEMENTS (drawn));
    default:
      return is_in (c, blanks, G_N_ELEMENTS (blanks));
    }
}

static gboolean
is_picture (gunichar c)
{
  return g_unichar_type (c) == G_UNICODE_OTHER_SYMBOL || (c >= 0x1f3fb && c <= 0x1f3ff);
}

static gboolean
is_joined_letter (gunichar c)
{
  GUnicodeScript script = g_unichar_get_script (c);

  if (!g_unichar_isalpha (c) && !g_unichar_ismark (c))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (joined_scripts); i++)
    {
      if (script == joined_scripts[i])
        return TRUE;
    }
  return FALSE;
}

/* One that a script or a picture needs where it stands: never two in a row, so that nothing is
 * written with them. */
static gboolean
is_needed (gunichar before, gunichar c, gunichar next)
{
  switch (c)
    {
    case TEXT_STYLE:
    case EMOJI_STYLE:
      return is_picture (before) || g_unichar_type (before) == G_UNICODE_MATH_SYMBOL
             || (next == KEYCAP && c == EMOJI_STYLE && before < 0x80);
    case ZERO_WIDTH_JOINER:
      return ((is_picture (before) || before == EMOJI_STYLE) && is_picture (next))
             || (is_joined_letter (before) && is_joined_letter (next));
    case ZERO_WIDTH_NON_JOINER:
      return is_joined_letter (before) && is_joined_letter (next);
    default:
      return FALSE;
    }
}

typedef enum
{
  LAYOUT_LINES, /* as it is */
  LAYOUT_LINE,  /* white space is one space */
  LAYOUT_WORD,  /* white space but for spaces is shown */
} Layout;

typedef struct
{
  GString *out;
  gunichar before; /* 0 at the start, and behind what is not drawn as it is */
  guint n_marks;   /* in a row */
  Layout layout;
  gboolean space; /* one is to come before what follows */
} Writing;

static void
write_code (Writing *writing, gunichar c)
{
  g_string_append_printf (writing->out, "<U+%04X>", c);
  writing->before = 0;
  writing->n_marks = 0;
}

static void
write_char (Writing *writing, gunichar c, gunichar next)
{
  gboolean mark = g_unichar_ismark (c);

  if (writing->layout == LAYOUT_WORD && c != ' ' && g_unichar_isspace (c))
    {
      write_code (writing, c);
      return;
    }
  if (writing->layout == LAYOUT_LINE && g_unichar_isspace (c))
    {
      writing->space = writing->out->len > 0;
      return;
    }
  if (writing->space)
    {
      g_string_append_c (writing->out, ' ');
      writing->space = FALSE;
      writing->before = ' ';
      writing->n_marks = 0;
    }

  if (c == '\n' || c == '\t')
    {
      g_string_append_unichar (writing->out, c);
      writing->before = 0;
      writing->n_marks = 0;
      return;
    }
  if (is_hidden (c) && !is_needed (writing->before, c, next))
    {
      write_code (writing, c);
      return;
    }
  /* One without a letter would go onto what is ours. */
  if (mark && !is_hidden (c) && (writing->before == 0 || ++writing->n_marks > MAX_MARKS))
    {
      write_code (writing, c);
      return;
    }

  if (!mark)
    writing->n_marks = 0;
  g_string_append_unichar (writing->out, c);
  writing->before = c;
}

static char *
make_visible (const char *text, Layout layout)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  Writing writing = { .out = g_string_new (NULL), .layout = layout };

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    write_char (&writing, g_utf8_get_char (p), g_utf8_get_char (g_utf8_next_char (p)));
  return g_string_free (writing.out, FALSE);
}

/**
 * gmcp_dup_visible_text:
 * @text: a text of somebody else: a server, a model, a file
 *
 * Makes a text such that nothing in it is hidden from whoever reads it. Characters that cannot be
 * seen, or that change how others are shown, become `<U+202E>` and the like: control characters, those
 * that turn the direction of writing, those without width, tags and variation selectors, blanks
 * that pass for letters, characters of private use and such as have no meaning. Ends of lines and
 * tabs stay, as do joiners between letters of scripts that are not written without, and in emoji;
 * never two in a row. So do letters that look like others.
 *
 * An application that asks a person for consent shows all that comes from others in this way.
 *
 * Returns: (transfer full): the text in UTF-8
 *
 * Since: 0.1
 */
char *
gmcp_dup_visible_text (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return make_visible (text, LAYOUT_LINES);
}

char *
gmcp_dup_visible_word (const char *text)
{
  return make_visible (text, LAYOUT_WORD);
}

char *
gmcp_dup_shell_word (const char *text)
{
  g_autofree char *visible = gmcp_dup_visible_word (text);
  gboolean is_plain = *visible != '\0';

  for (const char *c = visible; *c != '\0'; c++)
    is_plain = is_plain && (g_ascii_isalnum (*c) || strchr ("@%+=:,./_-${}", *c) != NULL);
  return is_plain ? g_steal_pointer (&visible) : g_shell_quote (visible);
}

char *
gmcp_describe_cut (gulong n_left_out)
{
  /* Translators: behind a text that was cut: how many characters are left out */
  return g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "… %lu more character", "… %lu more characters", n_left_out),
    n_left_out);
}

/**
 * gmcp_dup_visible_line:
 * @text: a text of somebody else
 * @max_chars: how many characters are shown at most, 0 for all
 *
 * Makes a text visible as [func@Gmcp.dup_visible_text] does, in one line: white space becomes one
 * space. What is left out of a long text is said to be, with the number of characters.
 *
 * Returns: (transfer full): a line in UTF-8
 *
 * Since: 0.1
 */
char *
gmcp_dup_visible_line (const char *text, guint max_chars)
{
  g_autofree char *line = NULL;
  g_autofree char *cut = NULL;
  gulong n_chars;

  g_return_val_if_fail (text != NULL, NULL);

  line = make_visible (text, LAYOUT_LINE);
  n_chars = (gulong) g_utf8_strlen (line, -1);
  if (max_chars == 0 || n_chars <= max_chars)
    return g_steal_pointer (&line);

  *g_utf8_offset_to_pointer (line, max_chars) = '\0';
  cut = gmcp_describe_cut (n_chars - max_chars);
  return g_strconcat (line, cut, NULL);
}
