/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-answer.h"

#include <glib/gi18n.h>
#include <langinfo.h>

static const struct
{
  CliAnswer answer;
  const char *letter; /* as questions show it in any language */
  const char *word;
} answers[] = {
  { CLI_ANSWER_YES, "y", "yes" },       { CLI_ANSWER_NO, "n", "no" },
  { CLI_ANSWER_ALWAYS, "a", "always" }, { CLI_ANSWER_EDIT, "e", "edit" },
  { CLI_ANSWER_REST, "r", "rest" },
};

/* A word of the user's language, as gmcp is translated or as the system has it. */
static gboolean
is_same_word (const char *word, const char *other)
{
  g_autofree char *folded = other != NULL ? g_utf8_casefold (other, -1) : NULL;

  return folded != NULL && *folded != '\0' && g_str_equal (folded, word);
}

static gboolean
is_word_of_system (const char *word, nl_item item)
{
  g_autofree char *other = g_locale_to_utf8 (nl_langinfo (item), -1, NULL, NULL, NULL);

  return is_same_word (word, other);
}

static CliAnswer
read_own_language (const char *word)
{
  /* Translators: the letter for yes that your translation of “[y/N]” has */
  if (is_same_word (word, _ ("y")) || is_same_word (word, _ ("yes"))
      || is_word_of_system (word, YESSTR))
    return CLI_ANSWER_YES;
  if (is_same_word (word, _ ("no")) || is_word_of_system (word, NOSTR))
    return CLI_ANSWER_NO;
  return CLI_ANSWER_OTHER;
}

CliAnswer
cli_answer_read (const char *line)
{
  g_autofree char *stripped = g_strstrip (g_strdup (line));
  g_autofree char *word = g_utf8_casefold (stripped, -1);

  if (*word == '\0')
    return CLI_ANSWER_NOTHING;

  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      if (g_str_equal (word, answers[i].letter) || g_str_equal (word, answers[i].word))
        return answers[i].answer;
    }
  return read_own_language (word);
}
