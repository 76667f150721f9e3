/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-quoting.h"

#include <string.h>

/* Takes one character of a word over, as g_shell_parse_argv() would; gives what stands behind it. */
static const char *
take_character (const char *at, char *quote, GString *word)
{
  if (*at == '\\' && *quote != '\'' && at[1] != '\0')
    {
      if (*quote == '"' && strchr ("\"\\$`", at[1]) == NULL)
        g_string_append_c (word, '\\');
      g_string_append_c (word, at[1]);
      return at + 2;
    }
  if (*quote == '\0' && (*at == '"' || *at == '\''))
    *quote = *at;
  else if (*quote != '\0' && *at == *quote)
    *quote = '\0';
  else
    g_string_append_c (word, *at);
  return at + 1;
}

GPtrArray *
cli_quoting_split_unfinished (const char *text, gsize *start, char **last)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) word = g_string_new (NULL);
  char quote = '\0';
  const char *at = text;

  *start = 0;
  while (*at != '\0')
    {
      if (quote != '\0' || !g_ascii_isspace (*at))
        {
          at = take_character (at, &quote, word);
          continue;
        }
      if (at > text + *start)
        g_ptr_array_add (words, g_strdup (word->str));
      g_string_truncate (word, 0);
      at++;
      *start = (gsize) (at - text);
    }
  *last = g_string_free (g_steal_pointer (&word), FALSE);
  return words;
}

char *
cli_quoting_unquote (const char *word)
{
  GString *meant = g_string_new (NULL);
  char quote = '\0';

  while (*word != '\0')
    word = take_character (word, &quote, meant);
  return g_string_free (meant, FALSE);
}

static gboolean
is_plain (const char *word)
{
  for (; *word != '\0'; word++)
    if (!g_ascii_isalnum (*word) && (guchar) *word < 0x80 && strchr ("-_./:=@%+,~", *word) == NULL)
      return FALSE;
  return TRUE;
}

char *
cli_quoting_quote (const char *word, gboolean finished)
{
  gsize length = strlen (word);
  gboolean goes_on = length > 0 && strchr ("=./:", word[length - 1]) != NULL;
  g_autofree char *quoted = is_plain (word) ? g_strdup (word) : g_shell_quote (word);

  return g_strconcat (quoted, finished && !goes_on ? " " : "", NULL);
}
