/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-search-words-private.h"

/* From here on a word stands for all that begin with it. */
#define PREFIX_CHARS 3

char *
gmcp_search_words_cut (const char *text, gsize max_bytes)
{
  gsize length = strnlen (text, max_bytes + 1);
  g_autofree char *cut = NULL;

  if (length > max_bytes)
    /* Half a character at the end is none. */
    for (length = max_bytes; length > 0 && ((guchar) text[length] & 0xc0) == 0x80;)
      length--;
  cut = g_strndup (text, length);
  return g_utf8_validate (cut, -1, NULL) ? g_steal_pointer (&cut) : g_utf8_make_valid (cut, -1);
}

/* Whether a word of its own begins at p: aB, and the B of AABb. */
static gboolean
begins_word (const char *start, const char *p, const char *end)
{
  const char *next = g_utf8_next_char (p);
  gunichar before;

  if (p == start || !g_unichar_isupper (g_utf8_get_char (p)))
    return FALSE;

  before = g_utf8_get_char (g_utf8_prev_char (p));
  if (g_unichar_islower (before) || g_unichar_isdigit (before))
    return TRUE;
  return g_unichar_isupper (before) && next < end && g_unichar_islower (g_utf8_get_char (next));
}

/* The end of the part that begins at start. */
static const char *
find_part_end (const char *start, const char *end)
{
  const char *p = g_utf8_next_char (start);

  while (p < end && !begins_word (start, p, end))
    p = g_utf8_next_char (p);
  return p;
}

char *
gmcp_search_words_of_name (const char *name)
{
  g_autofree char *cut = gmcp_search_words_cut (name, GMCP_LIMIT_SEARCH_FIELD_BYTES);
  const char *end = cut + strlen (cut);
  GString *words = g_string_new (cut);

  for (const char *p = cut, *part_end; p < end; p = part_end)
    {
      part_end = find_part_end (p, end);
      if (p == cut && part_end == end)
        break;
      g_string_append_c (words, ' ');
      g_string_append_len (words, p, part_end - p);
    }

  return g_string_free (words, FALSE);
}

typedef struct
{
  GString *expression;
  GHashTable *seen;
} Expression;

/* In quotes nothing is an operator, and of the characters of words none is a quote. */
static void
add_word (Expression *self, const char *start, const char *end)
{
  gsize length = MIN ((gsize) (end - start), GMCP_LIMIT_SEARCH_WORD_BYTES);
  g_autofree char *copy = g_strndup (start, end - start);
  g_autofree char *word = gmcp_search_words_cut (copy, length);

  if (g_hash_table_size (self->seen) >= GMCP_LIMIT_SEARCH_WORDS
      || !g_hash_table_add (self->seen, g_utf8_casefold (word, -1)))
    return;

  if (self->expression->len > 0)
    g_string_append (self->expression, " OR ");
  g_string_append_printf (self->expression, "\"%s\"", word);
  if (g_utf8_strlen (word, -1) >= PREFIX_CHARS || !g_str_is_ascii (word))
    g_string_append (self->expression, " *");
}

static void
add_words (Expression *self, const char *start, const char *end)
{
  const char *part_end = find_part_end (start, end);

  add_word (self, start, end);
  if (part_end == end)
    return;

  for (const char *p = start; p < end; p = part_end)
    {
      part_end = find_part_end (p, end);
      add_word (self, p, part_end);
    }
}

static gboolean
is_word_char (gunichar c)
{
  return g_unichar_isalnum (c) || g_unichar_ismark (c);
}

char *
gmcp_search_words_to_expression (const char *query)
{
  g_autofree char *cut = gmcp_search_words_cut (query, GMCP_LIMIT_SEARCH_QUERY_BYTES);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Expression self = { g_string_new (NULL), seen };
  const char *start = NULL;
  const char *p;

  for (p = cut; *p != '\0'; p = g_utf8_next_char (p))
    {
      if (!is_word_char (g_utf8_get_char (p)))
        {
          if (start != NULL)
            add_words (&self, start, p);
          start = NULL;
        }
      else if (start == NULL)
        {
          start = p;
        }
    }
  if (start != NULL)
    add_words (&self, start, p);

  return g_string_free (self.expression, self.expression->len == 0);
}
